package main

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/kernelext/launcher"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preset"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/studies"
)

// completeArguments gives every verb the completion that %unlearn lines have in a notebook, and flags with few values
// these values. What no verb takes more of is completed as files.
func completeArguments(root *cobra.Command, o launcher.Offers) {
	for _, verb := range root.Commands() {
		name := verb.Name()
		if launcher.Completes(name) && !verb.HasSubCommands() {
			verb.ValidArgsFunction = func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
				found := beginning(launcher.Arguments(o, name, args), word)
				if len(found) == 0 {
					return nil, cobra.ShellCompDirectiveDefault
				}
				return found, cobra.ShellCompDirectiveNoFileComp
			}
		}
		completeFlags(verb)
	}
}

// completeFlags completes the values of a verb's flags and of its own verbs'.
func completeFlags(command *cobra.Command) {
	for name, values := range map[string]func() []string{
		"preset": func() []string { return preset.Names },
		"format": func() []string { return report.Formats },
		"paper":  studies.Papers,
		"device": func() []string { return []string{"go", "xla:cpu", "xla:cuda"} },
	} {
		if command.Flags().Lookup(name) == nil {
			continue
		}
		err := command.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string,
			word string) ([]string, cobra.ShellCompDirective) {
			return beginning(values(), word), cobra.ShellCompDirectiveNoFileComp
		})
		if err != nil {
			panic(err) // two of one flag
		}
	}
	for _, verb := range command.Commands() {
		completeFlags(verb)
	}
}

// beginning are the words that begin with another.
func beginning(words []string, with string) []string {
	var found []string
	for _, word := range words {
		if strings.HasPrefix(word, with) {
			found = append(found, word)
		}
	}
	return found
}
