package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
)

// verbsOf returns the subcommands that a help text lists.
func verbsOf(help string) []string {
	var verbs []string
	headings := []string{"Available Commands", "Additional Commands"}
	for _, g := range groups() {
		headings = append(headings, g.title)
	}
	for _, heading := range headings {
		_, list, _ := strings.Cut(help, "\n"+heading+":\n")
		list, _, _ = strings.Cut(list, "\n\n")
		for line := range strings.Lines(list) {
			goesOn := strings.HasPrefix(line, "   ") // continues the description of the previous verb
			if verb := strings.Fields(line)[0]; verb != "help" && !goesOn {
				verbs = append(verbs, verb)
			}
		}
	}
	return verbs
}

func TestHelp_Fits(t *testing.T) { helpFits(t, 100) }

func TestHelp_Fits80Columns(t *testing.T) {
	t.Setenv("COLUMNS", "80")
	helpFits(t, 80)
}

// helpFits checks that no line of any help text is wider than limit columns. Lines with a command or a flag may have
// 100.
func helpFits(t *testing.T, limit int) {
	t.Helper()
	seen := 0
	var check func(command []string)
	check = func(command []string) {
		var out, problems bytes.Buffer
		if code := cmd(append(command, "--help"), &out, &problems); code != cli.ExitDone {
			t.Fatalf("%q: exit %d, %s", command, code, problems.String())
		}
		seen++
		for line := range strings.Lines(out.String()) {
			if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > limit &&
				(width > 100 || !strings.HasPrefix(line, "  unlearnlab ") && !strings.HasPrefix(line, "    --")) {
				t.Errorf("unlearnlab %s --help: %d columns: %s", strings.Join(command, " "), width, line)
			}
		}
		for _, verb := range verbsOf(out.String()) {
			check(append(command[:len(command):len(command)], verb))
		}
	}
	check(nil)
	if seen < 25 {
		t.Errorf("only %d commands seen", seen)
	}
}
