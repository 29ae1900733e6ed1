//go:build cgo && linux && amd64 && !noxla

package device

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"
)

// OpenWithoutDonation opens XLA on the processor with programs that overwrite nothing.
func OpenWithoutDonation(t *testing.T) *Device {
	b := openedAnew(t)
	b.donors = nil
	return &Device{backend: b, name: xlaCPU}
}

const counted = 1 << 16

// counting returns a store with a variable of ones, a program that adds one to it and a program that sums it.
func counting(t *testing.T, d *Device) (count *model.Variable, step, sum *Program) {
	t.Helper()
	store := model.NewStore()
	compile := func(build Build) *Program {
		program, err := d.Compile("count", store, build)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(program.Close)
		return program
	}
	of := func(scope *model.Scope) *model.Variable {
		return scope.VariableWithShape("count", shapes.Make(dtypes.Float32, counted))
	}
	step = compile(func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		count := of(scope)
		value := count.NodeValue(inputs[0])
		count.SetNodeValue(graph.Add(value, inputs[0]))
		return []*graph.Node{graph.ReduceAllSum(value)} // reads the old values
	})
	sum = compile(func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{graph.Mul(graph.ReduceAllSum(of(scope).NodeValue(inputs[0])), inputs[0])}
	})
	count = of(store.RootScope())
	reset(t, count)
	return count, step, sum
}

// reset fills a variable with ones.
func reset(t *testing.T, count *model.Variable) {
	t.Helper()
	ones := make([]float32, counted)
	for i := range ones {
		ones[i] = 1
	}
	if err := count.SetValue(tensors.FromValue(ones)); err != nil {
		t.Fatal(err)
	}
}

func scalar(t *testing.T, program *Program) float32 {
	t.Helper()
	outputs, err := program.Run(t.Context(), float32(1))
	if err != nil {
		t.Fatal(err)
	}
	return tensors.ToScalar[float32](outputs[0])
}

// address returns where the variable's numbers are.
func address(t *testing.T, d *Device, v *model.Variable) unsafe.Pointer {
	t.Helper()
	value, err := v.Value()
	if err != nil {
		t.Fatal(err)
	}
	buffer, err := value.Buffer(d.backend, 0)
	if err != nil {
		t.Fatal(err)
	}
	flat, err := buffer.Data()
	if err != nil {
		t.Fatal(err)
	}
	return unsafe.Pointer(unsafe.SliceData(flat.([]float32)))
}

func TestDonation_Overwrites(t *testing.T) {
	for _, test := range []struct {
		name string
		open func(t *testing.T) *Device
		want bool
	}{
		{"donated", func(t *testing.T) *Device { return &Device{backend: openedAnew(t), name: xlaCPU} }, true},
		{"not donated", OpenWithoutDonation, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := test.open(t)
			count, step, _ := counting(t, d)
			scalar(t, step)
			before := address(t, d, count)
			scalar(t, step)
			if got := address(t, d, count) == before; got != test.want {
				t.Errorf("the step wrote its result over the old values: got %v, want %v", got, test.want)
			}
		})
	}
}

// A program that only reads a variable moves the variable's numbers to memory that Go and XLA share. The memory is freed
// with the old tensor, so the next step must not write its results there.
func TestDonation_SharedMemory(t *testing.T) {
	d := &Device{backend: openedAnew(t), name: xlaCPU}
	count, step, sum := counting(t, d)
	for round := range 20 {
		if got := scalar(t, sum); got != counted {
			t.Fatalf("round %d: the sum is %v, want %v", round, got, counted)
		}
		shared := address(t, d, count)
		if got := scalar(t, step); got != counted {
			t.Fatalf("round %d: the step reads %v, want %v", round, got, counted)
		}
		if address(t, d, count) == shared {
			t.Fatalf("round %d: the step wrote its result to the memory that it shared with Go", round)
		}
		runtime.GC()
		if got := scalar(t, sum); got != 2*counted {
			t.Fatalf("round %d: the sum is %v after a step, want %v", round, got, 2*counted)
		}
		reset(t, count)
	}
}
