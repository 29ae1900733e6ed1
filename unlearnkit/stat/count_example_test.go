package stat_test

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

func ExampleBinomial() {
	r := stat.Binomial(13, 20, .25, stat.Greater)
	fmt.Printf("P = %.3g, proportion %.2f [%.3f, %.0f]\n", r.P, r.Effect.Value, r.Effect.Lo, r.Effect.Hi)
	// Output:
	// P = 0.000184, proportion 0.65 [0.442, 1]
}

func ExampleMcNemar() {
	r := stat.McNemar(10, 25, stat.Level(.95))
	fmt.Printf("P = %.4f, odds ratio %.2f [%.2f, %.2f]\n", r.P, r.OddsRatio.Value, r.OddsRatio.Lo, r.OddsRatio.Hi)
	r = stat.McNemar(10, 25, stat.Asymptotic)
	fmt.Printf("χ² = %.2f, P = %.4f\n", r.Statistic, r.P)
	// Output:
	// P = 0.0167, odds ratio 0.40 [0.17, 0.86]
	// χ² = 5.60, P = 0.0180
}

func ExampleFisher() {
	r := stat.Fisher([2][2]int{{8, 2}, {1, 5}})
	fmt.Printf("P = %.4f, odds ratio %.0f, conditional %.2f [%.2f, %.1f]\n", r.P, r.OddsRatio, r.Conditional.Value,
		r.Conditional.Lo, r.Conditional.Hi)
	// Output:
	// P = 0.0350, odds ratio 20, conditional 15.47 [1.01, 1059.6]
}

func ExampleWilson() {
	e := stat.Wilson(3, 10)
	fmt.Printf("%.1f [%.4f, %.4f]\n", e.Value, e.Lo, e.Hi)
	// Output:
	// 0.3 [0.1078, 0.6032]
}

func ExampleRiskDifferencePaired() {
	// Of 50 pairs, 12 are discordant in one direction and 2 in the other.
	e := stat.RiskDifferencePaired(36, 12, 2, 0)
	fmt.Printf("%.2f [%.4f, %.4f]\n", e.Value, e.Lo, e.Hi)
	// Output:
	// 0.20 [0.0569, 0.3404]
}

func ExampleTOSTProportions() {
	r := stat.TOSTProportions(450, 1000, 430, 900, -.1, .1)
	fmt.Printf("%.4f [%.4f, %.4f], P = %.5f, equivalent: %v\n", r.Effect.Value, r.Effect.Lo, r.Effect.Hi, r.P,
		r.Equivalent(.05))
	// Output:
	// -0.0278 [-0.0654, 0.0099], P = 0.00078, equivalent: true
}
