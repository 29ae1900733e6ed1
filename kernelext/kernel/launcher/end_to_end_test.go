//go:build linux

package launcher_test

import (
	"os"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

func TestGonb_Cells(t *testing.T) {
	s := startKernel(t)
	tests := []struct{ name, code, status, says string }{
		{"Go", "%%\nfmt.Println(\"hello\", 1+1)", "ok", "hello 2\n"},
		{"a declaration", "func double(x int) int { return 2 * x }", "ok", ""},
		{"its use", "%%\nfmt.Println(double(4))", "ok", "8\n"},
		{"a package that is imported already", "%%\nfmt.Println(papers.Names[0])", "ok", "concealment\n"},
		{"a verb", "%unlearn table unslu", "ok", "a table for [unslu]\n[display_data]below\n"},
		{"a verb that fails", "%unlearn table unslu 1", "error",
			"a table for [unslu 1]\n[display_data]below\n[exit status 1: ]"},
		{"two verbs", "%unlearn table a\n%unlearn table b", "ok",
			"a table for [a]\n[display_data]below\na table for [b]\n[display_data]below\n"},
		{"a verb answered by the launcher", "%unlearn status", "ok", "[execute_result]"},
		{"a verb that sets", "%unlearn preset mini", "ok", "Set: UNLEARNLAB_PRESET=\"mini\"\n"},
		{"what it set", "%%\nfmt.Println(os.Getenv(\"UNLEARNLAB_PRESET\"))", "ok", "mini\n"},
		{"a mistake", "%%\nx := 1", "error", "[build failed: Cell [11] line 2: declared and not used: x]"},
		{"a panic", "%%\nvar s []int\nfmt.Println(s[3])", "error",
			"[panic: runtime error: index out of range [3] with length 0 (Cell [12] line 3)]"},
		{"another program", "!echo $((6*7))", "ok", "42\n"},
	}
	for _, test := range tests {
		request := s.send(test.code)
		if got := s.outputs(request); !strings.HasSuffix(got, test.says) {
			t.Errorf("%s: says %q, want %q", test.name, got, test.says)
		}
		if got := s.status(request); got != test.status {
			t.Errorf("%s: %s, want %s", test.name, got, test.status)
		}
	}
	s.shutDown()
	s.nothingIsLeft()
}

func TestLastExpressionIsShown(t *testing.T) {
	s := startKernel(t)
	for _, peer := range []*wire.Peer{s.shell, s.iopub} {
		peer.SetDeadline(time.Now().Add(5 * time.Minute)) // imported packages may have to be compiled first
	}
	const lost = "[display_data]" // note about values that are lost
	for _, test := range []struct{ code, says string }{
		{"1 + 1", "2\n"},
		{"var z = 41\nfunc double(x int) int { return 2 * x }", ""},
		{"%%\nz++\nz", "42\n" + lost},
		{"fmt.Println(\"z is\")\nz // again", "z is\n41\n"},
		{"double(z)", "82\n"},
		{"double(z);", ""},
		{"%%\nfmt.Println(\"once\")", "once\n"},
		{"stat.Wilcoxon([]float64{1, 2}, []float64{3, 4}).N", "2\n"},
		{"var sum = 0\nfor i := range 4 {\n\tsum += i\n}\nsum", "6\n" + lost},
		{"[]struct{ A int }{{1}}", "[display_data]"},
		{"kx.Text(\"void\")", "[display_data]"},
		{"os.Remove(\"/nonexistent/a\")", "remove /nonexistent/a: no such file or directory\n"},
		{"os.MkdirAll(os.TempDir(), 0o700)", ""},
		{"x := 41", "[build failed: Cell [14] line 1: declared and not used: x]"},
		{"double(\"a\") + 1", "[build failed: Cell [15] line 1: cannot use \"a\" (untyped string constant) as int value " +
			"in argument to double]"},
	} {
		request := s.send(test.code)
		if got := s.outputs(request); got != test.says {
			t.Errorf("%q: got %q, want %q", test.code, got, test.says)
		}
		s.status(request)
	}
}

// The kernel says of each cell in the file what follows it.
func TestMistakes_InKernel(t *testing.T) {
	s := startKernel(t)
	text, err := os.ReadFile("testdata/broken_cells.txt")
	if err != nil {
		t.Fatal(err)
	}
	cells := regexp.MustCompile("(?m)^((?:.*\n)+?)→ (.*)\n\n?").FindAllStringSubmatch(string(text), -1)
	if len(cells) < 30 {
		t.Fatalf("%d cells", len(cells))
	}
	number := regexp.MustCompile(`Cell \[\d+\]`)
	for _, cell := range cells {
		request := s.send(strings.TrimSuffix(cell[1], "\n"))
		if got := number.ReplaceAllString(s.outputs(request), "Cell [1]"); got != "["+cell[2]+"]" {
			t.Errorf("%s\ngot  %s\nwant %s", cell[1], got, cell[2])
		}
		s.status(request)
	}
}

func TestError_AbortsQueue(t *testing.T) {
	s := startKernel(t)
	failing, queued := s.send("%%\nos.Exit(1)"), s.send("%%\nfmt.Println(\"never\")")
	if got := s.status(failing); got != "error" {
		t.Errorf("first %s", got)
	}
	if got := s.status(queued); got != "aborted" {
		t.Errorf("second %s", got)
	}
	after := s.send("%%\nfmt.Println(\"again\")")
	if got := s.outputs(after); got != "again\n" {
		t.Errorf("%q", got)
	}
}

// A cell that would run for an hour ends before the connections' deadlines.
func TestStopButton_WhileCompiling(t *testing.T) {
	s := startKernel(t)
	for _, peer := range []*wire.Peer{s.shell, s.iopub, s.control} {
		peer.SetDeadline(time.Now().Add(5 * time.Minute))
	}
	s.status(s.send("%%"))
	for _, test := range []struct {
		code     string
		patience time.Duration
	}{
		{"%%\ntime.Sleep(time.Hour)", 0},
		{"%%\ntime.Sleep(time.Hour)", time.Second},
		{"%unlearn table wait", time.Second},
	} {
		request := s.send(test.code)
		s.waitFor("execute_input", test.code[len(test.code)-5:])
		time.Sleep(test.patience)
		s.control.Send(must(wire.New("interrupt_request", "test", nil, map[string]any{})))
		if got := s.status(request); got != "error" {
			t.Errorf("%q: pressed after %v, status %s", test.code, test.patience, got)
		}
		if got := s.outputs(request); got != "[interrupted: the cell was stopped]" {
			t.Errorf("%q", got)
		}
	}
}

// No process or folder is left, however a kernel ends.
func TestKernel_EndsWithoutRemains(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux: counts processes by /proc")
	}
	victims := map[string]func(*session){
		"launcher":                 func(s *session) { syscall.Kill(s.launcher, syscall.SIGKILL) },
		"guard":                    func(s *session) { syscall.Kill(s.named("as-guard"), syscall.SIGKILL) },
		"gonb":                     func(s *session) { syscall.Kill(s.named("gonb"), syscall.SIGKILL) },
		"server":                   func(s *session) { s.server.Process.Kill() },
		"launcher, asked politely": func(s *session) { syscall.Kill(s.launcher, syscall.SIGTERM) },
		"kernel, by Jupyter":       func(s *session) { s.shutDown() },
	}
	// The cell starts a process in its own session, and creates a read-only folder, which plain removal cannot empty.
	const cell = "%%\nos.MkdirAll(os.TempDir()+\"/a/b\", 0o500)\nexec.Command(\"setsid\", \"sleep\", " +
		"\"1000\").Start()\nfmt.Println(\"running\")\ntime.Sleep(time.Hour)"
	for name, kill := range victims {
		for _, inCell := range []bool{true, false} {
			t.Run(name+map[bool]string{true: " in a cell", false: " between cells"}[inCell], func(t *testing.T) {
				t.Parallel()
				s := startKernel(t)
				if inCell {
					s.send(cell)
					s.waitFor("stream", "running")
				} else {
					s.status(s.send("%%"))
				}
				kill(s)
				s.nothingIsLeft()
			})
		}
	}
}

