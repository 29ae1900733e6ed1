// Package weightstest compares embedded weights with newly made ones.
package weightstest

import (
	"bytes"
	"encoding/binary"
	"flag"
	"os"
	"runtime"
	"testing"
)

var regenerate = flag.Bool("regen", false, "make the embedded weights anew and write them")

// Check compares embedded weights with newly made ones, in the order of a struct's fields. It runs only in the slow
// test set, on amd64. With -regen it writes the new weights to file instead. costs describes what making them needs.
func Check(t *testing.T, file string, embedded []byte, costs string, make func() any) {
	t.Helper()
	if !*regenerate && os.Getenv("UNLEARNLAB_SLOW") == "" {
		t.Skipf("set UNLEARNLAB_SLOW=1 to make the weights: %s", costs)
	}
	if runtime.GOARCH != "amd64" {
		t.Skip("needs amd64: the weights are made on it")
	}
	made, err := binary.Append(nil, binary.LittleEndian, make())
	if err != nil {
		t.Fatal(err)
	}
	if *regenerate {
		if err := os.WriteFile(file, made, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(made, embedded) {
		t.Errorf("%s differs from newly made weights", file)
	}
}
