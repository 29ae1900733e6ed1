package language

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/causal"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// causalFlags holds the flags of the causal-trace command.
type causalFlags struct {
	modelFlags
	cli.OutputFlags
	image, prompt, subject, substitute string
	answer                             string
	window                             int
	whole                              bool
	least                              float64
}

func CausalCommand() *cobra.Command {
	var f causalFlags
	command := &cobra.Command{
		Use:   "causal-trace --model DIR --prompt TEXT --subject TEXT --answer TEXT",
		Short: "Trace in which layers and at which tokens a language model stores an answer",
		Long: `Trace where a language model stores the answer to a prompt about a subject. The model reads the
prompt (clean run), and the prompt with a substitute for the subject, so that the answer is lost
(corrupted run). The corrupted run is then repeated with one activation of the clean run restored,
for every layer and every token from the subject on. The indirect effect IE is the probability of
the answer that this restores; the total effect TE is the whole probability that was lost. There
are three maps: for the outputs of the MLPs, the outputs of the attention, and the hidden states
between layers.

The model is the folder of a LLaVA or a Llama in the format of transformers. With --image the model
sees the image at <image> in the prompt, and the image's tokens are one row; without <image> the
prompt is a question in a conversation that shows the image. The substitute needs as many tokens as
the subject; without --substitute the command searches for one. A sample whose TE is below --least
is skipped with a message.

The table shows the largest effect of each token; --json and --figure contain all effects. Layers
count from 0.`,
		Example: `  unlearnlab causal-trace --model llava-7b --image ann.png --answer baker --figure trace.png \
    --prompt "What is the job of this person?" --subject "this person"
  unlearnlab causal-trace --model llama --adapter unlearned --prompt "The job of Ann is" \
    --subject Ann --substitute Stone --answer baker --window 5 --json`,
		Args: cli.ExactArgs(0, "only flags"),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.OutOrStdout(), c.ErrOrStderr()) },
	}
	f.modelFlags.add(command)
	flags := command.Flags()
	flags.StringVar(&f.prompt, "prompt", "", "text before the answer")
	flags.StringVar(&f.subject, "subject", "", "part of the prompt that the answer is about")
	flags.StringVar(&f.substitute, "substitute", "", "text that replaces the subject in the corrupted run")
	flags.StringVar(&f.answer, "answer", "", "answer to trace")
	flags.StringVar(&f.image, "image", "", "PNG or JPEG file that the model sees")
	flags.IntVar(&f.window, "window", 1, "number of layers that are restored together")
	flags.BoolVar(&f.whole, "whole-answer", false, "use the probability of the whole answer, not of its first token")
	flags.Float64Var(&f.least, "least", causal.DefaultLeast, "total effect below which a sample is skipped")
	f.OutputFlags.Add(flags, "the three maps", "figure", " of the maps")
	return command
}

func (f causalFlags) check() error {
	for _, needed := range []struct{ flag, value, what string }{
		{"model", f.dir, "the folder of a language model"}, {"prompt", f.prompt, "the text before the answer"},
		{"subject", f.subject, "the part of the prompt that it is about"},
		{"answer", f.answer, "what the model should say"},
	} {
		if strings.TrimSpace(needed.value) == "" {
			return cli.Usagef("--%s is required: %s", needed.flag, needed.what)
		}
	}
	switch {
	case f.window < 1:
		return cli.Usagef("--window %d: give a number of layers from 1", f.window)
	case !(f.least > 0 && f.least < 1):
		return cli.Usagef("--least %g: give a difference of probabilities above 0 and below 1", f.least)
	}
	return f.OutputFlags.Check()
}

func (f causalFlags) run(stdout, stderr io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	trace, err := f.trace(stderr)
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted; nothing was written")
	}
	if err != nil {
		return err
	}
	if trace.Skipped == "" {
		if err := f.Draw(func() (*plots.Figure, error) { return causalFigure(trace) }); err != nil {
			return err
		}
	} else if f.Name == "text" {
		_, err := fmt.Fprintln(stdout, trace.Skipped)
		return err
	}
	return f.Show(stdout, trace.Table(), struct {
		OK bool `json:"ok"` // the command succeeded, even if it skipped the sample
		*causal.Trace
	}{true, trace})
}

// trace opens the model and traces the sample.
func (f causalFlags) trace(stderr io.Writer) (*causal.Trace, error) {
	m, err := f.open(stderr)
	if err != nil {
		return nil, err
	}
	sample := causal.Sample{Prompt: f.prompt, Subject: f.subject, Substitute: f.substitute, Answer: f.answer}
	if f.image != "" {
		if sample.Image, err = m.Pixels(f.image); err != nil {
			return nil, err
		}
	}
	ctx, stop := cli.UntilInterrupted()
	defer stop()
	tracer := causal.New(m)
	defer tracer.Close()
	heard, done := cli.CallProgress(stderr, "causal trace", "restored runs")
	defer done()
	return tracer.Trace(ctx, sample, causal.Settings{Window: f.window, Whole: f.whole, Least: f.least}, heard)
}

// causalFigure returns the three maps on one colour scale, tokens by layers.
func causalFigure(t *causal.Trace) (*plots.Figure, error) {
	graph := chart.HeatMap{Title: fmt.Sprintf("Where a model stores %q", t.Answer), XLabel: "layer, from 0",
		YLabel: "token",
		Scale:  chart.Scale{Label: "indirect effect", Diverging: true},
		Caption: fmt.Sprintf("probability of the answer restored by an activation of %q in the run with %q; %.3g "+
			"clean, %.3g corrupted, window %d; * subject", t.Subject, t.Substitute, t.Clean, t.Corrupted, t.Window)}
	for _, m := range t.Maps {
		panel := chart.Matrix{Name: m.Site, Values: m.Effects}
		for _, row := range t.Rows {
			panel.Rows = append(panel.Rows, row.Name())
		}
		for layer := range m.Effects[0] {
			panel.Columns = append(panel.Columns, strconv.Itoa(layer))
		}
		graph.Panels = append(graph.Panels, panel)
	}
	return plots.Draw(graph.Figure())
}
