//go:build cgo && linux && amd64 && !noxla

package device_test

import (
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

func pageFaults(t *testing.T) int64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return usage.Minflt
}

// Which heap a process's first threads get is chance, and of some that cannot hold two calls every call fetches pages, as all do without the setting: so the test asks up to five processes.
func TestXLAComputesAgainInTheMemoryThatItHas(t *testing.T) {
	const asked = "UNLEARNLAB_TEST_MEMORY"
	if os.Getenv(asked) != "" {
		computeAgain(t)
		return
	}
	if _, err := device.Open("xla:cpu"); err != nil {
		t.Skip(err)
	}
	var output []byte
	for range 5 {
		again := exec.Command(os.Args[0], "-test.run", "^"+t.Name()+"$")
		again.Env = append(os.Environ(), asked+"=1")
		var err error
		if output, err = again.CombinedOutput(); err == nil {
			return
		}
	}
	t.Errorf("%s", output)
}

func computeAgain(t *testing.T) {
	d, err := device.Open("xla:cpu")
	if err != nil {
		t.Fatal(err)
	}
	program, err := graph.NewExec(d.Backend(), func(x *graph.Node) *graph.Node {
		product := graph.MatMul(x, graph.Transpose(x, 0, 1)) // 16 MiB, more than what the C library keeps by itself
		return graph.ReduceAllSum(graph.Mul(product, graph.Transpose(product, 0, 1)))
	})
	if err != nil {
		t.Fatal(err)
	}
	x := tensors.FromShape(shapes.Make(dtypes.Float32, 2048, 8))
	call := func() {
		if _, err := program.Call(x); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 { // each heap gets its pages once
		call()
	}
	const calls, pages = 10, 16 << 20 / 4096
	before := pageFaults(t)
	for range calls {
		call()
	}
	if each := (pageFaults(t) - before) / calls; each > pages {
		t.Errorf("each call fetches %d pages from the kernel; its product alone takes %d", each, pages)
	}
}
