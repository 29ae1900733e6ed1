package study

import (
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

func TestVerdictOf(t *testing.T) {
	for want, j := range map[string]certify.Judged{
		"holds":      {Verdict: certify.Holds},
		SanityHolds:  {Verdict: certify.Holds, Sanity: "it was trained on it"},
		BySelection:  {Verdict: certify.Holds, Selection: "chosen by Compromised"},
		"unresolved": {Verdict: certify.Unresolved, Selection: "chosen by Compromised"},
		NotSeen:      {Verdict: certify.Fails, Preset: "mini"},
		Contradicted: {Verdict: certify.Fails, Preset: "mini", Contradiction: "Table 4 says otherwise"},
		"fails":      {Verdict: certify.Fails, Preset: PaperPreset},
	} {
		if got := VerdictOf(j); got != want {
			t.Errorf("got %q for %+v, want %q", got, j, want)
		}
	}
}

// A guest's claim that fails is not about the paper, which small models could not refute.
func TestVerdictOf_Guest(t *testing.T) {
	guest := certify.Judged{Verdict: certify.Fails, Preset: "mini", Guest: true}
	if got := VerdictOf(guest); got != string(certify.Fails) {
		t.Errorf("got %q, want %q", got, certify.Fails)
	}
}

// Guests do not change the counts of the paper's claims.
func TestClaimCounts_Guest(t *testing.T) {
	judged := []certify.Judged{{Claim: "a", Verdict: certify.Holds}}
	guests := append(judged, certify.Judged{Claim: "b", Verdict: certify.Fails, Guest: true})
	if got, want := ClaimCounts(guests), ClaimCounts(judged)+"; 1 more about guests"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Claims that share an effect count as one effect, and sanity checks are counted apart whatever their verdict.
func TestTallyOf(t *testing.T) {
	judged := []certify.Judged{{Paper: "a", Claim: "1", Verdict: certify.Holds},
		{Paper: "a", Claim: "2", Effect: "e", Verdict: certify.Fails, Preset: "mini", Sanity: "trained"},
		{Paper: "a", Claim: "3", Effect: "e", Verdict: certify.Holds, Sanity: "trained"},
		{Paper: "b", Claim: "4", Effect: "e", Verdict: certify.Untestable}, {Paper: "b", Claim: "5", Guest: true}}
	got := TallyOf(judged)
	if got.Claims != 4 || got.Effects != 3 || got.Sanity != 2 || got.Guests != 1 {
		t.Errorf("got %+v, want 4 claims, 3 effects, 2 sanity checks and 1 guest", got)
	}
	want := "4 claims about 3 effects: 1 holds, 1 is a sanity check that holds, 1 is not seen at this size, " +
		"0 unresolved, 1 untestable; 1 more about guests"
	if got.String() != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if note := sanityNote(judged); !strings.HasPrefix(note, "2 of the claims") || sanityNote(judged[:1]) != "" {
		t.Errorf("got the note %q", note)
	}
}

// Claims that hold by selection are not counted as claims that hold.
func TestClaimCounts_Selection(t *testing.T) {
	judged := []certify.Judged{{Claim: "a", Verdict: certify.Holds},
		{Claim: "b", Verdict: certify.Holds, Selection: "chosen by Compromised"},
		{Claim: "c", Verdict: certify.Unresolved}}
	want := "3 claims about 3 effects: 1 holds, 1 holds by selection, 1 unresolved, 0 untestable"
	if got := ClaimCounts(judged); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if note := selectionNote(judged); !strings.Contains(note, BySelection) || selectionNote(judged[:1]) != "" {
		t.Errorf("got the note %q", note)
	}
	if got := sourceText(judged[1]); !strings.Contains(got, "but chosen by Compromised") {
		t.Errorf("got the source %q", got)
	}
}

// A claim about models that were all trained once says so in its source.
func TestSourceText_Once(t *testing.T) {
	j := certify.Judged{Source: "§4", Basis: certify.Basis{Once: true, Units: []certify.Unit{{Name: "noises", N: 79}}}}
	if got := sourceText(j); !strings.Contains(got, "trained once") {
		t.Errorf("got %q, want that the models were trained once", got)
	}
	j.Basis.Units = append(j.Basis.Units, certify.Unit{Name: "trainings", N: 5, Layout: "repeated"})
	if got := sourceText(j); got != "§4" {
		t.Errorf("got %q of repeated trainings, want the source alone", got)
	}
}
