//go:build cgo && linux && amd64 && !noxla

package device_test

import (
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

func TestXLA_ReusesMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	for name, size := range map[string]int{"in a heap": 2048, "in a block": 6144} {
		t.Run(name, func(t *testing.T) { computesAgain(t, size) })
	}
}

func computesAgain(t *testing.T, size int) {
	d, err := device.Open(plugin(t))
	if err != nil {
		t.Fatal(err)
	}
	exec, err := graph.NewExec(d.Backend(), func(x *graph.Node) *graph.Node {
		product := graph.MatMul(x, graph.Transpose(x, 0, 1)) // a product of 16 or 144 MiB
		return graph.ReduceAllSum(graph.Mul(product, graph.Transpose(product, 0, 1)))
	})
	if err != nil {
		t.Fatal(err)
	}
	x := tensors.FromShape(shapes.Make(dtypes.Float32, size, 8))
	call := func() {
		if _, err := exec.Call(x); err != nil {
			t.Fatal(err)
		}
	}
	for range 10 { // until each heap has its pages
		call()
	}
	const calls = 10
	pages := int64(size) * int64(size) * 4 / 4096
	before := pageFaults(t)
	for range calls {
		call()
	}
	if each := (pageFaults(t) - before) / calls; each > pages {
		t.Errorf("each call fetches %d pages from the kernel; its product alone takes %d", each, pages)
	}
}
