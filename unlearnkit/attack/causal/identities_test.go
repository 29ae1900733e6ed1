package causal_test

import (
	"math"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/causal"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// Restoring all hidden states of a layer gives the clean run, and the corrupted run's own values change nothing.
func TestPatch_WholeLayer(t *testing.T) {
	for _, name := range []string{"llava", "llama"} {
		r, err := tracer(t, opened(t, name)).Patch(t.Context(),
			causal.Sample{Prompt: "the job of ann is", Subject: "ann", Substitute: "bob", Answer: "pilot"})
		if err != nil {
			t.Fatal(err)
		}
		if r.Clean == r.Corrupted {
			t.Errorf("%s: the corrupted run is the clean one", name)
		}
		for layer, p := range r.FromClean {
			if !same(p, r.Clean) {
				t.Errorf("%s, layer %d: %g, the clean run gives %g", name, layer, p, r.Clean)
			}
		}
		for i, p := range r.FromCorrupted {
			if !same(p, r.Corrupted) {
				t.Errorf("%s, task %d: the corrupted run's own values make %g of %g", name, i, p, r.Corrupted)
			}
		}
	}
}

// same lets log-probabilities differ by single-precision rounding, which depends on a run's index in its batch.
func same(a, b float64) bool {
	return math.Abs(math.Log(a)-math.Log(b)) <= 1e-6*max(1, math.Abs(math.Log(b)))
}

// handMade returns a model of two layers. The first layer's attention copies the subject to the last position, and the
// second layer's perceptron writes the answer there. Everything else adds nothing.
//
// Directions of the hidden state: 0 is ann's, 1 everything's, 2 where the attention puts ann, 3 the answer's.
func handMade(t *testing.T) *language.Model {
	t.Helper()
	m := opened(t, "llama")
	c := llava.Decoder{Vocabulary: m.Text.Vocabulary, Width: 4, Layers: 2, Heads: 1, KeyValueHeads: 1, HeadWidth: 4,
		Hidden: 1, Activation: "silu", Theta: 10000, Epsilon: 1e-6, Context: 64}
	store := model.NewStore()
	if err := c.Trace(devicetest.Open(t), store); err != nil {
		t.Fatal(err)
	}
	_, ann, err := m.Continue("of", "ann")
	if err != nil {
		t.Fatal(err)
	}
	_, the, err := m.Continue("is", "the")
	if err != nil {
		t.Fatal(err)
	}
	subject, answer := ann[1], the[0] // after the space's token; with the space
	for variable := range store.IterVariables() {
		dimensions := variable.Shape().Dimensions
		values := make([]float32, variable.Shape().Size())
		set := func(row, column int, value float32) { values[row*dimensions[len(dimensions)-1]+column] = value }
		switch variable.Path() {
		case "/model/embed_tokens/weight":
			for id := range c.Vocabulary {
				set(id, 1, 1)
			}
			set(int(subject), 0, 3)
		case "/model/layers/0/self_attn/v_proj/weight":
			set(0, 0, 1)
		case "/model/layers/0/self_attn/o_proj/weight":
			set(2, 0, 10)
		case "/model/layers/1/mlp/gate_proj/weight", "/model/layers/1/mlp/up_proj/weight":
			set(0, 2, 3)
		case "/model/layers/1/mlp/down_proj/weight":
			set(3, 0, 10)
		case "/lm_head/weight":
			set(int(answer), 3, 20)
		default:
			if len(dimensions) == 1 { // the weights of norms
				for i := range values {
					values[i] = 1
				}
			}
		}
		if err := variable.SetValue(tensors.FromFlatDataAndDimensions(values, dimensions...)); err != nil {
			t.Fatal(err)
		}
	}
	m.Store, m.Text = store, c
	return m
}

// The trace finds the one layer that writes the answer.
func TestTrace_FindsLayer(t *testing.T) {
	trace, err := tracer(t, handMade(t)).Trace(t.Context(), causal.Sample{Prompt: "the job of ann is", Subject: "ann",
		Substitute: "bob", Answer: "the"}, causal.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if trace.Skipped != "" || trace.Clean < .9 || trace.Corrupted > .1 {
		t.Fatalf(`got %+v, want Skipped "", Clean at least .9, Corrupted at most .1`, trace)
	}
	last := len(trace.Rows) - 1
	// row and layer of the effect in each map; from that layer on, the hidden state has the effect
	found := map[string][][2]int{}
	for _, m := range trace.Maps {
		for row, shares := range m.Shares {
			for layer, share := range shares {
				switch {
				case math.Abs(share-1) < 1e-3:
					found[m.Site] = append(found[m.Site], [2]int{row, layer})
				case math.Abs(share) > 1e-3:
					t.Errorf("%s, row %d, layer %d: a share of %g", m.Site, row, layer, share)
				}
			}
		}
	}
	for site, want := range map[string][][2]int{
		"perceptron":   {{last, 1}},
		"attention":    {{last, 0}},
		"hidden state": {{last, 0}, {last, 1}},
	} {
		if got := found[site]; len(got) != len(want) || got[0] != want[0] || got[len(got)-1] != want[len(want)-1] {
			t.Errorf("%s: the whole effect at %v, want %v", site, got, want)
		}
	}
}
