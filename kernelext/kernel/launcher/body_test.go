package launcher

import (
	"slices"
	"strings"
	"testing"
)

func TestPlan_StatementsWithoutMain(t *testing.T) {
	for _, test := range []struct{ name, code, want string }{
		{"an expression", "1 + 1", "func main() { 1 + 1 }"},
		{"an indented statement", "\tx()", "func main() { \tx() }"},
		{"a comment behind it", "// two\n1 + 1 // = 2", "// two\nfunc main() { 1 + 1 } // = 2"},
		{"below declarations", "import \"fmt\"\nvar z = 41\nz++\nfmt.Println(z)",
			"import \"fmt\"\nvar z = 41\nfunc main() { z++\nfmt.Println(z) }"},
		{"behind a declaration", "var z = 41; z++", "var z = 41; func main() { z++ }"},
		{"a function literal", "func() { x() }()", "func main() { func() { x() }() }"},
		{"several lines", "f(\n\t1,\n)\n", "func main() { f(\n\t1,\n) }\n"},
		{"beside a line of gonb's", "%cd x\nx := 1\n!ls\n_ = x", "%cd x\nfunc main() { x := 1\n!ls\n_ = x }"},
		{"below a verb", "%unlearn audit\nf()", "func main() { kx.Command(\"audit\")\nf() }"},
		{"above a verb", "f()\n%unlearn audit", "func main() { f()\nkx.Command(\"audit\") }"},
		{"a method is a declaration", "func (t T) M() {}", "func (t T) M() {}"},
		{"a function", "func f[T any](x T) T { return x }", "func f[T any](x T) T { return x }"},
		{"a whole program", "func main() {\n\tx()\n}", "func main() {\n\tx()\n}"},
		{"below %%", "%%\nx()", "%%\nx()"},
		{"a function to run", "%exec f\n// run", "%exec f\n// run"},
		{"no Go", "fucn f() {}", "fucn f() {}"},
		{"a declaration below", "f()\nfunc f() {}", "f()\nfunc f() {}"},
		{"unfinished", "f(", "f("},
		{"another program's text", "%%bash\nls", "%%bash\nls"},
	} {
		p := newNotebook().plan(test.code)
		if p.failure != nil || p.code != test.want {
			t.Errorf("%s: got %q, %v, want %q", test.name, p.code, p.failure, test.want)
		}
	}
}

func TestPlan_ShowsLast(t *testing.T) {
	for code, want := range map[string]string{
		"%%\nx := 1\nx":              "%%\nx := 1\n<x>",
		"f(\n\t1,\n)":                "func main() { <f(\n\t1,\n)> }",
		"var x = 3\nx // three":      "var x = 3\nfunc main() { <x> } // three",
		"%% --flag=1\n  a.B(c) + 2 ": "%% --flag=1\n  <a.B(c) + 2> ",
		"f()\n%ls":                   "func main() { <f()> }\n%ls",
		"é := \"é\"; é":              "func main() { é := \"é\"; <é> }",
		"f();":                       "func main() { f() };", // the semicolon hides the value
		"%%\nx := 1":                 "%%\nx := 1",
		"x++":                        "func main() { x++ }",
		"x = 3":                      "func main() { x = 3 }",
		"<-done":                     "func main() { <-done }",
		"if a {\n\tb\n}":             "func main() { if a {\n\tb\n} }",
		"fmt.Println(1)":             "func main() { fmt.Println(1) }",
		"%%\n%unlearn audit":         "%%\nkx.Command(\"audit\")",
		"func main() {\n\tx\n}":      "func main() {\n\tx\n}",
		"func f() int { return 1 }":  "func f() int { return 1 }",
	} {
		p := newNotebook().plan(code)
		if p.last != nil {
			p.showLast(form{"<", ">"})
		}
		if p.code != want || linesMoved(p.code, code) {
			t.Errorf("%q: got %q, want %q", code, p.code, want)
		}
	}
}

func TestInsertions_Undo(t *testing.T) {
	p := newNotebook().plan("var x = 3\nx + y")
	p.showLast(rich)
	line := strings.Split(p.code, "\n")[1]
	if got, column := p.inserted.undo(1, line, strings.Index(line, "y")); got != "x + y" || column != len("x + ") {
		t.Errorf("got %q, %d", got, column)
	}
	if got, column := p.inserted.undo(1, line, strings.Index(line, "kx")+3); got != "x + y" || column != 0 {
		t.Errorf("within an insertion: got %q, %d", got, column)
	}
	if got, column := p.inserted.undo(0, "var x = 3", 4); got != "var x = 3" || column != 4 {
		t.Errorf("another line: got %q, %d", got, column)
	}
}

