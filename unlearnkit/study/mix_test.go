package study

import (
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

func TestMix(t *testing.T) {
	of := func(preset string, worlds int, names ...string) (claims []certify.Judged) {
		for _, name := range names {
			claims = append(claims, certify.Judged{Claim: name, Preset: preset, Seeds: worlds})
		}
		return claims
	}
	claims, others := of("mini", 5, "a", "b", "c", "d"), of("wider", 10, "d", "c", "a", "e")
	claims[2].Caveat, others[2].Caveat = "few clips", "noisy"
	chosen := func(claim certify.Judged) Answering {
		if claim.Claim == "a" || claim.Claim == "b" {
			return Second
		}
		return First
	}
	worlds := certify.Repetitions{Singular: "world", Plural: "worlds"}
	for main, caveats := range map[string][]string{
		"mini": {"noisy; judged in the 10 worlds of wider", "", "few clips", ""},
		"wider": {"noisy", "judged in the 5 worlds of mini", "few clips; judged in the 5 worlds of mini",
			"judged in the 5 worlds of mini"},
	} {
		got := Mix(worlds, main, claims, others, chosen)
		if len(got) != len(claims) {
			t.Fatalf("main %s: %d claims, want %d", main, len(got), len(claims))
		}
		for i, preset := range []string{"wider", "mini", "mini", "mini"} {
			if got[i].Claim != claims[i].Claim || got[i].Preset != preset || got[i].Caveat != caveats[i] {
				t.Errorf("main %s, claim %d: got %q of %s (%q), want %q of %s (%q)", main, i, got[i].Claim, got[i].Preset,
					got[i].Caveat, claims[i].Claim, preset, caveats[i])
			}
		}
	}
}

// If neither preset has more than the other, only what both decide alike is decided.
func TestMix_Both(t *testing.T) {
	holds := certify.Judged{Verdict: certify.Holds, Statistic: 2, Lo: 1, Hi: 3, P: .001, PAdjusted: .002}
	fails := certify.Judged{Verdict: certify.Fails, Statistic: -4, Lo: -6, Hi: -2, P: .0001, PAdjusted: .0002,
		Finding: certify.NotExplained}
	open := certify.Judged{Verdict: certify.Unresolved, Statistic: 1, Lo: -1, Hi: 3, P: .2, PAdjusted: .4}
	untested := certify.Judged{Verdict: certify.Untestable, Statistic: math.NaN(), P: math.NaN(), PAdjusted: math.NaN()}
	worlds := certify.Repetitions{Singular: "world", Plural: "worlds"}
	for name, test := range map[string]struct {
		a, b           certify.Judged
		want           certify.Verdict
		statistic      float64
		lo, hi, p      float64
		caveat, preset string
	}{
		"both hold": {holds, holds, certify.Holds, 2, 1, 3, .002,
			"judged in the 5 worlds of mini: holds; in the 10 worlds of other: holds", "mini"},
		"both fail": {fails, fails, certify.Fails, -4, -6, -2, .0002,
			"judged in the 5 worlds of mini: not seen at this size; in the 10 worlds of other: not seen at this size",
			"mini"},
		"one is open": {holds, open, certify.Unresolved, 1, -1, 3, .4,
			"judged in the 5 worlds of mini: holds; in the 10 worlds of other: unresolved", "other"},
		"they differ": {holds, fails, certify.Unresolved, -4, -6, 3, 1,
			"judged in the 5 worlds of mini: holds; in the 10 worlds of other: not seen at this size", "other"},
		"they differ, in the other order": {fails, holds, certify.Unresolved, -4, -6, 3, 1,
			"judged in the 5 worlds of mini: not seen at this size; in the 10 worlds of other: holds", "mini"},
		"only the first has a test": {holds, untested, certify.Holds, 2, 1, 3, .002, "", "mini"},
		"only the second has a test": {untested, holds, certify.Holds, 2, 1, 3, .002, "judged in the 10 worlds of other",
			"other"},
	} {
		t.Run(name, func(t *testing.T) {
			a, b := test.a, test.b
			a.Claim, a.Preset, a.Seeds = "c", "mini", 5
			b.Claim, b.Preset, b.Seeds = "c", "other", 10
			both := func(certify.Judged) Answering { return Both }
			got := Mix(worlds, "mini", []certify.Judged{a}, []certify.Judged{b}, both)[0]
			if got.Verdict != test.want || got.Statistic != test.statistic || got.Lo != test.lo || got.Hi != test.hi ||
				got.PAdjusted != test.p || got.Caveat != test.caveat || got.Preset != test.preset {
				t.Errorf("got %+v, want %+v", got, test)
			}
			if (got.Finding != "") != (got.Verdict == certify.Fails) {
				t.Errorf("%s has the finding %q", got.Verdict, got.Finding)
			}
		})
	}
}