// waitFor reads published messages until one of the given type contains text.
func (s *session) waitFor(messageType, text string) {
	s.t.Helper()
	for {
		m, err := s.iopub.Receive()
		if err != nil {
			s.t.Fatal(err)
		}
		if m.Header.Type == messageType && strings.Contains(string(m.Content), text) {
			return
		}
	}
}

// shutDown asks the kernel to end as Jupyter does.
func (s *session) shutDown() {
	s.t.Helper()
	reply, err := s.control.Ask(must(wire.New("shutdown_request", "test", nil, map[string]any{"restart": false})))
	if err != nil || reply.Header.Type != "shutdown_reply" {
		s.t.Fatalf("%+v, %v", reply, err)
	}
}

func must(m *wire.Message, err error) *wire.Message {
	if err != nil {
		panic(err)
	}
	return m
}

func TestKernel_FolderIsPrivate(t *testing.T) {
	s := startKernel(t)
	s.status(s.send("%%"))
	entries, err := os.ReadDir(s.temp)
	if err != nil || len(entries) != 1 {
		t.Fatalf("%v, %v", entries, err)
	}
	info, err := entries[0].Info()
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("folder %v, %v", info.Mode(), err)
	}
	files, err := os.ReadDir(s.temp + "/" + entries[0].Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && strings.HasSuffix(f.Name(), ".json") && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v", f.Name(), info.Mode())
		}
	}
}
