package stat

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// statTest is one subcommand of "unlearnlab stat".
type statTest struct {
	name  string
	about string
	shape shape
	run   func(c comparison, flags statFlags, options []stat.Option) (outcome, error)
}

// statTests lists all tests in the order of the help text.
var statTests = []statTest{
	{"wilcoxon", "Wilcoxon signed-rank test of pairs", paired, wilcoxon},
	{"mannwhitney", "Mann-Whitney U test of two samples", unpaired, mannWhitney},
	{"mcnemar", "McNemar's test of paired outcomes 0 and 1 (exact unless --exact=false)", paired, mcNemar},
	{"ks", "Kolmogorov-Smirnov test of two samples", unpaired, ks},
	{"ks1", "Kolmogorov-Smirnov test of one sample against --cdf", single, ks1},
	{"ttest-paired", "t test of pairs", paired, tTestPaired},
	{"ttest-1", "t test of one sample against --mu", single, tTest1},
	{"ttest-ind", "t test of two samples, variances pooled", unpaired, tTestInd},
	{"welch", "Welch's t test of two samples", unpaired, welch},
	{"sign", "sign test of pairs", paired, sign},
	{"binomial", "binomial test of outcomes 0 and 1 against --mu", single, binomial},
	{"fisher", "Fisher's exact test: two columns of 0 and 1, or two rows of counts", paired, fisher},
	{"permutation-paired", "permutation test of pairs (sign flips of the mean difference)", paired, permutationPaired},
	{"permutation-ind", "permutation test of two samples (difference of means)", unpaired, permutationInd},
	{"tost-paired", "equivalence of pairs within --margin", paired, tostPaired},
	{"tost-welch", "equivalence of two means within --margin", unpaired, tostWelch},
	{"bootstrap", "bootstrap interval of a mean, or of a paired mean difference with --y", single, bootstrap},
	{"friedman", "Friedman test of --columns with Nemenyi's comparisons", many, friedman},
	{"holm", "Holm's adjustment of p-values", pValues, nil},
	{"bonferroni", "Bonferroni's adjustment", pValues, nil},
	{"hochberg", "Hochberg's adjustment", pValues, nil},
	{"bh", "Benjamini and Hochberg's adjustment (false discovery rate)", pValues, nil},
	{"by", "Benjamini and Yekutieli's adjustment (any dependence)", pValues, nil},
}

// Names returns the names of the tests.
func Names() []string {
	var names []string
	for _, t := range statTests {
		names = append(names, t.name)
	}
	return names
}

// wantsY reports whether the test compares two columns.
func (t statTest) wantsY(flags statFlags) bool {
	return t.shape == paired || t.shape == unpaired || t.name == "bootstrap" && len(flags.y) > 0
}

// check rejects flags and files that do not fit the test, before any file is read.
func (t statTest) check(flags statFlags, files []string) error {
	switch {
	case len(files) > 2:
		return cli.Usagef("%d files; at most two can be compared", len(files))
	case t.shape == many && len(flags.columns) < 2:
		return cli.Usagef("%s needs --columns with at least two names", t.name)
	case t.shape != many && len(flags.columns) > 0:
		return cli.Usagef("--columns is for friedman; %s takes --x and --y", t.name)
	case (t.shape == paired || t.shape == unpaired) && len(flags.y) == 0 && len(files) == 1:
		return cli.Usagef("%s compares two columns: give --x and --y", t.name)
	case (t.shape == single && t.name != "bootstrap" || t.shape == pValues) && len(flags.y) > 0:
		return cli.Usagef("%s takes one column: remove --y", t.name)
	case (t.name == "tost-paired" || t.name == "tost-welch") && !(flags.margin > 0):
		return cli.Usagef("%s needs --margin, the largest difference that does not matter, above 0", t.name)
	case flags.by != "" && len(flags.x) == 0 && t.shape != many:
		return cli.Usagef("--by %s: name a value of this column with --x", flags.by)
	case flags.clusters != "" && t.name != "bootstrap":
		return cli.Usagef("--clusters is for bootstrap")
	}
	return nil
}

