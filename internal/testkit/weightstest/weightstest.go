// Package weightstest holds embedded weights to the training that has made them.
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

// Check compares weights with those that making them gives, in the order of a struct's fields. That is done in the slow
// run; with -regen they are written to their file, beside the test.
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
		t.Errorf("%s holds other weights than those that are made", file)
	}
}
