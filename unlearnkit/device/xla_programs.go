//go:build cgo && linux && amd64 && !noxla

package device

import (
	"container/list"
	"crypto/sha256"
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/go-xla/compute/xla"
	"github.com/gomlx/go-xla/stablehlo"
)

// mostPrograms is the number of unused compiled programs to keep. Each takes some MiB.
const mostPrograms = 96

// cachingBackend is XLA with a cache of compiled programs. A study trains many models of one shape, and compiling takes
// longer than some of its runs.
type cachingBackend struct {
	*xla.Backend
	exact    bool     // convolutions of float32 are computed in float32
	compiler compiler // compiles programs for a GPU that the machine does not have; nil to run programs

	mu       sync.Mutex
	programs map[digest]*program
	unused   list.List           // unused programs, the longest unused first
	donors   map[string][]string // parameters that a graph may overwrite, by the graph's name; nil: none in any graph
	compiled int
}

// A compiler compiles a program's text and returns its cost, except FLOPs.
type compiler interface {
	compile(text []byte) (Cost, error)
}

// digest is the hash of a program's text.
type digest [sha256.Size]byte

type program struct {
	compute.Executable
	digest  digest
	users   int
	element *list.Element // element of the list of unused programs
}

func newCachingBackend(backend *xla.Backend, exact bool) *cachingBackend {
	return &cachingBackend{Backend: backend, exact: exact, programs: map[digest]*program{},
		donors: map[string][]string{}}
}

// Builder implements compute.Backend. All programs have the same name in XLA, so that equal programs have equal texts.
func (b *cachingBackend) Builder(name string) compute.Builder {
	inner, ok := b.Backend.Builder("program").(*xla.Builder)
	if !ok || inner == nil {
		return nil
	}
	return &cachingBuilder{Builder: inner, backend: b, graph: name}
}

// donate implements donor.
func (b *cachingBackend) donate(graph string, parameters []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.donors != nil {
		b.donors[graph] = parameters
	}
}

// takeDonors returns the parameters that the graph may overwrite, by their names in the program's text, and forgets
// them.
func (b *cachingBackend) takeDonors(graph string) map[string]bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	names := map[string]bool{}
	for _, parameter := range b.donors[graph] {
		names["%"+stablehlo.ConvertToValidName(parameter)] = true
	}
	delete(b.donors, graph)
	return names
}

// BufferFromFlatData implements compute.DataInterface.
func (b *cachingBackend) BufferFromFlatData(device compute.DeviceNum, flat any, shape shapes.Shape) (
	compute.Buffer, error) {
	buffer, err := b.Backend.BufferFromFlatData(device, flat, shape)
	return b.own(buffer), withMemory(err)
}

// NewSharedBuffer implements compute.DataInterface.
func (b *cachingBackend) NewSharedBuffer(device compute.DeviceNum, shape shapes.Shape) (compute.Buffer, any,
	error) {
	buffer, flat, err := b.Backend.NewSharedBuffer(device, shape)
	return b.own(buffer), flat, err
}

// ownedBuffer is a buffer that belongs to the cachingBackend, because GoMLX compares a buffer's backend with its own.
type ownedBuffer struct {
	compute.Buffer
	backend *cachingBackend
}

