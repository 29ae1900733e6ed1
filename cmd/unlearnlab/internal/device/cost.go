package device

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/labs"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// costOptions holds the flags of "device cost".
type costOptions struct {
	preset, stage, step, model, precision, file string
	format                                      cli.Format
	stored                                      bool
}

func deviceCostCommand() *cobra.Command {
	var o costOptions
	command := &cobra.Command{
		Use:   "cost PAPER",
		Short: "Compile a study's training steps at the paper's size for an NVIDIA H100, without a GPU",
		Long: `Compile each training step of a paper at its published size with XLA's compiler for an NVIDIA
H100 of 80 GB. The command prints the memory of weights, moments and inputs (held), of everything
else (temporary) and the peak; the operations in products and convolutions; and a lower bound of
the time of a step, by the card's data sheet: float32 without tensor cores, bfloat16 with them.
The CUDA context and NVIDIA's libraries take up to 1 GB in addition, so a step with a larger peak
than 84 GB does not fit. The command needs Linux on an amd64 processor, but no GPU, data or
model.

A large step takes minutes and gigabytes. With --file, each compiled step is added to a JSON file,
and steps in the file are not compiled again.`,
		Example: studies.Examples("device cost", "device install cpu", "device install cuda-compiler"),
		Args:    cli.ExactArgs(1, "a paper"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := studies.CheckPaper(args[0]); err != nil {
				return err
			}
			if o.preset != study.PaperPreset {
				return cli.Usagef("--preset %q: only the preset %s is compiled", o.preset, study.PaperPreset)
			}
			if o.stored && o.file == "" {
				return cli.Usagef("--stored prints the content of a file: name it with --file")
			}
			if err := o.format.Check(); err != nil {
				return err
			}
			steps, err := o.steps(args[0])
			if err != nil {
				return err
			}
			ctx, stop := signal.NotifyContext(c.Context(), os.Interrupt, syscall.SIGTERM)
			defer stop()
			costs, err := o.costs(ctx, args[0], steps, func(format string, values ...any) {
				fmt.Fprintf(c.ErrOrStderr(), format, values...)
			})
			if err != nil {
				return err
			}
			if o.format.JSON() {
				return report.Records{Paper: args[0], Rows: costs}.JSON(c.OutOrStdout())
			}
			return cli.ShowTable(c.OutOrStdout(), costTable(costs), o.format.Name)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.preset, "preset", study.PaperPreset, "the preset; only paper")
	flags.StringVar(&o.stage, "stage", "", "only steps of one stage, such as PAPER/unlearned")
	flags.StringVar(&o.step, "step", "", "only steps with this name: a method, taught, or trained")
	flags.StringVar(&o.model, "model", "", "only steps of one model")
	flags.StringVar(&o.precision, "precision", "", "only steps in float32 or in bfloat16")
	flags.StringVar(&o.file, "file", "", "a JSON file to which results are added")
	flags.BoolVar(&o.stored, "stored", false, "print the file's content, and compile nothing")
	o.format.Add(flags)
	return command
}

// steps returns a paper's steps that match the flags.
func (o costOptions) steps(paper string) ([]labs.Step, error) {
	all, err := labs.Steps(paper)
	if err != nil {
		return nil, err
	}
	chosen := slices.DeleteFunc(slices.Clone(all), func(s labs.Step) bool {
		return o.stage != "" && s.Stage != o.stage || o.step != "" && s.Name != o.step ||
			o.model != "" && s.Model != o.model || o.precision != "" && o.precision != precision(s)
	})
	if len(chosen) > 0 {
		return chosen, nil
	}
	var names []string
	for _, s := range all {
		names = append(names, fmt.Sprintf("%s %s of %s in %s", s.Stage, s.Name, s.Model, precision(s)))
	}
	return nil, cli.Usagef("the study of %s has no such step; it has %s", paper, strings.Join(names, ", "))
}

// precision returns the name of a step's number format.
func precision(s labs.Step) string { return cmp.Or(s.Precision, "float32") }

// costs returns the costs of steps. Unless --stored is set, it compiles the steps that the file lacks and adds their
// costs to the file.
func (o costOptions) costs(ctx context.Context, paper string, steps []labs.Step,
	say func(format string, values ...any)) (labs.Costs, error) {
	var known, all labs.Costs
	var err error
	if o.file != "" {
		if known, err = labs.ReadCosts(o.file); err != nil {
			return nil, err
		}
	}
	var d *device.Device
	for _, s := range steps {
		costs := known.Of(paper, s)
		if len(costs) == 0 && !o.stored {
			if d == nil {
				if d, err = device.OpenCompiler(); err != nil {
					return nil, err
				}
			}
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			start := time.Now()
			if costs, err = labs.Compile(ctx, d, paper, s); err != nil {
				return nil, err
			}
			say("%s %s of %s in %s: compiled in %.0f s\n", s.Stage, s.Name, s.Model, precision(s),
				time.Since(start).Seconds())
			known = append(known, costs...)
			if o.file != "" {
				if err := known.Write(o.file); err != nil {
					return nil, err
				}
			}
		}
		all = append(all, costs...)
	}
	return all, nil
}

func costTable(costs labs.Costs) *report.Table {
	table := &report.Table{Corners: []string{"Step", "Model"}}
	for _, name := range []string{"Rows", "Held GB", "Temporary GB", "Peak GB", "Fits", "TFLOP", "At least s"} {
		table.Columns = append(table.Columns, report.Column{Name: name, Words: true})
	}
	for _, c := range costs {
		name := c.Name
		if c.Phase != "" {
			name += ", " + c.Phase
		}
		if c.Precision != "" {
			name += ", " + c.Precision
		}
		fits := "yes"
		if !c.Fits(device.H100) {
			fits = "no"
		}
		row := report.Named(name, c.Model)
		for _, text := range []string{fmt.Sprint(c.Rows), gigabytes(c.Arguments), gigabytes(c.Temporary),
			gigabytes(c.Peak), fits, fmt.Sprintf("%.1f", c.FLOPs/1e12), fmt.Sprintf("%.2f", c.Seconds(device.H100))} {
			row.Cells = append(row.Cells, report.Word(text))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// gigabytes formats bytes in units of 10^9.
func gigabytes(bytes int64) string { return fmt.Sprintf("%.1f", float64(bytes)/1e9) }
