// Package compare compares evaluations of models on the same questions.
package compare

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/compare"
)

type compareFlags struct {
	options compare.Options
	against string
	schema  bool
	cli.OutputFlags
}

func Command() *cobra.Command {
	var f compareFlags
	command := &cobra.Command{
		Use:   "compare RUN RUN...",
		Short: "Compare evaluations of models on the same questions, such as OpenUnlearning's logs",
		Long: `Compare evaluations of models on the same questions. Each RUN is a file or a folder: a log of
OpenUnlearning (TOFU_EVAL.json), samples of lm-evaluation-harness (samples_TASK_TIME.jsonl), a tidy
table (.csv, .tsv, .parquet; --schema describes it), or a folder with all logs and samples of one
model. Every run is compared with the last one, or with --against.

Differences are paired by question, with intervals of 95 %, p-values corrected by Holm over all
comparisons, and equivalence within --margin. The questions of one run are the sample: no interval
covers other trainings. Metrics without values per question, with other questions or with constant
differences are listed with the reason. If a metric of retained knowledge (retain_, ra_ and wf_ in
OpenUnlearning, all tasks but wmdp in lm-evaluation-harness) is lower than in the reference, the
output warns of over-forgetting.

TOFU asks 20 questions about each author: --group-size 20 makes authors the sample.`,
		Example: `  unlearnlab compare npo/TOFU_EVAL.json retain/TOFU_EVAL.json --group-size 20
  unlearnlab compare npo/TOFU_EVAL.json graddiff/TOFU_EVAL.json --against retain/TOFU_EVAL.json
  unlearnlab compare lm_eval/npo lm_eval/retain
  unlearnlab compare mine.csv theirs.csv --margin .02 --format csv`,
		Args: func(_ *cobra.Command, args []string) error {
			if f.schema || len(args) > 1 || len(args) == 1 && f.against != "" {
				return nil
			}
			return cli.Usagef("expected two runs or more; unlearnlab compare --help shows examples")
		},
		RunE: func(c *cobra.Command, args []string) error {
			if f.schema {
				_, err := io.WriteString(c.OutOrStdout(), compare.Schema)
				return err
			}
			f.options.AnyScale = c.Flags().Changed("margin")
			return f.run(c.OutOrStdout(), args)
		},
	}
	flags := command.Flags()
	flags.StringVar(&f.against, "against", "", "file or folder of the reference (default: the last one)")
	flags.Float64Var(&f.options.Margin, "margin", .05,
		"largest difference that does not matter; by default only for metrics from 0 to 1")
	flags.IntVar(&f.options.GroupSize, "group-size", 0,
		"number of consecutive questions that belong together; 20 for TOFU's authors")
	flags.StringSliceVar(&f.options.Metrics, "metrics", nil,
		"only these metrics: names or patterns with *; choose them before you see results")
	flags.BoolVar(&f.options.Common, "common", false, "compare the questions in both files if some are only in one")
	flags.StringSliceVar(&f.options.Retained, "retained", nil,
		"metrics of retained knowledge, where more is better: names or patterns, such as 'utility_*'")
	flags.BoolVar(&f.schema, "schema", false, "describe the tidy table and exit")
	f.OutputFlags.Add(flags, "all numbers", "", "")
	return command
}

func (f *compareFlags) check() error {
	switch {
	case !(f.options.Margin >= 0):
		return cli.Usagef("--margin %g: give a difference of 0 or more", f.options.Margin)
	case f.options.GroupSize < 0:
		return cli.Usagef("--group-size %d: give a number of questions", f.options.GroupSize)
	}
	return f.OutputFlags.Check()
}

// checkPatterns rejects a pattern that no metric matches.
func (f *compareFlags) checkPatterns(logs []*compare.Log) error {
	for _, flag := range []struct {
		name     string
		patterns []string
	}{{"metrics", f.options.Metrics}, {"retained", f.options.Retained}} {
		for _, pattern := range flag.patterns {
			if !slices.ContainsFunc(logs, func(l *compare.Log) bool { return l.Has(pattern) }) {
				var names []string
				for _, m := range logs[0].Metrics {
					names = append(names, m.Name)
				}
				return cli.Usagef("--%s %q: no file has such a metric; %s has %.300s", flag.name, pattern, logs[0].Path,
					strings.Join(names, ", "))
			}
		}
	}
	return nil
}

func (f *compareFlags) run(stdout io.Writer, files []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.against != "" {
		files = append(slices.DeleteFunc(slices.Clone(files), func(file string) bool { return file == f.against }),
			f.against)
	}
	for i, file := range files {
		if slices.Contains(files[:i], file) {
			return cli.Usagef("%s is given twice", file)
		}
	}
	if len(files) < 2 {
		return cli.Usagef("%s cannot be compared with itself", files[0])
	}
	logs := make([]*compare.Log, len(files))
	for i, file := range files {
		var err error
		if logs[i], err = compare.Read(file); err != nil {
			return err
		}
	}
	if err := f.checkPatterns(logs); err != nil {
		return err
	}
	compare.Name(logs)
	last := len(logs) - 1
	r := compare.Runs(logs[:last], logs[last], f.options)
	if len(r.Comparisons) == 0 {
		why := r.Reason()
		if slices.ContainsFunc(files, func(file string) bool { return strings.HasSuffix(file, "_SUMMARY.json") }) {
			why += "; name the _EVAL.json next to each _SUMMARY.json"
		}
		return fmt.Errorf("nothing can be compared with %s: %s", files[last], why)
	}
	return f.Show(stdout, r.Table(), r)
}
