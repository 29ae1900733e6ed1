//go:build unix

package notebook

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/integration"
)

// build builds packages of the module, or tools pinned by its go.mod, into a folder.
func build(t *testing.T, folder string, packages ...string) {
	t.Helper()
	command := exec.Command("go", append([]string{"build", "-o", folder + "/"}, packages...)...)
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

func moduleRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

const cells = "```go\n%noautoget\nimport kx \"github.com/unlearnlab/unlearnlab/kernelext\"\nimport \"context\"\n```\n" +
	"```go name=shows\n%%\nkx.Show([]struct{ A int }{{7}})\nbar := kx.Progress(3, " +
	"\"steps\")\nbar.Step(3)\nbar.Done()\n```\n" +
	"```go name=stops timeout=5s\n%%\nkx.Run(func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() " +
	"})\n```\n" +
	"```go name=mistaken\n%%\nvar fine int\n_ = fine\nmissing()\n```\n" +
	"```go name=panics\n%%\nvar xs []int\nkx.Run(func(context.Context) error { _ = xs[3]; return nil })\n```\n" +
	"```go name=plays\n%%\nkx.Audio(make([]float32, 800), 8000, \"silence\")\n```\n"

// tryKernel runs a notebook with cells that import, show, fail, panic, stop and play on a kernel.
func tryKernel(t *testing.T, k Kernel) {
	source, err := ParseSource("cells", cells)
	if err != nil {
		t.Fatal(err)
	}
	n := source.Notebook()
	reasons := map[string]string{}
	err = Run(t.Context(), n, k, Options{AllowErrors: true, Progress: func(e Event) {
		var failed *CellError
		if errors.As(e.Err, &failed) {
			reasons[failed.Label] = failed.Reason + "\n" + failed.Detail
		}
	}})
	if err == nil {
		t.Fatal("cells that fail did not")
	}
	for label, parts := range map[string][]string{
		"cell 3 (stops)":    {"not finished within 5s", "\nstopped"},
		"cell 4 (mistaken)": {"line 4: undefined: missing\n"},
		"cell 5 (panics)":   {"line 3: error: panic: runtime error: index out of range [3] with length 0"},
	} {
		for _, part := range parts {
			if !strings.Contains(reasons[label], part) {
				t.Errorf("%s: no %q in %q", label, part, reasons[label])
			}
		}
	}
	if len(reasons) != 3 {
		t.Errorf("%d cells failed, want 3; the run ended with %v", len(reasons), err)
	}
	shows := n.Cells[1]
	if got := strings.Join(shown(shows), "|"); len(shows.Outputs) != 2 || !strings.Contains(got, "0  7") ||
		!strings.Contains(got, "steps: 3 in ") {
		t.Errorf("outputs %q", got)
	}
	plays := n.Cells[5]
	const file = `<audio controls src="data:audio/wav;base64,UklGRmQGAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAA`
	if page, _ := plays.Outputs[0].Data["text/html"].(string); !strings.Contains(page, file) {
		t.Errorf("outputs %q, page %.300q", shown(plays), page)
	}
}

func TestRun_Gonb(t *testing.T) {
	integration.Test(t, "builds gonb")
	folder := t.TempDir()
	build(t, folder, "github.com/janpfeifer/gonb", "golang.org/x/tools/cmd/goimports")
	t.Setenv("TMPDIR", t.TempDir())
	tryKernel(t, Kernel{
		Argv: []string{filepath.Join(folder, "gonb"), "-kernel", "{connection_file}", "-go_work=" + moduleRoot(t)},
		Env:  []string{"PATH=" + folder + string(os.PathListSeparator) + os.Getenv("PATH")},
	})
	if left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*")); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestRun_ProjectKernel(t *testing.T) {
	integration.Test(t, "installs the kernel")
	folder, root := t.TempDir(), moduleRoot(t)
	build(t, folder, root+"/cmd/unlearnlab")
	install := exec.Command(filepath.Join(folder, "unlearnlab"), "kernel", "install", "--prefix", folder, "--root",
		root, "--warm=false")
	if output, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	t.Setenv("JUPYTER_PATH", filepath.Join(folder, "share", "jupyter"))
	k, err := FindKernel(KernelName)
	if err != nil {
		t.Fatal(err)
	}
	tryKernel(t, k)
}

func TestNotebooks_Committed(t *testing.T) {
	sources, err := filepath.Glob(filepath.Join(moduleRoot(t), "notebooks", "src", "*.md"))
	if err != nil || len(sources) == 0 {
		t.Fatalf("no sources, %v", err)
	}
	for _, path := range sources {
		source, err := ReadSource(path)
		if err != nil {
			t.Error(err)
			continue
		}
		committed, err := Read(Path(path))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, difference := range Stale(committed, source) {
			t.Errorf("%s: %s", Path(path), difference)
		}
	}
}
