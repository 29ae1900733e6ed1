//go:build cgo && linux && amd64 && !noxla

package device

import (
	"container/list"
	"crypto/sha256"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/go-xla/compute/xla"
	"github.com/gomlx/go-xla/stablehlo"
)

// mostPrograms is how many compiled programs are kept that nobody uses. Each takes some MiB.
const mostPrograms = 96

// rememberingBackend is XLA with a memory: what was compiled once is not compiled again, as long as the process lives.
// A study trains many models of one shape, and compiling takes longer than some of its runs.
type rememberingBackend struct {
	*xla.Backend
	exact bool // convolutions of float32 are computed in float32

	mu       sync.Mutex
	programs map[digest]*program
	unused   list.List // of *program, those unused for longest first
	compiled int
}

// digest is that of a program's text.
type digest [sha256.Size]byte

// program is what XLA compiled.
type program struct {
	compute.Executable
	digest digest
	users  int
	place  *list.Element // among the unused
}

func remembering(backend *xla.Backend, exact bool) *rememberingBackend {
	return &rememberingBackend{Backend: backend, exact: exact, programs: map[digest]*program{}}
}

// Builder implements compute.Backend.
func (b *rememberingBackend) Builder(name string) compute.Builder {
	inner, ok := b.Backend.Builder(name).(*xla.Builder)
	if !ok || inner == nil {
		return nil
	}
	return &rememberingBuilder{Builder: inner, backend: b}
}

// BufferFromFlatData implements compute.DataInterface.
func (b *rememberingBackend) BufferFromFlatData(device compute.DeviceNum, flat any, shape shapes.Shape) (
	compute.Buffer, error) {
	buffer, err := b.Backend.BufferFromFlatData(device, flat, shape)
	return b.own(buffer), err
}

// NewSharedBuffer implements compute.DataInterface.
func (b *rememberingBackend) NewSharedBuffer(device compute.DeviceNum, shape shapes.Shape) (compute.Buffer, any,
	error) {
	buffer, flat, err := b.Backend.NewSharedBuffer(device, shape)
	return b.own(buffer), flat, err
}

// ownedBuffer is a buffer that names the backend that it came through, which GoMLX compares.
type ownedBuffer struct {
	compute.Buffer
	backend *rememberingBackend
}

func (b *rememberingBackend) own(buffer compute.Buffer) compute.Buffer {
	if buffer == nil {
		return nil
	}
	return &ownedBuffer{buffer, b}
}

// Backend implements compute.Buffer.
func (b *ownedBuffer) Backend() compute.Backend { return b.backend }

// CopyToDevice implements compute.Buffer.
func (b *ownedBuffer) CopyToDevice(device compute.DeviceNum) (compute.Buffer, error) {
	buffer, err := b.Buffer.CopyToDevice(device)
	return b.backend.own(buffer), err
}

// rememberingBuilder is a builder whose program may have been compiled before.
type rememberingBuilder struct {
	*xla.Builder
	backend *rememberingBackend
	placed  bool // on devices of its own
}

// DeviceAssignment implements compute.Builder.
func (b *rememberingBuilder) DeviceAssignment(devices ...compute.DeviceNum) error {
	b.placed = true
	return b.Builder.DeviceAssignment(devices...)
}

// DistributedSPMD implements compute.Builder.
func (b *rememberingBuilder) DistributedSPMD(devices int) error {
	b.placed = true
	return b.Builder.DistributedSPMD(devices)
}

// DistributedAutoSharding implements compute.Builder.
func (b *rememberingBuilder) DistributedAutoSharding(meshes ...compute.Mesh) error {
	b.placed = true
	return b.Builder.DistributedAutoSharding(meshes...)
}

// Compile implements compute.Builder.
func (b *rememberingBuilder) Compile() (compute.Executable, error) {
	text, err := b.text()
	if b.placed || err != nil {
		made, err := b.Builder.Compile()
		if err != nil {
			return nil, err
		}
		return b.backend.lent(&program{Executable: made, users: 1}), nil
	}
	key := digest(sha256.Sum256(text))
	if known := b.backend.find(key); known != nil {
		return b.backend.lent(known), nil
	}
	made, err := b.Builder.Compile()
	if err != nil {
		return nil, err
	}
	return b.backend.lent(b.backend.keep(key, made)), nil
}

