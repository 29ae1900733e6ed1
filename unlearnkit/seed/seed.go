// Package seed provides named streams of random numbers.
//
// All random numbers in the program come from this package and are drawn on the host, not on a device. A root seed and
// a path of names identify a stream, independent of the order of calls. A result therefore does not change if an
// earlier stage is added, if runs are distributed over processors, or if a map is iterated in another order:
//
//	shuffle := seed.Stream(42, "salmu", "shuffle", "epoch", 3)
package seed

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// Key returns the key of a stream: the SHA-256 of its root and path.
//
// Path elements are strings, integers or booleans. Each is encoded with its kind and, for strings, its length.
// Therefore ("ab", "c") and ("a", "bc") give different keys, and so do 1 and "1". Key panics for other kinds.
func Key(root uint64, path ...any) [32]byte {
	encoded := binary.LittleEndian.AppendUint64([]byte("unlearnlab/seed/1\x00"), root)
	for _, element := range path {
		encoded = appendElement(encoded, element)
	}
	return sha256.Sum256(encoded)
}

// Stream returns a random generator for a root and a path: ChaCha8 with the key [Key]. Two calls with equal arguments
// return separate generators of the same numbers.
func Stream(root uint64, path ...any) *rand.Rand {
	return rand.New(rand.NewChaCha8(Key(root, path...)))
}

// Derive returns a root seed for a part of a computation, whose code then does not need the path to the part.
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
