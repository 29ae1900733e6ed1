package nn_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/dtypes/bfloat16"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

func projections(scope *model.Scope, x []*graph.Node) []*graph.Node {
	block := scope.At("model").At("block")
	hidden := nn.Linear(block.At("q_proj"), x[0], 6, true)
	return []*graph.Node{nn.Linear(block.At("out_proj"), nn.Linear(block.At("v_proj"), hidden, 3, false), 4, true)}
}

var rankTwo = nn.LoRA{Rank: 2, Alpha: 5, Targets: []string{"q_proj", "v_proj"}}

// forward returns the output of projections, with the adapters that are attached at the time of the call.
func forward(t *testing.T, d *device.Device, store *model.Store, kind dtypes.DType) []float64 {
	t.Helper()
	program, err := d.Compile("forward", store, projections)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	x := normal([]int{3, 5}, "x")
	if kind == dtypes.Float32 {
		x = tensors.FromFlatDataAndDimensions(single(float64s(x)), 3, 5)
	}
	out, err := program.Run(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	return float64s(out[0])
}

func adapted(t *testing.T, d *device.Device, kind dtypes.DType) *model.Store {
	t.Helper()
	store := model.NewStore()
	nn.SetType(store.RootScope(), kind)
	nn.Seed(store.RootScope(), 3)
	plain := forward(t, d, store, kind)
	nn.Adapt(store.RootScope(), rankTwo)
	if d := difference(forward(t, d, store, kind), plain); d != 0 {
		t.Fatalf("a fresh adapter changes the output by %g", d)
	}
	for v := range store.IterVariables() {
		if strings.HasSuffix(v.Path(), "lora_B/weight") {
			up := normal(v.Shape().Dimensions, v.Path())
			if kind == dtypes.Float32 {
				up = tensors.FromFlatDataAndDimensions(single(float64s(up)), v.Shape().Dimensions...)
			}
			if err := v.SetValue(up); err != nil {
				t.Fatal(err)
			}
		}
	}
	if d := difference(forward(t, d, store, kind), plain); d < 0.1 {
		t.Fatalf("the adapters change the output by %g only", d)
	}
	return store
}

func TestMerge_ComputesTheSame(t *testing.T) {
	d := devicetest.Open(t)
	for kind, tolerance := range map[dtypes.DType]float64{dtypes.Float64: 1e-14, dtypes.Float32: 1e-6} {
		store := adapted(t, d, kind)
		want := forward(t, d, store, kind)
		if err := nn.Merge(store.RootScope()); err != nil {
			t.Fatal(err)
		}
		if d := difference(forward(t, d, store, kind), want); !(d <= tolerance) {
			t.Errorf("%s: merging changes the output by %g", kind, d)
		}
		for v := range store.IterVariables() {
			if strings.Contains(v.Path(), "lora") {
				t.Errorf("%s is left", v.Path())
			}
		}
	}
}

// A weight in bfloat16 is rounded once, after the adapters, whose numbers are float32.
func TestMerge_BFloat16(t *testing.T) {
	store := model.NewStore()
	root := store.RootScope()
	nn.SetType(root, dtypes.BFloat16)
	nn.SetMasters(root, func(path string) bool { return strings.Contains(path, "/lora_") })
	d := devicetest.Open(t)
	_, err := d.Trace("layer", store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{nn.Linear(root.At("layer"), x[0], 2, false)}
	}, shapes.Make(dtypes.BFloat16, 1, 2))
	if err != nil {
		t.Fatal(err)
	}
	weight := store.GetVariable("/layer/weight")
	start := bfloat16.FromFloat32s(1, 2, -1, 0.5)
	if err := weight.SetValue(tensors.FromFlatDataAndDimensions(start, 2, 2)); err != nil {
		t.Fatal(err)
	}
	if err := nn.Attach(root, nn.LoRA{Rank: 1, Alpha: 1, Targets: []string{"layer"}}, 1); err != nil {
		t.Fatal(err)
	}
	for name, values := range map[string][]float32{"lora_A": {1, 1}, "lora_B": {0.003, 0.005}} {
		v := store.GetVariable("/layer/" + name + "/weight")
		if err := v.SetValue(tensors.FromFlatDataAndDimensions(values, v.Shape().Dimensions...)); err != nil {
			t.Fatal(err)
		}
	}
	if err := nn.Merge(root); err != nil {
		t.Fatal(err)
	}
	// Numbers of bfloat16 are 1/128 apart above 1, 1/64 above 2, and 1/256 from .5 to 1.
	want := bfloat16.FromFloat32s(1, 2, -0.99609375, 0.50390625)
	if got := tensors.MustCopyFlatData[bfloat16.BFloat16](weight.MustValue()); !slices.Equal(got, want) {
		t.Errorf("the weight is %v, want %v", got, want)
	}
}

func TestAdapt_TargetsAlone(t *testing.T) {
	d := devicetest.Open(t)
	store := adapted(t, d, dtypes.Float64)
	for _, target := range []string{"q_proj", "v_proj"} {
		a, b := store.GetVariable("/model/block/"+target+"/lora_A/weight"),
			store.GetVariable("/model/block/"+target+"/lora_B/weight")
		if a.Shape().Dimensions[0] != 2 || b.Shape().Dimensions[1] != 2 {
			t.Errorf("%s has the adapters %s and %s", target, a.Shape(), b.Shape())
		}
	}
	if store.NumVariables() != 5+4 {
		t.Errorf("the model has %d tensors, want 9", store.NumVariables())
	}
}

