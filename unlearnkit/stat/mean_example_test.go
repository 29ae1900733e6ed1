package stat_test

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

func ExampleTTestPaired() {
	unlearned := []float64{.31, .42, .28, .35, .40, .37}
	compromised := []float64{.30, .38, .25, .36, .33, .31}
	r := stat.TTestPaired(unlearned, compromised)
	fmt.Printf("t(%.0f) = %.3f, P = %.4f\n", r.DF, r.T, r.P)
	fmt.Printf("%s %.4f [%.4f, %.4f]\n", r.Mean.Name, r.Mean.Value, r.Mean.Lo, r.Mean.Hi)
	fmt.Printf("%s %.3f\n", r.Effect.Name, r.Effect.Value)
	// Output:
	// t(5) = 2.712, P = 0.0422
	// mean difference 0.0333 [0.0017, 0.0649]
	// Cohen's d_z 1.107
}

func ExampleWelch() {
	r := stat.Welch([]float64{1, 2, 3, 4}, []float64{2, 4, 6, 8, 10}, stat.Less)
	fmt.Printf("t(%.3f) = %.4f, P = %.4f, difference at most %.3f\n", r.DF, r.T, r.P, r.Mean.Hi)
	// Output:
	// t(5.521) = -2.2514, P = 0.0346, difference at most -0.432
}

func ExamplePermutationPaired() {
	unlearned := []float64{.31, .42, .28, .35, .40, .37}
	gold := []float64{.30, .38, .25, .36, .33, .31}
	r := stat.PermutationPaired(unlearned, gold)
	fmt.Printf("difference %.3f, P = %.4f, %v over %.0f arrangements\n", r.Statistic, r.P, r.Method, r.Arrangements)
	// Output:
	// difference 0.033, P = 0.0938, exact over 64 arrangements
}

func ExampleTOSTPaired() {
	unlearned := []float64{.31, .42, .28, .35, .40, .37}
	gold := []float64{.30, .38, .25, .36, .33, .31}
	r := stat.TOSTPaired(unlearned, gold, -.05, .05)
	fmt.Printf("%.4f [%.4f, %.4f], P = %.4f, equivalent: %v\n", r.Effect.Value, r.Effect.Lo, r.Effect.Hi, r.P,
		r.Equivalent(.05))
	// Output:
	// 0.0333 [0.0086, 0.0581], P = 0.1166, equivalent: false
}

// BootstrapPaired draws whole identities here. Each identity answers two questions, and its answers are not
// independent.
func ExampleBootstrapPaired() {
	unlearned := []float64{.31, .35, .42, .40, .28, .25, .37, .39}
	gold := []float64{.30, .33, .38, .37, .25, .26, .31, .34}
	identity := stat.Clusters{1, 1, 2, 2, 3, 3, 4, 4}
	r := stat.BootstrapPaired(unlearned, gold, identity)
	fmt.Printf("%.4f [%.4f, %.4f] from %d identities (%v)\n", r.Estimate, r.Lo, r.Hi, r.Units, r.Warnings)
	// Output:
	// 0.0287 [0.0125, 0.0500] from 4 identities (fewer than 10 units resampled: the interval is rough)
}

func ExampleCohenDZ() {
	unlearned := []float64{.31, .42, .28, .35, .40, .37}
	gold := []float64{.30, .38, .25, .36, .33, .31}
	e := stat.CohenDZ(unlearned, gold)
	fmt.Printf("%s = %.3f [%.3f, %.3f]\n", e.Name, e.Value, e.Lo, e.Hi)
	// Output:
	// Cohen's d_z = 1.107 [0.036, 2.118]
}

// SampleSizeTTestPaired finds the number of pairs that detects half a standard deviation four times in five.
// DetectableTTestPaired finds the effect that this number detects.
func ExampleSampleSizeTTestPaired() {
	n, _ := stat.SampleSizeTTestPaired(.8, .5)
	fmt.Printf("%d pairs, power %.4f, detectable d_z %.3f\n", n, stat.PowerTTestPaired(n, .5),
		stat.DetectableTTestPaired(n, .8))
	// Output:
	// 34 pairs, power 0.8078, detectable d_z 0.495
}
