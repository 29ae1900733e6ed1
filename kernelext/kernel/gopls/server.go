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
	// idleLimit is how long a server outlives its last kernel, so that a reopened notebook can use it again.
	idleLimit = 3 * time.Minute

	// startLimit limits the wait for a server to start.
	startLimit = 20 * time.Second

	// memoryLimit is the server's GOMEMLIMIT, and heapTarget its GOGC, which keeps the heap small.
	memoryLimit = "400MiB"
	heapTarget  = "40"
)

// A Server is a language server program and the environment in which it finds modules.
type Server struct {
	Program     string
	Environment []string // the go command's variables, such as GOFLAGS and GOEXPERIMENT
}

// dial connects to the server that all kernels of this user share. If no server is running, dial starts one and returns
// its process ID; otherwise started is 0.
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
		return conn, 0, nil // another kernel has started one in the meantime
	}
	os.Remove(socket) // left by a server that was killed
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

// name identifies the server's program, so that kernels with different programs use different servers.
func (s Server) name() string {
	stamp := ""
	if info, err := os.Stat(s.Program); err == nil {
		stamp = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
	}
	return fmt.Sprintf("gopls-%x", sha256.Sum256([]byte(s.Program+stamp)))[:16]
}

// socketFolder creates a folder that only this user can enter, because anyone who reaches the server can read the
// user's files.
func socketFolder() (string, error) {
	folder := filepath.Join(os.TempDir(), fmt.Sprintf("unlearnlab-%d", os.Getuid()))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	return folder, checkPrivate(folder)
}
