package study

import (
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
	chosen := func(claim certify.Judged) bool { return claim.Claim == "a" || claim.Claim == "b" }
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
