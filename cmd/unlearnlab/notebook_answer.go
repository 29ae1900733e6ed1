package main

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/kernelext"
)

func notebookAnswer() *cobra.Command {
	var grid float64
	var hint, into string
	var choices []string
	command := &cobra.Command{
		Use:   "answer NAME VALUE",
		Short: "Make an exercise of your own, its answer hashed: recognised and not read",
		Long: `Make the record by which kx.Check recognises the answer of an exercise without containing it. With
--grid the answer is a number; it is right within that distance of the multiple of --grid that is
nearest to the answer. With --choices it is one of some words.

--into writes the record into a file. A file exercises.json beside a notebook is found by its cells,
with nothing to build; $` + kernelext.ExercisesVariable + ` names one elsewhere.`,
		Example: `  unlearnlab notebook answer week1/holm 0.03 --grid 0.001 --into exercises.json \
    --hint 'The smallest p-value is multiplied by the number of tests.'
  unlearnlab notebook answer week1/flat retained --choices retained,guidance,seed \
    --into exercises.json --hint 'What else has a flat curve?'`,
		Args: exactArgs(2, "an exercise's name and its answer"),
		RunE: func(c *cobra.Command, args []string) error {
			if hint == "" {
				return usagef("an exercise needs a --hint for those who are wrong")
			}
			if _, err := strconv.ParseFloat(args[1], 64); grid > 0 && err != nil {
				return usagef("%q is not a number; leave --grid out for words", args[1])
			}
			exercise, err := kernelext.NewExercise(args[0], args[1], grid, hint, choices...)
			if err != nil {
				return usageError{err}
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
	command.Flags().Float64Var(&grid, "grid", 0, "width within which numbers are equal; 0 is for words")
	command.Flags().StringVar(&hint, "hint", "", "what a wrong answer gets to read")
	command.Flags().StringSliceVar(&choices, "choices", nil, "the words among which the answer is")
	command.Flags().StringVar(&into, "into", "", "a file of exercises that gets the record")
	return command
}
