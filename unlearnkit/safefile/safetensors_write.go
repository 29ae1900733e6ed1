package safefile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// TensorData is a tensor to be written. Make one with TensorOf or TensorOfBytes.
type TensorData struct {
	Tensor
	bytes int64 // number of bytes that write writes
	write func(io.Writer) error
}

// Number lists the Go types of a tensor's elements.
type Number interface {
	uint8 | int8 | uint16 | int16 | uint32 | int32 | uint64 | int64 | float32 | float64
}

// numberTypes maps each Number to its type.
var numberTypes = map[any]Type{uint8(0): U8, int8(0): I8, uint16(0): U16, int16(0): I16, uint32(0): U32, int32(0): I32,
	uint64(0): U64, int64(0): I64, float32(0): F32, float64(0): F64}

// TensorOf describes values in row-major order as a tensor. The values are read when they are written, not before.
func TensorOf[T Number](name string, shape []int, values []T) TensorData {
	kind := numberTypes[T(0)]
	return TensorData{Tensor{name, kind, shape}, int64(len(values)) * int64(kind.Size()), func(target io.Writer) error {
		const chunk = 1 << 13
		buffer := make([]byte, chunk*kind.Size())
		for part := range slices.Chunk(values, chunk) {
			n, err := binary.Encode(buffer, binary.LittleEndian, part)
			if err != nil {
				return err
			}
			if _, err := target.Write(buffer[:n]); err != nil {
				return err
			}
		}
		return nil
	}}
}

// TensorOfBytes describes elements of any type, little-endian and in row-major order, as a tensor.
func TensorOfBytes(name string, kind Type, shape []int, data []byte) TensorData {
	return TensorData{Tensor{name, kind, shape}, int64(len(data)), func(target io.Writer) error {
		_, err := target.Write(data)
		return err
	}}
}

// check returns an error if no reader could read the tensor.
func (t TensorData) check() error {
	needs, ok := shapeBytes(t.Shape, max(t.Type.Size(), 1))
	switch {
	case !utf8.ValidString(t.Name):
		return fmt.Errorf("tensor %.80q: the name is not UTF-8", t.Name)
	case t.Type.Size() == 0:
		return fmt.Errorf("tensor %.80q: %w", t.Name, t.Type.unknown())
	case !ok || needs != t.bytes:
		return fmt.Errorf("tensor %.80q: shape %s of %s does not have %s", t.Name, shapeText(t.Shape), t.Type,
			byteCount(t.bytes))
	}
	return nil
}

// WriteTensors writes a safetensors file. It writes the same bytes as safetensors' own library for the same tensors in
// any order. That library writes metadata in random order; here they are sorted.
func WriteTensors(path string, tensors []TensorData, metadata map[string]string) error {
	sorted := slices.SortedFunc(slices.Values(tensors), func(a, b TensorData) int {
		return cmp.Or(slices.Index(types, b.Type)-slices.Index(types, a.Type), cmp.Compare(a.Name, b.Name))
	})
	header, err := headerText(sorted, metadata)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return WriteFile(path, func(target io.Writer) error {
		length := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
		if _, err := target.Write(append(length, header...)); err != nil {
			return err
		}
		for _, t := range sorted {
			if err := t.write(target); err != nil {
				return err
			}
		}
		return nil
	})
}

// headerText writes the header as safetensors' own library does, padded with spaces to align the data.
func headerText(tensors []TensorData, metadata map[string]string) ([]byte, error) {
	var fields [][]byte
	if metadata != nil {
		field, err := metadataText(metadata)
		if err != nil {
			return nil, err
		}
		fields = append(fields, field)
	}
	seen := map[string]bool{"__metadata__": true}
	begin := int64(0)
	for _, t := range tensors {
		if err := t.check(); err != nil {
			return nil, err
		}
		if seen[t.Name] {
			return nil, fmt.Errorf("the name %.80q is taken", t.Name)
		}
		seen[t.Name] = true
		field := fmt.Appendf(appendQuoted(nil, t.Name), `:{"dtype":"%s","shape":[`, t.Type)
		for i, n := range t.Shape {
			if i > 0 {
				field = append(field, ',')
			}
			field = strconv.AppendInt(field, int64(n), 10)
		}
		fields = append(fields, fmt.Appendf(field, `],"data_offsets":[%d,%d]}`, begin, begin+t.bytes))
		begin += t.bytes
	}
	header := slices.Concat([]byte("{"), bytes.Join(fields, []byte(",")), []byte("}"))
	header = append(header, bytes.Repeat([]byte(" "), (8-len(header)%8)%8)...)
	if len(header) > maxHeaderBytes {
		return nil, fmt.Errorf("the header needs %s, readers take at most %s", byteCount(len(header)),
			byteCount(maxHeaderBytes))
	}
	return header, nil
}

func metadataText(metadata map[string]string) ([]byte, error) {
	var words [][]byte
	for _, key := range slices.Sorted(maps.Keys(metadata)) {
		if !utf8.ValidString(key) || !utf8.ValidString(metadata[key]) {
			return nil, errors.New("the metadata are not UTF-8")
		}
		words = append(words, appendQuoted(append(appendQuoted(nil, key), ':'), metadata[key]))
	}
	return slices.Concat([]byte(`"__metadata__":{`), bytes.Join(words, []byte(",")), []byte("}")), nil
}

// appendQuoted writes text as a JSON string with as few escapes as serde_json, the JSON writer of safetensors' own
// library; encoding/json escapes more.
func appendQuoted(target []byte, text string) []byte {
	short := map[byte]string{'"': `\"`, '\\': `\\`, '\b': `\b`, '\f': `\f`, '\n': `\n`, '\r': `\r`, '\t': `\t`}
	target = append(target, '"')
	for i := range len(text) {
		escaped, ok := short[text[i]]
		switch {
		case ok:
			target = append(target, escaped...)
		case text[i] < ' ':
			target = fmt.Appendf(target, `\u%04x`, text[i])
		default:
			target = append(target, text[i])
		}
	}
	return append(target, '"')
}
