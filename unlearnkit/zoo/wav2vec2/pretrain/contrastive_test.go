package pretrain_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2/pretrain"
)

// contrastive returns a function that returns a fixture's objective and inputs, with or without training noise.
func contrastive(t *testing.T, padded, noisy bool) func(f fixture) (loss, []any) {
	return func(f fixture) (loss, []any) {
		var objective pretrain.Contrastive
		if err := json.Unmarshal(f.text, &objective); err != nil {
			t.Fatal(err)
		}
		inputs := append(f.sound(padded), f.reference.Tensor("masked", dtypes.Bool),
			f.reference.Tensor("negatives", f.dtype))
		if noisy {
			inputs = append(inputs, f.reference.Tensor("gumbel", f.dtype), f.reference.Tensor("temperature", f.dtype))
		}
		return func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			plain, rest := input(x, padded)
			plain.Noise = wav2vec2.Noise{"mask_time_indices": rest[0]}
			in := pretrain.ContrastiveInput{Input: plain, Negatives: rest[1]}
			if noisy {
				in.Gumbel, in.Temperature = rest[2], rest[3]
			}
			l := objective.Loss(scope, f.config, in)
			return []*graph.Node{l.Total, l.Contrastive, l.Diversity, l.Perplexity}
		}, inputs
	}
}

func TestContrastive_EqualsTransformers(t *testing.T) {
	for _, folder := range []string{"contrastive", "padded"} {
		each(t, folder, contrastive(t, folder == "padded", true),
			func(t *testing.T, f fixture, of loss, inputs []any) {
				f.compare(t, of, inputs, "loss", "contrastive", "diversity", "perplexity")
			})
	}
}

func TestContrastive_WithoutNoise(t *testing.T) {
	for _, folder := range []string{"contrastive", "padded"} {
		each(t, folder, contrastive(t, folder == "padded", false),
			func(t *testing.T, f fixture, of loss, inputs []any) {
				outputs := paritytest.Compute(t, f.device, f.store,
					func(scope *model.Scope, x []*graph.Node) []*graph.Node { return of(scope, x) }, inputs...)
				for i, name := range []string{"contrastive", "diversity", "perplexity"} {
					f.reference.Compare("evaluated."+name, outputs[i+1], f.tolerance(1e-4), 0)
				}
			})
	}
}

func TestNegatives(t *testing.T) {
	const frames, count = 7, 4000
	masked := []bool{
		false, true, true, false, false, true, true,
		true, false, false, false, false, false, true,
		false, false, true, false, false, false, false, // only one masked frame, so no negatives
	}
	counts := pretrain.DrawNegatives(seed.Stream(1), masked, frames, count)
	for place := range masked {
		row, first := counts[place*frames:(place+1)*frames], place/frames*frames
		others, sum := 0, 0.
		for frame := range frames {
			if masked[first+frame] && first+frame != place {
				others++
			} else if row[frame] != 0 {
				t.Errorf("frame %d has %g negatives of frame %d, itself or not masked", place, row[frame], frame)
			}
			sum += float64(row[frame])
		}
		want := count
		if !masked[place] || others == 0 {
			want = 0
		}
		if sum != float64(want) {
			t.Errorf("frame %d has %g negatives, want %d", place, sum, want)
		}
		for frame := range frames {
			if n := float64(row[frame]); n > 0 && math.Abs(n-count/float64(others)) > 5*math.Sqrt(count) {
				t.Errorf("frame %d takes frame %d %g times of %d among %d", place, frame, n, count, others)
			}
		}
	}
}

func TestTemperature_Falls(t *testing.T) {
	falling := pretrain.Falling{First: 2, Factor: 0.5, Last: 0.3}
	var got []float64
	for step := range 4 {
		got = append(got, falling.At(step))
	}
	if want := []float64{2, 1, 0.5, 0.3}; !slices.Equal(got, want) {
		t.Errorf("the temperatures are %v, want %v", got, want)
	}
}
