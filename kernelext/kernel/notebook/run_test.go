package notebook

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// of returns a notebook of code cells.
func of(sources ...string) *Notebook {
	n := &Notebook{Minor: 5}
	for i, source := range sources {
		n.Cells = append(n.Cells, &Cell{ID: string(rune('a' + i)), Type: Code, Source: source,
			Metadata: map[string]any{}})
	}
	return n
}

// shown returns a cell's outputs as short texts.
func shown(c *Cell) []string {
	var list []string
	for _, o := range c.Outputs {
		switch o.Type {
		case Stream:
			list = append(list, o.Name+": "+o.Text)
		case Failure:
			list = append(list, "error: "+o.ErrorValue)
		default:
			list = append(list, string(o.Type)+": "+o.Data["text/plain"].(string))
		}
	}
	return list
}

// Outputs are stored in the cells as Jupyter stores them.
func TestRun_Outputs(t *testing.T) {
	n := of(
		"print a\nprint b\nwarn c\nprint d",
		"show bar 0 of 2\nprint x\nupdate bar 2 of 2\nupdate unknown 1",
		"update bar done\nshow twice first\nshow twice second",
		"print old\nclear now\nprint new",
		"print old\nclear later\nwarn new",
		"result 3\nstray\n",
		"reply first\nprint late",
		"  \n",
	)
	n.Cells = append(n.Cells, &Cell{ID: "m", Type: Markdown, Source: "print no"})
	n.Cells[0].Outputs = []*Output{{Type: Stream, Name: "stdout", Text: "of an earlier run"}}
	var events []Event
	if err := Run(t.Context(), n, fakeKernel(), Options{Progress: func(e Event) {
		events = append(events, e)
	}}); err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"stdout: a\nb\n", "stderr: c\n", "stdout: d\n"},
		{"display_data: done", "stdout: x\n"},
		{"display_data: second", "display_data: second"},
		{"stdout: new\n"},
		{"stderr: new\n"},
		{"execute_result: 3"},
		{"stdout: late\n"},
		nil,
		nil,
	}
	for i, c := range n.Cells {
		if diff := cmp.Diff(want[i], shown(c)); diff != "" {
			t.Errorf("cell %d: %s", i+1, diff)
		}
		if want := []int{1, 2, 3, 4, 5, 6, 7, 0, 0}[i]; c.ExecutionCount != want {
			t.Errorf("cell %d: execution count %d, want %d", i+1, c.ExecutionCount, want)
		}
	}
	if len(events) != 14 || !events[13].Ended || events[13].Number != 7 || events[13].Total != 7 {
		t.Errorf("%d events, the last %+v", len(events), events[len(events)-1])
	}
}

func TestRun_Failure(t *testing.T) {
	n := of("print 1", "warn goroutine 1\nfail exit status 1", "print 3")
	err := Run(t.Context(), n, fakeKernel(), Options{})
	var failed *CellError
	if !errors.As(err, &failed) {
		t.Fatalf("error %v", err)
	}
	if failed.Error() != "cell 2 (warn goroutine 1): undefined: x" {
		t.Errorf("error %q", failed)
	}
	for _, part := range []string{"goroutine 1", "exit status 1", "./main.go:3:1: undefined: x"} {
		if !strings.Contains(failed.Detail, part) {
			t.Errorf("no %q in the detail:\n%s", part, failed.Detail)
		}
	}
	if strings.Contains(failed.Detail, "\x1b") {
		t.Error("colours of a terminal in the detail")
	}
	if n.Cells[2].ExecutionCount != 0 || n.Cells[1].ExecutionCount != 2 || len(n.Cells[1].Outputs) != 2 {
		t.Errorf("after the failure: %v, %v", shown(n.Cells[1]), shown(n.Cells[2]))
	}
	n = of("fail one", "print 2", "fail three")
	err = Run(t.Context(), n, fakeKernel(), Options{AllowErrors: true})
	if !errors.As(err, &failed) || !strings.HasPrefix(failed.Label, "cell 1") || n.Cells[2].ExecutionCount != 3 {
		t.Errorf("errors allowed: %v, the last cell ran as %d", err, n.Cells[2].ExecutionCount)
	}
	n = of("fail as it should", "print 2")
	n.Cells[0].Metadata["tags"] = []any{"raises-exception"}
	if err := Run(t.Context(), n, fakeKernel(), Options{}); err != nil {
		t.Errorf("a cell that is meant to fail: %v", err)
	}
}