// text returns the program as XLA reads it. go-xla keeps its builder in a field that it does not export.
func (b *rememberingBuilder) text() ([]byte, error) {
	field := reflect.ValueOf(b.Builder).Elem().FieldByName("builder")
	inner := *(**stablehlo.Builder)(unsafe.Pointer(field.UnsafeAddr()))
	if b.backend.exact {
		field := reflect.ValueOf(inner).Elem().FieldByName("functions")
		for _, f := range *(*[]*stablehlo.Function)(unsafe.Pointer(field.UnsafeAddr())) {
			convolveExactly(f)
		}
	}
	return inner.Build()
}

// convolveExactly raises the precision of the convolutions of f to the highest. go-xla leaves it at the default, with
// which cuDNN rounds float32 to TF32; its option tf32 is about matrix products alone.
func convolveExactly(f *stablehlo.Function) {
	for _, statement := range f.Statements {
		if given, ok := statement.Attributes["precision_config"]; ok && statement.OpType.String() == "Convolution" {
			text := reflect.New(reflect.TypeOf(given)).Elem() // a string of a type that go-xla does not export
			text.SetString(strings.ReplaceAll(reflect.ValueOf(given).String(), "DEFAULT", "HIGHEST"))
			statement.Attributes["precision_config"] = text.Interface()
		}
		for _, inner := range statement.FunctionParameters {
			convolveExactly(inner)
		}
	}
}

// find is the program of a text, which has one user more; nil where there is none.
func (b *rememberingBackend) find(key digest) *program {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.take(key)
}

func (b *rememberingBackend) take(key digest) *program {
	known := b.programs[key]
	if known == nil {
		return nil
	}
	if known.users++; known.place != nil {
		b.unused.Remove(known.place)
		known.place = nil
	}
	return known
}

// keep is the program of a text that was compiled, by this caller or by one who was faster.
func (b *rememberingBackend) keep(key digest, made compute.Executable) *program {
	b.mu.Lock()
	defer b.mu.Unlock()
	if known := b.take(key); known != nil {
		made.Finalize()
		return known
	}
	p := &program{Executable: made, digest: key, users: 1}
	b.programs[key] = p
	b.compiled++
	return p
}

// giveBack ends a use of a program. Of those that nobody uses the latest are kept.
func (b *rememberingBackend) giveBack(p *program) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p.users--; p.users > 0 {
		return
	}
	if b.programs[p.digest] != p {
		p.Executable.Finalize()
		return
	}
	p.place = b.unused.PushBack(p)
	for b.unused.Len() > mostPrograms {
		oldest := b.unused.Remove(b.unused.Front()).(*program)
		delete(b.programs, oldest.digest)
		oldest.Executable.Finalize()
	}
}

// lentProgram is a program in use.
type lentProgram struct {
	*program
	backend   *rememberingBackend
	forgotten runtime.Cleanup // where nobody finalizes it
}

func (b *rememberingBackend) lent(p *program) *lentProgram {
	l := &lentProgram{program: p, backend: b}
	l.forgotten = runtime.AddCleanup(l, b.giveBack, p)
	return l
}

// Finalize implements compute.Executable.
func (l *lentProgram) Finalize() {
	if l.program != nil {
		l.forgotten.Stop()
		l.backend.giveBack(l.program)
		l.program = nil
	}
}

// Execute implements compute.Executable.
func (l *lentProgram) Execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) ([]compute.Buffer,
	error) {
	plain := make([]compute.Buffer, len(inputs))
	for i, input := range inputs {
		plain[i] = input
		if owned, ok := input.(*ownedBuffer); ok {
			plain[i] = owned.Buffer
		}
	}
	outputs, err := l.program.Execute(plain, donate, device)
	for i := range outputs {
		outputs[i] = l.backend.own(outputs[i])
	}
	return outputs, err
}
