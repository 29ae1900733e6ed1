package safefile

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func ExampleOpenNpz() {
	folder, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "in.npz")
	err := WriteNpz(path, []TensorData{
		TensorOf("pixel_values", []int{1, 2}, []float32{.25, -1}),
		TensorOf("input_ids", []int{3}, []int64{49406, 320, 49407}),
	})
	fmt.Println(err)
	arrays, err := OpenNpz(path)
	fmt.Println(arrays.Names(), err)
	words := make([]int64, 3)
	fmt.Println(arrays.Int64("input_ids", words), words)
	// Output:
	// <nil>
	// [input_ids pixel_values] <nil>
	// <nil> [49406 320 49407]
}

func TestNpz_ReadsNumPy(t *testing.T) {
	counting := make([]float64, 24)
	for i := range counting {
		counting[i] = float64(i)
	}
	for _, file := range []string{"testdata/arrays.npz", "testdata/stored.npz"} {
		arrays, err := OpenNpz(file)
		if err != nil {
			t.Fatal(err)
		}
		wants := map[string]struct {
			Tensor
			values []float64
		}{
			"big":         {Tensor{"big", F32, []int{3}}, []float64{1.5, -2, float64(float32(1e-3))}},
			"columnmajor": {Tensor{"columnmajor", I16, []int{2, 3, 4}}, counting},
			"single":      {Tensor{"single", F64, []int{}}, []float64{-1.5}},
			"none":        {Tensor{"none", F32, []int{0, 3}}, []float64{}},
		}
		for word, kind := range npyTypes {
			values := []float64{0, 1, 2.5, 3, 100, 7}
			if !kind.float() {
				values[2] = 2
			}
			if kind == BOOL {
				values = []float64{0, 1, 1, 1, 1, 1}
			}
			wants[word] = struct {
				Tensor
				values []float64
			}{Tensor{word, kind, []int{2, 3}}, values}
		}
		if strings.Contains(file, "arrays") {
			wants["zeros"] = struct {
				Tensor
				values []float64
			}{Tensor{"zeros", F64, []int{30000}}, make([]float64, 30000)}
		}
		if len(arrays.Names()) != len(wants) {
			t.Errorf("%s has %q", file, arrays.Names())
		}
		for name, want := range wants {
			has, _ := arrays.Tensor(name)
			values := make([]float64, len(want.values))
			err := arrays.Float64(name, values)
			if diff := cmp.Diff(want.Tensor, has); diff != "" || err != nil || !slices.Equal(values, want.values) {
				t.Errorf("%s, %s: %v %v %s", file, name, err, values, diff)
			}
		}
	}
}

func TestNpz_WritesAsNumPy(t *testing.T) {
	arrays, err := OpenNpz("testdata/stored.npz")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.npz")
	if err := WriteNpz(path, rewritten(t, arrays)); err != nil {
		t.Fatal(err)
	}
	entries := map[string]string{}
	for _, file := range []string{"testdata/stored.npz", path} {
		archive, err := zip.OpenReader(file)
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		for _, entry := range archive.File {
			source, err := entry.Open()
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(source)
			if err != nil {
				t.Fatal(err)
			}
			// The two excepted arrays are big-endian or column-major, which this package never writes.
			if want, second := entries[entry.Name]; second && want != string(content) && entry.Name != "big.npy" &&
				entry.Name != "columnmajor.npy" {
				t.Errorf("%s: %q is not NumPy's %q", entry.Name, content, want)
			}
			entries[entry.Name] = string(content)
		}
	}
	if len(entries) != len(arrays.Names()) {
		t.Errorf("%d entries", len(entries))
	}
	again := filepath.Join(t.TempDir(), "x.npz")
	if err := WriteNpz(again, rewritten(t, arrays)); err != nil {
		t.Fatal(err)
	}
	first, _ := os.ReadFile(path)
	if second, err := os.ReadFile(again); err != nil || !bytes.Equal(first, second) {
		t.Error("two writes differ", err)
	}
}

// zipOf returns an archive of the entries. change alters the header of each entry.
func zipOf(method uint16, change func(*zip.FileHeader), entries ...string) string {
	var target bytes.Buffer
	archive := zip.NewWriter(&target)
	for i := 0; i < len(entries); i += 2 {
		header := &zip.FileHeader{Name: entries[i], Method: method, CompressedSize64: uint64(len(entries[i+1])),
			UncompressedSize64: uint64(len(entries[i+1]))}
		if change != nil {
			change(header)
		}
		entry, err := archive.CreateRaw(header)
		if err == nil {
			_, err = io.WriteString(entry, entries[i+1])
		}
		if err != nil {
			panic(err)
		}
	}
	if err := archive.Close(); err != nil {
		panic(err)
	}
	return target.String()
}

// npyOf returns an npy file with the given type, shape and data, which need not match.
func npyOf(descr, shape, data string) string {
	header := fmt.Sprintf("{'descr': %s, 'fortran_order': False, 'shape': %s, }\n", descr, shape)
	return npyMagic + "\x01\x00" + string([]byte{byte(len(header)), byte(len(header) >> 8)}) + header + data
}

// deflated compresses content and zeros behind it.
func deflated(content string, zeros int) string {
	var target bytes.Buffer
	writer, err := flate.NewWriter(&target, flate.BestCompression)
	if err == nil {
		_, err = io.WriteString(writer, content+strings.Repeat("\x00", zeros))
	}
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		panic(err)
	}
	return target.String()
}

