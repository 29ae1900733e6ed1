package launcher

import (
	"errors"
	"net"
	"os"
	"os/exec"
)

// supported is why this system cannot run the kernel; nil where it can.
func supported() *failure {
	return fail("Windows", "the kernel needs named pipes as Linux and macOS have them; start JupyterLab in WSL or "+
		"from the project's Docker image")
}

func shieldSignals() <-chan os.Signal { return nil }

func ownGroup(*exec.Cmd) {}

func killGroup(int) {}

func killDescendants(...int) {}

func adoptOrphans() {}

func tryLock(*os.File) bool { return false }

func parentDied(int) func() bool { return func() bool { return false } }

func holdsPipes(string) error { return errors.New("Windows has no named pipes in folders") }

func trusted(string) func(net.Conn) bool { return func(net.Conn) bool { return true } }
