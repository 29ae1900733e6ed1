//go:build cgo && linux && amd64 && !noxla

package device

/*
#cgo LDFLAGS: -ldl
#include <stdlib.h>
#include "xla_compiler.h"
*/
import "C"

import (
	_ "embed"
	"errors"
	"reflect"
	"sync"
	"unsafe"

	"github.com/gomlx/compute"
)

// h100 describes the card to XLA as a GpuTargetConfigProto in text form, after openxla/xla's specs/h100_sxm.txtpb.
//
//go:embed h100.txtpb
var h100 string

// compileOptions is a CompileOptionsProto: one replica, one partition, no device.
var compileOptions = []byte{0x1a, 15, 0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 0x20, 1, 0x28,
	1}

// gpuCompiler compiles programs through PJRT's interface for compiling without a client.
type gpuCompiler struct {
	mu       sync.Mutex // the compiler's threads fill the machine
	compiler *C.compiler
}

// openCompiler returns a backend that builds graphs with the plugin for the processor, as for CUDA, and compiles them
// with the CUDA plugin. tools is the folder of NVIDIA's assembler and libdevice.
func openCompiler(host, plugin, tools string) (compute.Backend, error) {
	flags := map[string]string{"--xla_gpu_cuda_data_dir": tools,
		"--xla_backend_optimization_level": "0"} // halves the time of compiling and changes no size
	for name, value := range cudaFlags {
		flags[name] = value
	}
	if err := setXLAFlags(flags); err != nil {
		return nil, err
	}
	path, target := C.CString(plugin), C.CString(h100)
	defer C.free(unsafe.Pointer(path))
	defer C.free(unsafe.Pointer(target))
	var c gpuCompiler
	if problem := C.open_compiler(path, target, &c.compiler); problem != nil {
		return nil, taken(problem)
	}
	opened, err := openPlugin(Plugin{Kind: "cpu", Path: host}, false)
	if err != nil {
		return nil, err
	}
	backend := opened.(*cachingBackend)
	backend.exact, backend.compiler = true, &c
	buildForCUDA(backend)
	return backend, nil
}

// buildForCUDA makes go-xla build the graphs that it builds for CUDA, with products in full precision. go-xla tells
// CUDA by the plugin's name, which it does not export; and a client of a plugin with that name needs a GPU.
func buildForCUDA(b *cachingBackend) {
	name := reflect.ValueOf(b.Backend).Elem().FieldByName("plugin").Elem().FieldByName("name")
	*(*string)(unsafe.Pointer(name.UnsafeAddr())) = "cuda"
}

// compile implements compiler.
func (c *gpuCompiler) compile(text []byte) (Cost, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var s C.sizes
	code := C.CBytes(text)
	defer C.free(code)
	problem := C.compile(c.compiler, (*C.char)(code), C.size_t(len(text)),
		(*C.char)(unsafe.Pointer(&compileOptions[0])), C.size_t(len(compileOptions)), &s)
	if problem != nil {
		return Cost{}, taken(problem)
	}
	return Cost{Arguments: int64(s.arguments), Outputs: int64(s.outputs), Aliased: int64(s.aliased),
		Temporary: int64(s.temporary), Peak: int64(s.peak)}, nil
}

// taken turns a message of the C code into an error and frees it.
func taken(problem *C.char) error {
	defer C.free(unsafe.Pointer(problem))
	return errors.New(oneLine(C.GoString(problem)))
}

// costedProgram is a compiled program that cannot be run.
type costedProgram struct {
	compute.Executable
	of Cost
}

func (p *costedProgram) cost() Cost { return p.of }

// Finalize implements compute.Executable.
func (p *costedProgram) Finalize() {}

// Execute implements compute.Executable.
func (p *costedProgram) Execute([]compute.Buffer, []bool, compute.DeviceNum) ([]compute.Buffer, error) {
	return nil, errors.New("the device only compiles")
}
