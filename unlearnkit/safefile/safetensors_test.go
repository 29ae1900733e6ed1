package safefile

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func ExampleOpen() {
	tensors, err := Open("testdata/types.safetensors")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer tensors.Close()
	tensor, _ := tensors.Tensor("bf16")
	weights := make([]float32, tensor.Elements())
	err = tensors.Float32("bf16", weights)
	fmt.Println(tensor.Type, tensor.Shape, weights, tensors.Metadata(), err)
	fmt.Println(tensors.Float32("layers.0.weight", weights))
	// Output:
	// BF16 [2 3] [0 1 2.5 3 100 7] map[format:pt] <nil>
	// read testdata/types.safetensors: no tensor "layers.0.weight"; it has "a.long", "b.none", "b.single", "bf16", "bool", "f16", "f32", "f64" and 11 more
}

func ExampleWriteTensors() {
	folder, _ := os.MkdirTemp("", "")
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "model.safetensors")
	err := WriteTensors(path, []TensorData{
		TensorOf("bias", []int{2}, []float32{.5, -.5}),
		TensorOf("steps", nil, []int64{1000}),
	}, map[string]string{"format": "pt"})
	content, _ := os.ReadFile(path)
	fmt.Printf("%.145s %v", content[8:], err)
	// Output:
	// {"__metadata__":{"format":"pt"},"steps":{"dtype":"I64","shape":[],"data_offsets":[0,8]},"bias":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}} <nil>
}

// open opens a file, which is closed when the test ends.
func open(t testing.TB, path string) *Tensors {
	tensors, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tensors.Close(); err != nil {
			t.Error(err)
		}
	})
	return tensors
}

// float32s reads a whole tensor.
func float32s(t testing.TB, tensors *Tensors, name string) []float32 {
	tensor, _ := tensors.Tensor(name)
	values := make([]float32, tensor.Elements())
	if err := tensors.Float32(name, values); err != nil {
		t.Fatal(err)
	}
	return values
}

func TestSafetensors_EveryType(t *testing.T) {
	tensors, want := open(t, "testdata/types.safetensors"), open(t, "testdata/types_float32.safetensors")
	if !slices.Equal(tensors.Names(), want.Names()) || len(tensors.Names()) != 19 {
		t.Fatalf("%q is not %q", tensors.Names(), want.Names())
	}
	for _, name := range tensors.Names() {
		has, _ := tensors.Tensor(name)
		wants, _ := want.Tensor(name)
		if diff := cmp.Diff(wants.Shape, has.Shape); diff != "" {
			t.Errorf("%q: mismatch (-want +got):\n%s", name, diff)
		}
		values := float32s(t, tensors, name)
		if diff := cmp.Diff(float32s(t, want, name), values, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: mismatch (-want +got):\n%s", name, diff)
		}
		wide := make([]float64, len(values))
		if err := tensors.Float64(name, wide); err != nil || len(wide) > 0 && float32(wide[0]) != values[0] {
			t.Errorf("%q as float64: %v %v", name, wide, err)
		}
		whole := make([]int64, len(values))
		switch err := tensors.Int64(name, whole); {
		case has.Type.float():
			if err == nil || !strings.HasSuffix(err.Error(),
				fmt.Sprintf("tensor %q: integers were expected, not %s", name, has.Type)) {
				t.Errorf("%q as int64: %v", name, err)
			}
		case err != nil || whole[2] != int64(values[2]):
			t.Errorf("%q as int64: %v %v", name, whole, err)
		}
	}
}

func TestSafetensors_SmallFloats(t *testing.T) {
	tensors := open(t, "testdata/halves.safetensors")
	for _, name := range []string{"F16", "BF16", "F8_E4M3", "F8_E5M2"} {
		has, want := float32s(t, tensors, name), float32s(t, tensors, name+".float32")
		broken := 0
		for i := range want {
			if math.Float32bits(has[i]) != math.Float32bits(want[i]) && (has[i] == has[i] || want[i] == want[i]) {
				t.Errorf("%s, element %d: %v, torch has %v", name, i, has[i], want[i])
			}
			if math.IsNaN(float64(want[i])) || math.IsInf(float64(want[i]), 0) {
				broken++
			}
		}
		if found, err := tensors.NonFinite(name); found != broken || broken == 0 || err != nil {
			t.Errorf("%s: %d NaN or infinite found, torch has %d; %v", name, found, broken, err)
		}
		if found, err := tensors.NonFinite(name + ".float32"); found != broken || err != nil {
			t.Errorf("%s widened: %d NaN or infinite found, torch has %d; %v", name, found, broken, err)
		}
	}
}

func TestFloat16_Formula(t *testing.T) {
	for bits := range 1 << 16 {
		sign, exponent, fraction := 1-2*float64(bits>>15), bits>>10&31, float64(bits&1023)
		want := sign * math.Ldexp(1+fraction/1024, exponent-15)
		if exponent == 0 {
			want = sign * math.Ldexp(fraction, -24)
		} else if exponent == 31 {
			want = sign * math.Inf(1)
			if fraction > 0 {
				want = math.NaN()
			}
		}
		if has := float64(float16(uint16(bits))); has != want && (has == has || want == want) {
			t.Errorf("%#04x: %v, want %v", bits, has, want)
		}
	}
}

// rewritten reads all tensors of a file for writing, in reverse order.
func rewritten(t testing.TB, tensors *Tensors) []TensorData {
	var all []TensorData
	for _, name := range tensors.Names() {
		tensor, _ := tensors.Tensor(name)
		data, err := tensors.Bytes(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, TensorOfBytes(name, tensor.Type, tensor.Shape, data))
	}
	slices.Reverse(all)
	return all
}

