package gopls

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

const (
	// idleLimit is how long a server outlives its last kernel, so that a notebook that is opened again finds it.
	idleLimit = 3 * time.Minute

	// startLimit bounds the wait for a server that was started.
	startLimit = 20 * time.Second

	// memoryLimit is what Go's collector keeps the server's memory to where it can; a small heap target does the rest.
	memoryLimit = "400MiB"
	heapTarget  = "40"
)

// A Server is the program of the language server and what it needs to find modules.
type Server struct {
	Program     string
	Environment []string // of the go command: GOFLAGS, GOEXPERIMENT and their kind
}

// dial connects to the server that all kernels of this user share, and starts it where there is none. It returns the
// number of the process that it has started, or 0.
func (s Server) dial(ctx context.Context) (conn net.Conn, started int, err error) {
	folder, err := socketFolder()
	if err != nil {
		return nil, 0, err
	}
	socket := filepath.Join(folder, s.name()+".sock")
	if conn, err := net.Dial("unix", socket); err == nil {
		return conn, 0, nil
	}
	unlock, err := lock(socket + ".lock")
	if err != nil {
		return nil, 0, err
	}
	defer unlock()
	if conn, err := net.Dial("unix", socket); err == nil {
		return conn, 0, nil // another kernel has started it meanwhile
	}
	os.Remove(socket) // of a server that was killed
	command := exec.Command(s.Program, "-listen=unix;"+socket, "-listen.timeout="+idleLimit.String())
	command.Dir = folder
	command.Env = append(append([]string{}, s.Environment...), "GOMEMLIMIT="+memoryLimit, "GOGC="+heapTarget)
	ownSession(command)
	if err := command.Start(); err != nil {
		return nil, 0, err
	}
	ended := make(chan struct{})
	go func() {
		command.Wait()
		close(ended)
	}()
	limit := time.After(startLimit)
	for {
		if conn, err := net.Dial("unix", socket); err == nil {
			return conn, command.Process.Pid, nil
		}
		select {
		case <-ctx.Done():
			return nil, command.Process.Pid, ctx.Err()
		case <-ended:
			return nil, 0, fmt.Errorf("%s: %v", s.Program, command.ProcessState)
		case <-limit:
			return nil, command.Process.Pid, fmt.Errorf("%s does not listen", s.Program)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// name tells servers of other programs apart.
func (s Server) name() string {
	stamp := ""
	if info, err := os.Stat(s.Program); err == nil {
		stamp = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	}
	return fmt.Sprintf("gopls-%x", sha256.Sum256([]byte(s.Program+stamp)))[:16]
}

// socketFolder is a folder of this user alone: who can reach the server can read this user's files.
func socketFolder() (string, error) {
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("unlearnlab-%d", os.Getuid()))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	return folder, ownedAlone(folder)
}
