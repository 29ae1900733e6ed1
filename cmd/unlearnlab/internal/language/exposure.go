// Package language measures language models: the exposure of secrets, and causal traces of facts.
package language

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/exposure"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

// modelFlags selects a language model and the device that runs it.
type modelFlags struct{ dir, adapter, device string }

func (f *modelFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.dir, "model", "", "folder of a LLaVA or a Llama, with its tokenizer")
	flags.StringVar(&f.adapter, "adapter", "", "folder of a PEFT adapter for the model")
	flags.StringVar(&f.device, "device", "",
		"go, xla:cpu, xla:cuda or the path of a PJRT plugin; the best available by default")
}

// open opens the model and prints its warnings.
func (f modelFlags) open(stderr io.Writer) (*language.Model, error) {
	d, err := cli.OpenDevice(f.device)
	if err != nil {
		return nil, err
	}
	m, err := language.Open(d, f.dir, f.adapter)
	if err != nil {
		return nil, err
	}
	for _, warning := range m.Warnings {
		fmt.Fprintf(stderr, "warning: %s\n", warning)
	}
	return m, nil
}

type exposureFlags struct {
	modelFlags
	cli.OutputFlags
	image, prefix, truth      string
	candidates, column, items string
	prefixGiven               bool
	top                       int
}

// exposureReport is the JSON report: the ranking of one secret, or the summary of several.
type exposureReport struct {
	OK      bool              `json:"ok"` // the command succeeded
	Ranking *exposure.Ranking `json:"ranking,omitempty"`
	Summary *exposure.Summary `json:"summary,omitempty"`
}

func ExposureCommand() *cobra.Command {
	var f exposureFlags
	command := &cobra.Command{
		Use:   "exposure --model DIR --prefix TEXT --candidates FILE [--truth TEXT]",
		Short: "Rank candidates for a secret by how likely a language model finds them",
		Long: `Rank candidates by the perplexity that a language model assigns to them after a prefix, and report
the rank of the true one. Its Exposure is 100 if no candidate is more likely, 0 if all others are,
and 50 on average for a model that knows none of the candidates. A model that has learnt the other
candidates ranks an unknown truth lower, so compare with a model that never learnt the truth. The
model is the folder of a LLaVA or a Llama in the format of transformers.

With --image the model sees the image at <image> in the prefix; without <image> the prefix begins
the answer in a conversation that shows the image. A space separates prefix and candidate, and the
perplexity is computed over the candidate's tokens only. The file of --candidates has one candidate
per line, or as .csv, .tsv or .parquet one column of them. A repeated candidate counts once.

--items ranks the truths of several secrets among the candidates and gives their mean Exposure with
its 95 % interval. It is a table with the columns prefix and truth, and optionally image (a path
relative to the table's folder) and group (the secret's owner: items of a group are not independent
evidence). A single secret has no interval, because its rank is a fact about the model; the table
gives the probability that chance yields a rank at least as good.`,
		Example: `  unlearnlab exposure --model llava-7b --image ann.png --candidates jobs.txt --truth baker \
    --prefix "The job of the person in the image is" --top 10
  unlearnlab exposure --model llama --adapter unlearned --prefix "The job of Ann is" \
    --candidates people.csv --column job --truth baker --figure jobs.png
  unlearnlab exposure --model llama --items people.csv --candidates jobs.txt --json`,
		Args: cli.ExactArgs(0, "only flags"),
		RunE: func(c *cobra.Command, _ []string) error {
			f.prefixGiven = c.Flags().Changed("prefix")
			return f.run(c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f.modelFlags.add(command)
	flags := command.Flags()
	flags.StringVar(&f.prefix, "prefix", "", "text before the candidates")
	flags.StringVar(&f.image, "image", "", "PNG or JPEG file that the model sees")
	flags.StringVar(&f.candidates, "candidates", "", "file of candidates")
	flags.StringVar(&f.column, "column", "", "column of the candidates, if there are several columns")
	flags.StringVar(&f.truth, "truth", "", "the true candidate")
	flags.StringVar(&f.items, "items", "", "table of several secrets, instead of --prefix, --truth and --image")
	flags.IntVar(&f.top, "top", 0, "number of most likely candidates to print, with the true one; 0 prints all")
	f.OutputFlags.Add(flags, "all results", "figure", "")
	return command
}

func (f exposureFlags) check() error {
	switch {
	case f.dir == "":
		return cli.Usagef("--model is required: the folder of a language model")
	case f.candidates == "":
		return cli.Usagef("--candidates is required: a file with one per line, or a table with a column of them")
	case f.top < 0:
		return cli.Usagef("--top %d: give a number of candidates", f.top)
	case f.items != "" && f.top > 0:
		return cli.Usagef("--top is for one secret: --items prints only the truths")
	case f.items == "" && !f.prefixGiven:
		return cli.Usagef("--prefix is required: the text before the candidates; or --items, a table of several secrets")
	case f.items != "" && (f.prefixGiven || f.truth != "" || f.image != ""):
		return cli.Usagef("--items has its own prefixes, truths and images: remove --prefix, --truth and --image")
	}
	return f.OutputFlags.Check()
}

func (f exposureFlags) run(stdout, stderr io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	items, err := f.read()
	if err != nil {
		return err
	}
	m, err := f.open(stderr)
	if err != nil {
		return err
	}
	ctx, stop := cli.UntilInterrupted()
	defer stop()
	rankings, err := f.rank(ctx, m, items)
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted; nothing was written")
	}
	if err != nil {
		return err
	}
	r := exposureReport{OK: true, Ranking: rankings[0]}
	table, draw := r.Ranking.Top(f.top), rankingFigure(r.Ranking)
	if f.items != "" {
		s, err := exposure.Summarize(rankings)
		if err != nil {
			return fmt.Errorf("read %s: %w", f.items, err)
		}
		r.Ranking, r.Summary = nil, s
		table, draw = s.Table(), summaryFigure(s)
	}
	if err := f.Draw(draw); err != nil {
		return err
	}
	warnOnce(stderr, rankings)
	return f.Show(stdout, table, r)
}