func wilcoxon(c comparison, _ statFlags, o []stat.Option) (outcome, error) {
	r := stat.Wilcoxon(c.columns[0], c.columns[1], o...)
	out := ofResult(r.Result, stat.RankBiserial(c.columns[0], c.columns[1], o...))
	for i, x := range c.columns[0] {
		if math.IsInf(x-c.columns[1][i], 0) {
			out.warnings = append(out.warnings, "an infinite difference has the largest rank")
			break
		}
	}
	return out, nil
}

func mannWhitney(c comparison, _ statFlags, o []stat.Option) (outcome, error) {
	r := stat.MannWhitney(c.columns[0], c.columns[1], o...)
	return ofResult(r.Result, stat.CliffDelta(c.columns[0], c.columns[1], o...)), nil
}

func ks(c comparison, _ statFlags, o []stat.Option) (outcome, error) {
	r := stat.KS2(c.columns[0], c.columns[1], o...)
	return ofResult(r.Result, r.Effect), nil
}

func ks1(c comparison, flags statFlags, o []stat.Option) (outcome, error) {
	cdfs := map[string]func(float64) float64{
		"normal":  func(x float64) float64 { return .5 * math.Erfc(-x/math.Sqrt2) },
		"uniform": func(x float64) float64 { return max(0, min(1, x)) },
	}
	cdf, ok := cdfs[flags.cdf]
	if !ok {
		return outcome{}, cli.Usagef("--cdf %q is not normal or uniform", flags.cdf)
	}
	r := stat.KS1(c.columns[0], cdf, o...)
	return ofResult(r.Result, r.Effect), nil
}

func tTestPaired(c comparison, _ statFlags, o []stat.Option) (outcome, error) {
	r := stat.TTestPaired(c.columns[0], c.columns[1], o...)
	return ofResult(r.Result, stat.CohenDZ(c.columns[0], c.columns[1], o...)), nil
}

func tTest1(c comparison, flags statFlags, o []stat.Option) (outcome, error) {
	r := stat.TTest1(c.columns[0], flags.mu, o...)
	against := make([]float64, len(c.columns[0]))
	for i := range against {
		against[i] = flags.mu
	}
	effect := stat.CohenDZ(c.columns[0], against, o...)
	effect.Name = r.Effect.Name
	return ofResult(r.Result, effect), nil
}

func tTestInd(c comparison, _ statFlags, o []stat.Option) (outcome, error) {
	r := stat.TTestInd(c.columns[0], c.columns[1], o...)
	return ofResult(r.Result, stat.HedgesG(c.columns[0], c.columns[1], o...)), nil
}

func welch(c comparison, _ statFlags, o []stat.Option) (outcome, error) {
	r := stat.Welch(c.columns[0], c.columns[1], o...)
	return ofResult(r.Result, r.Mean), nil
}

func sign(c comparison, _ statFlags, o []stat.Option) (outcome, error) {
	r := stat.Sign(c.columns[0], c.columns[1], o...)
	return ofResult(r.Result, r.Effect), nil
}

func permutationPaired(c comparison, _ statFlags, o []stat.Option) (outcome, error) {
	r := stat.PermutationPaired(c.columns[0], c.columns[1], o...)
	return ofResult(r.Result, r.Effect), nil
}

func permutationInd(c comparison, _ statFlags, o []stat.Option) (outcome, error) {
	r := stat.PermutationInd(c.columns[0], c.columns[1], o...)
	return ofResult(r.Result, r.Effect), nil
}

func tostPaired(c comparison, flags statFlags, o []stat.Option) (outcome, error) {
	return ofEquivalence(stat.TOSTPaired(c.columns[0], c.columns[1], -flags.margin, flags.margin, o...)), nil
}

func tostWelch(c comparison, flags statFlags, o []stat.Option) (outcome, error) {
	return ofEquivalence(stat.TOSTWelch(c.columns[0], c.columns[1], -flags.margin, flags.margin, o...)), nil
}

func binomial(c comparison, flags statFlags, o []stat.Option) (outcome, error) {
	outcomes, err := outcomesOf(c, 0)
	if err != nil {
		return outcome{}, err
	}
	r := stat.Binomial(count(outcomes), len(outcomes), flags.probability(), o...)
	out := ofResult(r.Result, r.Effect)
	out.words = r.Sentence
	return out, nil
}