// A cell that exceeds its time limit is interrupted until it ends, and the kernel remains usable.
func TestRun_Timeout(t *testing.T) {
	n := of("compile", "print alive")
	n.Cells[0].Metadata["unlearnlab"] = map[string]any{"timeout": "100ms"}
	err := Run(t.Context(), n, fakeKernel(), Options{AllowErrors: true})
	if err == nil || !strings.Contains(err.Error(), "not finished within 100ms") {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff([][]string{{"error: interrupted"}, {"stdout: alive\n"}},
		[][]string{shown(n.Cells[0]), shown(n.Cells[1])}); diff != "" {
		t.Error(diff)
	}
}

func TestRun_Cancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 700*time.Millisecond)
	defer cancel()
	n := of("sleep", "print no")
	began := time.Now()
	if err := Run(ctx, n, fakeKernel(), Options{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
	if n.Cells[1].ExecutionCount != 0 || time.Since(began) > 5*time.Second {
		t.Errorf("went on for %v", time.Since(began))
	}
}

func TestRun_BadKernel(t *testing.T) {
	tests := map[string]struct {
		kernel    Kernel
		complaint string
	}{
		"no such program": {Kernel{Argv: []string{"/no/such/program"}}, "unlearnlab kernel doctor"},
		"no command":      {Kernel{}, "no command"},
		"ends at once": {Kernel{Argv: []string{"sh", "-c", "echo no goimports >&2; exit 4"}},
			"the kernel ended (exit status 4): no goimports"},
	}
	for name, test := range tests {
		if err := Run(t.Context(), of("print 1"), test.kernel, Options{}); err == nil ||
			!strings.Contains(err.Error(), test.complaint) {
			t.Errorf("%s: %v", name, err)
		}
	}
	n := of("print 1", "die", "print 3")
	err := Run(t.Context(), n, fakeKernel(), Options{AllowErrors: true})
	var failed *CellError
	if !errors.As(err, &failed) || failed.Error() != "cell 2 (die): the kernel ended (exit status 3): out of memory" {
		t.Errorf("death in a cell: %v", err)
	}
	if n.Cells[0].ExecutionCount != 1 || n.Cells[2].ExecutionCount != 0 {
		t.Error("a death in a cell loses what ran before, or goes on")
	}
}

func TestRun_Flood(t *testing.T) {
	n := of("flood")
	if err := Run(t.Context(), n, fakeKernel(), Options{}); err != nil {
		t.Fatal(err)
	}
	outputs := n.Cells[0].Outputs
	if last := outputs[len(outputs)-1]; len(outputs) > 33 || !strings.Contains(last.Text, "may show at most 32 MB") {
		t.Errorf("%d outputs, the last %+v", len(outputs), last)
	}
}

func TestRun_LeavesNothing(t *testing.T) {
	if _, err := exec.LookPath("pgrep"); err != nil {
		t.Skip("needs pgrep")
	}
	t.Setenv("TMPDIR", t.TempDir())
	for name, cell := range map[string]string{"a quiet end": "orphan\ntemporary", "a death": "orphan\ntemporary\ndie"} {
		Run(t.Context(), of(cell), fakeKernel(), Options{})
		if left, _ := exec.Command("pgrep", "-f", "sleep 31.4159").Output(); len(left) > 0 {
			t.Errorf("%s leaves process %s", name, left)
		}
		if left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*")); err != nil || len(left) > 0 {
			t.Errorf("%s leaves files %v, %v", name, left, err)
		}
	}
}
