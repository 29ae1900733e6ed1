package stat_test

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

func ExampleWilcoxon() {
	unlearned := []float64{12, 3, 40, 8, 25, 6, 31, 17}
	clean := []float64{10, 4, 22, 8, 19, 5, 30, 11}
	r := stat.Wilcoxon(unlearned, clean)
	fmt.Printf("R+ = %g, R- = %g, p = %.6f (%v; %v)\n", r.RPlus, r.RMinus, r.P, r.Method, r.Warnings)
	// Output: R+ = 26, R- = 2, p = 0.062500 (exact; ties; zero differences dropped)
}

func ExampleMannWhitney() {
	members := []float64{.91, .84, .97, .66, .88}
	others := []float64{.52, .71, .84, .43}
	r := stat.MannWhitney(members, others, stat.Greater, stat.Exact)
	fmt.Printf("U = %g, p = %.6f, P(member scores higher) = %.3f\n", r.U1, r.P, r.CommonLanguage)
	// Output: U = 17.5, p = 0.039683, P(member scores higher) = 0.875
}

func ExampleSign() {
	r := stat.Sign([]float64{5, 6, 7, 8, 9, 4}, []float64{4, 4, 4, 4, 4, 4})
	fmt.Printf("%d against %d, p = %g\n", r.Positive, r.Negative, r.P)
	// Output: 5 against 0, p = 0.0625
}

func ExampleKS2() {
	x := []float64{.1, .2, .3, .4, .5}
	y := []float64{.35, .45, .55, .65, .75, .85}
	r := stat.KS2(x, y)
	fmt.Printf("D = %.4f at %g, p = %.6f\n", r.Statistic, r.Location, r.P)
	// Output: D = 0.6667 at 0.5, p = 0.108225
}

// KS2P recomputes a printed p-value: SALMUBench compares two samples of 100 values and prints D = .17 with p = .1112.
func ExampleKS2P() {
	fmt.Printf("%.4f\n", stat.KS2P(.17, 100, 100))
	// Output: 0.1112
}

func ExampleKS1() {
	uniform := func(x float64) float64 { return math.Min(math.Max(x, 0), 1) }
	r := stat.KS1([]float64{.05, .1, .2, .3, .42}, uniform)
	fmt.Printf("D = %.2f, p = %.6f\n", r.Statistic, r.P)
	// Output: D = 0.58, p = 0.039816
}

func ExampleFriedman() {
	finetune := []float64{.61, .58, .66, .63, .60}
	gradient := []float64{.55, .52, .59, .62, .54}
	distill := []float64{.70, .64, .71, .69, .66}
	r := stat.Friedman([][]float64{finetune, gradient, distill}, stat.Exact)
	fmt.Printf("ranks %v, W = %g, p = %.6f\n", r.AverageRanks, r.Effect.Value, r.P)
	// Output: ranks [2 1 3], W = 1, p = 0.000772
}

func ExampleNemenyi() {
	finetune := []float64{.61, .58, .66, .63, .60}
	gradient := []float64{.55, .52, .59, .62, .54}
	distill := []float64{.70, .64, .71, .69, .66}
	r := stat.Nemenyi([][]float64{finetune, gradient, distill})
	fmt.Printf("p(gradient, distill) = %.4f, critical difference %.3f\n", r.Pairs[1][2], r.CriticalDifference)
	// Output: p(gradient, distill) = 0.0045, critical difference 1.482
}

func ExampleRanks() {
	fmt.Println(stat.Ranks(nil, []float64{30, 10, 20, 10}))
	// Output: [4 1.5 3 1.5]
}

func ExampleKolmogorovSF() {
	fmt.Printf("%.10f\n", stat.KolmogorovSF(.01, 15_234))
	// Output: 0.0943779372
}

// Kendall compares two tables that rank eight methods. One of the tables has ties.
func ExampleKendall() {
	ours := []float64{.70, .17, .004, .06, .44, .03, .02, .02}
	paper := []float64{.088, .007, .004, .011, .004, .004, .004, .003}
	r := stat.Kendall(ours, paper)
	fmt.Printf("tau-b = %.3f, p = %.3f (%v; %v)\n", r.Statistic, r.P, r.Method, r.Warnings)
	// Output: tau-b = 0.533, p = 0.082 (asymptotic; ties)
}