// isCounts reports whether two columns are a table of counts: they have two rows, and some value is neither 0 nor 1.
func isCounts(c comparison) bool {
	if len(c.columns[0]) != 2 {
		return false
	}
	return slices.ContainsFunc(append(slices.Clone(c.columns[0]), c.columns[1]...), func(v float64) bool {
		return v != 0 && v != 1
	})
}

// crossTable returns the counts of two paired columns, [x true, x false] by [y true, y false]. Columns of counts are
// returned as they are.
func crossTable(c comparison) (table [2][2]int, err error) {
	if isCounts(c) {
		for j, column := range c.columns {
			for i, v := range column {
				if v != math.Trunc(v) || v < 0 || v > 1<<40 {
					return table, fmt.Errorf("row %d, column %q: %g is not a count", i+1, c.names[j], v)
				}
				table[i][j] = int(v)
			}
		}
		return table, nil
	}
	x, err := outcomesOf(c, 0)
	if err != nil {
		return table, err
	}
	y, err := outcomesOf(c, 1)
	if err != nil {
		return table, err
	}
	for i := range x {
		row, column := 1, 1
		if x[i] {
			row = 0
		}
		if y[i] {
			column = 0
		}
		table[row][column]++
	}
	return table, nil
}

func mcNemar(c comparison, _ statFlags, o []stat.Option) (outcome, error) {
	table, err := crossTable(c)
	if err != nil {
		return outcome{}, err
	}
	r := stat.McNemar(table[0][1], table[1][0], o...)
	r.N = table[0][0] + table[0][1] + table[1][0] + table[1][1]
	return ofResult(r.Result, stat.RiskDifferencePaired(table[0][0], table[0][1], table[1][0], table[1][1], o...)), nil
}

func fisher(c comparison, _ statFlags, o []stat.Option) (outcome, error) {
	table, err := crossTable(c)
	if err != nil {
		return outcome{}, err
	}
	r := stat.Fisher(table, o...)
	return ofResult(r.Result, r.Effect), nil
}

// outcomesOf reads a column of 0 and 1.
func outcomesOf(c comparison, at int) ([]bool, error) {
	outcomes := make([]bool, len(c.columns[at]))
	for i, v := range c.columns[at] {
		if v != 0 && v != 1 {
			return nil, fmt.Errorf("row %d, column %q: %g is not 0 or 1", i+1, c.names[at], v)
		}
		outcomes[i] = v == 1
	}
	return outcomes, nil
}

func count(outcomes []bool) int {
	k := 0
	for _, o := range outcomes {
		if o {
			k++
		}
	}
	return k
}

var intervalKinds = []stat.IntervalKind{stat.BCa, stat.Percentile, stat.Basic, stat.Studentised}

func intervalKindNames() []string {
	var names []string
	for _, kind := range intervalKinds {
		names = append(names, kind.String())
	}
	return names
}

func bootstrap(c comparison, flags statFlags, o []stat.Option) (outcome, error) {
	at := slices.Index(intervalKindNames(), flags.kind)
	if at < 0 {
		return outcome{}, cli.Usagef("--kind %q is not one of %v", flags.kind, intervalKindNames())
	}
	o = append(slices.Clone(o), intervalKinds[at])
	if c.clusters != nil {
		o = append(o, clustersOf(c.clusters))
	}
	if len(c.columns) == 2 {
		return ofBootstrap(stat.BootstrapPaired(c.columns[0], c.columns[1], o...), "mean difference"), nil
	}
	return ofBootstrap(stat.BootstrapMean(c.columns[0], o...), "mean"), nil
}

// clustersOf returns a cluster number for each label: the label itself if all labels are integers, otherwise its index
// in the order of first occurrence.
func clustersOf(labels []string) stat.Clusters {
	clusters := make(stat.Clusters, len(labels))
	for i, label := range labels {
		number, err := strconv.Atoi(label)
		if err != nil {
			return inOrder(labels)
		}
		clusters[i] = number
	}
	return clusters
}

// inOrder numbers labels in order of first occurrence.
func inOrder(labels []string) stat.Clusters {
	clusters, numbers := make(stat.Clusters, len(labels)), map[string]int{}
	for i, label := range labels {
		number, known := numbers[label]
		if !known {
			number = len(numbers)
			numbers[label] = number
		}
		clusters[i] = number
	}
	return clusters
}
