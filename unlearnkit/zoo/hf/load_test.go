package hf_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// network has the parts of real models: repeated layers, three projections that some files stack, a matrix that some
// files transpose, and a scalar.
func network(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
	x := inputs[0]
	for layer := range 2 {
		at := scope.At("layers").At("%d", layer)
		y := nn.Linear(at.At("q_proj"), x, 3, true)
		y = graph.Add(y, nn.Linear(at.At("k_proj"), x, 3, true))
		x = graph.Mul(y, nn.Linear(at.At("v_proj"), x, 3, true))
	}
	x = nn.Linear(scope.At("head"), x, 2, false)
	return []*graph.Node{graph.Mul(x, nn.Parameter(scope, x, "scale", nn.Constant(1)))}
}

// names describes files with the network's own names and files that stack and transpose.
var names = hf.Names{
	Layouts: []hf.Layout{{Name: "own"}, {Name: "stacked", Rules: []hf.Rule{
		{Own: "layers.*.q_proj.", File: "blocks.*.in_proj_", Part: 0, Parts: 3},
		{Own: "layers.*.k_proj.", File: "blocks.*.in_proj_", Part: 1, Parts: 3},
		{Own: "layers.*.v_proj.", File: "blocks.*.in_proj_", Part: 2, Parts: 3},
		{Own: "head.weight", File: "proj", Transposed: true},
	}}},
	Ignore: []string{"unused.*"},
}

// traced returns the root scope of a store with the network's tensors, without values.
func traced(t *testing.T, build device.Build) *model.Scope {
	t.Helper()
	store := model.NewStore()
	if _, err := devicetest.Open(t).Trace("trace", store, build, shapes.Make(dtypes.Float32, 2, 3)); err != nil {
		t.Fatal(err)
	}
	return store.RootScope()
}

// ramp returns n consecutive numbers, so tensors with other starts differ.
func ramp(n int, start float32) []float32 {
	values := make([]float32, n)
	for i := range values {
		values[i] = start + float32(i)
	}
	return values
}

// own returns the network's tensors as in a file with its own names.
func own(prefix string) []safefile.TensorData {
	var all []safefile.TensorData
	for layer := range 2 {
		for part, name := range []string{"q_proj", "k_proj", "v_proj"} {
			start := float32(1000*layer + 100*part)
			all = append(all, safefile.TensorOf(fmt.Sprintf("%slayers.%d.%s.weight", prefix, layer, name), []int{3, 3},
				ramp(9, start)),
				safefile.TensorOf(fmt.Sprintf("%slayers.%d.%s.bias", prefix, layer, name), []int{3}, ramp(3, start+50)))
		}
	}
	return append(all, safefile.TensorOf(prefix+"head.weight", []int{2, 3}, []float32{1, 2, 3, 4, 5, 6}),
		safefile.TensorOf(prefix+"scale", nil, []float32{7}))
}

// stacked returns the values of own("") in the other layout.
func stacked() []safefile.TensorData {
	var all []safefile.TensorData
	for layer := range 2 {
		var weight, bias []float32
		for part := range 3 {
			start := float32(1000*layer + 100*part)
			weight, bias = append(weight, ramp(9, start)...), append(bias, ramp(3, start+50)...)
		}
		all = append(all, safefile.TensorOf(fmt.Sprintf("blocks.%d.in_proj_weight", layer), []int{9, 3}, weight),
			safefile.TensorOf(fmt.Sprintf("blocks.%d.in_proj_bias", layer), []int{9}, bias))
	}
	return append(all, safefile.TensorOf("proj", []int{3, 2}, []float32{1, 4, 2, 5, 3, 6}),
		safefile.TensorOf("scale", nil, []float32{7}))
}

