package tokenize

import (
	"errors"
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// A field is a field of a message in protocol buffers' wire format. It holds a number, or bytes if its kind is
// [protowire.BytesType].
type field struct {
	number protowire.Number
	kind   protowire.Type
	value  uint64
	bytes  []byte
}

var errCut = errors.New("a field is cut off")

// eachField calls use with the fields of message in order.
func eachField(message []byte, use func(field) error) error {
	for len(message) > 0 {
		f, n, err := nextField(message)
		if err != nil {
			return err
		}
		message = message[n:]
		if err := use(f); err != nil {
			return err
		}
	}
	return nil
}

// nextField reads the first field of message and returns its length.
func nextField(message []byte) (f field, length int, err error) {
	number, kind, n := protowire.ConsumeTag(message)
	if n < 0 {
		return f, 0, errCut
	}
	f.number, f.kind = number, kind
	m, rest := 0, message[n:]
	switch kind {
	case protowire.VarintType:
		f.value, m = protowire.ConsumeVarint(rest)
	case protowire.Fixed64Type:
		f.value, m = protowire.ConsumeFixed64(rest)
	case protowire.Fixed32Type:
		var value uint32
		value, m = protowire.ConsumeFixed32(rest)
		f.value = uint64(value)
	case protowire.BytesType:
		f.bytes, m = protowire.ConsumeBytes(rest)
	default:
		return f, 0, fmt.Errorf("field %d is of the unknown kind %d", number, kind)
	}
	if m < 0 {
		return f, 0, errCut
	}
	return f, n + m, nil
}

// float returns the value of a field of protocol buffers' type float.
func (f field) float() float32 { return math.Float32frombits(uint32(f.value)) }

// is reports whether the field has the number and kind.
func (f field) is(number protowire.Number, kind protowire.Type) bool { return f.number == number && f.kind == kind }
