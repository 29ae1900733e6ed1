package attack

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/membership"
)

// membershipFlags holds the flags of the attack mia.
type membershipFlags struct {
	members, nonMembers    string
	column, group, example string
	shadow                 string
	scores                 bool
	seed                   uint64
	cli.OutputFlags
}

func membershipCommand() *cobra.Command {
	var f membershipFlags
	command := &cobra.Command{
		Use:   "mia --members FILE --non-members FILE",
		Short: "Infer the members of a training set from a model's losses",
		Long: `Distinguish the members of a training set from other examples by a model's losses on them. The
files are .csv, .tsv, .parquet or .npy with one example per row. After unlearning, the members are
the forget set; if an attack still finds them, they were not forgotten.

  logistic    accuracy of a logistic regression of membership on the loss, over ten splits; chance
              level .5. This is the MIA in the tables of unlearning papers
  threshold   area under the ROC curve, and the true positive rate at low false positive rates
  LiRA        the same for the likelihood ratio of Carlini et al. (2022), if --shadow gives the
              losses of shadow models: a table with the columns example, shadow, member (1 if the
              shadow was trained with the example, otherwise 0) and loss. Examples are named by
              --example, or numbered from 0 with the members first. If no shadow was trained with
              any of the examples, the attack is offline.

Every number has a 95 % interval, which is over groups if --group names them. That of a true
positive rate takes its threshold as given, although the non-members that set it are a sample.
Numbers that the count of non-members cannot resolve are marked.`,
		Example: `  unlearnlab attack mia --members forget.csv --non-members test.csv
  unlearnlab attack mia --members forget.csv --non-members test.csv --column loss --group speaker
  unlearnlab attack mia --members a.npy --non-members b.npy --shadow shadows.parquet --out roc.png`,
		Args: cli.ExactArgs(0, "only flags"),
		RunE: func(c *cobra.Command, _ []string) error { return f.run(c.OutOrStdout(), c.ErrOrStderr()) },
	}
	flags := command.Flags()
	flags.StringVar(&f.members, "members", "", "file of the examples in the training set")
	flags.StringVar(&f.nonMembers, "non-members", "", "file of examples outside the training set")
	flags.StringVar(&f.column, "column", "", "column of the losses, if there are several columns")
	flags.BoolVar(&f.scores, "scores", false, "the numbers are scores: a larger number suggests a member")
	flags.StringVar(&f.group, "group", "", "column with the group of each example, such as its person")
	flags.StringVar(&f.example, "example", "", "column with the examples' names in --shadow")
	flags.StringVar(&f.shadow, "shadow", "", "file with the losses of shadow models")
	flags.Uint64Var(&f.seed, "seed", 0, "seed of the ten splits")
	f.OutputFlags.Add(flags, "all results", "out", " of the ROC curves")
	return command
}

func (f membershipFlags) check() error {
	switch {
	case f.members == "" || f.nonMembers == "":
		return cli.Usagef("--members and --non-members are needed: files with a loss for each example")
	case f.scores && f.shadow != "":
		return cli.Usagef("--scores cannot be combined with --shadow: LiRA compares losses")
	case f.example != "" && f.shadow == "":
		return cli.Usagef("--example needs --shadow, a table with these names")
	}
	return f.OutputFlags.Check()
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
	draw := func() (*plots.Figure, error) { return plots.Draw(membership.ROCFigure(r.Curves)) }
	if err := f.Draw(draw); err != nil {
		return err
	}
	for _, w := range r.Warnings {
		fmt.Fprintf(stderr, "warning: %s\n", w.Text)
	}
	return f.Show(stdout, r.Table(), struct {
		OK bool `json:"ok"`
		*membership.Result
	}{true, r})
}