func npzAttacks() []attack {
	claiming := func(bytes uint64) func(*zip.FileHeader) {
		return func(h *zip.FileHeader) { h.UncompressedSize64 = bytes }
	}
	bomb := deflated("", 64<<20)
	small := npyOf("'|u1'", "(1,)", "\x01")
	return []attack{
		{"magic", "hello", "not a whole npz file"},
		{"name", zipOf(zip.Store, nil, "x.txt", small),
			`the entry "x.txt" is not an array: its name does not end with .npy`},
		{"twice", zipOf(zip.Store, nil, "x.npy", small, "x.npy", small), `two arrays are named "x"`},
		{"method", zipOf(12, nil, "x.npy", small), `array "x.npy" is compressed with method 12`},
		{"encrypted", zipOf(zip.Store, func(h *zip.FileHeader) {
			h.Flags |= 1
		}, "x.npy", small), `array "x.npy" is encrypted`},
		{"claim", zipOf(zip.Store, claiming(9771050599), "x.npy", small), `array "x.npy" claims 9.1 GiB from`},
		{"deflated claim", zipOf(zip.Deflate, claiming(9771050599), "x.npy", small),
			`array "x.npy" claims 9.1 GiB from`},
		{"bomb", zipOf(zip.Deflate, claiming(64<<20), "x.npy", bomb, "y.npy", bomb), "a zip bomb"},
		{"longer", zipOf(zip.Deflate, claiming(uint64(len(small))), "x.npy", deflated(small, 9)),
			`array "x": damaged data: `},
		{"checksum", zipOf(zip.Store, func(h *zip.FileHeader) {
			h.CRC32 = 7
		}, "x.npy", small), `array "x": damaged data: zip: checksum error`},
		{"objects", zipOf(zip.Store, nil, "x.npy", npyOf("'|O'", "(1,)", "x")),
			`array "x": it holds Python objects, a pickle`},
		{"structure", zipOf(zip.Store, nil, "x.npy", npyOf("[('a', '<f4')]", "(1,)", "xxxx")),
			`array "x": the header does not name`},
		{"complex", zipOf(zip.Store, nil, "x.npy", npyOf("'<c8'", "(1,)", "xxxxxxxx")),
			`array "x": elements of type "<c8" are not read`},
		{"shape", zipOf(zip.Store, nil, "x.npy", npyOf("'<f4'", "(1099511627775, 1099511627775)", "xxxx")),
			`array "x": the header claims shape`},
		{"negative", zipOf(zip.Store, nil, "x.npy", npyOf("'<f4'", "(-1,)", "xxxx")),
			`array "x": the header's shape (-1,) is not a list of sizes`},
		{"short", zipOf(zip.Store, nil, "x.npy", npyOf("'<f4'", "(2,)", "xxxx")),
			`array "x": shape [2] of "<f4" needs`},
		{"header", zipOf(zip.Store, nil, "x.npy", npyMagic+"\x02\x00\xff\xff\xff\xff"),
			`array "x": the header claims 4294967295 bytes, at most 65536 are read`},
	}
}

func TestNpz_Attacks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npz")
	for _, attack := range npzAttacks() {
		if err := os.WriteFile(path, []byte(attack.content), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := OpenNpz(path)
		checkRefusal(t, attack.name, err, "read "+path+": ", attack.says)
		// nolint:errcheck // refused, as just seen
		allocated := bytesAllocated(func() { parseNpz([]byte(attack.content)) })
		if limit := uint64(256<<10 + 2*len(attack.content)); allocated > limit {
			t.Errorf("%s: %d bytes allocated for %d", attack.name, allocated, len(attack.content))
		}
	}
	for file, says := range map[string]string{
		"testdata/objects.npz": `array "words": it holds Python objects`,
		"testdata/text.npz":    `array "words": elements of type "<U1"`, "testdata/notes.npz": `the entry "notes.txt"`,
	} {
		_, err := OpenNpz(file)
		checkRefusal(t, file, err, "read "+file+": ", says)
	}
}

func TestWriteNpz_Refused(t *testing.T) {
	good := TensorOf("x", []int{1}, []float32{1})
	tests := []struct {
		arrays []TensorData
		says   string
	}{
		{[]TensorData{good, good}, `two arrays are named "x"`},
		{[]TensorData{TensorOfBytes("x", BF16, []int{1}, []byte{0, 0})}, `array "x": NumPy has no type for BF16`},
		{[]TensorData{TensorOf("x", slices.Repeat([]int{1}, 65), []float32{1})},
			`array "x": 65 dimensions, NumPy has at most 64`},
		{[]TensorData{TensorOf("x", []int{2}, []float32{1})}, `tensor "x": shape [2] of F32 does not have 4 bytes`},
	}
	for _, test := range tests {
		path := filepath.Join(t.TempDir(), "x.npz")
		checkRefusal(t, test.says, WriteNpz(path, test.arrays), "write "+path+": ", test.says)
	}
}

func FuzzNpz(f *testing.F) {
	addFixtures(f, ".npz")
	for _, attack := range npzAttacks() {
		f.Add([]byte(attack.content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		all, err := parseNpz(content)
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
		for _, one := range all {
			if len(one.data) != one.Elements()*one.Type.Size() {
				t.Errorf("%v has %d bytes", one.Tensor, len(one.data))
			}
		}
	})
}
