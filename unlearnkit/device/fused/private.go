package fused

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
)

// This file alone reaches into GoMLX's Go backend by reflection: into its buffers, to wrap memory without a copy, and
// into its pool of workers.

// knownCompute is the version of github.com/gomlx/compute whose fields this file knows.
const knownCompute = "v0.1.6"

// bufferTemplate returns a buffer of the Go backend for view to copy.
func bufferTemplate(backend compute.Backend) (reflect.Value, error) {
	template, _, err := backend.NewSharedBuffer(0, shapes.Shape{DType: float32Type})
	if err != nil {
		return reflect.Value{}, err
	}
	value := reflect.ValueOf(template)
	if value.Kind() != reflect.Pointer || value.Elem().Kind() != reflect.Struct {
		return reflect.Value{}, fmt.Errorf("the buffers of %s are not buffers of the Go backend", backend.Name())
	}
	for _, field := range []string{"RawShape", "RawBytes", "Flat"} {
		if f := value.Elem().FieldByName(field); !f.IsValid() || !f.CanSet() {
			return reflect.Value{}, fmt.Errorf("the buffers of %s have no field %s, unlike those of compute %s",
				backend.Name(), field, knownCompute)
		}
	}
	return value.Elem(), nil
}

// view wraps memory in a buffer of the Go backend, without a copy. The Go backend never releases it.
func (b *Backend) view(m *memory, shape shapes.Shape) compute.Buffer {
	view := reflect.New(b.template.Type())
	view.Elem().Set(b.template)
	view.Elem().FieldByName("RawShape").Set(reflect.ValueOf(shape))
	view.Elem().FieldByName("RawBytes").SetBytes(unsafe.Slice((*byte)(m.first), m.bytes))
	view.Elem().FieldByName("Flat").Set(reflect.ValueOf(flat(m, shape)))
	return view.Interface().(compute.Buffer)
}

// LiftWorkerLimit lets each matrix product of the Go backend start as many goroutines as it requests. The backend's
// option parallelism=-1 does the same, but prints on stdout.
func LiftWorkerLimit(backend compute.Backend) error {
	field := reflect.ValueOf(backend).Elem().FieldByName("Workers").Interface()
	workers, ok := field.(interface{ SetMaxParallelism(int) })
	if !ok {
		return fmt.Errorf("the workers of %s cannot be set, unlike those of compute %s", backend.Name(), knownCompute)
	}
	workers.SetMaxParallelism(-1)
	return nil
}
