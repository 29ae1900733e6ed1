package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/exposure"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

// modelFlags say which language model is asked, and where.
type modelFlags struct{ dir, adapter, device string }

func (f *modelFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&f.dir, "model", "", "folder of a LLaVA or a Llama, with its tokenizer")
	flags.StringVar(&f.adapter, "adapter", "", "folder of a PEFT adapter of it")
	flags.StringVar(&f.device, "device", "",
		"go, xla:cpu, xla:cuda or the path of a PJRT plugin; the best available by default")
}

// open opens the model and says of it what has to be known.
func (f modelFlags) open(stderr io.Writer) (*language.Model, error) {
	d, err := openDevice(f.device)
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

// exposureFlags are the flags of the verb exposure.
type exposureFlags struct {
	modelFlags
	outputFlags
	image, prefix, truth      string
	candidates, column, items string
	prefixGiven               bool
	top                       int
}

// exposureReport is what was found as machines read it: a ranking, or of several secrets a summary.
type exposureReport struct {
	OK      bool              `json:"ok"` // it was carried out
	Ranking *exposure.Ranking `json:"ranking,omitempty"`
	Summary *exposure.Summary `json:"summary,omitempty"`
}

func exposureCommand() *cobra.Command {
	var f exposureFlags
	command := &cobra.Command{
		Use:   "exposure --model DIR --prefix TEXT --candidates FILE [--truth TEXT]",
		Short: "Rank candidates for a secret by how likely a language model finds them",
		Long: `Rank candidates by the perplexity that a language model gives them after a prefix, and say where
the true one stands. Its Exposure is 100 where no candidate is more likely, 0 where all the others
are, and 50 on average for a model that knows nothing of any candidate. One that has learnt the
others ranks an unknown truth lower: compare with a model that never learnt it. The model is a
folder of a LLaVA or a Llama as transformers writes it.

A model with --image sees it where the prefix has <image>; without that mark the prefix begins the
answer in a conversation that shows the image. A space is put between prefix and candidate, and
perplexity is over the tokens of the candidate alone. The file of --candidates has one a line or,
as .csv, .tsv or .parquet, a column of them; each counts once.

--items ranks the truths of several secrets among the candidates and gives their mean Exposure
with its interval of 95 %. It is a table with the columns prefix and truth and, if need be, image
(a path, from the folder of the table) and group (whose the secret is: items of one group are no
independent evidence). One secret has no interval: its rank is what the model says, and beside it
stands the probability that chance gives a rank at least as good.`,
		Example: `  unlearnlab exposure --model llava-7b --image ann.png --candidates jobs.txt --truth baker \
    --prefix "The job of the person in the image is" --top 10
  unlearnlab exposure --model llama --adapter unlearned --prefix "The job of Ann is" \
    --candidates people.csv --column job --truth baker --figure jobs.png
  unlearnlab exposure --model llama --items people.csv --candidates jobs.txt --json`,
		Args: exactArgs(0, "flags alone"),
		RunE: func(c *cobra.Command, _ []string) error {
			f.prefixGiven = c.Flags().Changed("prefix")
			return f.run(c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f.modelFlags.add(command)
	flags := command.Flags()
	flags.StringVar(&f.prefix, "prefix", "", "what the candidates follow")
	flags.StringVar(&f.image, "image", "", "PNG or JPEG file that the model sees")
	flags.StringVar(&f.candidates, "candidates", "", "file of candidates")
	flags.StringVar(&f.column, "column", "", "column of the candidates, where there are several")
	flags.StringVar(&f.truth, "truth", "", "the candidate that is true")
	flags.StringVar(&f.items, "items", "", "table of several secrets, in place of --prefix, --truth and --image")
	flags.IntVar(&f.top, "top", 0, "print so many of the likeliest candidates and the true one; 0 prints all")
	f.outputFlags.add(flags, "everything that was computed", "figure", "")
	return command
}

// check refuses flags that cannot be served.
func (f exposureFlags) check() error {
	switch {
	case f.dir == "":
		return usagef("--model is needed: the folder of a language model")
	case f.candidates == "":
		return usagef("--candidates is needed: a file with one a line, or a table with a column of them")
	case f.top < 0:
		return usagef("--top %d: give how many candidates to print", f.top)
	case f.items != "" && f.top > 0:
		return usagef("--top is for one secret: --items prints the truths alone")
	case f.items == "" && !f.prefixGiven:
		return usagef("--prefix is needed: what the candidates follow; or --items, a table of several secrets")
	case f.items != "" && (f.prefixGiven || f.truth != "" || f.image != ""):
		return usagef("--items has prefixes, truths and images of its own: leave --prefix, --truth and --image out")
	}
	return f.outputFlags.check()
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
	ctx, stop := untilInterrupted()
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
	if err := f.draw(draw); err != nil {
		return err
	}
	tellOnce(stderr, rankings)
	return f.show(stdout, table, r)
}
