package main

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/clitest/madeup"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
)

func TestView_ColumnsAndRows(t *testing.T) {
	t.Setenv("UNLEARNLAB_HOME", t.TempDir())
	got := cmd.Succeed(t, "table", "unslu", "4", "--printed", "--columns", "gum,NoMUS", "--rows", "ng,scrub")
	lines := strings.Split(got, "\n")
	if header := strings.Fields(lines[1]); header[len(header)-2] != "GUM" || header[len(header)-1] != "NoMUS" {
		t.Errorf(`got %v, want header[len(header)-2] "GUM", header[len(header)-1] "NoMUS"`, got)
	}
	if !strings.Contains(got, "NG") || !strings.Contains(got, "SCRUB") || strings.Contains(got, "UNSIR") {
		t.Errorf(`got %v, want "NG" in it, "SCRUB" in it, no "UNSIR"`, got)
	}
	for _, c := range []struct{ args, want string }{
		{"--columns F9", `there is no column "F9"; there are `},
		{"--methods delte", `there is no method "delte"`},
		{"--numbers", "--numbers needs --certified"},
		{"--rows nobody", `no row has "nobody" in its name; the first is `},
		{"--rows ng --format json",
			"--format json always gives every cell here; remove --columns, --rows and --methods"},
	} {
		code, stdout, stderr := cmd.Run(append([]string{"table", "unslu", "4", "--printed"},
			strings.Fields(c.args)...)...)
		if code != cli.ExitUsage || stdout != "" || !strings.Contains(stderr, c.want) || strings.Count(stderr,
			"\n") != 1 {
			t.Errorf("%s: exit %d, %s%s", c.args, code, stdout, stderr)
		}
	}
}

// No line is wider than the terminal, unless --wide is set.
func TestView_TerminalWidth(t *testing.T) {
	home := madeup.Home(t, salmu.Study)
	longest := func(text string) (longest int) {
		for line := range strings.Lines(text) {
			longest = max(longest, utf8.RuneCountInString(strings.TrimSuffix(line, "\n")))
		}
		return longest
	}
	for _, line := range []string{"table salmu 5 --certified", "table salmu 5 --certified --numbers", "table salmu 5",
		"claims salmu", "audit salmu"} {
		args := append(strings.Fields(line), "--home", home, "--preset", "smoke")
		if args[0] == "audit" {
			args = args[:2]
		}
		t.Setenv("COLUMNS", "80")
		narrow := longest(cmd.Succeed(t, args...))
		t.Setenv("COLUMNS", "200")
		if middle := longest(cmd.Succeed(t, args...)); narrow > 80 || middle > 200 || middle <= narrow {
			t.Errorf("%s: %d of 80, %d of 200 columns", line, narrow, middle)
		}
		t.Setenv("COLUMNS", "80")
		if wide := longest(cmd.Succeed(t, append(args, "--wide")...)); wide <= 80 {
			t.Errorf("%s --wide: %d columns", line, wide)
		}
	}
}

// A certified table is a grid of verdicts; --numbers shows the numbers.
func TestView_Certified(t *testing.T) {
	home := madeup.Home(t, salmu.Study)
	base := []string{"table", "salmu", "5", "--certified", "--home", home, "--preset", "smoke", "--methods", "delete"}
	grid, numbers := cmd.Succeed(t, base...), cmd.Succeed(t, append(base, "--numbers")...)
	if strings.Contains(grid, "[0.") || !strings.Contains(numbers, "[0.") || !strings.Contains(numbers, "●") ||
		!strings.Contains(grid, "DELETE") || strings.Contains(grid, "CLIPERase") {
		t.Errorf("got %s\n%s, want no \"[0.\", \"[0.\" in numbers, \"●\" in numbers, \"DELETE\" in grid, no "+
			"\"CLIPERase\"",
			grid, numbers)
	}
	if !strings.Contains(grid, "▲*") || strings.Count(grid, " ? ") < 3 {
		t.Error(grid)
	}
}

// Teachers can omit the prompts that mention nudity.
func TestRows_NoNudity(t *testing.T) {
	t.Setenv("UNLEARNLAB_HOME", t.TempDir())
	told := regexp.MustCompile("`(?:%unlearn )?(table concealment 1 --[^`]*)`")
	for _, document := range []string{"../../docs/teaching.md", "../../notebooks/src/40-concealment.md"} {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		line := told.FindSubmatch(text)
		if line == nil {
			t.Fatalf("%s says no such command", document)
		}
		got := strings.ToLower(cmd.Succeed(t, strings.Fields(string(line[1]))...))
		if !strings.Contains(got, "killian eng") || regexp.MustCompile("nud|lingerie|boxers|breast").MatchString(got) {
			t.Errorf("%s: %s", document, got)
		}
	}
}
