package cli

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// helpCommand returns the verb help, which rejects an unknown verb.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [VERB]",
		Short: "Print the help of a verb",
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if err != nil {
				return Usage(err)
			}
			if len(rest) > 0 && found.HasSubCommands() {
				return VerbOrHelp(found, rest)
			}
			found.InitDefaultHelpFlag()
			return found.Help()
		},
	}
}

// helpWidth is the maximum width of help texts.
const helpWidth = 100

// Filled joins words with commas and breaks them into indented lines.
func Filled(words []string) string {
	const indent = "  "
	var lines strings.Builder
	line := indent
	for i, word := range words {
		if i < len(words)-1 {
			word += ","
		}
		if line != indent && len(line)+len(" ")+len(word) > helpWidth {
			lines.WriteString(line + "\n")
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	return lines.String() + line
}

// fitHelp wraps help texts on terminals that are narrower than helpWidth.
func fitHelp(root *cobra.Command) {
	cobra.AddTemplateFunc("usages", usages)
	usual := root.HelpFunc()
	template := strings.Replace(root.UsageTemplate(), "Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}",
		"{{usages .LocalFlags WIDTH}}", 1)
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		out, width := c.OutOrStdout(), helpWidth
		if screen := ViewOf(out).Width; screen > 0 {
			width = min(width, screen)
		}
		root.SetUsageTemplate(strings.NewReplacer(".FlagUsages", fmt.Sprintf(".FlagUsagesWrapped %d", width),
			"WIDTH", strconv.Itoa(width)).Replace(template))
		if width == helpWidth {
			usual(c, args)
			return
		}
		var text bytes.Buffer
		c.SetOut(&text)
		usual(c, args)
		c.SetOut(out)
		io.WriteString(out, narrowed(text.String(), width))
	})
}

// helpEntry matches a list entry up to its description: one or more names, and a gap of at least two spaces.
var helpEntry = regexp.MustCompile(`^ *\S(?:.*\S)? {2,}`)

// narrowed wraps the lines of a help text. It fills paragraphs and indents the continuation lines of list entries.
// Command lines stay whole.
func narrowed(text string, width int) string {
	var out, paragraph []string
	column := 0                   // column at which the descriptions of a list begin
	typed, goesOn := false, false // whether the line belongs to a command, and whether the command continues on the next line
	end := func() {
		if len(paragraph) > 0 {
			out = append(out, report.Filled(strings.Join(paragraph, " "), width))
			paragraph = nil
		}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		heads := strings.HasSuffix(line, ":") // whether the line is the heading of a list
		if line != "" && !strings.HasPrefix(line, " ") && (!heads || len(paragraph) > 0) {
			paragraph = append(paragraph, line)
			if heads {
				end()
			}
			continue
		}
		end()
		if line == "" {
			column = 0
		} else if entry := utf8.RuneCountInString(helpEntry.FindString(line)); entry > 0 && entry < width*2/3 {
			column = entry
		}
		typed = strings.HasPrefix(strings.TrimSpace(line), "unlearnlab ") || typed && goesOn
		goesOn = strings.HasSuffix(line, "\\")
		if utf8.RuneCountInString(line) <= width || typed {
			out = append(out, line)
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if column > 0 && column < len(line) && line[column-1] == ' ' { // otherwise the entry has no gap before its description
			indent = max(indent, column)
		}
		head := string([]rune(line)[:indent])
		rest := strings.Split(report.Filled(line[len(head):], width-indent), "\n")
		out = append(out, head+strings.Join(rest, "\n"+strings.Repeat(" ", indent)))
	}
	end()
	return strings.Join(out, "\n") + "\n"
}
