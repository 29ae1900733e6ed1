package stat_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

func ExampleResult_String() {
	ours := []float64{.12, .31, .25, .18, .22, .09, .27}
	gold := []float64{.35, .40, .31, .33, .29, .30, .41}
	fmt.Println(stat.Wilcoxon(ours, gold))
	fmt.Println(stat.TTestPaired(ours, gold))
	fmt.Println(stat.Binomial(3, 30, .5))
	// Output:
	// x is lower than y; p = .016, rank-biserial -1.00, n = 7 (wilcoxon, exact)
	// x is lower than y; p = .002, Cohen's d_z -2.03, n = 7 (ttest-paired, exact)
	// x is lower than probability 0.5; p < .001, proportion .10 [.02, .27], n = 30 (binomial, exact)
}

func ExampleResult_Sentence() {
	ours := []float64{.12, .31, .25, .18, .22, .09, .27}
	gold := []float64{.35, .40, .31, .33, .29, .30, .41}
	fmt.Println(stat.Sign(ours, gold).Sentence(.09, "ours", "gold"))
	fmt.Println(stat.TOSTPaired(ours, gold, -.3, .3).Sentence(math.NaN(), "ours", "gold"))
	// Output:
	// no difference between ours and gold was shown; p = .016, Holm .090, dominance -1.00, n = 7 (sign, exact)
	// ours and gold are equivalent within ±0.3; p < .001, mean difference -.136 [-.185, -.087], n = 7 (tost-paired, exact)
}

func TestString_EveryResult(t *testing.T) {
	x, y := []float64{1, 2, 3, 4, 5, 6, 7, 9}, []float64{3, 4, 6, 7, 9, 9, 12, 14}
	for _, test := range []struct {
		result fmt.Stringer
		want   string
	}{
		{stat.Wilcoxon(x, y), "x is lower than y; p = .008, rank-biserial -1.00, n = 8 (wilcoxon, exact)\nnote: ties"},
		{stat.MannWhitney(x, y), "no difference between x and y was shown; p = .0"},
		{stat.KS2(x, y), "no difference between x and y was shown; p = .660, D .38, n = 16 (ks, exact)"},
		{stat.KS1(x, math.Erf), "x differs from the distribution; p < .001, D "},
		{stat.TTest1(x, 0), "x is higher than mu; p "},
		{stat.McNemar(2, 20), "x is lower than y; p < .001, odds ratio .10"},
		{stat.McNemar(20, 2), "x is higher than y; p < .001, odds ratio 10.00"},
		{stat.Binomial(29, 30, .5), "x is higher than probability 0.5; p < .001"},
		{stat.Fisher([2][2]int{{20, 1}, {2, 19}}), "x and y are associated; p < .001, odds ratio "},
		{stat.Kendall(x, y), "x and y are associated; p < .001"},
		{stat.Welch(x, x), "no difference between x and y was shown; p > .999"},
		{stat.Wilcoxon(nil, nil), "x and y cannot be tested: no observations; n = 0 (wilcoxon, asymptotic)\nnote: no observations"},
		{stat.TOSTPaired(x, y, -1, 2), "x and y were not shown to be equivalent within [-1, 2]; p "},
		{stat.BootstrapMean(x, stat.Resamples(99)), "estimate 4.62 [2.84, 6.21], n = 8 (bootstrap, bca)\nnote: fewer than 10 units"},
		{stat.Friedman([][]float64{x, y}), "column 1, column 2 differ; p "},
		{stat.Nemenyi([][]float64{x, y}), "column 1, column 2 differ; p "},
	} {
		if got := test.result.String(); !strings.HasPrefix(got, test.want) {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	if got := stat.Nemenyi([][]float64{x, y}).String(); strings.Count(got, "average ranks: column 1 1 column 2 2") != 1 {
		t.Errorf("%q, want the average ranks once", got)
	}
}
