package wav2vec2_test

import (
	"math"
	"slices"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// congruence returns the noise as in testdata/gen_fixtures.py for a site, given by its number.
func congruence(site uint64, dimensions []int) *tensors.Tensor {
	size := 1
	for _, dimension := range dimensions {
		size *= dimension
	}
	values := make([]float32, size)
	for i := range values {
		values[i] = float32((uint64(i+1)*2654435761+site*40503)%(1<<32)/256) / (1 << 24)
	}
	return tensors.FromFlatDataAndDimensions(values, dimensions...)
}

func TestDropout_EqualsTransformers(t *testing.T) {
	each(t, func(t *testing.T, f fixture) {
		c := f.config
		c.HiddenDropout, c.AttentionDropout, c.ActivationDropout, c.FeatProjDropout, c.LayerDrop = 0.2, 0.15, 0.1, 0.25,
			0.3
		if c.UseWeightedLayerSum {
			c.LayerDrop = 0
		}
		inputs := f.batch()[:2]
		rows, samples := 3, inputs[0].(*tensors.Tensor).Shape().Dimensions[1]
		sites := c.Sites(rows, samples)
		number := uint64(0)
		for _, site := range sites {
			switch site.Name {
			case "mask_time_indices":
				inputs = append(inputs, f.reference.Tensor("time", dtypes.Bool))
			case "layerdrop":
				inputs = append(inputs, congruence(1000, site.Shape.Dimensions))
			default:
				number++
				inputs = append(inputs, congruence(number, site.Shape.Dimensions))
			}
		}
		outputs := f.run(t, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			in := wav2vec2.Input{Values: x[0], Mask: x[1], Noise: wav2vec2.Named(sites, x[2:])}
			return []*graph.Node{wav2vec2.Forward(scope, c, in).Logits}
		}, inputs...)
		f.reference.Compare("dropout.logits", outputs[0], f.tolerance(1e-4), 0)
	})
}

func TestDraw_SitesAndStream(t *testing.T) {
	c := wav2vec2.SmallLayer()
	c.MaskFeatureProb, c.ActivationDropout = 0.2, 0.1
	const rows, samples = 3, 2000
	sites := c.Sites(rows, samples)
	if want := 5 + 4*c.NumHiddenLayers; len(sites) != want {
		t.Errorf("there are %d sites, want %d", len(sites), want)
	}
	first := c.Draw(seed.Stream(1, "noise"), rows, samples, []int{2000, 1200, 700})
	again := c.Draw(seed.Stream(1, "noise"), rows, samples, []int{2000, 1200, 700})
	for i, site := range sites {
		if !first[i].Shape().Equal(site.Shape) {
			t.Errorf("%s has noise of shape %s, want %s", site.Name, first[i].Shape(), site.Shape)
		}
		if !first[i].Equal(again[i]) {
			t.Errorf("%s has other noise from the same stream", site.Name)
		}
		if site.Name == "mask_time_indices" {
			frames := c.Frames(samples)
			if last := tensors.MustCopyFlatData[bool](first[i])[2*frames : 3*frames]; slices.Contains(
				last[c.Frames(700):], true) {
				t.Error("SpecAugment masks padding")
			}
		}
	}
	c.ApplySpecAugment, c.LayerDrop, c.HiddenDropout, c.AttentionDropout, c.ActivationDropout,
		c.FeatProjDropout = false, 0, 0, 0, 0, 0
	if sites := c.Sites(rows, samples); len(sites) != 0 {
		t.Errorf("a model without randomness has the sites %v", sites)
	}
}

func TestSpans_ShareAndLength(t *testing.T) {
	tests := []struct {
		name              string
		share             float64
		length, least     int
		ends              []int
		size              int
		fewest, mostSpans int // minimum and maximum number of spans in a row without padding
	}{
		{"transformers' defaults on ten seconds", 0.05, 10, 2, []int{499, 499}, 499, 2, 3},
		{"a least number above the share", 0.01, 4, 3, []int{100}, 100, 3, 3},
		{"more than fits", 0.9, 10, 9, []int{35}, 35, 3, 3},
		{"a span longer than the row", 0.5, 40, 2, []int{35}, 35, 0, 0},
		{"a row shorter than a span", 0.5, 10, 2, []int{35, 9}, 35, 1, 2},
	}
	for _, test := range tests {
		for trial := range 50 {
			mask := wav2vec2.Spans(seed.Stream(3, test.name, trial), test.share, test.length, test.least, test.ends,
				test.size)
			for row, end := range test.ends {
				marks := mask[row*test.size : (row+1)*test.size]
				if slices.Contains(marks[end:], true) {
					t.Fatalf("%s: row %d is masked behind its end %d", test.name, row, end)
				}
				count := 0
				for _, mark := range marks {
					if mark {
						count++
					}
				}
				if row == 0 && (count > test.mostSpans*test.length || count < min(test.fewest, 1)*test.length) {
					t.Fatalf("%s: %d places are masked, want %d to %d spans of %d", test.name, count, test.fewest,
						test.mostSpans, test.length)
				}
				if end < test.length && count != 0 {
					t.Fatalf("%s: row %d of %d places is masked", test.name, row, end)
				}
			}
		}
	}
}

func TestSpans_Rounding(t *testing.T) {
	const trials, size, share, length = 2000, 100, 0.13, 1
	count := 0
	for trial := range trials {
		for _, mark := range wav2vec2.Spans(seed.Stream(4, trial), share, length, 0, []int{size - 1}, size) {
			if mark {
				count++
			}
		}
	}
	want := share * (size - 1) // 12 or 13 spans, 12.87 on average
	if got := float64(count) / trials; math.Abs(got-want) > 0.04 {
		t.Errorf("%.3f places are masked on average, want %.2f", got, want)
	}
}