func TestBody_Changed(t *testing.T) {
	declared := func(name string) bool { return name == "z" || name == "counts" || name == "p" }
	for code, want := range map[string]string{
		"z++":                               "z",
		"%%\nz = 3\ncounts[\"a\"] += 1":     "z counts",
		"p.A.B = 3":                         "p",
		"*p = 3":                            "p",
		"go func() { z-- }()":               "z",
		"for z = range 3 {\n}":              "z",
		"var own = 1\nown++":                "own",
		"z := 1\nz++":                       "",
		"for z := range 3 {\n\tz++\n}":      "",
		"func(z int) { z++ }(1)":            "",
		"other++":                           "",
		"fmt.Println(z)":                    "",
		"http.DefaultClient = nil":          "",
		"var z = 1\nfunc f() { z++ }\nf()":  "",
		"type T struct{ z int }\nT{z: z}.z": "",
	} {
		if got := strings.Join(newNotebook().plan(code).body.changed(declared), " "); got != want {
			t.Errorf("%q: got %q, want %q", code, got, want)
		}
	}
}

func TestExplainLost(t *testing.T) {
	earlier := map[string]int{"a": 6}
	for message, want := range map[string]string{
		"undefined: a":               "a ended with cell [6]",
		"undefined: b":               "",
		"declared and not used: x":   "x ends with this cell",
		"declared and not used: i":   "", // not declared in main's outermost block
		"undefined: a.b":             "",
		"cannot use a as int value":  "",
		"declared and not used: x y": "",
	} {
		got := explainLost(message, earlier, []string{"x"})
		if !strings.HasPrefix(got, want) || (want == "") != (got == "") || strings.Contains(got, "\n") {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
	own := newNotebook().plan("%%\nx, _ := f()\nvar y int\nfor i := range 3 {\n\tj := i\n}").body.locals()
	if !slices.Equal(own, []string{"x", "y"}) {
		t.Errorf("locals: got %q", own)
	}
	if got := lostNote([]string{"a", "b"}); !strings.HasPrefix(got, "a and b keep their new values only") {
		t.Error(got)
	}
}

func TestImportNote(t *testing.T) {
	std := standard{goRoot(t)}
	for cell, want := range map[string]string{
		`import "fmt"`: "",
		"import (\n\t\"os\"\n\t\"math/rand\"\n)\nf()":   "",
		`import "` + Module + `/unlearnkit/stat"`:       "",
		`import "github.com/no/such"`:                   "", // perhaps of a module that the notebook has added
		`import "C"`:                                    "",
		`import "` + Module + `/nothing"`:               "There is no package",
		`import "nosuch/pkg"`:                           `There is no package "nosuch/pkg"; a cell that uses`,
		`import "maths"`:                                `did you mean "math"?`,
		"x := 3\n// import \"nosuch/pkg\"":              "",
		"fmt.Println(`import \"nosuch/pkg\"`)":          "",
		"import \"maths\"\nimport \"nosuch/pkg\"\nf(x)": `did you mean "math"? There is no package "nosuch/pkg"`,
	} {
		p := proxy{goRoot: std.root, root: "../../.."}
		if got := p.importNote(cell); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", cell, got, want)
		}
	}
}

func TestSources_Complete(t *testing.T) {
	packages := sources{standard{goRoot(t)}, "../../.."}
	for cell, want := range map[string]string{
		"%%\nstrings.ToUp":      "ToUpper ToUpperSpecial",
		"stat.Wilcoxo":          "Wilcoxon WilcoxonDifferences WilcoxonResult",
		"x := kx.MarkD":         "",
		"nothing.":              "",
		"stat":                  "",
		"strings.NewReader(a).": "",
	} {
		var p program
		code := []rune(cell)
		d, _ := p.document(code, len(code), preloaded(packages.root), packages.std)
		matches, start := packages.complete(d, code, len(code))
		var got []string
		for _, m := range matches {
			got = append(got, m.Text)
		}
		if strings.Join(got, " ") != want || len(got) > 0 && !strings.HasPrefix(got[0], string(code[start:])) {
			t.Errorf("%q: got %q from %d, want %q", cell, got, start, want)
		}
	}
}
