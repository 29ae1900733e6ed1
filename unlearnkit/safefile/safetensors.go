package safefile

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
)

// Tensor describes a named array, without its elements.
type Tensor struct {
	Name  string
	Type  Type
	Shape []int // size of each axis; empty for a single number
}

// Elements returns the number of elements.
func (t Tensor) Elements() int {
	product, ok := shapeBytes(t.Shape, 1)
	if !ok {
		panic(fmt.Sprintf("safefile: the shape %v of %q has no number of elements", t.Shape, t.Name))
	}
	return int(product)
}

// Tensors holds the named arrays of a safetensors file, a folder of safetensors files, or an npz file. Concurrent
// reading is safe; closing is not.
type Tensors struct {
	path     string
	names    []string
	stored   map[string]storedTensor
	metadata map[string]string
	mappings []mapping
}

// storedTensor is a tensor with its elements, little-endian and in row-major order.
type storedTensor struct {
	Tensor
	path string // file of the tensor
	data []byte
}

// Open maps a safetensors file into memory. Close it after use. A file must not be truncated while it is open: replace
// it, as WriteTensors does. NaN and infinite weights are not errors, see NonFinite.
func Open(path string) (*Tensors, error) {
	t := &Tensors{path: path, stored: map[string]storedTensor{}}
	metadata, err := t.add(path)
	if err != nil {
		t.Close() //nolint:errcheck // the first error is reported
		return nil, err
	}
	t.metadata = metadata
	t.sortNames()
	return t, nil
}

// add maps one file and adds its tensors.
func (t *Tensors) add(path string) (metadata map[string]string, err error) {
	content, err := mapFile(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	t.mappings = append(t.mappings, content)
	all, metadata, err := parseTensors(content)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, withAdvice(err, path, content))
	}
	for _, one := range all {
		if other, twice := t.stored[one.Name]; twice {
			return nil, fmt.Errorf("read %s: tensor %.80q is also in %s", path, one.Name, filepath.Base(other.path))
		}
		one.path = path
		t.stored[one.Name] = one
	}
	return metadata, nil
}

// parseTensors parses a safetensors file without copying the elements.
func parseTensors(content []byte) ([]storedTensor, map[string]string, error) {
	header, data, err := splitHeader(content)
	if err != nil {
		return nil, nil, err
	}
	regions, metadata, err := parseHeader(header, len(data))
	if err != nil {
		return nil, nil, err
	}
	all := make([]storedTensor, len(regions))
	for i, r := range regions {
		all[i] = storedTensor{Tensor: r.Tensor, data: data[r.begin:r.end:r.end]}
	}
	return all, metadata, nil
}

func (t *Tensors) sortNames() {
	for name := range t.stored {
		t.names = append(t.names, name)
	}
	slices.Sort(t.names)
}

// Close releases the memory. Slices from Bytes must not be used afterwards.
func (t *Tensors) Close() error {
	var problems []error
	for _, m := range t.mappings {
		problems = append(problems, m.close())
	}
	t.names, t.stored, t.mappings = nil, nil, nil
	return errors.Join(problems...)
}

// Names returns the names of all tensors in alphabetical order.
func (t *Tensors) Names() []string { return slices.Clone(t.names) }

// Metadata returns the file's metadata, or nil without metadata.
func (t *Tensors) Metadata() map[string]string { return t.metadata }

// Tensor returns the type and shape of a tensor, or false if there is no tensor with that name.
func (t *Tensors) Tensor(name string) (Tensor, bool) {
	s, ok := t.stored[name]
	return s.Tensor, ok
}

// find returns a tensor, or an error that lists the tensors.
func (t *Tensors) find(name string) (storedTensor, error) {
	s, ok := t.stored[name]
	if !ok {
		return s, fmt.Errorf("read %s: no tensor %.80q; it has %s", t.path, name, quotedList(t.names))
	}
	return s, nil
}

// findSized returns a tensor like find. It checks that a slice to fill has the right length.
func (t *Tensors) findSized(name string, length int) (storedTensor, error) {
	s, err := t.find(name)
	if err == nil && s.Elements() != length {
		err = s.errorf("shape %s has %d elements, %d were asked for", shapeText(s.Shape), s.Elements(), length)
	}
	return s, err
}

func (s storedTensor) errorf(format string, values ...any) error {
	return fmt.Errorf("read %s: tensor %.80q: %s", s.path, s.Name, fmt.Sprintf(format, values...))
}

// Bytes returns a tensor's elements as stored in the file, little-endian and in row-major order. They must not be
// changed.
func (t *Tensors) Bytes(name string) ([]byte, error) {
	s, err := t.find(name)
	return s.data, err
}

// Float32 fills dst with a tensor's elements in row-major order, whatever their type. The length of dst must be the
// number of elements.
func (t *Tensors) Float32(name string, dst []float32) error {
	s, err := t.findSized(name, len(dst))
	if err == nil {
		s.Type.float32s(dst, s.data)
	}
	return err
}

// Float64 fills a slice of float64 like Float32.
func (t *Tensors) Float64(name string, dst []float64) error {
	s, err := t.findSized(name, len(dst))
	if err == nil {
		s.Type.float64s(dst, s.data)
	}
	return err
}

// Int64 fills dst with the elements of a tensor of integers or booleans.
func (t *Tensors) Int64(name string, dst []int64) error {
	s, err := t.findSized(name, len(dst))
	switch {
	case err != nil:
		return err
	case s.Type.float():
		return s.errorf("integers were expected, not %s", s.Type)
	case !s.Type.int64s(dst, s.data):
		return s.errorf("it holds integers above %d", math.MaxInt64)
	}
	return nil
}

// NonFinite counts a tensor's elements that are NaN or infinite.
func (t *Tensors) NonFinite(name string) (int, error) {
	s, err := t.find(name)
	if err != nil {
		return 0, err
	}
	return s.Type.nonFinite(s.data), nil
}
