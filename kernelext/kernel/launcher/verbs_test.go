package launcher

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

func TestVerbs_LineForLine(t *testing.T) {
	tests := []struct{ name, code, want string }{
		{"untouched", "%%\nfmt.Println(`%unlearn`)", "%%\nfmt.Println(`%unlearn`)"},
		{"one verb", "%unlearn table unslu 1", `func main() { kx.Command("table", "unslu", "1") }`},
		{"quotes", `%unlearn stat ks "a b.csv" --x "c\"d"`,
			`func main() { kx.Command("stat", "ks", "a b.csv", "--x", "c\"d") }`},
		{"one verb and a comment", "// so\n\n%unlearn audit", "// so\n\nfunc main() { kx.Command(\"audit\") }"},
		{"a comment behind a verb", "%unlearn table unslu 1   # the first",
			`func main() { kx.Command("table", "unslu", "1") }`},
		{"a sign that begins no comment", `%unlearn stat ks "a # b.csv" --x c#1`,
			`func main() { kx.Command("stat", "ks", "a # b.csv", "--x", "c#1") }`},
		{"two verbs and a comment", "\n%unlearn audit\n// then\n%unlearn table remem 2",
			"\nfunc main() { kx.Command(\"audit\"); kx.Command(\"table\", \"remem\", \"2\") }\n// then\n"},
		{"below %%", "%%\nx := 1\n%unlearn audit unslu\n_ = x", "%%\nx := 1\nkx.Command(\"audit\", \"unslu\")\n_ = x"},
		{"beside declarations", "var x = 1\n%unlearn audit\nfunc f() {}",
			"var x = 1\nfunc main() { kx.Command(\"audit\") }\nfunc f() {}"},
		{"answered here", "%unlearn help", ""},
		{"nothing is help", "%unlearn", ""},
		{"preset", "%unlearn preset mini", "%env UNLEARNLAB_PRESET mini"},
		{"an editor's comment", "//gonb:%unlearn audit", `func main() { kx.Command("audit") }`},
		{"beside a line of gonb's", "%cd x\n%unlearn audit", "%cd x\nfunc main() { kx.Command(\"audit\") }"},
		{"another program's text", "%%bash\n%unlearn nonsense", "%%bash\n%unlearn nonsense"},
		{"gonb's own lines", "%ls\n!ls\n%env A=b\n%% --flag\nfmt.Println()",
			"%ls\n!ls\n%env A=b\n%% --flag\nfmt.Println()"},
		{"a continued line", "!echo \\\n%nonsense", "!echo \\\n%nonsense"},
	}
	for _, test := range tests {
		got := newNotebook().plan(test.code)
		if got.failure != nil || got.code != test.want {
			t.Errorf("%s: %q, %v; want %q", test.name, got.code, got.failure, test.want)
		}
		if linesMoved(got.code, test.code) {
			t.Errorf("%s: lines of %q moved", test.name, test.code)
		}
	}
}

// linesMoved reports whether errors would refer to other lines than the user sees.
func linesMoved(plan, cell string) bool {
	return strings.Count(plan, "\n") != strings.Count(cell, "\n")
}

// A cell with one verb and nothing else runs without a build.
func TestVerbs_NotBuilt(t *testing.T) {
	for code, want := range map[string][]string{
		"%unlearn table unslu 1":                        {"table", "unslu", "1"},
		"// so\n\n%unlearn stat ks \"größe.csv\" # yes": {"stat", "ks", "größe.csv"},
		"//gonb:%unlearn audit":                         {"audit"},
		"%unlearn audit\n%unlearn table remem 2":        nil, // the second verb runs only if the first succeeds
		"%cd x\n%unlearn audit":                         nil,
		"var x = 1\n%unlearn audit":                     nil,
		"%%\n%unlearn audit":                            nil,
		"%unlearn help":                                 nil,
	} {
		if got := newNotebook().plan(code); !slices.Equal(got.verb, want) {
			t.Errorf("%q: %q, not %q", code, got.verb, want)
		}
	}
	line := shellLine([]string{"A=b c"}, []string{"stat", `it's "$HOME"`, "größe.csv"})
	if want := `!A='b c' exec "$UNLEARNLAB_COMMAND" 'stat' 'it'\''s "$HOME"' 'größe.csv' </dev/null`; line != want {
		t.Errorf("%s, not %s", line, want)
	}
}

