package llava_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// SmolLM2-135M has 30 layers, nine heads that share three key and value heads, and tied embeddings.
func TestRealModel_EqualsTransformers(t *testing.T) {
	dir := paritytest.Real(t, "smollm2", "scripts/real_models.py")
	d := devicetest.Open(t)
	text, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	config, err := llava.ParseDecoder(text)
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Prompt, Continuation []int32
		Text                 string
		Logits               []float64 `json:"largest logits"`
		Tokens               []int     `json:"their tokens"`
	}
	if text, err = os.ReadFile(filepath.Join(dir, "expected.json")); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	store := paritytest.Load(t, d, dir, config)
	outputs := paritytest.Compute(t, d, store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		logits := config.Logits(scope, config.Embed(scope, x[0]), nil)
		return []*graph.Node{graph.Slice(logits, graph.AxisElem(0), graph.AxisElem(-1))}
	}, tensors.FromFlatDataAndDimensions(want.Prompt, 1, len(want.Prompt)))
	logits, worst := paritytest.Values(outputs[0]), 0.0
	for i, token := range want.Tokens {
		worst = max(worst, math.Abs(logits[token]-want.Logits[i])/want.Logits[0])
	}
	if !(worst <= 1e-4) {
		t.Errorf("the largest logits differ by %.2g relative", worst)
	}
	generator := config.Generator(d, store.RootScope())
	defer generator.Close()
	got, err := generator.Generate(t.Context(), []llava.Prompt{{IDs: want.Prompt}}, len(want.Continuation))
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Continuation) < 20 || !slices.Equal(got[0], want.Continuation) {
		t.Errorf("it continues with %v, transformers with %v: %q", got[0], want.Continuation, want.Text)
	}
	t.Logf("logits within %.2g relative, %d tokens equal: %q; peak memory %.2f GiB", worst, len(got[0]), want.Text,
		float64(paritytest.PeakMemory())/(1<<30))
}
