// Package cli has what the verbs of the command line share: exit codes, errors, and how results are shown.
package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

// Exit codes, the same for every verb.
const (
	exitDone   = 0
	exitFailed = 1 // the command failed
	exitUsage  = 2 // the command line is wrong
	exitCheck  = 3 // a check failed
)

// usageError is a mistake in the command line.
type usageError struct{ error }

// usagef returns a usageError.
func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// errCheck reports that a check failed on which the user wanted to be strict. The details are already printed.
var errCheck = errors.New("a check failed")

// execute executes a command line of the given verbs and returns its exit code.
func execute(args []string, stdout, stderr io.Writer, verbs ...*cobra.Command) int {
	root := &cobra.Command{
		Use:           "unlearnlab",
		Short:         "A laboratory for machine unlearning",
		Long:          "unlearnlab audits, re-runs and tests four papers on machine unlearning.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return verbOrHelp(c, args)
		},
		Version: version(),
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usageError{nearFlag(c, readable(err))} })
	root.AddCommand(verbs...)
	fitHelp(root)
	root.SetArgs(args)
	shown := &screen{Writer: stdout}
	root.PersistentFlags().BoolVar(&shown.wide, "wide", false,
		"do not fit lines to the terminal's width")
	root.SetOut(shown)
	root.SetErr(stderr)
	err := root.Execute()
	if err == nil {
		return exitDone
	}
	if errors.Is(err, errCheck) {
		return exitCheck
	}
	fmt.Fprintf(stderr, "unlearnlab: %s\n", strings.Join(strings.Fields(sentence(err).Error()), " "))
	var usage usageError
	if errors.As(err, &usage) {
		return exitUsage
	}
	return exitFailed
}

// readable rewords the error of a flag whose value is not a number, without the names of Go's functions.
func readable(err error) error {
	var number *strconv.NumError
	if !errors.As(err, &number) {
		return err
	}
	return fmt.Errorf("%s%w", strings.TrimSuffix(err.Error(), number.Error()), number.Err)
}

// exactArgs is like cobra.ExactArgs, with a usage error that says what is expected.
func exactArgs(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("expected %s, got %d argument(s)", what, len(args))
		}
		return nil
	}
}
