package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// verdictsToCount are given to claims in turn, so that each is counted in every study.
var verdictsToCount = []certify.Verdict{certify.Holds, certify.Fails, certify.Unresolved, certify.Untestable}

// README's table counts claims as study.TallyOf does, from which the page and the command take their counts.
func TestREADME_Counts(t *testing.T) {
	source, err := os.ReadFile("../../docs/src/README.md")
	if err != nil {
		t.Fatal(err)
	}
	define, _, _ := strings.Cut(string(source), "\n")
	for _, s := range papers.All {
		home := t.TempDir()
		made, err := s.OpenStore(home)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := s.Plan(study.Request{Preset: preset.Smoke})
		if err == nil {
			err = plan.Execute(t.Context(), made, madeup.Makers(), study.Options{Workers: 1})
		}
		if err != nil {
			t.Fatal(err)
		}
		results, err := s.Open(home, preset.Smoke)
		if err != nil {
			t.Fatal(err)
		}
		judged := results.Claims()
		for i := range judged {
			judged[i].Verdict = verdictsToCount[i%len(verdictsToCount)]
		}
		c := &commands{once: map[string]func() (string, error){}, run: func(line string) (string, error) {
			var printed strings.Builder
			switch strings.TrimSuffix(line, " --format md") {
			case "claims " + s.Paper:
				err := study.ClaimsTable(s, judged, "").Write(&printed, "md")
				return printed.String(), err
			case "audit " + s.Paper:
				return "7 inconsistent", nil
			}
			return "", fmt.Errorf("no line is %q", line)
		}}
		counts, err := c.expand("docs/src/README.md", define+"\n{{template \"paper\" \""+s.Paper+"\"}}")
		if err != nil {
			t.Fatal(err)
		}
		tally := study.TallyOf(judged)
		want := fmt.Sprintf("%d | %d | %d | %d | %d | %d | %d | 7 |", tally.Claims, tally.Effects,
			tally.Of[string(certify.Holds)], tally.Of[study.SanityHolds], tally.Of[study.NotSeen],
			tally.Of[string(certify.Unresolved)], tally.Of[string(certify.Untestable)])
		if got := strings.TrimSpace(body(counts)); got != want {
			t.Errorf("%s: got %q, want %q", s.Paper, got, want)
		}
		if !strings.Contains(study.ClaimCounts(judged), fmt.Sprintf("%d claims about %d effects", tally.Claims, tally.Effects)) {
			t.Errorf("%s: got %q", s.Paper, study.ClaimCounts(judged))
		}
	}
}
