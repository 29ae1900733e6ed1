package llava_test

import (
	"math"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// A tap is called once for each site and has no effect if it returns its input. Package attack/causal compares the
// effects of replacements with those of hooks in transformers.
func TestTap_ChangesNothing(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseDecoder, "llama")
	store := paritytest.Load(t, d, "testdata/llama", config)
	want := reference(t, "llama")
	const first = 2
	type visit struct {
		layer int
		site  llava.Site
	}
	var visits []visit
	outputs := paritytest.Compute(t, d, store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		embeddings := config.Embed(scope, x[0])
		visits = nil
		var sum *graph.Node // maximum difference between the first layer's output and the sum of its input and contributions
		left := embeddings
		logits := config.Tapped(scope, embeddings, first, func(layer int, site llava.Site, x *graph.Node) *graph.Node {
			visits = append(visits, visit{layer, site})
			if layer == 0 && site != llava.HiddenState {
				left = graph.Add(left, x)
			} else if layer == 0 {
				sum = graph.ReduceAllMax(graph.Abs(graph.Sub(left, x)))
			}
			return x
		})
		whole := config.Logits(scope, embeddings, nil)
		return []*graph.Node{logits, graph.Slice(whole, graph.AxisRange(), graph.AxisRange(first)), sum}
	}, want.Tensor("input_ids", dtypes.Int32))
	tapped, plain := paritytest.Values(outputs[0]), paritytest.Values(outputs[1])
	if len(tapped) != len(plain) || len(tapped) == 0 {
		t.Fatalf("%d and %d logits", len(tapped), len(plain))
	}
	for i := range tapped {
		if math.Abs(tapped[i]-plain[i]) > 1e-5*max(1, math.Abs(plain[i])) {
			t.Fatalf("logit %d is %g, without the tap %g", i, tapped[i], plain[i])
		}
	}
	if left := paritytest.Values(outputs[2])[0]; left > 1e-5 {
		t.Errorf("the hidden state is not what comes in and what attention and perceptron add: %g", left)
	}
	order := []llava.Site{llava.AttentionOutput, llava.PerceptronOutput, llava.HiddenState}
	if len(visits) != 3*config.Layers {
		t.Fatalf("got %v, want length %v", visits, 3*config.Layers)
	}
	for i, v := range visits {
		if v != (visit{i / 3, order[i%3]}) {
			t.Errorf("visit %d is %v", i, v)
		}
	}
}
