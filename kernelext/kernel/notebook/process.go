package notebook

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/wire"
)

// A process is a running kernel with a folder for its connection file and temporary files.
type process struct {
	command    *exec.Cmd
	connection wire.Connection
	folder     string
	stderr     tail
	exited     chan struct{}
}

// launch starts a kernel on unused ports of the loopback device.
func launch(k Kernel) (*process, error) {
	if len(k.Argv) == 0 {
		return nil, errors.New("kernel: there is no command")
	}
	folder, err := os.MkdirTemp("", "unlearnlab-notebook-")
	if err != nil {
		return nil, fmt.Errorf("kernel: %w", err)
	}
	p := &process{folder: folder, exited: make(chan struct{})}
	if err := p.start(k); err != nil {
		os.RemoveAll(folder)
		return nil, err
	}
	return p, nil
}

func (p *process) start(k Kernel) error {
	temporary := filepath.Join(p.folder, "tmp")
	if err := os.Mkdir(temporary, 0o700); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	var err error
	if p.connection, err = wire.NewConnection(wire.NewID()); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	p.connection.KernelName = KernelName
	file := filepath.Join(p.folder, "kernel-"+wire.NewID()+".json")
	if err := p.connection.Write(file); err != nil {
		return fmt.Errorf("kernel: %w", err)
	}
	argv := make([]string, len(k.Argv))
	for i, argument := range k.Argv {
		argv[i] = strings.ReplaceAll(argument, "{connection_file}", file)
	}
	p.command = exec.Command(argv[0], argv[1:]...)
	p.command.Env = append(append(os.Environ(), "TMPDIR="+temporary, launcher.NoCompletion+"=1"), k.Env...)
	p.command.Dir = k.Dir
	p.command.Stderr = &p.stderr
	p.command.WaitDelay = time.Second // the kernel's child processes may keep stderr open
	ownGroup(p.command)
	if err := p.command.Start(); err != nil {
		return fmt.Errorf("kernel: %w; run unlearnlab kernel doctor", err)
	}
	go func() {
		p.command.Wait()
		close(p.exited)
	}()
	return nil
}

// exitsWithin reports whether the kernel exits within the given time.
func (p *process) exitsWithin(within time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(within):
		return false
	}
}

// kill kills the kernel and its process group.
func (p *process) kill() {
	killGroup(p.command.Process)
	<-p.exited
}

// remove kills the remaining processes and removes the folder.
func (p *process) remove() {
	p.kill()
	os.RemoveAll(p.folder)
}

// exitError returns an error with the kernel's exit status and the end of its standard error.
func (p *process) exitError() error {
	said := strings.Join(strings.Fields(p.stderr.String()), " ")
	if said == "" {
		said = "no message"
	}
	return fmt.Errorf("the kernel ended (%v): %s", p.command.ProcessState, said)
}

// A tail keeps the last bytes written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const tailSize = 2000

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	t.text = t.text[max(0, len(t.text)-tailSize):]
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
