package certify_test

import (
	"fmt"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// A claim records a statement, where the paper makes it, the paper's words, and the relation that must hold in a
// column.
func ExampleSays() {
	claim := certify.Says("Compromised has a higher RetFail than Clean", "Table 4", "the leak is measured", "RetFail",
		certify.Greater("compromised", "clean"))
	fmt.Printf("%s: %.3f in %s\n", claim.Name, claim.Value(func(name string) float64 {
		return map[string]float64{"compromised: RetFail": .236, "clean: RetFail": .001}[name]
	}), claim.Unit)
	// Output: Compromised has a higher RetFail than Clean: 0.235 in RetFail
}

func TestRelations(t *testing.T) {
	means := map[string]float64{"a: x": 1, "b: x": .6, "c: x": .9, "a: y": 0, "b: y": 2}
	for name, c := range map[string]struct {
		of   certify.Relation
		want float64 // distance from the nearest bound; positive if the relation holds
	}{
		"greater":       {certify.Greater("a", "b", "c"), .1},
		"not greater":   {certify.Greater("b", "c"), -.3},
		"least":         {certify.Least("b", "a", "c"), .3},
		"not below":     {certify.NotBelow(.2, "c", "a", "b"), .1},
		"far below":     {certify.NotBelow(.2, "b", "a"), -.2},
		"over":          {certify.Over(.5, "a"), .5},
		"under":         {certify.Under(.5, "a"), -.5},
		"alike":         {certify.Alike(.5, "a", "b"), .1},
		"nearer":        {certify.Nearer("a", "c", "b"), .3},
		"not nearer":    {certify.Nearer("a", "b", "c"), -.3},
		"every":         {certify.Every(certify.Over(0, "a"), certify.Greater("a", "c")), .1},
		"in any column": {certify.Is(certify.Over(0, "b")("y"), certify.Over(0, "b")("x")), .6},
	} {
		claim := certify.Says(name, "", "", "x", c.of)
		if got := claim.Value(func(name string) float64 { return means[name] }); !(got > c.want-1e-12 && got < c.want+1e-12) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	if of := certify.Every(certify.Over(0, "a"), certify.Is())("x"); of != nil {
		t.Errorf("a relation without conditions: got %v, want none", of)
	}
}

func TestOfEffect(t *testing.T) {
	claims := certify.OfEffect("leak", certify.Explained("tried", certify.Claim{Name: "a"}), certify.Claim{Name: "b"})
	if claims[0].Effect != "leak" || claims[1].Effect != "leak" || claims[0].Finding != "tried" {
		t.Errorf("got %+v", claims)
	}
}