// written writes and opens a file.
func written(t *testing.T, all []safefile.TensorData) *safefile.Tensors {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.safetensors")
	if err := safefile.WriteTensors(path, all, map[string]string{"format": "pt"}); err != nil {
		t.Fatal(err)
	}
	file, err := safefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

func values(t *testing.T, scope *model.Scope, path string) []float32 {
	t.Helper()
	return tensors.MustCopyFlatData[float32](scope.Store().GetVariable(path).MustValue())
}

func TestLoad_Layouts(t *testing.T) {
	tests := []struct {
		name           string
		file           []safefile.TensorData
		layout, prefix string
	}{
		{"own names", own(""), "own", ""},
		{"stacked and transposed", stacked(), "stacked", ""},
		{"data-parallel training", own("module."), "own", "module."},
		{"a lightning checkpoint", own("state_dict.model."), "own", "state_dict.model."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			scope := traced(t, network)
			report, err := hf.Load(scope, written(t, test.file), names)
			if err != nil {
				t.Fatal(err)
			}
			if report.Layout != test.layout || report.Prefix != test.prefix || report.Tensors != 14 ||
				report.Parameters != 2*3*12+6+1 || report.Warnings != nil {
				t.Errorf("the report says %+v", report)
			}
			for path, want := range map[string][]float32{"/layers/1/k_proj/weight": ramp(9, 1100),
				"/layers/0/v_proj/bias": ramp(3, 250), "/head/weight": ramp(6, 1), "/scale": {7}} {
				if got := values(t, scope, path); !slices.Equal(got, want) {
					t.Errorf("%s is %v, want %v", path, got, want)
				}
			}
		})
	}
}

func TestLoad_Misfit(t *testing.T) {
	without := func(name string) []safefile.TensorData {
		return slices.DeleteFunc(own(""), func(d safefile.TensorData) bool { return d.Name == name })
	}
	many := own("")
	for i := range 14 {
		many = append(many, safefile.TensorOf(fmt.Sprintf("surplus.%02d", i), []int{1}, []float32{0}))
	}
	tests := []struct {
		name string
		file []safefile.TensorData
		want []string
	}{
		{"missing", without("layers.1.k_proj.bias"), []string{"1 tensor(s) missing: layers.1.k_proj.bias"}},
		{"missing in a stack", slices.DeleteFunc(stacked(), func(d safefile.TensorData) bool {
			return d.Name == "blocks.0.in_proj_bias"
		}),
			[]string{"1 tensor(s) missing: blocks.0.in_proj_bias"}},
		{"too many", append(own(""), safefile.TensorOf("layers.2.q_proj.weight", []int{1}, []float32{0})),
			[]string{"1 tensor(s) not known to the model: layers.2.q_proj.weight"}},
		{"too many to list", many, []string{"14 tensor(s) not known", "surplus.09 and 4 more"}},
		{"another shape", append(without("head.weight"), safefile.TensorOf("head.weight", []int{3, 2}, ramp(6, 0))),
			[]string{"head.weight is [3 2] and should be [2 3]"}},
		{"integers", append(without("head.weight"), safefile.TensorOf("head.weight", []int{2, 3}, make([]int8, 6))),
			[]string{"head.weight is of type I8"}},
		{"two at once", append(without("scale"), safefile.TensorOf("scales", nil, []float32{0})),
			[]string{"missing: scale;", "not known to the model: scales"}},
		{"another model", []safefile.TensorData{safefile.TensorOf("conv1.weight", []int{1}, []float32{0})},
			[]string{"none of the model's tensors is in the file", "conv1.weight"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			scope := traced(t, network)
			_, err := hf.Load(scope, written(t, test.file), names)
			if err == nil {
				t.Fatal("it was loaded")
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
					t.Errorf("the error %q does not say %q in one line", err, want)
				}
			}
			for variable := range scope.IterVariables() {
				if variable.HasValue() {
					t.Errorf("%s was set all the same", variable.Path())
				}
			}
		})
	}
}

func TestLoad_NaN(t *testing.T) {
	all := own("")
	all[0] = safefile.TensorOf("layers.0.q_proj.weight", []int{3, 3},
		[]float32{1, float32(math.NaN()), 3, 4, float32(math.Inf(1)), 6, 7, 8, 9})
	scope := traced(t, network)
	report, err := hf.Load(scope, written(t, all), names)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "layers.0.q_proj.weight has 2") {
		t.Errorf("the warnings are %q", report.Warnings)
	}
	if got := values(t, scope, "/layers/0/q_proj/weight"); got[0] != 1 || got[1] == got[1] ||
		!math.IsInf(float64(got[4]), 1) {
		t.Errorf("the weight is %v", got)
	}
}

func TestLoad_Ignored(t *testing.T) {
	all := append(own("module."), safefile.TensorOf("module.layers.0.num_batches_tracked", nil, []int64{3}),
		safefile.TensorOf("module.unused.table", []int{1}, []float32{3}))
	report, err := hf.Load(traced(t, network), written(t, all), names)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"module.layers.0.num_batches_tracked", "module.unused.table"}; !slices.Equal(report.Ignored,
		want) {
		t.Errorf("ignored %v, want %v", report.Ignored, want)
	}
}

