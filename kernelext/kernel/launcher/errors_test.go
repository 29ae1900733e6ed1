package launcher

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

func published(t *testing.T, messageType string, content any) *wire.Message {
	t.Helper()
	m, err := wire.New(messageType, "gonb", nil, content)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func gonbError(t *testing.T, value string, traceback ...string) *wire.Message {
	return published(t, "error", failure{Name: "ERROR", Value: value, Traceback: traceback})
}

// Each compiler message names the line in the cell and shows it.
func TestError_CompileInCell(t *testing.T) {
	var text errorText
	got := text.failure(gonbError(t, "# gonb_1\n./main.go:11:1: declared and not used: x\n./main.go:12:13: "+
		"undefined: y\n",
		"# gonb_1",
		"Cell[10]: Line 2\n\nfunc main() {\n\tflag.Parse()\nx := 1\n^\n\tfmt.Println(y)\n\n\x1b[31mdeclared and not "+
			"used: x\x1b[0m",
		"Cell[10]: Line 3\nfunc main() {\n\tflag.Parse()\nx := 1\n\tfmt.Println(y)\n             ^\n}\n\nundefined: y",
		""))
	want := &failure{
		Name:  "build failed",
		Value: "Cell [10] line 2: declared and not used: x\nCell [10] line 3: undefined: y",
		Traceback: []string{
			"Cell [10] line 2: " + red("declared and not used: x"), "    x := 1", "    ^",
			"Cell [10] line 3: " + red("undefined: y"), "     fmt.Println(y)", "                 ^",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestError_OutsideCells(t *testing.T) {
	tests := []struct{ name, value, entry, wantName, wantValue string }{
		{"a package of the module", "x", "/lab/unlearnkit/stat/doc.go:3:1: syntax error", "build failed",
			"/lab/unlearnkit/stat/doc.go:3:1: syntax error"},
		{"a special line", "x", "executing special commands in cell: `%cd /x` failed", "command failed",
			"`%cd /x` failed"},
		{"no cell number", "x", "Cell Line 4\nfoo\n\nbad", "build failed", "Cell line 4: bad"},
	}
	for _, test := range tests {
		var text errorText
		if got := text.failure(gonbError(t, test.value, test.entry)); got.Name != test.wantName ||
			got.Value != test.wantValue {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

func TestExplainName(t *testing.T) {
	for _, test := range []struct{ message, line, want string }{
		{"undefined: x", "    x = 3", "A new variable is declared with x := …"},
		{"undefined: x", "    x=f(x)", "A new variable is declared with x := …"},
		{"undefined: x", "    x == 3", ""},
		{"undefined: x", "    y = x", ""},
		{"undefined: x", "    x.a = 3", ""},
		{"undefined: x", "    xs = 3", ""},
		{"undefined: True", "    f(True)", "Go writes true."},
		{"x redeclared", "    x = 3", ""},
	} {
		if got := explainName(test.message, []string{test.line, "    ^"}); got != test.want {
			t.Errorf("%s in %q: got %q, want %q", test.message, test.line, got, test.want)
		}
	}
}

func TestError_OneBox(t *testing.T) {
	const trace = "goroutine 1 [running]:\nmain.main()\n\t \x1b[7m[[ Cell [11] Line 3 ]]\x1b[0m /tmp/main.go:12 +0x52\n"
	tests := []struct {
		name                string
		stderr              []string
		status              string
		wantName, wantValue string
		wantShown           string // text shown in addition to the box
		wantLines           int    // number of lines in the box
	}{
		{"a panic", []string{"starting\npanic: runtime err", "or: index out of range [3]\n\n" + trace}, "exit status 2",
			"panic", "runtime error: index out of range [3] (Cell [11] line 3)", "starting\n", 3},
		{"a deadlock", []string{"fatal error: all goroutines are asleep - deadlock!\n"}, "exit status 2", "fatal error",
			"all goroutines are asleep - deadlock!", "", 1},
		{"an exit", []string{"read x.csv: no such file\n"}, "exit status 3", "exit status 3",
			"read x.csv: no such file", "read x.csv: no such file\n", 1},
		{"a silent exit", nil, "exit status 1", "exit status 1", "", "", 1},
		{"the stop button", []string{"working\n"}, "signal: interrupt", "interrupted", "the cell was stopped",
			"working\n", 1},
		{"no memory", nil, "signal: killed", "killed",
			"the cell was killed: it did not stop when asked, or there was not enough memory", "", 1},
		{"a crash", nil, "signal: segmentation fault (core dumped)",
			"signal: segmentation fault (core dumped)", "", "", 1},
	}
	for _, test := range tests {
		var text errorText
		shown := ""
		for _, s := range test.stderr {
			shown += text.stream("stderr", s)
		}
		for _, note := range []string{test.status + "\n", "^C\n" + test.status + "\n"} {
			if text.stream("stderr", note) != "" {
				t.Errorf("%s: %q stays beside the box", test.name, note)
			}
		}
		got := text.failure(gonbError(t, test.status, test.status))
		if got.Name != test.wantName || got.Value != test.wantValue || len(got.Traceback) != test.wantLines {
			t.Errorf("%s: %+v", test.name, got)
		}
		if shown += text.release(); shown != test.wantShown {
			t.Errorf("%s: beside the box stands %q", test.name, shown)
		}
	}
	var text errorText
	if text.stream("stdout", "exit status 1\n") == "" {
		t.Error("what a cell prints on stdout was dropped")
	}
}

// Only the last bytes of stderr are searched for a panic.
func TestError_PanicSearch(t *testing.T) {
	var text errorText
	text.stream("stderr", "panic: early\n")
	text.stream("stderr", strings.Repeat("x", stderrLimit))
	if got := text.failure(gonbError(t, "exit status 1")); got.Name != "exit status 1" ||
		len(text.stderr) != stderrLimit {
		t.Errorf("%s, %d bytes kept", got.Name, len(text.stderr))
	}
}

func TestError_Raw(t *testing.T) {
	text := errorText{raw: true}
	if text.failure(gonbError(t, "exit status 1")) != nil || text.stream("stderr", "exit status 1\n") == "" {
		t.Error("gonb's words were changed")
	}
}

// A line that gonb has not marked is searched for in the cell.
func TestError_UnmarkedLine(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "gonb_0a1b2c3d")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(folder, "main.go")
	if err := os.WriteFile(program, []byte("package main\n\nfunc main() {\n\tflag.Parse()\nvar s "+
		"[]int\nfmt.Println(s[3])\nf()\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		code string
		line int
		want string
	}{
		{"%%\nvar s []int\nfmt.Println(s[3])\nf()", 6, " (Cell [4] line 3)"},
		{"%%\nf()", 6, ""},
		{"%%\nf()\nf()", 7, ""},
		{"%%\nf()", 99, ""},
	}
	for _, test := range tests {
		text := errorText{code: test.code, count: 4}
		text.stream("stderr",
			fmt.Sprintf("panic: no\n\ngoroutine 1 [running]:\nmain.main()\n\t%s:%d +0x52\n", program, test.line))
		if got := text.failure(gonbError(t, "exit status 2")).Value; got != "no"+test.want {
			t.Errorf("line %d of %q: %q", test.line, test.code, got)
		}
	}
}
