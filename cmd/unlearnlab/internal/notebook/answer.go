package notebook

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/kernelext"
)

func notebookAnswer() *cobra.Command {
	var grid float64
	var hint, into string
	var choices []string
	command := &cobra.Command{
		Use:   "answer NAME VALUE",
		Short: "Create an exercise with a hashed answer, which can be checked but not read",
		Long: `Create the record with which kx.Check recognises the answer of an exercise; the record holds only a
hash. With --grid the answer is a number: it is rounded to a multiple of --grid, and answers within
that distance of the multiple are right. With --choices the answer is one of the given words.

--into adds the record to a file. Cells find the file exercises.json in the notebook's folder
without a build; $` + kernelext.ExercisesVariable + ` names a file elsewhere.`,
		Example: `  unlearnlab notebook answer week1/holm 0.03 --grid 0.001 --into exercises.json \
    --hint 'The smallest p-value is multiplied by the number of tests.'
  unlearnlab notebook answer week1/flat retained --choices retained,guidance,seed \
    --into exercises.json --hint 'What else has a flat curve?'`,
		Args: cli.ExactArgs(2, "an exercise's name and its answer"),
		RunE: func(c *cobra.Command, args []string) error {
			if hint == "" {
				return cli.Usagef("an exercise needs a --hint for wrong answers")
			}
			if _, err := strconv.ParseFloat(args[1], 64); grid > 0 && err != nil {
				return cli.Usagef("%q is not a number; for words remove --grid", args[1])
			}
			exercise, err := kernelext.NewExercise(args[0], args[1], grid, hint, choices...)
			if err != nil {
				return cli.Usage(err)
			}
			if into == "" {
				return json.NewEncoder(c.OutOrStdout()).Encode(exercise)
			}
			if err := kernelext.AddExercise(into, exercise); err != nil {
				return err
			}
			_, err = fmt.Fprintf(c.OutOrStdout(), "%s: kx.Check(%q, answer)\n", into, exercise.Name)
			return err
		},
	}
	command.Flags().Float64Var(&grid, "grid", 0, "distance within which numbers count as equal; 0 for words")
	command.Flags().StringVar(&hint, "hint", "", "hint for a wrong answer")
	command.Flags().StringSliceVar(&choices, "choices", nil, "possible answers")
	command.Flags().StringVar(&into, "into", "", "file of exercises to which the record is added")
	return command
}