func (b *cachingBackend) own(buffer compute.Buffer) compute.Buffer {
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

// cachingBuilder is a builder whose program may be in the cache.
type cachingBuilder struct {
	*xla.Builder
	backend *cachingBackend
	graph   string
	placed  bool // the program has a device assignment
}

// DeviceAssignment implements compute.Builder.
func (b *cachingBuilder) DeviceAssignment(devices ...compute.DeviceNum) error {
	b.placed = true
	return b.Builder.DeviceAssignment(devices...)
}

// DistributedSPMD implements compute.Builder.
func (b *cachingBuilder) DistributedSPMD(devices int) error {
	b.placed = true
	return b.Builder.DistributedSPMD(devices)
}

// DistributedAutoSharding implements compute.Builder.
func (b *cachingBuilder) DistributedAutoSharding(meshes ...compute.Mesh) error {
	b.placed = true
	return b.Builder.DistributedAutoSharding(meshes...)
}

// Compile implements compute.Builder.
func (b *cachingBuilder) Compile() (compute.Executable, error) {
	text, err := b.text()
	if compiler := b.backend.compiler; compiler != nil && err == nil {
		cost, err := compiler.compile(text)
		cost.FLOPs = flops(b.main())
		return &costedProgram{of: cost}, err
	}
	if b.placed || err != nil {
		made, err := b.Builder.Compile()
		if err != nil {
			return nil, err
		}
		return b.backend.lend(&program{Executable: made, users: 1}), nil
	}
	key := digest(sha256.Sum256(text))
	if known := b.backend.find(key); known != nil {
		return b.backend.lend(known), nil
	}
	made, err := b.Builder.Compile()
	if err != nil {
		return nil, err
	}
	return b.backend.lend(b.backend.insert(key, made)), nil
}

// text returns the program in the form that XLA reads.
func (b *cachingBuilder) text() ([]byte, error) {
	inner, functions := b.program()
	for _, f := range functions {
		if f.Name == stablehlo.MainFunctionName {
			markDonors(f, b.backend.takeDonors(b.graph))
		}
		if b.backend.exact {
			convolveExactly(f)
		}
	}
	return inner.Build()
}

// program returns the program and its functions. It uses reflection because go-xla does not export them.
func (b *cachingBuilder) program() (*stablehlo.Builder, []*stablehlo.Function) {
	field := reflect.ValueOf(b.Builder).Elem().FieldByName("builder")
	inner := *(**stablehlo.Builder)(unsafe.Pointer(field.UnsafeAddr()))
	field = reflect.ValueOf(inner).Elem().FieldByName("functions")
	return inner, *(*[]*stablehlo.Function)(unsafe.Pointer(field.UnsafeAddr()))
}

// main returns the function that a call of the program runs.
func (b *cachingBuilder) main() *stablehlo.Function {
	_, functions := b.program()
	at := slices.IndexFunc(functions, func(f *stablehlo.Function) bool { return f.Name == stablehlo.MainFunctionName })
	return functions[at]
}

// markDonors lets XLA write outputs into the memory of the named parameters. Without the mark, variables exist twice at
// the end of a step, although GoMLX has given their old memory away.
func markDonors(main *stablehlo.Function, names map[string]bool) {
	for _, parameter := range main.Inputs {
		if !names[parameter.String()] {
			continue
		}
		if parameter.Attributes == nil {
			parameter.Attributes = map[string]any{}
		}
		parameter.Attributes["jax.buffer_donor"] = true
	}
}

// convolveExactly raises the precision of the convolutions of f to the highest. go-xla leaves the default, with which
// cuDNN rounds float32 to TF32; its option tf32 affects only matrix products.
func convolveExactly(f *stablehlo.Function) {
	for _, statement := range f.Statements {
		if given, ok := statement.Attributes["precision_config"]; ok && statement.OpType.String() == "Convolution" {
			text := reflect.New(reflect.TypeOf(given)).Elem() // a string whose type go-xla does not export
			text.SetString(strings.ReplaceAll(reflect.ValueOf(given).String(), "DEFAULT", "HIGHEST"))
			statement.Attributes["precision_config"] = text.Interface()
		}
		for _, inner := range statement.FunctionParameters {
			convolveExactly(inner)
		}
	}
}

// find returns the program with the digest and counts one more user; it returns nil if there is no such program.
func (b *cachingBackend) find(key digest) *program {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.take(key)
}

func (b *cachingBackend) take(key digest) *program {
	known := b.programs[key]
	if known == nil {
		return nil
	}
	if known.users++; known.element != nil {
		b.unused.Remove(known.element)
		known.element = nil
	}
	return known
}

// insert caches a compiled program. If another caller was faster, it returns the cached program instead.
func (b *cachingBackend) insert(key digest, made compute.Executable) *program {
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

// release ends a use of a program. Only the latest unused programs are kept.
func (b *cachingBackend) release(p *program) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if p.users--; p.users > 0 {
		return
	}
	if b.programs[p.digest] != p {
		p.Executable.Finalize()
		return
	}
	p.element = b.unused.PushBack(p)
	for b.unused.Len() > mostPrograms {
		oldest := b.unused.Remove(b.unused.Front()).(*program)
		delete(b.programs, oldest.digest)
		oldest.Executable.Finalize()
	}
}

// programUse is one user's handle of a program.
type programUse struct {
	*program
	backend *cachingBackend
	cleanup runtime.Cleanup // releases the program if it is never finalized
}

func (b *cachingBackend) lend(p *program) *programUse {
	l := &programUse{program: p, backend: b}
	l.cleanup = runtime.AddCleanup(l, b.release, p)
	return l
}

// Finalize implements compute.Executable.
func (l *programUse) Finalize() {
	if l.program != nil {
		l.cleanup.Stop()
		l.backend.release(l.program)
		l.program = nil
	}
}

// Execute implements compute.Executable.
func (l *programUse) Execute(inputs []compute.Buffer, donate []bool, device compute.DeviceNum) ([]compute.Buffer,
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
	return outputs, withMemory(err)
}

// withMemory says what to do about an error of a device whose memory is full; go-xla prints PJRT's code of such errors.
func withMemory(err error) error {
	if err == nil || !strings.Contains(err.Error(), "PJRT error (code=8)") {
		return err
	}
	return fmt.Errorf("the device's memory is full; use smaller batches or 16-bit numbers: %w", err)
}
