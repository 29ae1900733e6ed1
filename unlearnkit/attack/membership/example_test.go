package membership_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/membership"
)

func ExampleInfer() {
	r := rand.New(rand.NewPCG(0, 0))
	var s membership.Sample
	for range 200 {
		s.Members = append(s.Members, .5*r.ExpFloat64())
		s.NonMembers = append(s.NonMembers, r.ExpFloat64())
	}
	result, err := membership.Infer(s, nil, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	result.Table().Text(os.Stdout)
	fmt.Println(result.Warnings[0].Text)
	// Output:
	// Membership inference: 200 members, 200 non-members
	// attack     measure             value   95 % interval  interval by                threshold from
	// ───────────────────────────────────────────────────────────────────────────────────────────────────────
	// logistic   accuracy            0.583  [0.515, 0.650]  splits and examples        200 of each
	// threshold  AUC                 0.644  [0.590, 0.698]  DeLong, examples
	//            TPR at FPR 0.1 % †  0.000  [0.000, 0.018]  Clopper-Pearson, examples  0 of 200 false alarms
	//            TPR at FPR 1 %      0.000  [0.000, 0.018]  Clopper-Pearson, examples  2 of 200 false alarms
	//            TPR at FPR 10 %     0.185  [0.134, 0.246]  Clopper-Pearson, examples  20 of 200 false alarms
	// The accuracy is the mean of ten splits. A true-positive rate is the share of members found at a share of false alarms; one marked † has too few non-members to resolve it.
	// 200 non-members resolve no share of false alarms below 0.5 %; the true positives at 0.1 % are those without a false alarm among them, of which there may yet be 1.8 %
}

// A loss that is small for every model is weak evidence of membership. A loss that is smaller than in models without
// the example is stronger evidence.
func ExampleLikelihood() {
	losses := [][]float64{ // losses of three shadow models on two examples
		{2.1, .011},
		{1.8, .010},
		{1.9, .012},
	}
	shadows, err := membership.ShadowsOf(losses, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	attack, err := membership.Likelihood([]float64{.6, .009}, shadows, membership.Offline, membership.Shared)
	fmt.Printf("%.1f %v\n", attack.Scores, err)
	// Output: [13.9 1.4] <nil>
}

func ExampleCurve() {
	c, err := membership.Curve("by hand", membership.Scored{
		Scores: []float64{9, 7, 4, 8, 3, 2},
		Member: []bool{true, true, true, false, false, false},
	})
	fmt.Printf("%.3f [%.3f, %.3f] %v\n", c.Area.Value, c.Area.Lo, c.Area.Hi, err)
	// Output: 0.778 [0.291, 1.000] <nil>
}

func ExampleLogitConfidence() {
	fmt.Printf("%.3f\n", membership.LogitConfidence(-math.Log(.9)))
	// Output: 2.197
}
