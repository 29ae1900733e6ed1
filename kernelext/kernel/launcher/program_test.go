package launcher

import (
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/gopls"
)

// withCursor returns the document for a cell of a program, with the cursor at the mark ‸.
func withCursor(t *testing.T, p *program, cell string) (d gopls.Document, isGo bool) {
	t.Helper()
	before, after, found := strings.Cut(cell, "‸")
	if !found {
		t.Fatalf("no cursor in %q", cell)
	}
	imports := map[string]string{"kx": Module + "/kernelext", "stat": Module + "/unlearnkit/stat"}
	return p.document([]rune(before+after), len([]rune(before)), imports, standard{goRoot(t)})
}

// The server gets the cell and the declarations of earlier cells.
func TestProgram_Declarations(t *testing.T) {
	var p program
	p.add("import (\n\tplots \"lab/plots\"\n)\n\nfunc double(x int) int { return 2 * x }\nvar a, b = 1, 2")
	p.add("func double(x int) int { return x + x }\nfunc main() { double(1) }")
	p.add("%%\nx := 3\n_ = x")
	p.add("!ls")
	d, isGo := withCursor(t, &p, "%%\nä := \"é\"\nfmt.Prin‸")
	if !isGo {
		t.Fatal("a cell of Go is none")
	}
	line := strings.Split(d.Main, "\n")[d.At.Line]
	if line[:d.At.Character] != "fmt.Prin" {
		t.Errorf("the cursor is after %q", line)
	}
	for _, want := range []string{`"fmt"`, `kx "` + Module, `"lab/plots"`, "func main() {"} {
		if !strings.Contains(d.Main, want) {
			t.Errorf("%s is not in %s", want, d.Main)
		}
	}
	for want, times := range map[string]int{"func double": 1, "x + x": 1, "var a, b": 1, "func main": 0} {
		if got := strings.Count(d.Cells, want); got != times {
			t.Errorf("%q is %d times in %s", want, got, d.Cells)
		}
	}
	d, _ = withCursor(t, &p, "func double(x float64) float64 { return x‸ }")
	if strings.Contains(d.Cells, "func double") {
		t.Error("what the cell declares anew is there twice")
	}
	d, _ = withCursor(t, &p, "import kx \"another/kx\"\n%%\nkx.‸")
	if strings.Count(d.Main, "kx \"") != 1 {
		t.Errorf("two imports of one name: %s", d.Main)
	}
	p.add("%reset")
	if d, _ = withCursor(t, &p, "%%\nx‸"); strings.Contains(d.Cells, "var a") {
		t.Error("what was reset is still there")
	}
	for _, cell := range []string{"!ls ‸", "%cd ‸", "%%bash\necho ‸"} {
		if _, isGo := withCursor(t, &p, cell); isGo {
			t.Errorf("%q is taken for Go", cell)
		}
	}
}

func TestClosers(t *testing.T) {
	for source, want := range map[string]string{"func main() {\nf(a[": "])\n}", "f(`(`)": "", "x := 1": "", "}": ""} {
		if got := closers(source); got != want {
			t.Errorf("%q is closed by %q", source, got)
		}
	}
}

func TestCursor_UTF16(t *testing.T) {
	var p program
	d, _ := withCursor(t, &p, "%%\ns := \"😀\" + fmt.‸")
	if want := len("s := \"\" + fmt.") + 2; d.At.Character != want {
		t.Errorf("character %d, want %d", d.At.Character, want)
	}
	code := []rune("a😀é.Pr")
	if at := stepBack(code, len(code), len("Pr")); string(code[at:]) != "Pr" {
		t.Errorf("%d", at)
	}
	if at := stepBack(code, 3, 3); at != 1 {
		t.Errorf("three UTF-16 characters back is %d", at)
	}
}

// calledAt finds the function in whose parentheses the cursor is.
func TestCursor_Function(t *testing.T) {
	for cell, want := range map[string]string{"stat.Wilcoxon(a, f(b), ‸": "stat.Wilcoxon", "f(g(‸": "f(g",
		"f(a) + b‸": "f(a) + b", "‸": ""} {
		before, _, _ := strings.Cut(cell, "‸")
		code := []rune(before)
		if got := string(code[:calledAt(code, len(code))]); got != want {
			t.Errorf("%q: %q", cell, got)
		}
	}
}

func TestTab_GoplsNotReady(t *testing.T) {
	b := newBench(t)
	b.proxy.setToolchain(Toolchain{Root: "../../.."}, "")
	b.proxy.setLanguage(&language{opening: true})
	b.ask(b.shell, "complete_request", map[string]any{"code": "%%\nx := kx.Ta", "cursor_pos": 13})
	content := string(b.replied("complete_reply").Content)
	if want := `"cursor_start":11,"matches":["Table","Tabular"]`; !strings.Contains(content, want) {
		t.Errorf("%q is not in %s", want, content)
	}
	b.ask(b.shell, "inspect_request", map[string]any{"code": "%%\nkx.Table", "cursor_pos": 10, "detail_level": 0})
	if got := string(b.replied("inspect_reply").Content); !strings.Contains(got, "loading packages") {
		t.Error(got)
	}
}
