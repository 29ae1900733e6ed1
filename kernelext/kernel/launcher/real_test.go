//go:build linux

package launcher_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/internal/testkit/integration"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// The test program is also the launcher, its guard, the Jupyter server that starts it, or the command, depending on its
// first argument.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "as-launcher":
			os.Exit(asLauncher(os.Args[2], os.Args[3], os.Args[4]))
		case "as-guard":
			os.Exit(launcher.Guard(os.Args[2], os.Args[3:], os.Stdin, os.Stderr))
		case "as-server":
			os.Exit(asServer(os.Args[2:]))
		case "table":
			if os.Args[2] == "wait" {
				time.Sleep(time.Hour)
			}
			fmt.Println("a table for", os.Args[2:])
			if kernelext.InNotebook() {
				kernelext.Text("shown")
				fmt.Println("below")
			}
			os.Exit(len(os.Args) - 3)
		}
	}
	code := m.Run()
	os.RemoveAll(toolFolder)
	os.Exit(code)
}

// toolFolder is the folder into which [tools] builds.
var toolFolder string

func asLauncher(connection, root, tools string) int {
	self, err := os.Executable()
	if err == nil {
		err = launcher.Run(context.Background(),
			launcher.Config{ConnectionFile: connection, Root: root, Tools: tools, Command: self,
				Guard: []string{self, "as-guard"}, Log: os.Stderr})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// asServer starts a launcher as Jupyter's server does, and prints its process ID.
func asServer(arguments []string) int {
	self, err := os.Executable()
	if err != nil {
		return 1
	}
	command := exec.Command(self, append([]string{"as-launcher"}, arguments...)...)
	command.Env = append(os.Environ(), "JPY_PARENT_PID="+strconv.Itoa(os.Getpid()))
	command.Stderr = os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if command.Start() != nil {
		return 1
	}
	fmt.Println(command.Process.Pid)
	command.Wait()
	return 0
}

// tools builds gonb and goimports once, and returns their folder.
var tools = sync.OnceValues(func() (string, error) {
	var err error
	if toolFolder, err = os.MkdirTemp("", "launcher-tools"); err != nil {
		return "", err
	}
	output, err := exec.Command("go", "build", "-o", toolFolder+"/", "github.com/janpfeifer/gonb",
		"golang.org/x/tools/cmd/goimports").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, output)
	}
	return toolFolder, nil
})

// A session is a running kernel with one client.
type session struct {
	t        *testing.T
	mark     string // environment variable that marks the kernel's processes
	temp     string // parent of the kernel's folder
	server   *exec.Cmd
	launcher int

	shell, iopub, control *wire.Peer
}

// startKernel starts server, launcher, guard and gonb, and connects to them.
func startKernel(t *testing.T, environment ...string) *session {
	t.Helper()
	bin, root := realTools(t)
	return startKernelIn(t, root, bin, environment...)
}

// realTools returns the folders of gonb and of this module.
func realTools(t *testing.T) (bin, root string) {
	t.Helper()
	integration.Test(t, "starts the real gonb")
	bin, err := tools()
	if err != nil {
		t.Fatal(err)
	}
	if root, err = filepath.Abs("../../.."); err != nil {
		t.Fatal(err)
	}
	return bin, root
}

func startKernelIn(t *testing.T, root, bin string, environment ...string) *session {
	t.Helper()
	temp, err := os.MkdirTemp("", "k") // t.TempDir's path is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	connection, err := wire.NewConnection(wire.NewID())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kernel-1.json")
	if err := connection.Write(file); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, mark: "KERNEL_TEST_MARK=" + wire.NewID(), temp: temp}
	s.server = exec.Command(self, "as-server", file, root, bin)
	s.server.Env = append(append(os.Environ(), s.mark, "TMPDIR="+temp), environment...)
	said, err := s.server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, pid := range s.processes() {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		s.server.Wait()
		os.RemoveAll(temp)
	})
	if _, err := fmt.Fscan(said, &s.launcher); err != nil {
		t.Fatal(err)
	}
	s.connect(connection)
	return s
}

func (s *session) connect(c wire.Connection) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for channel, peer := range map[wire.Channel]**wire.Peer{wire.Shell: &s.shell, wire.IOPub: &s.iopub,
		wire.Control: &s.control} {
		connected, err := wire.Dial(ctx, c, channel, "test")
		if err != nil {
			s.t.Fatal(err)
		}
		s.t.Cleanup(func() { connected.Close() })
		connected.SetDeadline(time.Now().Add(time.Minute))
		*peer = connected
	}
	if m, err := s.iopub.Receive(); err != nil || m.Header.Type != "iopub_welcome" {
		s.t.Fatalf("%+v, %v", m, err)
	}
}

// send sends a cell and does not wait for the reply.
func (s *session) send(code string) *wire.Message {
	s.t.Helper()
	m, err := wire.New("execute_request", "test", nil,
		map[string]any{"code": code, "silent": false, "store_history": true, "allow_stdin": false,
			"stop_on_error": true})
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.shell.Send(m); err != nil {
		s.t.Fatal(err)
	}
	return m
}

// outputs collects what a cell shows until the kernel is idle: the texts of streams and errors, and the types of
// other messages.
func (s *session) outputs(request *wire.Message) string {
	s.t.Helper()
	var text strings.Builder
	for {
		m, err := s.iopub.Receive()
		if err != nil {
			s.t.Fatalf("after %q: %v", text.String(), err)
		}
		var content struct {
			Text, Ename, Evalue string
			State               string `json:"execution_state"`
		}
		if m.Decode(&content) != nil || m.Parent.ID != request.Header.ID {
			continue
		}
		switch {
		case content.State == "idle":
			return text.String()
		case m.Header.Type == "stream":
			text.WriteString(content.Text)
		case m.Header.Type == "error":
			fmt.Fprintf(&text, "[%s: %s]", content.Ename, content.Evalue)
		case m.Header.Type != "status" && m.Header.Type != "execute_input":
			fmt.Fprintf(&text, "[%s]", m.Header.Type)
		}
	}
}

// status waits for the reply and returns its status.
func (s *session) status(request *wire.Message) string {
	s.t.Helper()
	for {
		m, err := s.shell.Receive()
		if err != nil {
			s.t.Fatal(err)
		}
		if m.Parent.ID == request.Header.ID {
			var content struct{ Status string }
			m.Decode(&content)
			return content.Status
		}
	}
}

// processes returns the process IDs of the kernel and its server, which are found by an environment variable that they
// inherit.
func (s *session) processes() []int {
	var found []int
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil && bytes.Contains(text, []byte(s.mark)) {
			pid, _ := strconv.Atoi(strings.Split(file, "/")[2])
			found = append(found, pid)
		}
	}
	return found
}

// named returns the ID of the kernel's process whose program or first argument is word.
func (s *session) named(word string) int {
	s.t.Helper()
	for _, pid := range s.processes() {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if words := strings.Split(string(line), "\x00"); len(words) > 1 &&
			(words[1] == word || filepath.Base(words[0]) == word) {
			return pid
		}
	}
	s.t.Fatalf("no process %q", word)
	return 0
}

// nothingIsLeft waits until all processes and folders of the kernel are gone.
func (s *session) nothingIsLeft() {
	s.t.Helper()
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		processes := s.processes()
		folders, _ := filepath.Glob(s.temp + "/*")
		if len(processes) == 0 && len(folders) == 0 {
			return
		}
		if time.Now().After(end) {
			for _, pid := range processes {
				line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				s.t.Errorf("left: %d %q", pid, line)
			}
			s.t.Fatalf("left: %d processes, folders %v", len(processes), folders)
		}
	}
}