func TestVerbs_Mistakes(t *testing.T) {
	tests := []struct{ code, says string }{
		{"%unlearn tabel unslu 1", "did you mean %unlearn table?"},
		{"%unlern status", "did you mean %unlearn?"},
		{"%unlearn zzzzzzzzzz", "%unlearn help lists them"},
		{"%lst", "did you mean %ls"},
		{"%%\n%cpature out.txt", "did you mean %capture?"},
		{"%", "there is no %;"},
		{"!", "there is no !"},
		{"%unlearn preset huge", "smoke, quick, mini, paper"},
		{`%unlearn table "unslu`, "quotation mark"},
		{"%unlearn audit\n%%\nfmt.Println()", "below %%"},
		{"func main() {}\n%unlearn audit", "below %%"},
	}
	for _, test := range tests {
		got := newNotebook().plan(test.code)
		if got.failure == nil || !strings.Contains(got.failure.Value, test.says) ||
			strings.Contains(got.failure.Value, "\n") {
			t.Errorf("%q: %+v; want one line that says %q", test.code, got.failure, test.says)
		}
	}
}

func TestVerbs_Preset(t *testing.T) {
	t.Setenv(presetVariable, "")
	n := newNotebook()
	for _, step := range []struct{ code, want string }{
		{"%unlearn preset", "quick (the default; results are read at the richest preset that has them)"},
		{"%unlearn preset mini", "mini"},
		{"%unlearn preset nonsense", "mini"},
		{"%env UNLEARNLAB_PRESET=paper", "paper"},
		{"%env UNLEARNLAB_PRESET quick", "quick"},
		{"%env OTHER mini", "quick"},
	} {
		n.plan(step.code)
		if n.presetName() != step.want {
			t.Errorf("after %q: %s, want %s", step.code, n.presetName(), step.want)
		}
	}
}

// offered holds the names that these tests complete.
var offered = Offers{
	Tests: []string{"ks", "permutation-paired", "permutation-ind"}, Attacks: []string{"mia", "partial-diffusion"},
	Studies: []string{"salmu", "unslu", "concealment"}, Audited: []string{"unslu"}, Exported: []string{"salmu"},
	Tables:  []papers.Item{{Paper: "concealment", Name: "verdicts"}, {Paper: "concealment", Name: "settings"}},
	Made:    []papers.Item{{Paper: "salmu", Name: "4"}, {Paper: "salmu", Name: "5"}, {Paper: "concealment", Name: "1"}},
	Figures: []papers.Item{{Paper: "salmu", Name: "8"}, {Paper: "salmu", Name: "sizes"}, {Paper: "unslu", Name: "gum"}},
}