func TestLoad_Types(t *testing.T) {
	half := []byte{0x80, 0x3f, 0x00, 0x40, 0x40, 0x40, 0x80, 0x40, 0xa0, 0x40, 0xc0, 0x40} // 1 … 6 as bfloat16
	tests := []struct {
		file  safefile.TensorData
		model dtypes.DType
	}{
		{safefile.TensorOfBytes("head.weight", safefile.BF16, []int{2, 3}, half), dtypes.Float32},
		{safefile.TensorOf("head.weight", []int{2, 3}, []float64{1, 2, 3, 4, 5, 6}), dtypes.Float32},
		{safefile.TensorOf("head.weight", []int{2, 3}, []float64{1, 2, 3, 4, 5, 6}), dtypes.Float64},
		{safefile.TensorOf("head.weight", []int{2, 3}, []float32{1, 2, 3, 4, 5, 6}), dtypes.BFloat16},
	}
	for _, test := range tests {
		scope := traced(t, func(scope *model.Scope, inputs []*graph.Node) []*graph.Node {
			nn.SetType(scope, test.model)
			return []*graph.Node{nn.Linear(scope.At("head"), graph.ConvertDType(inputs[0], test.model), 2, false)}
		})
		if _, err := hf.Load(scope, written(t, []safefile.TensorData{test.file}), hf.Names{}); err != nil {
			t.Fatal(err)
		}
		value := scope.Store().GetVariable("/head/weight").MustValue()
		if got := fmt.Sprint(value.Value()); value.DType() != test.model || got != "[[1 2 3] [4 5 6]]" {
			t.Errorf("from %s to %s: %s %s", test.file.Type, test.model, value.DType(), got)
		}
	}
}

func TestSave_SameFile(t *testing.T) {
	for layout, all := range map[string][]safefile.TensorData{"own": own(""), "stacked": stacked()} {
		dir := t.TempDir()
		before := filepath.Join(dir, "before.safetensors")
		if err := safefile.WriteTensors(before, all, map[string]string{"format": "pt"}); err != nil {
			t.Fatal(err)
		}
		scope := traced(t, network)
		if _, err := hf.Load(scope, written(t, all), names); err != nil {
			t.Fatal(err)
		}
		if err := hf.Save(scope, dir, names, hf.Format{Layout: layout}); err != nil {
			t.Fatal(err)
		}
		if want, got := read(t, before), read(t, filepath.Join(dir, "model.safetensors")); string(want) != string(got) {
			t.Errorf("in the layout %s the file changed", layout)
		}
	}
}

func TestSave_Shards(t *testing.T) {
	scope := traced(t, network)
	if _, err := hf.Load(scope, written(t, own("")), names); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	also := []safefile.TensorData{safefile.TensorOf("layers.0.num_batches_tracked", nil, []int64{5})}
	if err := hf.Save(scope, dir, names, hf.Format{Base: "big", ShardBytes: 100, Also: also}); err != nil {
		t.Fatal(err)
	}
	file, err := safefile.OpenFolder(dir, "big")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	again := traced(t, network)
	if _, err := hf.Load(again, file, names); err != nil {
		t.Fatal(err)
	}
	if got := values(t, again, "/layers/1/v_proj/weight"); !slices.Equal(got, ramp(9, 1200)) {
		t.Errorf("after shards it is %v", got)
	}
	shards, _ := filepath.Glob(filepath.Join(dir, "big-*-of-*.safetensors"))
	index := string(read(t, filepath.Join(dir, "big.safetensors.index.json")))
	if want := fmt.Sprintf(`"total_size": %d`, 4*(2*3*12+7)+8); len(shards) < 4 || !strings.Contains(index, want) {
		t.Errorf("%d shards, index %s does not say %s", len(shards), index, want)
	}
	if err := hf.Save(scope, dir, names, hf.Format{Layout: "another"}); err == nil ||
		!strings.Contains(err.Error(), `no layout "another"`) {
		t.Errorf("the error for an unknown layout is %v", err)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func ExampleLayout_Source() {
	layout := hf.Layout{Name: "open_clip", Rules: []hf.Rule{
		{Own: "text_model.encoder.layers.*.self_attn.k_proj.", File: "transformer.resblocks.*.attn.in_proj_", Part: 1,
			Parts: 3},
	}}
	fmt.Printf("%+v\n", layout.Source("text_model.encoder.layers.11.self_attn.k_proj.weight"))
	// Output: {Name:transformer.resblocks.11.attn.in_proj_weight Part:1 Parts:3 Transposed:false}
}
