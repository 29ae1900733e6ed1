package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/membership"
)

// membershipFlags are the flags of the attack mia.
type membershipFlags struct {
	members, nonMembers    string
	column, group, example string
	shadow                 string
	scores                 bool
	seed                   uint64
	outputFlags
}

func membershipCommand() *cobra.Command {
	var f membershipFlags
	command := &cobra.Command{
		Use:   "mia --members FILE --non-members FILE",
		Short: "Tell the members of a training set from others by a model's losses",
		Long: `Tell the members of a training set from other examples by the losses that a model has on them. The
files are .csv, .tsv, .parquet or .npy with one example a row. After unlearning, the members are the
forget set; an attack that still finds them shows that it was not forgotten.

  logistic    accuracy of a logistic regression of membership on the loss, over ten splits, .5 by
              chance: the MIA in tables of papers on unlearning
  threshold   area under the curve, and the share of members found at few false alarms
  LiRA        the same of the likelihood ratio of Carlini et al. (2022), where --shadow gives losses
              of shadow models: a table with the columns example, shadow, member (1 if the shadow
              was trained with the example, 0 if not) and loss. Examples are named by --example or
              numbered from 0, the members first. Where no shadow was trained with any of them the
              attack is offline.

Every number has an interval of 95 %, over the groups of --group where examples belong together.
What the number of non-members cannot resolve is marked.`,
		Example: `  unlearnlab attack mia --members forget.csv --non-members test.csv
  unlearnlab attack mia --members forget.csv --non-members test.csv --column loss --group speaker
  unlearnlab attack mia --members a.npy --non-members b.npy --shadow shadows.parquet --out roc.png`,
		Args: exactArgs(0, "flags alone"),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.OutOrStdout(), c.ErrOrStderr()) },
	}
	flags := command.Flags()
	flags.StringVar(&f.members, "members", "", "file of the examples that the model was trained with")
	flags.StringVar(&f.nonMembers, "non-members", "", "file of examples that it was not trained with")
	flags.StringVar(&f.column, "column", "", "column of the losses, where there are several")
	flags.BoolVar(&f.scores, "scores", false, "larger numbers are more like a member's; without it smaller ones are")
	flags.StringVar(&f.group, "group", "", "column that says whose an example is")
	flags.StringVar(&f.example, "example", "", "column with the names that --shadow has for the examples")
	flags.StringVar(&f.shadow, "shadow", "", "file of losses of shadow models")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the ten splits")
	f.outputFlags.add(flags, "everything that was computed", "out", " of the curves")
	return command
}

// check refuses flags that cannot be served.
func (f membershipFlags) check() error {
	switch {
	case f.members == "" || f.nonMembers == "":
		return usagef("--members and --non-members are needed: files with a loss for each example")
	case f.scores && f.shadow != "":
		return usagef("--scores and --shadow exclude each other: LiRA compares losses")
	case f.example != "" && f.shadow == "":
		return usagef("--example needs --shadow: a table that has these names")
	}
	return f.outputFlags.check()
}

func (f membershipFlags) run(stdout, stderr io.Writer) error {
	if err := f.check(); err != nil {
		return err
	}
	sample, shadows, err := f.read()
	if err != nil {
		return err
	}
	r, err := membership.Infer(sample, shadows, f.seed)
	if err != nil {
		return err
	}
	draw := func() (*plots.Figure, error) { return plots.ROC(r.Curves) }
	if err := f.draw(draw); err != nil {
		return err
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(stderr, "warning: %s\n", w.Text)
	}
	return f.show(stdout, r.Table(), struct {
		OK bool `json:"ok"`
		*membership.Result
	}{true, r})
}
