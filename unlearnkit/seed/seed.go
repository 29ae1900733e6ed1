// Package seed hands out named streams of random numbers.
//
// All randomness of the laboratory is drawn on the host from here. A stream is found by the root seed and a path of
// names, never by the order of calls, so a result does not change when another stage is added before it, when runs are
// spread over processors, or when a map is walked in another order:
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
// Path elements are strings, integers or booleans; each is written with its kind and, for strings, its length, so
// ("ab", "c") and ("a", "bc") differ, and so do 1 and "1". Any other kind is a mistake of the caller and panics.
func Key(root uint64, path ...any) [32]byte {
	encoded := binary.LittleEndian.AppendUint64([]byte("unlearnlab/seed/1\x00"), root)
	for _, element := range path {
		encoded = appendElement(encoded, element)
	}
	return sha256.Sum256(encoded)
}

// Stream returns the generator named by root and path: ChaCha8 keyed with [Key]. Two calls with equal arguments return
// independent generators that yield the same numbers.
func Stream(root uint64, path ...any) *rand.Rand {
	return rand.New(rand.NewChaCha8(Key(root, path...)))
}

// Derive returns a root for streams of a part, for handing down to code that should not know where it stands in the
// whole.
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
