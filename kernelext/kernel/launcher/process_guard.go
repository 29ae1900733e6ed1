package launcher

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// folderPrefix begins the names of kernels' temporary folders.
const folderPrefix = "unlearn-"

// lockName is the file that launcher and guard keep locked while the folder is in use.
const lockName = "lock"

// Guard runs a program and cleans up after it. Guard ends when the program ends, or when stdin closes because the
// launcher has died. It then kills every descendant, such as a running cell or gopls, and removes the folder. It
// returns the program's exit code.
func Guard(folder string, program []string, stdin io.Reader, stderr io.Writer) int {
	adoptOrphans()
	signals := shieldSignals()
	command := exec.Command(program[0], program[1:]...)
	command.Stdout, command.Stderr = stderr, stderr
	ownGroup(command)
	defer removeFolder(folder)
	if err := command.Start(); err != nil {
		fmt.Fprintf(stderr, "unlearnlab kernel guard: %v\n", err)
		return 127
	}
	os.WriteFile(filepath.Join(folder, groupName), fmt.Append(nil, command.Process.Pid), 0o600)
	ended := make(chan struct{})
	go func() {
		command.Wait()
		close(ended)
	}()
	orphaned := make(chan struct{})
	go func() {
		io.Copy(io.Discard, stdin)
		close(orphaned)
	}()
	for waiting := true; waiting; {
		select {
		case <-ended:
			waiting = false
		case s := <-signals:
			command.Process.Signal(s)
		case <-orphaned:
			waiting = false
		}
	}
	killGroup(command.Process.Pid)
	<-ended
	killDescendants()
	return command.ProcessState.ExitCode()
}

// groupName is the file with the ID of gonb's process group, for a launcher whose guard has died.
const groupName = "group"

// cleanUp does the guard's work if the guard was killed. It spares processes that other kernels share.
func cleanUp(folder string, spared ...int) {
	var group int
	if text, err := os.ReadFile(filepath.Join(folder, groupName)); err == nil {
		fmt.Sscan(string(text), &group)
	}
	if group > 1 {
		killGroup(group)
	}
	killDescendants(spared...)
	removeFolder(folder)
}

// removeFolder removes folder if its name is that of a kernel's folder.
func removeFolder(folder string) {
	if strings.HasPrefix(filepath.Base(folder), folderPrefix) {
		makeWritable(folder)
		os.RemoveAll(folder)
	}
}

// makeWritable makes a folder and all folders in it writable, because a cell may have made some read-only, as the go
// command does in its module cache.
func makeWritable(folder string) {
	filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			os.Chmod(path, 0o700)
		}
		return nil
	})
}

// sweep removes the folders of kernels that were killed together with their guards, which are those whose locks are
// free.
func sweep(parent string) {
	locks, _ := filepath.Glob(filepath.Join(parent, folderPrefix+"*", lockName))
	for _, path := range locks {
		lock, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if tryLock(lock) {
			removeFolder(filepath.Dir(path))
		}
		lock.Close()
	}
}
