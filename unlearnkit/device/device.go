// Package device is the one door to GoMLX: it opens a backend under settings with which it neither hangs nor prints, and turns what goes wrong inside into errors.
//
//	d, err := device.Open("")            // $UNLEARNLAB_DEVICE, else a CUDA plugin, else a CPU plugin, else pure Go
//	program, err := d.Compile("train", store, build)
//	outputs, err := program.Run(ctx, batch, rate)
//
// A model is a function that builds a graph over the tensors of a [model.Store]; see package nn for how layers find theirs.
package device

import (
	"fmt"
	"reflect"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"
)

// Device is where graphs are computed.
type Device struct {
	backend compute.Backend
	name    string
	why     string
}

// Name is "go", "xla:cpu" or "xla:cuda".
func (d *Device) Name() string { return d.name }

// Why says what decided for this device.
func (d *Device) Why() string { return d.why }

// XLA reports whether graphs are compiled by XLA.
func (d *Device) XLA() bool { return d.name != pureGo }

// Backend is GoMLX's view of the device.
func (d *Device) Backend() compute.Backend { return d.backend }

const pureGo = "go"

// openGo opens the pure Go backend. Its default executor lets every running operation hold a slot of a pool while a matrix product inside waits for another, which
// hangs; without a limit no operation waits. The setting has no quiet way in but its field: as a configuration string it prints on stdout.
func openGo() (compute.Backend, error) {
	backend, err := gobackend.New("")
	if err != nil {
		return nil, fmt.Errorf("open the Go backend: %w", err)
	}
	workers, ok := reflect.ValueOf(backend).Elem().FieldByName("Workers").Interface().(interface{ SetMaxParallelism(int) })
	if !ok {
		return nil, fmt.Errorf("open the Go backend: its workers cannot be set, the version of GoMLX is not the one in go.mod")
	}
	workers.SetMaxParallelism(-1)
	return backend, nil
}
