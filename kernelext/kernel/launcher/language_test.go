//go:build linux

package launcher_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// withGopls returns a folder with gonb, goimports and the language server.
func withGopls(t *testing.T) (bin, root string) {
	t.Helper()
	tools, root := realTools(t)
	bin = t.TempDir()
	for _, tool := range []string{"gonb", "goimports"} {
		if err := os.Symlink(filepath.Join(tools, tool), filepath.Join(bin, tool)); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-ldflags=-s", "-o", filepath.Join(bin, launcher.GoplsFolder)+"/",
		"golang.org/x/tools/gopls")
	build.Dir = filepath.Join(root, "scripts", "jupyter", "gopls")
	if _, err := os.Stat(build.Dir); err != nil {
		t.Fatal(err) // not a reason to skip
	}
	if output, err := build.CombinedOutput(); err != nil {
		t.Skipf("needs the modules of gopls, which cannot be had here: %s", output)
	}
	return bin, root
}

// asks sends a request about code, with the cursor at its end, and returns the reply's content.
func (s *session) asks(kind, code string) string {
	s.t.Helper()
	m := must(wire.New(kind+"_request", "test", nil,
		map[string]any{"code": code, "cursor_pos": len(code), "detail_level": 0}))
	if err := s.shell.Send(m); err != nil {
		s.t.Fatal(err)
	}
	for {
		reply, err := s.shell.Receive()
		if err != nil {
			s.t.Fatal(err)
		}
		if reply.Parent.ID == m.Header.ID {
			return string(reply.Content)
		}
	}
}

// Completion works while a cell is running. One server serves all cells.
func TestLanguage_WhileRunning(t *testing.T) {
	bin, root := withGopls(t)
	s := startKernelIn(t, root, bin)
	deadline := time.Now().Add(3 * time.Minute)
	for _, peer := range []*wire.Peer{s.shell, s.iopub, s.control} {
		peer.SetDeadline(deadline.Add(time.Minute))
	}
	s.status(s.send("func double(x int) int { return 2 * x }"))
	running := s.send("%%\nfmt.Println(\"running\")\ntime.Sleep(time.Hour)")
	s.waitFor("stream", "running")
	if got := s.asks("complete", "%%\nkx.Tab"); !strings.Contains(got, `"Table"`) || strings.Contains(got, "gopls") {
		t.Errorf("while the server loads, Tab offers %s", got)
	}
	for !strings.Contains(s.asks("complete", "%%\ndoub"), `"matches":["double"`) {
		if time.Now().After(deadline) {
			t.Fatal("a running cell keeps Tab waiting, or what cells have declared is not completed")
		}
		time.Sleep(100 * time.Millisecond)
	}
	for !strings.Contains(s.asks("inspect", "%%\nstrings.Fields("), "around each instance") {
		if time.Now().After(deadline) {
			t.Fatal("no documentation")
		}
	}
	s.control.Send(must(wire.New("interrupt_request", "test", nil, map[string]any{})))
	s.status(running)
	server := s.named("gopls")
	s.shutDown()
	for end := time.Now().Add(10 * time.Second); len(s.processes()) > 3 && time.Now().Before(end); {
		time.Sleep(20 * time.Millisecond) // launcher, guard and gonb end; the server and its children stay
	}
	if err := syscall.Kill(server, 0); err != nil {
		t.Errorf("the server of all kernels has ended with one: %v", err)
	}
}
