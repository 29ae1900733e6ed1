// Package seed provides named streams of random numbers.
//
// All randomness of the laboratory is drawn from here, on the host. A stream is identified by the root seed and a path
// of names, never by the order of calls. A result therefore does not change if another stage is added before it, if
// runs are distributed over processors, or if a map is iterated in another order:
//
//	shuffle := seed.Stream(42, "salmu", "shuffle", "epoch", 3)
package seed

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// Key is the identity of a stream: the SHA-256 of its root and path.
//
// Path elements are strings, integers or booleans. Each is encoded with its kind and, for strings, its length, so that
// ("ab", "c") and ("a", "bc") differ, and so do 1 and "1". Any other kind is a mistake of the caller and panics.
func Key(root uint64, path ...any) [32]byte {
	encoded := binary.LittleEndian.AppendUint64([]byte("unlearnlab/seed/1\x00"), root)
	for _, element := range path {
		encoded = appendElement(encoded, element)
	}
	return sha256.Sum256(encoded)
}

// Stream returns the generator named by root and path: ChaCha8 keyed with [Key]. Two calls with equal arguments return
// separate generators of the same numbers.
func Stream(root uint64, path ...any) *rand.Rand {
	return rand.New(rand.NewChaCha8(Key(root, path...)))
}

// Derive returns a root for the streams of a part, for code that should not know its path in the whole.
func Derive(root uint64, path ...any) uint64 {
	key := Key(root, path...)
	return binary.LittleEndian.Uint64(key[:])
}

func appendElement(encoded []byte, element any) []byte {
	switch e := element.(type) {
	case string:
		encoded = append(encoded, 's')
		encoded = binary.LittleEndian.AppendUint64(encoded, uint64(len(e)))
		return append(encoded, e...)
	case int:
		return appendInteger(encoded, int64(e))
	case int64:
		return appendInteger(encoded, e)
	case uint64:
		encoded = append(encoded, 'u')
		return binary.LittleEndian.AppendUint64(encoded, e)
	case bool:
		if e {
			return append(encoded, 'b', 1)
		}
		return append(encoded, 'b', 0)
	}
	panic(fmt.Sprintf("seed: a path element of type %T", element))
}

func appendInteger(encoded []byte, i int64) []byte {
	return binary.LittleEndian.AppendUint64(append(encoded, 'i'), uint64(i))
}
