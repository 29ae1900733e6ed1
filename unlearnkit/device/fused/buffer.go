package fused

import (
	"errors"
	"fmt"
	"math/bits"
	"reflect"
	"sync"
	"unsafe"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
)

const float32Type = dtypes.Float32

// memory is a piece of memory, from the pool or from a buffer of the Go backend.
type memory struct {
	first unsafe.Pointer
	bytes int
	inner compute.Buffer
}

// pool keeps released memory by its size. There are four sizes in each power of two.
type pool struct{ sizes [512]sync.Pool }

// class returns the smallest size class of the pool that holds the given number of bytes: its index and its size.
func class(bytes int) (number, size int) {
	last := uint(max(bytes, 64) - 1)
	shift := bits.Len(last) - 3
	steps := int(last>>shift) + 1 // 5 to 8
	return shift*8 + steps, steps << shift
}

func (p *pool) get(bytes int) *memory {
	number, size := class(bytes)
	if kept, ok := p.sizes[number].Get().(*memory); ok {
		kept.bytes = bytes
		return kept
	}
	return &memory{first: unsafe.Pointer(unsafe.SliceData(make([]uint64, size/8))), bytes: bytes}
}

func (p *pool) put(m *memory) {
	if m.inner != nil {
		m.inner.Finalize() //nolint:errcheck // the memory returns to the Go backend's own pool
		m.inner, m.first = nil, nil
		return
	}
	number, _ := class(m.bytes)
	p.sizes[number].Put(m)
}

// buffer is GoMLX's handle of a tensor.
type buffer struct {
	backend *Backend
	shape   shapes.Shape
	memory  *memory
}

var errReleased = errors.New("the buffer has been released")

func (b *buffer) Backend() compute.Backend              { return b.backend }
func (b *buffer) Shape() (shapes.Shape, error)          { return b.shape, nil }
func (b *buffer) DeviceNum() (compute.DeviceNum, error) { return 0, nil }
func (b *buffer) CopyToDevice(compute.DeviceNum) (compute.Buffer, error) {
	return nil, errors.New("the Go backend has one device")
}

func (b *buffer) Finalize() error {
	if b.memory == nil {
		return nil
	}
	b.backend.pool.put(b.memory)
	b.memory = nil
	return nil
}

func (b *buffer) Data() (any, error) {
	if b.memory == nil {
		return nil, errReleased
	}
	return flat(b.memory, b.shape), nil
}

func (b *buffer) ToFlatData(into any) error {
	from, err := b.Data()
	if err != nil {
		return err
	}
	return copyFlat(into, from)
}

// flat returns the memory as a slice of the shape's Go type.
func flat(m *memory, shape shapes.Shape) any {
	if shape.Size() == 0 {
		return dtypes.MakeAnySlice(shape.DType, 0)
	}
	return dtypes.UnsafeAnySliceFromBytes(m.first, shape.DType, shape.Size())
}

func copyFlat(into, from any) error {
	a, b := reflect.ValueOf(into), reflect.ValueOf(from)
	if a.Type() != b.Type() || a.Len() != b.Len() {
		return fmt.Errorf("cannot copy %d values of %T to %d of %T", b.Len(), from, a.Len(), into)
	}
	reflect.Copy(a, b)
	return nil
}

// BufferFromFlatData copies values to a new buffer.
func (b *Backend) BufferFromFlatData(_ compute.DeviceNum, values any, shape shapes.Shape) (compute.Buffer, error) {
	made, into, err := b.NewSharedBuffer(0, shape)
	if err != nil {
		return nil, err
	}
	return made, copyFlat(into, values)
}

// NewSharedBuffer creates a buffer whose values may be written in place.
func (b *Backend) NewSharedBuffer(_ compute.DeviceNum, shape shapes.Shape) (compute.Buffer, any, error) {
	made := &buffer{b, shape.Clone(), b.pool.get(int(shape.ByteSize()))}
	values, err := made.Data()
	return made, values, err
}

// HasSharedBuffers reports that values may be read and written in place.
func (b *Backend) HasSharedBuffers() bool { return true }

// adopt takes over the memory of a result of the Go backend.
func adopt(inner compute.Buffer) (*memory, error) {
	values, err := inner.Data()
	if err != nil {
		return nil, err
	}
	slice := reflect.ValueOf(values)
	bytes := slice.Len() * int(slice.Type().Elem().Size())
	return &memory{slice.UnsafePointer(), bytes, inner}, nil
}

// delegated is a graph that the Go backend runs as a whole.
type delegated struct {
	compute.Executable
	backend *Backend
}

func (h *delegated) Execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) ([]compute.Buffer,
	error) {
	views := make([]compute.Buffer, len(inputs))
	for i, input := range inputs {
		b, ok := input.(*buffer)
		if !ok || b.memory == nil {
			return nil, fmt.Errorf("input %d: %w", i, errReleased)
		}
		views[i] = h.backend.view(b.memory, b.shape)
	}
	results, err := h.Executable.Execute(views, nil, device)
	if err != nil {
		return nil, err
	}
	outputs := make([]compute.Buffer, len(results))
	for i, result := range results {
		shape, err := result.Shape()
		if err != nil {
			return nil, err
		}
		values, err := result.Data()
		if err != nil {
			return nil, err
		}
		if outputs[i], err = h.backend.BufferFromFlatData(0, values, shape); err != nil {
			return nil, err
		}
		result.Finalize() //nolint:errcheck // its values were copied
	}
	release(inputs, donate)
	return outputs, nil
}

// release frees the inputs that the caller donated.
func release(inputs []compute.Buffer, donate []bool) {
	for i, given := range donate {
		if given {
			inputs[i].Finalize() //nolint:errcheck // finalizing a buffer of this package never fails
		}
	}
}
