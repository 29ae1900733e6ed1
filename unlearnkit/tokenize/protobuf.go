package tokenize

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// A field is a field of a message in protocol buffers' wire format: a number for the kinds varint, fixed64 and fixed32,
// otherwise bytes.
type field struct {
	number int
	kind   int
	value  uint64
	bytes  []byte
}

const (
	varintField  = 0
	fixed64Field = 1
	bytesField   = 2
	fixed32Field = 5
)

var errCut = errors.New("a field is cut off")

// eachField calls use with the fields of message in order.
func eachField(message []byte, use func(field) error) error {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return errCut
		}
		message = message[n:]
		f := field{number: int(tag >> 3), kind: int(tag & 7)}
		switch f.kind {
		case varintField:
			f.value, n = binary.Uvarint(message)
			if n <= 0 {
				return errCut
			}
		case fixed64Field:
			n = 8
		case fixed32Field:
			n = 4
		case bytesField:
			length, header := binary.Uvarint(message)
			if header <= 0 || length > uint64(len(message)-header) {
				return errCut
			}
			f.bytes = message[header : header+int(length)]
			n = header + int(length)
		default:
			return fmt.Errorf("field %d is of the unknown kind %d", f.number, f.kind)
		}
		if n > len(message) {
			return errCut
		}
		if f.kind == fixed32Field {
			f.value = uint64(binary.LittleEndian.Uint32(message))
		}
		message = message[n:]
		if err := use(f); err != nil {
			return err
		}
	}
	return nil
}

// float returns the value of a field of protocol buffers' type float.
func (f field) float() float32 { return math.Float32frombits(uint32(f.value)) }

// is reports whether the field has the number and kind.
func (f field) is(number, kind int) bool { return f.number == number && f.kind == kind }
