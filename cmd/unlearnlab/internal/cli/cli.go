// Package cli holds what the commands share: exit codes, errors, and how results are shown.
package cli

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Exit codes, the same for all commands.
const (
	ExitDone   = 0
	ExitFailed = 1  // the command failed
	ExitUsage  = 2  // the command line is wrong
	ExitCheck  = 3  // a check failed
	ExitLater  = 75 // interrupted, or waiting for another process; the same command line continues
)

// usageError is a mistake in the command line.
type usageError struct{ error }

// Usage marks err as a mistake in the command line. It returns nil if err is nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return usageError{err}
}

// Usagef returns a formatted usage error.
func Usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// ErrCheck reports that a check failed, if the user asked to treat that as an error. The details are already printed.
var ErrCheck = errors.New("a check failed")

// ErrLater reports that a command is unfinished and that the same command line continues it. Its exit code tells a
// scheduler to try again.
var ErrLater = errors.New("the same command continues")

// Run executes a command line with the given verbs and returns its exit code.
func Run(args []string, stdout, stderr io.Writer, verbs ...*cobra.Command) int {
	root := &cobra.Command{
		Use:           "unlearnlab",
		Short:         "A laboratory for machine unlearning",
		Long:          "unlearnlab audits, re-runs and tests four papers on machine unlearning.",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return VerbOrHelp(c, args)
		},
		Version: version(),
	}
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usageError{nearFlag(c, readable(err))} })
	for _, verb := range verbs {
		if verb.GroupID != "" && !root.ContainsGroup(verb.GroupID) {
			root.AddGroup(&cobra.Group{ID: verb.GroupID, Title: verb.GroupID + ":"})
		}
	}
	root.AddCommand(append(verbs, versionCommand())...)
	root.SetHelpCommand(helpCommand())
	fitHelp(root)
	root.SetArgs(args)
	shown := &screen{Writer: stdout}
	root.PersistentFlags().BoolVar(&shown.wide, "wide", false,
		"do not fit lines to the terminal's width")
	root.SetOut(shown)
	root.SetErr(stderr)
	executed, err := root.ExecuteC()
	if err == nil {
		return ExitDone
	}
	if errors.Is(err, ErrCheck) {
		return ExitCheck
	}
	fmt.Fprintf(stderr, "unlearnlab: %s\n", strings.Join(strings.Fields(sentence(err, outFlag(executed)).Error()), " "))
	if errors.As(err, new(usageError)) || errors.As(err, new(*study.Unsupported)) {
		return ExitUsage
	}
	if errors.Is(err, ErrLater) {
		return ExitLater
	}
	return ExitFailed
}

// readable removes the name of the Go function from the error of a flag whose value is not a number.
func readable(err error) error {
	var number *strconv.NumError
	if !errors.As(err, &number) {
		return err
	}
	return fmt.Errorf("%s%w", strings.TrimSuffix(err.Error(), number.Error()), number.Err)
}

// Exclusive marks flags that exclude each other. It is like cobra's MarkFlagsMutuallyExclusive, with a
// usage error that names the flags that were given.
func Exclusive(command *cobra.Command, names ...string) {
	command.MarkFlagsMutuallyExclusive(names...) // so that completion offers no second one
	before := command.PreRunE
	command.PreRunE = func(c *cobra.Command, args []string) error {
		var given []string
		for _, name := range names {
			if c.Flags().Changed(name) {
				given = append(given, "--"+name)
			}
		}
		if len(given) > 1 {
			last := len(given) - 1
			return Usagef("give %s or %s, not both", strings.Join(given[:last], ", "), given[last])
		}
		if before != nil {
			return before(c, args)
		}
		return nil
	}
}

func arguments(n int) string {
	if n == 1 {
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", n)
}

// ExactArgs returns a check like [cobra.ExactArgs], with a usage error that says what is expected.
func ExactArgs(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return Usagef("expected %s, got %s", what, arguments(len(args)))
		}
		return nil
	}
}
