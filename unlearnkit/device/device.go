// Package device is the one door to GoMLX: it opens a backend under settings with which it neither hangs nor prints,
// and turns what goes wrong inside into errors.
//
//	d, err := device.Open("")            // $UNLEARNLAB_DEVICE, else a CUDA plugin, else a CPU plugin, else pure Go
//	program, err := d.Compile("train", store, build)
//	outputs, err := program.Run(ctx, batch, rate)
//
// A model is a function that builds a graph over the tensors of a [model.Store]; see package nn for how layers find
// theirs.
//
// # Plugins
//
// XLA comes as a PJRT plugin, a shared library that [Open] looks for in the folders of [Folders] and that [Install]
// puts into the first of them that is ours. Nothing is ever fetched unless Install is called. A file that is no plugin
// must not end the program, so each is read as an ELF file first and then loaded once in a child process: the program
// starts itself with a variable set, and this package's initialisation loads the plugin, prints its version and exits.
// What was refused and why is in [Found].
//
// GoMLX's own GOMLX_BACKEND is not read; the variables that count are UNLEARNLAB_DEVICE, UNLEARNLAB_HOME and
// PJRT_PLUGIN_LIBRARY_PATH.
package device

import (
	"fmt"
	"strings"

	"github.com/gomlx/compute"
)

// Device is where graphs are computed. Devices of one name share a backend, because tensors belong to the backend that
// made them.
type Device struct {
	backend compute.Backend
	name    string
	why     string
	plugin  Plugin
}

// Name is one of "go", "go:plain", "xla:cpu", "xla:cuda" and "xla:cuda,tf32".
func (d *Device) Name() string { return d.name }

// Why says what decided for this device, and where its plugin lies.
func (d *Device) Why() string { return d.why }

// XLA reports whether graphs are compiled by XLA.
func (d *Device) XLA() bool { return strings.HasPrefix(d.name, "xla:") }

// Backend is GoMLX's view of the device.
func (d *Device) Backend() compute.Backend { return d.backend }

// Plugin is the path of the PJRT plugin, empty for pure Go.
func (d *Device) Plugin() string { return d.plugin.Path }

// Version is the version of the PJRT interface that the plugin speaks, as in "0.115", empty for pure Go.
func (d *Device) Version() string { return d.plugin.Version }

// String names the device and says why it was chosen.
func (d *Device) String() string { return fmt.Sprintf("%s (%s)", d.name, d.why) }
