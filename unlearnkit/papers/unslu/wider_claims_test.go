package unslu

import (
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// A claim comes from wider unless it is about the clock or wider lacks it.
func TestCompleted(t *testing.T) {
	of := func(preset string, worlds int, names ...string) (claims []certify.Judged) {
		for _, name := range names {
			claims = append(claims, certify.Judged{Claim: name, Preset: preset, Seeds: worlds})
		}
		return claims
	}
	clock := speedClaims()[0].Name
	got := completed(of("wider", 10, "NG", clock, "UNSIR"), of("mini", 5, "epochs", "NG", "UNSIR", clock))
	want := of("", 0, "epochs", "NG", "UNSIR", clock)
	if len(got) != len(want) {
		t.Fatalf("%d claims, want %d", len(got), len(want))
	}
	for i, preset := range []string{"mini", "wider", "wider", "mini"} {
		if got[i].Claim != want[i].Claim || got[i].Preset != preset {
			t.Errorf("claim %d: got %q of %s, want %q of %s", i, got[i].Claim, got[i].Preset, want[i].Claim, preset)
		}
		if said := strings.Contains(got[i].Caveat, "5 worlds of mini"); said != (preset == "mini") {
			t.Errorf("%q of %s says %q", got[i].Claim, preset, got[i].Caveat)
		}
	}
}