func TestUnadapt_OldModel(t *testing.T) {
	d := devicetest.Open(t)
	store := adapted(t, d, dtypes.Float64)
	with := forward(t, d, store, dtypes.Float64)
	nn.Unadapt(store.RootScope())
	plain := model.NewStore()
	nn.SetType(plain.RootScope(), dtypes.Float64)
	nn.Seed(plain.RootScope(), 3)
	if d := difference(forward(t, d, store, dtypes.Float64), forward(t, d, plain, dtypes.Float64)); d != 0 {
		t.Errorf("without its adapters the model differs by %g", d)
	}
	nn.Adapt(store.RootScope(), rankTwo)
	if d := difference(forward(t, d, store, dtypes.Float64), with); d != 0 {
		t.Errorf("with its adapters back the model differs by %g", d)
	}
}

// After the adapters of one block were merged, the whole model can be adapted and merged again.
func TestAdapt_AfterMerge(t *testing.T) {
	d := devicetest.Open(t)
	store := model.NewStore()
	nn.Seed(store.RootScope(), 3)
	forward(t, d, store, dtypes.Float32)
	block := store.RootScope().At("model").At("block")
	if err := nn.Attach(block, rankTwo, 1); err != nil {
		t.Fatal(err)
	}
	if err := nn.Merge(block); err != nil {
		t.Fatal(err)
	}
	if err := nn.Attach(store.RootScope(), rankTwo, 2); err != nil {
		t.Fatal(err)
	}
	if l, is := nn.Adapted(block.At("v_proj")); !is || l.Rank != 2 {
		t.Errorf("the layer has %+v, %v", l, is)
	}
	if err := nn.Merge(store.RootScope()); err != nil {
		t.Fatal(err)
	}
	if l, is := nn.Adapted(block.At("v_proj")); is {
		t.Errorf("after merging the layer has %+v", l)
	}
}

func TestMerge_Nothing(t *testing.T) {
	d := devicetest.Open(t)
	store := model.NewStore()
	if err := nn.Merge(store.RootScope()); err == nil || err.Error() != "merge adapters into /: none were attached" {
		t.Errorf("the error is %v", err)
	}
	store = adapted(t, d, dtypes.Float64)
	if err := store.DeleteVariable("/model/block/q_proj/lora_A/weight"); err != nil {
		t.Fatal(err)
	}
	want := "merge the adapter of /model/block/q_proj: weight, lora_A/weight and lora_B/weight must all exist and " +
		"have values"
	if err := nn.Merge(store.RootScope()); err == nil || err.Error() != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
}

// New adapters are drawn as PyTorch draws them, and change nothing yet.
func TestAdapt_Initial(t *testing.T) {
	d := devicetest.Open(t)
	for _, kind := range []dtypes.DType{dtypes.Float32, dtypes.Float64} {
		store := model.NewStore()
		nn.SetType(store.RootScope(), kind)
		nn.Seed(store.RootScope(), 3)
		plain := forward(t, d, store, kind)
		if _, is := nn.Adapted(store.RootScope()); is {
			t.Error("a plain model is said to be adapted")
		}
		wide := nn.LoRA{Rank: 400, Alpha: 800, Targets: rankTwo.Targets}
		if err := nn.Attach(store.RootScope(), wide, 8); err != nil {
			t.Fatal(err)
		}
		if l, is := nn.Adapted(store.RootScope().At("model")); !is || l.Rank != 400 || l.Alpha != 800 ||
			len(l.Targets) != 2 {
			t.Errorf("it is adapted by %+v, %v", l, is)
		}
		if d := difference(forward(t, d, store, kind), plain); d != 0 || store.NumVariables() != 5+4 {
			t.Errorf("a new adapter changes the output by %g; %d tensors", d, store.NumVariables())
		}
		// kaiming_uniform_(a=√5) of a layer of n inputs is uniform within 1/√n, so its variance is 1/(3n).
		for layer, inputs := range map[string]float64{"q_proj": 5, "v_proj": 6} {
			values := float64s(store.GetVariable("/model/block/" + layer + "/lora_A/weight").MustValue())
			largest, squares := 0., 0.
			for _, value := range values {
				largest, squares = max(largest, math.Abs(value)), squares+value*value
			}
			bound, variance := 1/math.Sqrt(inputs), squares/float64(len(values))
			if largest > bound || largest < 0.99*bound || math.Abs(3*inputs*variance-1) > 0.1 {
				t.Errorf("%s: the largest value is %g of %g, the variance %g of %g", layer, largest, bound, variance,
					1/(3*inputs))
			}
		}
	}
}

func TestAdapt_Refused(t *testing.T) {
	d := devicetest.Open(t)
	for _, test := range []struct {
		l    nn.LoRA
		says string
	}{
		{nn.LoRA{Alpha: 2, Targets: []string{"q_proj"}}, "a rank of 0 and an alpha of 2: both must be above 0"},
		{nn.LoRA{Rank: 2, Targets: []string{"q_proj"}}, "a rank of 2 and an alpha of 0: both must be above 0"},
		{nn.LoRA{Rank: 2, Alpha: 2, Targets: []string{"gate", "up"}}, "it has no layer called gate or up"},
	} {
		store := model.NewStore()
		nn.Seed(store.RootScope(), 3)
		forward(t, d, store, dtypes.Float32)
		if err := nn.Attach(store.RootScope(), test.l, 8); err == nil || !strings.Contains(err.Error(), test.says) ||
			store.NumVariables() != 5 {
			t.Errorf("%v; want %s; %d tensors", err, test.says, store.NumVariables())
		}
	}
	twice := adapted(t, d, dtypes.Float32)
	if err := nn.Attach(twice.RootScope(), rankTwo, 8); err == nil ||
		!strings.Contains(err.Error(), "already: merge it first") {
		t.Errorf("a second adapter: %v", err)
	}
}
