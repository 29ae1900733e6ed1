// Package stat runs statistical tests on tables of numbers.
package stat

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

type statFlags struct {
	x, y, columns       []string
	alternative, method string
	missing, kind, cdf  string
	clusters            string
	by, value, id       string
	where               []string
	correction, exact   bool
	margin, mu, level   float64
	seed                uint64
	resamples           int
	format              cli.Format

	conditions []condition // parsed values of --where

	correctionSet, exactSet, muSet bool // whether these flags were given; otherwise the test's own default applies
}

var (
	alternatives = map[string]stat.Alternative{"two-sided": stat.TwoSided, "less": stat.Less, "greater": stat.Greater}
	methods      = map[string]stat.Method{"auto": stat.Auto, "exact": stat.Exact, "asymptotic": stat.Asymptotic}
)

func Command() *cobra.Command {
	var flags statFlags
	var listing strings.Builder
	for _, t := range statTests {
		fmt.Fprintf(&listing, "  %-18s %s\n", t.name, t.about)
	}
	command := &cobra.Command{
		Use:   "stat TEST FILE...",
		Short: "Run a statistical test on columns of CSV, Parquet or npy files",
		Long: `Run a statistical test on columns of .csv, .tsv, .parquet or .npy files. With two files --x is read
from the first and --y from the second; a file with one column needs no name. The file - is the
standard input, as CSV. Several names (--x ours,theirs --y gold) give several comparisons, adjusted
by Holm.

In a tidy file, which has one row per value, --by names the column with the names of --x, --y and
--columns. Values are in the column --value, and pairs have the same --id. --where keeps some rows.

The defaults are the same as in scipy and statsmodels. Tests:
` + listing.String(),
		Example: `  unlearnlab stat wilcoxon scores.csv --x ours --y gold
  unlearnlab stat tost-paired scores.csv --x ours --y gold --margin .02
  unlearnlab stat wilcoxon tidy.csv --by method --x npo --y retain --where metric=rouge
  unlearnlab stat holm p.csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return cli.Usagef("expected a test and a file; unlearnlab stat --help lists the tests")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			changed := c.Flags().Changed
			flags.correctionSet, flags.exactSet, flags.muSet = changed("correction"), changed("exact"), changed("mu")
			files, remove, err := withInput(args[1:], c.InOrStdin())
			if err != nil {
				return err
			}
			defer remove()
			return runStat(c.OutOrStdout(), args[0], files, flags)
		},
	}
	f := command.Flags()
	// Cobra completes the values of a flag of one letter only if the letter is also its shorthand.
	f.StringSliceVarP(&flags.x, "x", "x", nil, "column, or several columns to compare one by one")
	f.StringSliceVarP(&flags.y, "y", "y", nil, "column, or several columns, to compare with")
	f.StringSliceVar(&flags.columns, "columns", nil, "friedman: the columns, one per method")
	f.StringVar(&flags.alternative, "alternative", "two-sided", "two-sided, less (x below y) or greater")
	f.StringVar(&flags.method, "method", "auto", "auto, exact or asymptotic")
	f.BoolVar(&flags.exact, "exact", false, "the same as --method exact; --exact=false as --method asymptotic")
	f.BoolVar(&flags.correction, "correction", false, "continuity correction (default: depends on the test)")
	f.Float64Var(&flags.margin, "margin", 0, "tost: the largest difference that does not matter")
	f.Float64Var(&flags.mu, "mu", 0, "ttest-1: mean under the null hypothesis; binomial: its probability (default .5)")
	f.Float64Var(&flags.level, "level", .95, "confidence level of the interval")
	f.Uint64Var(&flags.seed, "seed", 0, "seed of permutations and resamples")
	f.IntVar(&flags.resamples, "resamples", 9999, "number of permutations or resamples")
	f.StringVar(&flags.kind, "kind", "bca", "bootstrap: "+strings.Join(intervalKindNames(), ", "))
	f.StringVar(&flags.clusters, "clusters", "",
		"bootstrap: column with the cluster of each row, to resample whole (seeds, identities)")
	f.StringVar(&flags.by, "by", "", "column of a tidy file with the names of --x, --y and --columns")
	f.StringVar(&flags.value, "value", "value", "with --by: column with the values")
	f.StringVar(&flags.id, "id", "id", "with --by: column that is the same in the rows of a pair")
	f.StringArrayVar(&flags.where, "where", nil, "COLUMN=VALUE: only the rows with this value; may be repeated")
	f.StringVar(&flags.cdf, "cdf", "normal", "ks1: normal (mean 0, variance 1) or uniform (0 to 1)")
	f.StringVar(&flags.missing, "missing", "error",
		"error stops at a missing value, drop omits its row (only the value if columns are not paired)")
	for _, name := range []string{"x", "y", "columns", "clusters", "by", "value", "id"} {
		if err := command.RegisterFlagCompletionFunc(name, completeColumn); err != nil {
			panic(err) // the flag was registered twice
		}
	}
	flags.format.Add(f)
	return command
}

// options converts flags to options of package stat.
func (f statFlags) options() ([]stat.Option, error) {
	alternative, ok := alternatives[f.alternative]
	if !ok {
		return nil, cli.Usagef("--alternative %q is not two-sided, less or greater", f.alternative)
	}
	method, ok := methods[f.method]
	if !ok {
		return nil, cli.Usagef("--method %q is not auto, exact or asymptotic", f.method)
	}
	if f.exactSet {
		method = stat.Asymptotic
		if f.exact {
			method = stat.Exact
		}
	}
	switch {
	case !(f.level > 0 && f.level < 1):
		return nil, cli.Usagef("--level %g is not between 0 and 1", f.level)
	case f.resamples < 1 || f.resamples > 10_000_000:
		return nil, cli.Usagef("--resamples %d is not between 1 and 10,000,000", f.resamples)
	}
	options := []stat.Option{alternative, method, stat.Level(f.level), stat.Seed(f.seed), stat.Resamples(f.resamples)}
	if f.correctionSet {
		options = append(options, stat.Correction(f.correction))
	}
	return options, nil
}

// probability returns the null hypothesis of the binomial test, .5 by default.
func (f statFlags) probability() float64 {
	if f.muSet {
		return f.mu
	}
	return .5
}

func runStat(w io.Writer, name string, files []string, flags statFlags) error {
	at := slices.IndexFunc(statTests, func(t statTest) bool { return t.name == name })
	if at < 0 {
		return cli.Usagef("there is no test %q; the tests are %s", name, strings.Join(Names(), " "))
	}
	test := statTests[at]
	if err := flags.format.Check(); err != nil {
		return err
	}
	options, err := flags.options()
	if err != nil {
		return err
	}
	if err := test.check(flags, files); err != nil {
		return err
	}
	if flags.conditions, err = conditions(flags.where); err != nil {
		return err
	}
	comparisons, err := readComparisons(test, files, flags)
	if err != nil {
		return err
	}
	if test.shape == pValues {
		return adjust(w, test, comparisons[0], flags)
	}
	for i := range comparisons {
		if comparisons[i].outcome, err = test.run(comparisons[i], flags, options); err != nil {
			return err
		}
		comparisons[i].outcome.test = test.name
		comparisons[i].remarks = append(comparisons[i].remarks, comparisons[i].leastNote(alternatives[flags.alternative])...)
		comparisons[i].outcome.warnings = append(comparisons[i].outcome.warnings, comparisons[i].remarks...)
	}
	holm(comparisons)
	switch {
	case flags.format.JSON():
		return records(comparisons).JSON(w)
	case flags.format.Name != "text":
		return outcomeTable(comparisons).Write(w, flags.format.Name)
	}
	for _, c := range comparisons {
		if _, err := fmt.Fprintln(w, c.sentence(flags)); err != nil {
			return err
		}
	}
	return nil
}

// holm sets Holm's adjusted p-values if there are at least two comparisons.
func holm(comparisons []comparison) {
	if len(comparisons) < 2 {
		return
	}
	p := make([]float64, len(comparisons))
	for i, c := range comparisons {
		p[i] = c.outcome.p
	}
	for i, adjusted := range stat.Holm(nil, p) {
		comparisons[i].outcome.holm = &adjusted
	}
}
