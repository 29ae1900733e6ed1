package safefile

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// safetensorsFile returns the header's length, the header and data zero bytes.
func safetensorsFile(header string, data int) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(header)))) + header + strings.Repeat("\x00", data)
}

// attack is a file that must be refused, with a part of the expected error.
type attack struct{ name, content, says string }

var safetensorsAttacks = []attack{
	{"tiny", "abc", "the file has 3 bytes, the length of a safetensors header needs 8"},
	{"bomb", "\x00\x00\x00\x46\x02\x00\x00\x00abcd", "header claims 9.1 GiB, file has 12 bytes"},
	{"largest", "\xff\xff\xff\xff\xff\xff\xff\xff{}", "header claims 16.0 EiB, file has 10 bytes"},
	{"magic", safetensorsFile("hello", 0), "header does not begin with {: not a safetensors file"},
	{"empty header", safetensorsFile("", 8), "header does not begin with {"},
	{"cut JSON", safetensorsFile(`{"x":{"dtype":"F32"`, 0), "header: not one whole JSON value"},
	{"two values", safetensorsFile(`{}{}`, 0), "header: not one whole JSON value"},
	{"zeros behind", safetensorsFile("{}\x00\x00", 0), "header: not one whole JSON value"},
	{"not UTF-8", safetensorsFile("{\"\xff\":1}", 0), "header: not UTF-8"},
	{"deep", safetensorsFile(`{"x":`+strings.Repeat("[", 1<<16)+strings.Repeat("]", 1<<16)+"}", 0),
		"header: not one whole JSON value"},
	{"deep shape", safetensorsFile(`{"x":{"dtype":"F32","shape":[[[[1]]]],"data_offsets":[0,4]}}`, 4),
		`tensor "x": shape: "[" is not a size`},
	{"list", safetensorsFile(`{"x":[1,2]}`, 0), `header: tensor "x": an object was expected, not "["`},
	{"twice", safetensorsFile(
		`{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"x":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 2),
		`the key "x" occurs twice`},
	{"twice escaped", safetensorsFile(
		`{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},
			"\u0078":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 2),
		`the key "x" occurs twice`},
	{"two shapes", safetensorsFile(`{"x":{"dtype":"U8","shape":[9],"shape":[1],"data_offsets":[0,1]}}`, 1),
		`tensor "x": the key "shape" occurs twice`},
	{"no dtype", safetensorsFile(`{"x":{"shape":[1],"data_offsets":[0,1]}}`, 1), `tensor "x": it has no dtype`},
	{"no shape", safetensorsFile(`{"x":{"dtype":"U8","data_offsets":[0,1]}}`, 1), `tensor "x": it has no shape`},
	{"no offsets", safetensorsFile(`{"x":{"dtype":"U8","shape":[1]}}`, 1), `tensor "x": it has 0 data_offsets, not 2`},
	{"three offsets", safetensorsFile(`{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1,1]}}`, 1),
		`tensor "x": it has 3 data_offsets, not 2`},
	{"dtype", safetensorsFile(`{"x":{"dtype":"F4","shape":[1],"data_offsets":[0,1]}}`, 1),
		`tensor "x": elements of type "F4" are not read; BOOL U8`},
	{"strange key", safetensorsFile(`{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1],"code":"os.system"}}`, 1),
		`tensor "x": the key "code" is not dtype`},
	{"metadata", safetensorsFile(`{"__metadata__":{"a":[1]}}`, 0),
		`header: __metadata__: a string was expected, not "["`},
	{"negative", safetensorsFile(`{"x":{"dtype":"U8","shape":[-1,-1],"data_offsets":[0,1]}}`, 1),
		`tensor "x": shape: "-1" is not a size`},
	{"fraction", safetensorsFile(`{"x":{"dtype":"U8","shape":[1.0],"data_offsets":[0,1]}}`, 1),
		`tensor "x": shape: "1.0" is not a size`},
	{"word", safetensorsFile(`{"x":{"dtype":"U8","shape":["1"],"data_offsets":[0,1]}}`, 1),
		`tensor "x": shape: "1" is not a size`},
	{"65 bits", safetensorsFile(`{"x":{"dtype":"U8","shape":[36893488147419103232],"data_offsets":[0,1]}}`, 1),
		`is not a size`},
	{"overflow", safetensorsFile(`{"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,0]}}`, 0),
		`tensor "x": the shape [4294967296 4294967296] overflows`},
	{"overflow by type", safetensorsFile(`{"x":{"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]}}`, 0),
		`tensor "x": the shape [2305843009213693952] overflows`},
	{"size", safetensorsFile(`{"x":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, 4),
		`tensor "x": shape [2] of F32 needs 8 bytes, its offsets span 4 bytes`},
	{"backwards", safetensorsFile(`{"x":{"dtype":"U8","shape":[1],"data_offsets":[1,0]}}`, 1),
		`tensor "x": it ends at byte 0, before its begin at 1`},
	{"beyond", safetensorsFile(`{"x":{"dtype":"U8","shape":[9000000000],"data_offsets":[0,9000000000]}}`, 1),
		`tensor "x" ends at byte 9000000000 of the data, the file has 1`},
	{"overlap", safetensorsFile(
		`{"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"y":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}}`, 6),
		`tensor "y" overlaps tensor "x" by 2 bytes`},
	{"same place", safetensorsFile(
		`{"x":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"y":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}`, 4),
		`overlaps tensor`},
	{"hole", safetensorsFile(
		`{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"y":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}}`, 4),
		`a hole of 2 bytes between tensor "x" and tensor "y"`},
	{"hole at the start", safetensorsFile(`{"x":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 2),
		`a hole of 1 byte between the header and tensor "x"`},
	{"rest", safetensorsFile(`{"x":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}}`, 5),
		`4 bytes behind tensor "x" belong to no tensor`},
}

func TestSafetensors_Attacks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.safetensors")
	for _, attack := range safetensorsAttacks {
		if err := os.WriteFile(path, []byte(attack.content), 0o644); err != nil {
			t.Fatal(err)
		}
		tensors, err := Open(path)
		if err == nil {
			t.Errorf("%s: opened as %v", attack.name, tensors.Names())
			continue
		}
		checkRefusal(t, attack.name, err, "read "+path+": ", attack.says)
	}
	if _, err := Open("testdata"); err == nil || err.Error() != "read testdata: it is a folder, a file was expected" {
		t.Error(err)
	}
	if _, err := Open("testdata/complex.safetensors"); err == nil ||
		!strings.Contains(err.Error(), `tensor "x": elements of type "C64" are not read`) {
		t.Error(err)
	}
}

func TestSafetensors_HeaderBound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.safetensors")
	if err := os.WriteFile(path, binary.LittleEndian.AppendUint64(nil, 150_000_000), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, 200_000_000); err != nil { // a sparse file takes no space on the disk
		t.Fatal(err)
	}
	_, err := Open(path)
	checkRefusal(t, "long header", err, "read "+path+": ", "header claims 143.1 MiB, at most 95.4 MiB are read")
}

// checkRefusal checks the form of an error.
func checkRefusal(t *testing.T, name string, err error, begins, says string) {
	t.Helper()
	if err == nil {
		t.Errorf("%s: no error", name)
		return
	}
	message := err.Error()
	if !strings.HasPrefix(message, begins) || !strings.Contains(message, says) || strings.Contains(message, "\n") ||
		len(message) > 1000 {
		t.Errorf("%s:\n%s\ndoes not begin with %q and say %q", name, message, begins, says)
	}
}

// bytesAllocated returns the memory that was allocated, freed or not, while act ran.
func bytesAllocated(act func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	act()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A small file allocates little memory, whatever it claims.
func TestSafetensors_Memory(t *testing.T) {
	for _, attack := range safetensorsAttacks {
		// nolint:errcheck // refused, as another test checks
		allocated := bytesAllocated(func() { parseTensors([]byte(attack.content)) })
		if limit := uint64(64<<10 + 20*len(attack.content)); allocated > limit {
			t.Errorf("%s: %d bytes allocated for %d", attack.name, allocated, len(attack.content))
		}
	}
}

func TestSafetensors_Truncated(t *testing.T) {
	whole, err := os.ReadFile("testdata/types.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	for length := range whole {
		if _, _, err := parseTensors(whole[:length]); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%d bytes: %v", length, err)
		}
	}
}

func FuzzSafetensors(f *testing.F) {
	addFixtures(f, ".safetensors")
	for _, attack := range safetensorsAttacks {
		f.Add([]byte(attack.content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		all, _, err := parseTensors(content)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		bytes := 0
		for _, one := range all {
			if len(one.data) != one.Elements()*one.Type.Size() {
				t.Errorf("%v has %d bytes", one.Tensor, len(one.data))
			}
			one.Type.float32s(make([]float32, one.Elements()), one.data)
			one.Type.nonFinite(one.data)
			bytes += len(one.data)
		}
		if header := binary.LittleEndian.Uint64(content); uint64(len(content)) != 8+header+uint64(bytes) {
			t.Errorf("%d bytes of tensors behind a header of %d in a file of %d", bytes, header, len(content))
		}
	})
}
