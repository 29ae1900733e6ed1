package safefile

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Type is the storage type of a tensor's elements, as the safetensors format names it.
type Type string

// The supported types.
const (
	BOOL   Type = "BOOL"
	U8     Type = "U8"
	I8     Type = "I8"
	F8E5M2 Type = "F8_E5M2"
	F8E4M3 Type = "F8_E4M3"
	I16    Type = "I16"
	U16    Type = "U16"
	F16    Type = "F16"
	BF16   Type = "BF16"
	I32    Type = "I32"
	U32    Type = "U32"
	F32    Type = "F32"
	F64    Type = "F64"
	I64    Type = "I64"
	U64    Type = "U64"
)

// types is in the order of the enumeration in safetensors' own library, which sorts the tensors of a file in descending
// order of type.
var types = []Type{BOOL, U8, I8, F8E5M2, F8E4M3, I16, U16, F16, BF16, I32, U32, F32, F64, I64, U64}

// Size returns the bytes of one element, or 0 for an unknown type.
func (t Type) Size() int {
	switch t {
	case BOOL, U8, I8, F8E5M2, F8E4M3:
		return 1
	case I16, U16, F16, BF16:
		return 2
	case I32, U32, F32:
		return 4
	case F64, I64, U64:
		return 8
	}
	return 0
}

// float reports whether elements of the type are floating-point numbers.
func (t Type) float() bool { return slices.Contains([]Type{F8E5M2, F8E4M3, F16, BF16, F32, F64}, t) }

// unknown returns the error for an unsupported type.
func (t Type) unknown() error {
	known := make([]string, len(types))
	for i, one := range types {
		known[i] = string(one)
	}
	return fmt.Errorf("elements of type %.20q are not read; %s are", string(t), strings.Join(known, " "))
}

// number returns the function that reads one little-endian element.
func (t Type) number() func([]byte) float64 {
	little := binary.LittleEndian
	switch t {
	case BOOL:
		return func(b []byte) float64 { return float64(min(b[0], 1)) }
	case U8:
		return func(b []byte) float64 { return float64(b[0]) }
	case I8:
		return func(b []byte) float64 { return float64(int8(b[0])) }
	case F8E5M2:
		return func(b []byte) float64 { return float64(float8E5M2(b[0])) }
	case F8E4M3:
		return func(b []byte) float64 { return float64(float8E4M3(b[0])) }
	case I16:
		return func(b []byte) float64 { return float64(int16(little.Uint16(b))) }
	case U16:
		return func(b []byte) float64 { return float64(little.Uint16(b)) }
	case F16:
		return func(b []byte) float64 { return float64(float16(little.Uint16(b))) }
	case BF16:
		return func(b []byte) float64 { return float64(bfloat16(little.Uint16(b))) }
	case I32:
		return func(b []byte) float64 { return float64(int32(little.Uint32(b))) }
	case U32:
		return func(b []byte) float64 { return float64(little.Uint32(b)) }
	case F32:
		return func(b []byte) float64 { return float64(math.Float32frombits(little.Uint32(b))) }
	case F64:
		return func(b []byte) float64 { return math.Float64frombits(little.Uint64(b)) }
	case I64:
		return func(b []byte) float64 { return float64(int64(little.Uint64(b))) }
	case U64:
		return func(b []byte) float64 { return float64(little.Uint64(b)) }
	}
	panic("safefile: no such type: " + string(t))
}

// float32s converts len(dst) elements.
func (t Type) float32s(dst []float32, data []byte) {
	switch t {
	case F32:
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		}
	case F16:
		for i := range dst {
			dst[i] = float16(binary.LittleEndian.Uint16(data[2*i:]))
		}
	case BF16:
		for i := range dst {
			dst[i] = bfloat16(binary.LittleEndian.Uint16(data[2*i:]))
		}
	default:
		size, number := t.Size(), t.number()
		for i := range dst {
			dst[i] = float32(number(data[i*size:]))
		}
	}
}

// float64s converts len(dst) elements.
func (t Type) float64s(dst []float64, data []byte) {
	size, number := t.Size(), t.number()
	for i := range dst {
		dst[i] = number(data[i*size:])
	}
}

// int64s converts len(dst) integers. It returns false if a number is above the largest int64.
func (t Type) int64s(dst []int64, data []byte) bool {
	if t == I64 || t == U64 {
		for i := range dst {
			dst[i] = int64(binary.LittleEndian.Uint64(data[8*i:]))
			if t == U64 && dst[i] < 0 {
				return false
			}
		}
		return true
	}
	size, number := t.Size(), t.number()
	for i := range dst {
		dst[i] = int64(number(data[i*size:]))
	}
	return true
}

// nonFinite counts the elements that are NaN or infinite.
func (t Type) nonFinite(data []byte) int {
	if !t.float() {
		return 0
	}
	found := 0
	if t == F32 {
		const exponent = 0xff << 23
		for ; len(data) > 0; data = data[4:] {
			if binary.LittleEndian.Uint32(data)&exponent == exponent {
				found++
			}
		}
		return found
	}
	size, number := t.Size(), t.number()
	for ; len(data) > 0; data = data[size:] {
		if value := number(data); math.IsNaN(value) || math.IsInf(value, 0) {
			found++
		}
	}
	return found
}
