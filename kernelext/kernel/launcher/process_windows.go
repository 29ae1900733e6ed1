package launcher

import (
	"errors"
	"net"
	"os"
	"os/exec"
)

// unsupported returns why this system cannot run the kernel.
func unsupported() *failure {
	return fail("Windows", "the kernel needs named pipes in folders, as Linux and macOS have; start JupyterLab in "+
		"WSL or from the project's Docker image")
}

func shieldSignals() <-chan os.Signal { return nil }

func ownGroup(*exec.Cmd) {}

func killGroup(int) {}

func killDescendants(...int) {}

func adoptOrphans() {}

func tryLock(*os.File) bool { return false }

func processGone(int) func() bool { return func() bool { return false } }

func checkPipes(string) error { return errors.New("Windows has no named pipes in folders") }

func trustUsers(string) func(net.Conn) bool { return func(net.Conn) bool { return true } }
