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

// fakeKernel returns a kernel whose cells consist of simple commands.
func fakeKernel() Kernel { return Kernel{Argv: kerneltest.Argv()} }
