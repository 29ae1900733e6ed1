// Package device is the only package that opens GoMLX. It opens a backend with settings under which it neither hangs
// nor prints, and turns failures inside it into errors.
//
//	d, err := device.Open("")            // $UNLEARNLAB_DEVICE, else a CUDA plugin, else a CPU plugin, else pure Go
//	program, err := d.Compile("train", store, build)
//	outputs, err := program.Run(ctx, batch, rate)
//
// A model is a function that builds a graph over the tensors of a [model.Store]; package nn describes how layers find
// their tensors.
//
// # Plugins
//
// XLA is a PJRT plugin, a shared library. [Open] looks for it in the folders of [Folders], and [Install] puts it into
// the first of them that belongs to this program. Nothing is downloaded unless Install is called. A file that is not a
// plugin must not end the program, so each file is first read as an ELF file and then loaded once in a child process:
// the program starts itself with a variable set, and this package's initialisation loads the plugin, prints its version
// and exits. [Found] lists the refused files with the reasons.
//
// GoMLX's own GOMLX_BACKEND is ignored. The variables that count are UNLEARNLAB_DEVICE, UNLEARNLAB_HOME and
// PJRT_PLUGIN_LIBRARY_PATH.
package device

import (
	"fmt"
	"strings"

	"github.com/gomlx/compute"
)

// Device computes graphs. Devices with the same name share a backend, because tensors belong to the backend that made
// them.
type Device struct {
	backend compute.Backend
	name    string
	why     string
	plugin  Plugin
}

// Name returns "go", "go:plain", "xla:cpu", "xla:cuda" or "xla:cuda,tf32".
func (d *Device) Name() string { return d.name }

// Why returns the reason for choosing this device and the path of its plugin.
func (d *Device) Why() string { return d.why }

// XLA reports whether graphs are compiled by XLA.
func (d *Device) XLA() bool { return strings.HasPrefix(d.name, "xla:") }

// Backend returns GoMLX's backend of the device.
func (d *Device) Backend() compute.Backend { return d.backend }

// Plugin returns the path of the PJRT plugin; it is empty for pure Go.
func (d *Device) Plugin() string { return d.plugin.Path }

// Version returns the version of the PJRT interface that the plugin implements, such as "0.115"; it is empty for pure
// Go.
func (d *Device) Version() string { return d.plugin.Version }

// String returns the device's name and why it was chosen.
func (d *Device) String() string { return fmt.Sprintf("%s (%s)", d.name, d.why) }
