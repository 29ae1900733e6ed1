package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
)

// VerbOrHelp runs a command that only groups verbs. It shows the help, or rejects an unknown verb with a suggestion.
func VerbOrHelp(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return c.Help()
	}
	var verbs []string
	for _, verb := range c.Commands() {
		if !verb.Hidden {
			verbs = append(verbs, verb.Name())
		}
	}
	what := "verb"
	if c.HasParent() {
		what = c.Name() + " verb"
	}
	if near := spelling.Nearest(args[0], verbs); near != "" {
		return Usagef("there is no %s %q; do you mean %s?", what, args[0], near)
	}
	return Usagef("there is no %s %q; %s --help lists them", what, args[0], c.CommandPath())
}

// nearFlag adds the most similar flag, if there is one, to the error about an unknown flag.
func nearFlag(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	given := strings.TrimLeft(unknown.GetSpecifiedName(), "-")
	near := spelling.Nearest(given, names)
	if near == "" || len(given) < 2 {
		return fmt.Errorf("%w; %s --help lists the flags", err, c.CommandPath())
	}
	return fmt.Errorf("%w; do you mean --%s?", err, near)
}