func TestWriteTensors_EqualsOriginal(t *testing.T) {
	for _, file := range []string{"types", "types_float32", "halves", "nothing"} {
		original := filepath.Join("testdata", file+".safetensors")
		path := filepath.Join(t.TempDir(), "copy.safetensors")
		tensors := open(t, original)
		if err := WriteTensors(path, rewritten(t, tensors), tensors.Metadata()); err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(original)
		if err != nil {
			t.Fatal(err)
		}
		if has, err := os.ReadFile(path); err != nil || string(has) != string(want) {
			t.Errorf("%s: %v\n%.400q\nis not\n%.400q", file, err, has, want)
		}
	}
}

func TestWriteTensors_RoundTrip(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		shape := rapid.SliceOfN(rapid.IntRange(0, 4), 0, 4).Draw(t, "shape")
		n := Tensor{Shape: shape}.Elements()
		name := rapid.String().Filter(func(s string) bool { return s != "__metadata__" && s != "u" }).Draw(t, "name")
		floats, integers := rapid.SliceOfN(rapid.Float32(), n, n).Draw(t, "floats"),
			rapid.SliceOfN(rapid.Int64(), n, n).Draw(t, "integers")
		metadata := rapid.MapOf(rapid.String(), rapid.String()).Draw(t, "metadata")
		path := filepath.Join(folder, "x.safetensors")
		if err := WriteTensors(path, []TensorData{TensorOf(name, shape, floats), TensorOf("u", shape, integers)},
			metadata); err != nil {
			t.Fatal(err)
		}
		tensors, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer tensors.Close()
		has, whole := make([]float32, n), make([]int64, n)
		if err := tensors.Float32(name, has); err != nil {
			t.Fatal(err)
		}
		if err := tensors.Int64("u", whole); err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(has, floats, cmpopts.EquateNaNs()) || !slices.Equal(whole, integers) ||
			!cmp.Equal(tensors.Metadata(), metadata) {
			t.Fatalf("%v %v %v", has, whole, tensors.Metadata())
		}
	})
}

func TestWriteTensors_Refused(t *testing.T) {
	good := TensorOf("x", []int{2}, []float32{1, 2})
	tests := []struct {
		tensors  []TensorData
		metadata map[string]string
		says     string
	}{
		{[]TensorData{good, good}, nil, `the name "x" is taken`},
		{[]TensorData{TensorOf("__metadata__", nil, []float32{1})}, nil, `the name "__metadata__" is taken`},
		{[]TensorData{TensorOf("x", []int{3}, []float32{1, 2})}, nil,
			`tensor "x": shape [3] of F32 does not have 8 bytes`},
		{[]TensorData{TensorOf("x", []int{-1, -2}, []float32{1, 2})}, nil,
			`tensor "x": shape [-1 -2] of F32 does not have 8 bytes`},
		{[]TensorData{TensorOfBytes("x", F16, []int{1}, []byte{1})}, nil,
			`tensor "x": shape [1] of F16 does not have 1 byte`},
		{[]TensorData{TensorOfBytes("x", "C64", []int{1}, make([]byte, 8))}, nil,
			`tensor "x": elements of type "C64" are not read`},
		{[]TensorData{TensorOf("\xff", nil, []float32{1})}, nil, `the name is not UTF-8`},
		{[]TensorData{good}, map[string]string{"a": "\xff"}, `the metadata are not UTF-8`},
	}
	for _, test := range tests {
		path := filepath.Join(t.TempDir(), "x.safetensors")
		err := WriteTensors(path, test.tensors, test.metadata)
		if err == nil || !strings.Contains(err.Error(), test.says) || !strings.HasPrefix(err.Error(), "write "+path) {
			t.Errorf("%v does not say %q", err, test.says)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("a file was written: %s", test.says)
		}
	}
}

func TestTensors_WrongLength(t *testing.T) {
	tensors := open(t, "testdata/types.safetensors")
	want := `read testdata/types.safetensors: tensor "f32": shape [2 3] has 6 elements, 5 were asked for`
	if err := tensors.Float32("f32", make([]float32, 5)); err == nil || err.Error() != want {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "x.safetensors")
	if err := WriteTensors(path, []TensorData{TensorOf("x", []int{1}, []uint64{1 << 63})}, nil); err != nil {
		t.Fatal(err)
	}
	if err := open(t, path).Int64("x", make([]int64, 1)); err == nil ||
		!strings.HasSuffix(err.Error(), `tensor "x": it holds integers above 9223372036854775807`) {
		t.Error(err)
	}
}

func TestOpen_CopiesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.safetensors")
	values := make([]float32, 2<<20)
	values[len(values)-1] = 7
	if err := WriteTensors(path, []TensorData{TensorOf("x", []int{2, 1 << 20}, values)}, nil); err != nil {
		t.Fatal(err)
	}
	allocated := bytesAllocated(func() {
		for range 10 {
			tensors, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			tensors.Close() //nolint:errcheck // checked elsewhere
		}
		if err := WriteTensors(path, []TensorData{TensorOf("x", []int{2, 1 << 20}, values)}, nil); err != nil {
			t.Fatal(err)
		}
	})
	if allocated > 1<<20 {
		t.Errorf("opening and writing 8 MiB allocated %s", byteCount(allocated))
	}
	if has := float32s(t, open(t, path), "x"); !slices.Equal(has, values) {
		t.Error("the file reads as other values")
	}
}
