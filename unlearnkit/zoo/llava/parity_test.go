package llava_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// Maximum relative differences from the original implementations.
const (
	outputTolerance   = 1e-5
	gradientTolerance = 1e-3
	trainingTolerance = 1e-5
)

func parsed[T any](t *testing.T, parse func([]byte) (T, error), folder string) T {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", folder, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	config, err := parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

func reference(t *testing.T, folder string) paritytest.Reference {
	t.Helper()
	return paritytest.Open(t, filepath.Join("testdata", folder, "expected.safetensors"))
}

// nextToken returns the mean negative log-probability of the tokens after the first, ignoring padding.
func nextToken(logits, ids, mask *graph.Node) *graph.Node {
	length := ids.Shape().Dimensions[1]
	mask = graph.ConvertDType(mask, logits.DType())
	counted := graph.Mul(graph.Slice(mask, graph.AxisRange(), graph.AxisRange(1)),
		graph.Slice(mask, graph.AxisRange(), graph.AxisRange(0, length-1)))
	return graph.Neg(graph.Div(graph.ReduceAllSum(graph.Mul(llava.LogProbs(logits, ids), counted)),
		graph.ReduceAllSum(counted)))
}

// shown sets the logits of padding to zero, as in the fixtures.
func shown(logits, mask *graph.Node) *graph.Node {
	return graph.Mul(logits, graph.InsertAxes(graph.ConvertDType(mask, logits.DType()), -1))
}

func TestImages_Padding(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseConfig, "llava")
	store := paritytest.Load(t, d, "testdata/llava", config)
	want := reference(t, "llava")
	for _, side := range []string{"right", "left"} {
		for _, expanded := range []string{"_input_ids", "_expanded_ids"} {
			mask := map[string]string{"_input_ids": "_attention_mask", "_expanded_ids": "_expanded_mask"}[expanded]
			outputs, err := config.Run(d, store,
				map[string]*tensors.Tensor{"pixel_values": want.Tensor("pixel_values", dtypes.Float32),
					"input_ids":      want.Tensor(side+expanded, dtypes.Int32),
					"attention_mask": want.Tensor(side+mask, dtypes.Int32)})
			if err != nil {
				t.Fatal(err)
			}
			masked := paritytest.Compute(t, d, model.NewStore(), func(_ *model.Scope, x []*graph.Node) []*graph.Node {
				return []*graph.Node{shown(x[0], x[1])}
			},
				outputs["logits"], want.Tensor(side+"_expanded_mask", dtypes.Int32))
			want.Compare(side+"_logits", masked[0], outputTolerance, 0)
		}
	}
}

func TestModel_TrainsAsOriginal(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseConfig, "llava")
	store := paritytest.Load(t, d, "testdata/llava", config)
	want := reference(t, "llava")
	loss := func(scope *model.Scope, x []*graph.Node) *graph.Node {
		return nextToken(llava.Logits(scope, config, x[0], x[1], x[2]), x[1], x[2])
	}
	inputs := []any{want.Tensor("pixel_values", dtypes.Float32), want.Tensor("right_expanded_ids", dtypes.Int32),
		want.Tensor("right_expanded_mask", dtypes.Int32)}
	want.Gradients(d, store, config, loss, gradientTolerance, inputs...)
	adam := optim.Optimizer{Rule: optim.AdamW{Epsilon: 1e-3, WeightDecay: 0.1}}
	want.Training(d, store, config, loss, adam, 2e-3, trainingTolerance, inputs...)
}

func TestDecoder_ShardsAndTied(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseDecoder, "llama")
	store := paritytest.Load(t, d, "testdata/llama", config)
	want := reference(t, "llama")
	mask := want.Tensor("attention_mask", dtypes.Int32)
	outputs, err := config.Run(d, store,
		map[string]*tensors.Tensor{"input_ids": want.Tensor("input_ids", dtypes.Int32), "attention_mask": mask})
	if err != nil {
		t.Fatal(err)
	}
	masked := paritytest.Compute(t, d, model.NewStore(), func(_ *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{shown(x[0], x[1])}
	}, outputs["logits"], mask)
	want.Compare("logits", masked[0], outputTolerance, 0)
}

// With an adapter and a projector from PEFT, the model gives PEFT's results, also after merging.
func TestAdapter_Merged(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseConfig, "llava")
	store := paritytest.Load(t, d, "testdata/llava", config)
	report, err := hf.LoadAdapter(store.RootScope(), "testdata/adapter", config.Names())
	if err != nil {
		t.Fatal(err)
	}
	if report.Layout != llava.InMemory5 && report.Layout != llava.InMemory || report.Tensors != 32 ||
		report.Adapted != "/language_model/model/layers" {
		t.Errorf("the report is %+v", report)
	}
	base, want := reference(t, "llava"), reference(t, "adapter")
	inputs := []any{base.Tensor("pixel_values", dtypes.Float32), base.Tensor("right_expanded_ids", dtypes.Int32),
		base.Tensor("right_expanded_mask", dtypes.Int32)}
	logits := func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{shown(llava.Logits(scope, config, x[0], x[1], x[2]), x[2])}
	}
	want.Compare("logits", paritytest.Compute(t, d, store, logits, inputs...)[0], outputTolerance, 0)

	names := want.Below("gradient.")
	gradients := paritytest.Compute(t, d, store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		loss := nextToken(llava.Logits(scope, config, x[0], x[1], x[2]), x[1], x[2])
		by := make([]*graph.Node, len(names))
		for i, name := range names {
			by[i] = store.GetVariable(adapterPath(name)).NodeValue(loss)
		}
		return graph.Gradient(loss, by...)
	}, inputs...)
	for i, name := range names {
		want.Compare("gradient."+name, gradients[i], gradientTolerance, 0)
	}
	if err := nn.Merge(store.Scope(report.Adapted)); err != nil {
		t.Fatal(err)
	}
	want.Compare("logits", paritytest.Compute(t, d, store, logits, inputs...)[0], outputTolerance, 0)
}

// adapterPath returns the path of a variable, given its name in PEFT.
func adapterPath(name string) string {
	path := "/" + strings.ReplaceAll(strings.TrimPrefix(name, "base_model.model.model."), ".", "/")
	return strings.Replace(path, "/language_model/", "/language_model/model/", 1)
}
