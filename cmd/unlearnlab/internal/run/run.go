// Package run computes the missing results of a study.
package run

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func Command() *cobra.Command {
	var flags studies.Flags
	var dryRun bool
	var export string
	var part bool
	var methods []string
	var shard, scheduler string
	var shards int
	var wait time.Duration
	command := &cobra.Command{
		Use:   "run PAPER",
		Short: "Run the missing stages of a study",
		Long: `Run the missing stages of a paper's study: the training of its base models, its unlearning methods,
and the scores of every model. Results are stored. The same command continues an interrupted run,
whose exit code is 75.

With --shard 2/8 the command makes the second of eight parts of the plan. All parts use one folder
that all machines see, by --home or $UNLEARNLAB_HOME, or a bucket:
UNLEARNLAB_STORE=s3://bucket/folder. --print slurm or --print kubernetes prints a file that starts
all parts.`,
		Example: studies.Examples("run"),
		Args:    cli.ExactArgs(1, "a paper"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("seeds") && (flags.Seeds < 1 || flags.Seeds > 1000) {
				return cli.Usagef("--seeds %d: give a number of worlds or training seeds from 1 to 1000", flags.Seeds)
			}
			if c.Flags().Changed("method") && len(methods) == 0 {
				return cli.Usagef("--method: name unlearning methods, separated by commas")
			}
			opened, err := studies.Open(args[0], flags, c.ErrOrStderr())
			if err != nil {
				return err
			}
			o := &planned{opened}
			wanted := o.Ends()
			if len(methods) > 0 {
				if wanted, err = o.Select(methods...); err != nil {
					return cli.Usage(err)
				}
			}
			if dryRun {
				return o.list(c.OutOrStdout(), wanted)
			}
			if scheduler != "" {
				return o.print(c.OutOrStdout(), scheduler, commandLine(c, args), shards, wanted)
			}
			if part && export == "" {
				return cli.Usagef("--part needs --export: it publishes the existing results of an incomplete study")
			}
			if o.Shard, err = shardOf(shard, os.Getenv); err != nil {
				return err
			}
			if o.Shard.Of > 1 {
				o.Shard.Patience = wait
				fmt.Fprintln(c.ErrOrStderr(), describe(o.Shard))
			}
			if !part {
				if err := o.Complete(wanted); err != nil {
					return err
				}
			}
			if export != "" {
				return o.export(export)
			}
			return o.ledger(c.OutOrStdout(), wanted)
		},
	}
	flags.Add(command)
	command.Flags().StringSliceVar(&methods, "method", nil, "only these unlearning methods (default all)")
	command.Flags().IntVar(&flags.Seeds, "seeds", 0,
		"number of "+repeated()+" (default: the preset's)")
	command.Flags().BoolVar(&dryRun, "dry-run", false, "list the runs and whether each is missing")
	command.Flags().StringVar(&export, "export", "", "folder to publish the results in")
	command.Flags().StringVar(&shard, "shard", "", "make a part of the plan: 2/8, or 8 with the index that Slurm or "+
		"Kubernetes sets (default in a Slurm array: its own part)")
	command.Flags().DurationVar(&wait, "wait", patience, "with --shard: how long to wait for runs of other parts")
	command.Flags().StringVar(&scheduler, "print", "", "print a file for slurm or kubernetes that runs all parts")
	command.Flags().IntVar(&shards, "shards", 8, "with --print: number of parts")
	command.Flags().BoolVar(&part, "part", false, "with --export: publish the existing results and compute nothing")
	return command
}

// commandLine returns the words of the command line that describe the plan.
func commandLine(c *cobra.Command, args []string) []string {
	words := append([]string{"unlearnlab", "run"}, args...)
	c.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "print" || f.Name == "shards" || f.Name == "wide" {
			return
		}
		value := f.Value.String()
		if list, is := f.Value.(pflag.SliceValue); is {
			value = strings.Join(list.GetSlice(), ",")
		}
		words = append(words, "--"+f.Name, value)
	})
	return words
}

// planned is a study whose runs can be listed, computed and published.
type planned struct{ *studies.Opened }

// repeated lists the units of repetition of all studies, such as "worlds of PAPER, training seeds of ANOTHER".
func repeated() string {
	var all []string
	for _, s := range papers.All {
		all = append(all, s.Repetitions.Plural+" of "+s.Paper)
	}
	return strings.Join(all, ", ")
}

// list prints the wanted runs and the runs that they need, each as made, missing or absent. An absent run is not in the
// store either, but no missing run needs it.
func (o *planned) list(w io.Writer, wanted []*study.Run) error {
	missing, err := o.Missing(o.Store, wanted...)
	if err != nil {
		return err
	}
	needed := map[*study.Run]bool{}
	for _, run := range slices.Concat(wanted, missing) {
		needed[run] = true
	}
	for _, run := range slices.Backward(o.Runs()) { // every run comes after the runs that it needs
		for _, need := range run.Needs {
			needed[need] = needed[need] || needed[run]
		}
	}
	listed := 0
	for _, run := range o.Runs() {
		if !needed[run] {
			continue
		}
		listed++
		state := "made"
		if slices.Contains(missing, run) {
			state = "missing"
		} else if there, err := o.Store.Has(run.Key()); err != nil {
			return err
		} else if !there {
			state = "absent"
		}
		if _, err := fmt.Fprintf(w, "%-8s %.12s  %s\n", state, run.Key(), run.Title); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(w, "%d runs, %d missing\n", listed, len(missing))
	return err
}

// ledger prints the cost of the wanted runs and the runs that they were made from.
func (o *planned) ledger(w io.Writer, wanted []*study.Run) error {
	var wall, cpu float64
	var memory int64
	listed, runs := 0, o.withInputs(wanted)
	for _, run := range runs {
		artifact, err := o.Store.Kept(run.Key())
		if errors.Is(err, store.ErrAbsent) {
			continue // another machine has it, or nothing needs it because results made from it are stored
		}
		if err != nil {
			return err
		}
		listed++
		m := artifact.Manifest
		wall, cpu, memory = wall+m.Wall, cpu+m.CPU, max(memory, m.PeakMemory)
		if _, err := fmt.Fprintf(w, "%.12s %7.1f s  %-6s %s\n", run.Key(), m.Wall, m.Backend, run.Title); err != nil {
			return err
		}
	}
	total := fmt.Sprintf("%d runs", listed)
	if listed < len(runs) {
		total = fmt.Sprintf("%d of %d runs are stored here", listed, len(runs))
	}
	_, err := fmt.Fprintf(w, "%s, %.0f s in total, at most %.2f GB; this machine has %d processors\n", total, wall,
		float64(memory)/1e9, runtime.NumCPU())
	return err
}

// withInputs returns the wanted runs and all runs that they were made from, in the order of the plan.
func (o *planned) withInputs(wanted []*study.Run) []*study.Run {
	part := map[*study.Run]bool{}
	for _, run := range wanted {
		part[run] = true
	}
	var runs []*study.Run
	for _, run := range slices.Backward(o.Runs()) {
		if !part[run] {
			continue
		}
		runs = append(runs, run)
		for _, need := range run.Needs {
			part[need] = true
		}
	}
	slices.Reverse(runs)
	return runs
}

// export publishes the plan's stored runs, as far as the study publishes them.
func (o *planned) export(folder string) error {
	if store.Revision() == store.Unknown {
		fmt.Fprintln(o.Stderr, "warning: the results will not record their source revision, because this program was "+
			"built outside of a checkout and not by make")
	}
	return o.Publish(o.Store, folder)
}
