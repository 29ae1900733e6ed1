package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// shells lists the shells with a completion script.
var shells = []string{"bash", "zsh", "fish", "powershell"}

// withoutPackage defines the functions that the script needs from the package bash-completion, unless they are defined.
const withoutPackage = `
declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
    cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
}
declare -F __ltrim_colon_completions >/dev/null || __ltrim_colon_completions() { :; }
`

func completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that makes a shell complete verbs, papers, tables, tests and flags",
		Long: `Print a script for bash, zsh, fish or powershell that completes what Tab completes in a notebook.
One line in the shell's configuration loads it:

  source <(unlearnlab completion bash)       in ~/.bashrc
  source <(unlearnlab completion zsh)        in ~/.zshrc, below compinit
  unlearnlab completion fish | source        in ~/.config/fish/config.fish`,
		ValidArgs: shells,
		Args:      cli.ExactArgs(1, strings.Join(shells, ", ")),
		RunE: func(c *cobra.Command, args []string) error {
			root, out := c.Root(), c.OutOrStdout()
			write := map[string]func() error{
				"bash": func() error {
					if _, err := io.WriteString(out, withoutPackage); err != nil {
						return err
					}
					return root.GenBashCompletionV2(out, true)
				},
				"zsh":        func() error { return root.GenZshCompletion(out) },
				"fish":       func() error { return root.GenFishCompletion(out, true) },
				"powershell": func() error { return root.GenPowerShellCompletionWithDesc(out) },
			}[args[0]]
			if write == nil {
				return cli.Usage(fmt.Errorf("there is no completion for %q; the shells are %s", args[0],
					strings.Join(shells, ", ")))
			}
			return write()
		},
	}
}

// completeArguments completes the arguments of verbs as in %unlearn lines, and the values of some flags. If a verb
// offers nothing, the shell completes file names.
func completeArguments(verbs []*cobra.Command, o launcher.Offers) {
	for _, verb := range verbs {
		name := verb.Name()
		if launcher.Completes(name) && !verb.HasSubCommands() {
			verb.ValidArgsFunction = func(_ *cobra.Command, args []string,
				word string) ([]string, cobra.ShellCompDirective) {
				found := withPrefix(launcher.Arguments(o, name, args), word)
				if len(found) == 0 {
					return nil, cobra.ShellCompDirectiveDefault
				}
				return found, cobra.ShellCompDirectiveNoFileComp
			}
		}
		completeFlags(verb)
	}
}

// completeFlags completes the values of --preset, --format, --paper, --device and --precision for a command and its
// subcommands.
func completeFlags(command *cobra.Command) {
	for name, values := range map[string]func() []string{
		"preset":    func() []string { return preset.Names },
		"format":    func() []string { return report.Formats },
		"paper":     papers.Papers,
		"device":    func() []string { return []string{"go", "xla:cpu", "xla:cuda"} },
		"precision": func() []string { return []string{"float32", "bfloat16"} },
	} {
		if command.Flags().Lookup(name) == nil {
			continue
		}
		err := command.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string,
			word string) ([]string, cobra.ShellCompDirective) {
			return withPrefix(values(), word), cobra.ShellCompDirectiveNoFileComp
		})
		if err != nil {
			panic(err) // the flag was registered twice
		}
	}
	for _, verb := range command.Commands() {
		completeFlags(verb)
	}
}

func withPrefix(words []string, with string) []string {
	var found []string
	for _, word := range words {
		if strings.HasPrefix(word, with) {
			found = append(found, word)
		}
	}
	return found
}