func TestVerbs_Tab(t *testing.T) {
	command := func(words ...string) []string {
		if last := words[len(words)-1]; last != "--" {
			return []string{strings.Join(words[:len(words)-1], ","), "column"}
		}
		return []string{"--" + words[0] + "-flag", "--x"}
	}
	tests := []struct {
		line  string
		want  []string
		start int
	}{
		{"%un", []string{"%unlearn"}, 0},
		{"%unlearn ", verbNames(), 9},
		{"%unlearn st", []string{"status", "stat"}, 9},
		{"%unlearn table ", []string{"salmu", "unslu", "concealment"}, 15},
		{"%unlearn audit ", []string{"unslu"}, 15},
		{"%unlearn table s", []string{"salmu"}, 15},
		{"%unlearn table remem fig", []string{"figure1"}, 21},
		{"%unlearn table concealment ",
			[]string{"figure2", "figure3", "figure4", "figure5", "figure6", "figure7", "figure8", "figure9", "figure10",
				"figure11", "figure12",
				"figure13", "figure14", "figure15", "figure16", "figure17", "1", "2", "3", "4", "text", "verdicts",
				"settings"}, 27},
		{"%unlearn figures ", []string{"salmu", "unslu"}, 17},
		{"%unlearn figures salmu ", []string{"8", "sizes"}, 23},
		{"%unlearn figures salmu 8 ", []string{}, 25},
		{"%unlearn trace ", []string{"salmu", "concealment"}, 15},
		{"%unlearn trace salmu ", []string{"4", "5"}, 21},
		{"%unlearn trace salmu 5 --", []string{"--trace-flag", "--x"}, 23},
		{"%unlearn run ", []string{"salmu", "unslu", "concealment"}, 13},
		{"%unlearn preset m", []string{"mini"}, 16},
		{"%unlearn preset mini m", []string{}, 21},
		{"%unlearn stat perm", []string{"permutation-paired", "permutation-ind"}, 14},
		{"%unlearn stat ks a.csv --x", []string{"--x"}, 23},
		{"%unlearn stat ks a.csv --x ", []string{"stat,ks,a.csv,--x", "column"}, 27},
		{"%unlearn stat ks a.csv --x col", []string{"column"}, 27},
		{"%unlearn status --x ", []string{}, 20},
		{"%unlearn attack ", []string{"mia", "partial-diffusion"}, 16},
		{"%unlearn attack p", []string{"partial-diffusion"}, 16},
		{"%unlearn data ex", []string{"export"}, 14},
		{"%unlearn data export sa", []string{"salmu"}, 21},
		{"%unlearn data export salmu s", []string{}, 27},
		{"%unlearn comp", []string{"compare"}, 9},
		{"%unlearn nonsense a", []string{}, 18},
	}
	for _, test := range tests {
		for _, prefix := range []string{"", "%%\nπ := 3.14 // two\n"} {
			code := []rune(prefix + test.line + "\nrest")
			cursor := len([]rune(prefix + test.line))
			got, start := completeMagic(code, cursor, offered, command)
			if diff, ok := cmp.Diff(test.want, got),
				completesMagic(code, cursor); !ok || diff != "" || start != len([]rune(prefix))+test.start {
				t.Errorf("%q: ok %v, start %d, %s", test.line, ok, start, diff)
			}
		}
	}
	for _, line := range []string{"", "%", "fmt.Pr", "x := 5 %unlearn ", "%unlearned "} {
		if completesMagic([]rune(line), len([]rune(line))) {
			t.Errorf("%q was taken for a %s line", line, magicWord)
		}
	}
}

func TestVerbs_ShiftTab(t *testing.T) {
	help := func(verb string) string { return "manual of " + verb }
	for line, want := range map[string]string{
		"%unlearn table unslu": "manual of table",
		"%unlearn status":      "preset of this kernel",
		"%unlearn":             "Tab completes",
		"%unlearn nonsense":    "Tab completes",
	} {
		code := []rune("%%\n" + line + "\n")
		if text := inspectMagic(code, 5, help); !inspectsMagic(code, 5) || !strings.Contains(text, want) {
			t.Errorf("%q: %q; want %q", line, text, want)
		}
	}
	if inspectsMagic([]rune("fmt.Println"), 3) {
		t.Error("Go was taken for a verb")
	}
}

func TestVerbs_Help(t *testing.T) {
	for _, v := range verbs() {
		p := newNotebook().plan(magicWord + " " + v.name)
		if p.failure != nil {
			t.Errorf("%s: %v", v.name, p.failure)
		}
		if v.answer != nil && len(p.show) == 0 || v.answer == nil && !strings.Contains(p.code, "kx.Command") {
			t.Errorf("%s shows %d things and runs %q", v.name, len(p.show), p.code)
		}
	}
}

func Example_completion() {
	line := []rune("%unlearn table un")
	matches, start := completeMagic(line, len(line), offered, nil)
	fmt.Println(matches, start)
	// Output: [unslu] 15
}

func FuzzPlan(f *testing.F) {
	for _, code := range []string{"%%\n%unlearn table a", "%unlearn\n\\", "!a \\\n%unlearn", "%unlearn stat \"",
		"//gonb:%unlearn preset mini\nvar x = 1", "%", "\n\n%unlearn audit", "var x = 1\nx", "func() {}()", "%%\nf(\n)"} {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code string) {
		p := newNotebook().plan(code)
		if p.failure == nil && linesMoved(p.code, code) {
			t.Errorf("%q became %q: lines moved", code, p.code)
		}
		if p.last != nil {
			p.showLast(rich)
		}
		lines := strings.Split(p.code, "\n")
		for i := range lines {
			lines[i], _ = p.inserted.undo(i, lines[i], 0)
		}
		if p.failure == nil && !strings.Contains(code, "unlearn") && strings.Join(lines, "\n") != code {
			t.Errorf("%q became %q without a verb", code, p.code)
		}
	})
}
