package notebook

import (
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/kerneltest"
)

func TestMain(m *testing.M) {
	kerneltest.Main()
	os.Exit(m.Run())
}

// fakeKernel returns a kernel whose cells are lines of commands.
func fakeKernel() Kernel { return Kernel{Argv: kerneltest.Argv()} }
