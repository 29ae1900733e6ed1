// Package judge scores answers with a judge.
package judge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/judge"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// mostAtOnce is the maximum number of concurrent requests, to protect the endpoint.
const mostAtOnce = 256

type judgeFlags struct {
	endpoint, model, keyVariable string
	answers, out, group          string
	limit                        time.Duration
	atOnce                       int
	rules                        bool
	cli.OutputFlags
}

type judgeReport struct {
	OK      bool          `json:"ok"` // the outputs were judged
	Out     string        `json:"out"`
	Answers string        `json:"answers,omitempty"`
	Asked   int           `json:"asked"` // number of outputs sent to the endpoint; the others had stored answers
	Summary judge.Summary `json:"summary"`
}

func Command() *cobra.Command {
	var f judgeFlags
	command := &cobra.Command{
		Use:   "judge FILE --endpoint URL --model NAME --out FILE.parquet",
		Short: "Let a language model behind an endpoint score another model's answers",
		Long: `Score a model's outputs from 0 (none of the truth) to 100 (all of the truth), by a language model
behind an endpoint with OpenAI's chat completions, or by rules. FILE is a .csv, .tsv or .parquet
with the columns question, truth (the right answer) and output. The file of --out has all its
columns and score, reasoning and unparsed. unparsed is true if none of the judge's three answers
could be read; the score is then 0 only for that reason.

Every answer is stored at once in the file of --answers. An interrupted run continues from there,
and a run without --endpoint writes the table from the stored answers. Requests that fail
temporarily are repeated after growing pauses, or when the endpoint allows it.

--rules judges without a language model and gives the same scores everywhere. It needs the column
pii with the facts that must not be revealed, separated by | or as a JSON list.`,
		Example: `  unlearnlab judge outputs.csv --endpoint https://api.openai.com/v1 --model gpt-4o \
    --out judged.parquet
  unlearnlab judge outputs.csv --endpoint http://localhost:8000/v1 --model gemma-3-27b \
    --group person --out judged.parquet
  unlearnlab judge outputs.csv --rules --out judged.parquet`,
		Args: cli.ExactArgs(1, "a table of outputs"),
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c.OutOrStdout(), c.ErrOrStderr(), args[0])
		},
	}
	flags := command.Flags()
	flags.StringVar(&f.endpoint, "endpoint", "", "address up to /chat/completions")
	flags.StringVar(&f.model, "model", "", "name of the model at the endpoint")
	flags.StringVar(&f.keyVariable, "key-variable", "OPENAI_API_KEY",
		"environment variable with the key; a local server may need none")
	flags.StringVar(&f.answers, "answers", "", "file of the stored answers (default: next to --out, as .answers.jsonl)")
	flags.StringVar(&f.out, "out", "", "Parquet file to write")
	flags.StringVar(&f.group, "group", "",
		"column with the group of each output, such as its person, for the interval of the mean")
	flags.DurationVar(&f.limit, "timeout", 2*time.Minute, "time limit of one request")
	flags.IntVar(&f.atOnce, "at-once", 4, "maximum number of concurrent requests")
	flags.BoolVar(&f.rules, "rules", false, "judge by rules, without a language model")
	f.OutputFlags.Add(flags, "the summary", "", "")
	return command
}

func (f *judgeFlags) check(path string) error {
	switch {
	case f.out == "":
		return cli.Usagef("--out is required: a Parquet file to write")
	case !strings.HasSuffix(strings.ToLower(f.out), ".parquet"):
		return cli.Usagef("--out %q: the file must end in .parquet", f.out)
	case same(f.out, path):
		return cli.Usagef("--out %q is the input table: name another file", f.out)
	case f.rules && (f.endpoint != "" || f.model != "" || f.answers != ""):
		return cli.Usagef("--rules uses no language model: remove --endpoint, --model and --answers")
	case !f.rules && f.model == "":
		return cli.Usagef("--model is required: the name of the judging model; or --rules")
	case f.atOnce < 1 || f.atOnce > mostAtOnce:
		return cli.Usagef("--at-once %d: give a number of requests from 1 to %d", f.atOnce, mostAtOnce)
	case f.limit <= 0:
		return cli.Usagef("--timeout %s: give a time above 0", f.limit)
	}
	if f.endpoint != "" {
		if err := judge.CheckBase(f.endpoint); err != nil {
			return cli.Usagef("--endpoint: %v", err)
		}
	}
	if f.answers == "" && !f.rules {
		f.answers = f.out[:len(f.out)-len(".parquet")] + ".answers.jsonl"
	}
	return f.OutputFlags.Check()
}

// same reports whether two paths name the same file.
func same(a, b string) bool {
	first, err := os.Stat(a)
	second, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(first, second)
}

func (f *judgeFlags) run(stdout, stderr io.Writer, path string) error {
	if err := f.check(path); err != nil {
		return err
	}
	outputs, err := readOutputs(path, f.group, f.rules)
	if err != nil {
		return err
	}
	ctx, stop := cli.UntilInterrupted()
	defer stop()
	r := judgeReport{OK: true, Out: f.out, Answers: f.answers}
	var judgments []metric.Judgment
	if f.rules {
		judgments, err = judge.All(ctx, metric.RuleJudge{}, outputs.cases, 1, nil)
	} else {
		judgments, r.Asked, err = f.ask(ctx, stderr, outputs.cases)
	}
	if err != nil {
		return fmt.Errorf("judge %s: %w", path, err)
	}
	if err := safefile.WriteParquet(f.out, outputs.judged(judgments)); err != nil {
		return err
	}
	r.Summary = judge.Summarize(judgments, outputs.groups)
	f.Written = f.out
	return f.Show(stdout, r.Summary.Table(), r)
}

// ask judges cases by stored answers and, for the others, by the endpoint. asked is the number of outputs without a
// stored answer.
func (f *judgeFlags) ask(ctx context.Context, stderr io.Writer, cases []metric.JudgeCase) (judgments []metric.Judgment,
	asked int, err error) {
	answers, err := judge.OpenAnswers(f.answers)
	if err != nil {
		return nil, 0, err
	}
	defer answers.Close()
	if answers.Damaged > 0 {
		fmt.Fprintf(stderr, "warning: %s: %d lines cannot be read and are asked again\n", f.answers,
			answers.Damaged)
	}
	var model metric.LanguageModel
	if f.endpoint != "" {
		model = &judge.Endpoint{Base: f.endpoint, Model: f.model, Key: os.Getenv(f.keyVariable), Limit: f.limit}
	}
	remembering := judge.NewRemembering(model, f.model, answers)
	if asked = remembering.Lacks(cases); asked > 0 && model == nil {
		return nil, 0, fmt.Errorf("%s has no answer of %q to %d of %d outputs; give the --endpoint of this model",
			f.answers, f.model, asked, len(cases))
	}
	counter := &judgedCounter{out: stderr, all: len(cases), last: time.Now()}
	judgments, err = judge.All(ctx, remembering, cases, f.atOnce, counter.one)
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	if err != nil {
		err = fmt.Errorf("%w; %d answers are kept in %s; repeat the command to continue", err, answers.Len(), f.answers)
	}
	return judgments, asked, err
}

// judgedCounter prints the progress of judging, one line every ten seconds.
type judgedCounter struct {
	out       io.Writer
	done, all int
	last      time.Time
}

func (j *judgedCounter) one() {
	if j.done++; time.Since(j.last) >= cli.NextLine {
		j.last = time.Now()
		fmt.Fprintf(j.out, "%d of %d outputs judged\n", j.done, j.all)
	}
}
