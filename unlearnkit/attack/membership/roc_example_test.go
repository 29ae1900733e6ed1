package membership_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/membership"
)

// inferred returns the curves of two attacks. A loss is an example's difficulty plus what training changed; the second
// attack knows the difficulty.
func inferred() []membership.ROC {
	r := rand.New(rand.NewPCG(3, 0))
	var plain, informed membership.Scored
	for i := range 1000 {
		difficulty, gain := 2*r.NormFloat64(), .7*r.NormFloat64()
		if i%2 == 0 {
			gain++
		}
		plain.Scores, plain.Member = append(plain.Scores, difficulty+gain), append(plain.Member, i%2 == 0)
		informed.Scores, informed.Member = append(informed.Scores, gain), plain.Member
	}
	var curves []membership.ROC
	for i, scored := range []membership.Scored{plain, informed} {
		c, err := membership.Curve([]string{"threshold", "LiRA, online"}[i], scored)
		if err != nil {
			panic(err)
		}
		curves = append(curves, c)
	}
	return curves
}

func ExampleROC() {
	figure, err := membership.ROCFigure(inferred())
	fmt.Println(figure.Caption)
	golden.Compare("roc", figure, err)
	// Output:
	// area under threshold 0.640 [0.606, 0.674]; area under LiRA, online 0.847 [0.823, 0.870]; 500 members and 500 non-members, which resolve no share of false alarms below 0.002; intervals of 95 %
	// roc-light.png: as drawn before
	// roc-dark.png: as drawn before
}

func TestROC_WithoutPoints(t *testing.T) {
	for says, curves := range map[string][]membership.ROC{"nothing to draw": nil, "measure it first": {{}}} {
		if _, err := membership.ROCFigure(curves); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
