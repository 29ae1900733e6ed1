package pretrain_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2/pretrain"
)

func TestClusters_EqualFairseq(t *testing.T) {
	each(t, "clusters", func(f fixture) (loss, []any) {
		inputs := append(f.sound(true), f.reference.Tensor("masked", dtypes.Bool),
			f.reference.Tensor("targets", dtypes.Int32))
		return func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			plain, rest := input(x, true)
			plain.Noise = wav2vec2.Noise{"mask_time_indices": rest[0]}
			objective := pretrain.Clusters{Count: 6, Width: 5, LogitTemperature: 0.1}
			l := objective.Loss(scope, f.config, pretrain.ClustersInput{Input: plain, Targets: rest[1]})
			return []*graph.Node{l.Total}
		}, inputs
	}, func(t *testing.T, f fixture, of loss, inputs []any) { f.compare(t, of, inputs, "loss") })
}

func TestFrame_LastRow(t *testing.T) {
	encoder := wav2vec2.Config{ConvKernel: []int{10, 8, 4}, ConvStride: []int{5, 4, 2}} // one frame every 40 samples
	for _, test := range []struct {
		rows []int32
		hop  int
		want []int32
	}{
		{[]int32{1, 2, 3, 4, 5, 6}, 40, []int32{1, 2, 3, 4, 5}},
		{[]int32{1, 2, 3}, 80, []int32{1, 1, 2, 2, 3}},
		{[]int32{1, 2}, 80, []int32{1, 1, 2, 2, 2}}, // a row of 25 ms would end after the last frame
		{[]int32{1, 2, 3, 4, 5, 6, 7, 8, 9}, 20, []int32{1, 3, 5, 7, 9}},
		{[]int32{1, 2, 3, 4}, 50, []int32{1, 1, 2, 3, 4}},
	} {
		got, err := pretrain.FrameTargets(encoder, 265, test.rows, test.hop)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("rows %v every %d: %v, %v, want %v", test.rows, test.hop, got, err, test.want)
		}
	}
	if got, err := pretrain.FrameTargets(encoder, 265, nil, 80); err == nil {
		t.Errorf("no rows: %v", got)
	}
}

// States are the same as when a clip is alone. The five clips go through the encoder in batches of two, the last batch
// is filled up, and padding is ignored.
func TestStates_EqualEncoder(t *testing.T) {
	d := devicetest.Open(t)
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	plan := pretrain.Plan{Scope: "policy", Encoder: smallEncoder(), Clips: clips(5, 600), Rows: 2}
	plan.Clips.Lengths = []int{600, 500, 600, 400, 600}
	plan.Encoder.DoStableLayerNorm, plan.Encoder.FeatExtractNorm = true, "layer" // a norm over time would include the padding
	states, err := pretrain.States(t.Context(), d, store, plan, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, samples := range plan.Clips.Samples {
		alone := samples[:plan.Clips.Lengths[i]]
		outputs := paritytest.Compute(t, d, store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			out := wav2vec2.Forward(scope.At("policy"), plan.Encoder, wav2vec2.Input{Values: x[0]})
			return []*graph.Node{out.States[1]}
		}, [][]float32{alone})
		var flat []float32
		for _, frame := range states[i] {
			flat = append(flat, frame...)
		}
		frames := plan.Encoder.Frames(len(alone))
		if len(states[i]) != frames {
			t.Fatalf("clip %d has %d frames, want %d", i, len(states[i]), frames)
		}
		want := paritytest.Values(outputs[0])
		for at := range want {
			if difference := float64(flat[at]) - want[at]; difference > 1e-4 || difference < -1e-4 {
				t.Fatalf("clip %d, number %d: %g, alone %g", i, at, flat[at], want[at])
			}
		}
	}
	if _, err := pretrain.States(t.Context(), d, store, plan, 3); err == nil {
		t.Error("there are states of a layer that the encoder does not have")
	}
}

// The encoder has a frame every 40 samples, and the cepstrum a row every 80 samples.
func ExampleFrameTargets() {
	targets, err := pretrain.FrameTargets(wav2vec2.SmallGroup(), 400, []int32{7, 4, 4, 2}, 80)
	fmt.Println(targets, err)
	// Output: [7 7 4 4 4 4 2 2] <nil>
}
