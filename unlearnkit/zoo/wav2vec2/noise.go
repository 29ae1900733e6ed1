package wav2vec2

import (
	"fmt"
	"math/rand/v2"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// Noise maps names from [Config.Sites] to a model's random numbers in training: dropout, SpecAugment's masks and
// LayerDrop. Sites that are missing have no noise. The nil Noise is for evaluation.
type Noise map[string]*graph.Node

// Site is a place where a model uses random numbers in training.
type Site struct {
	Name string
	// Shape is the tensor's shape. Float32 is uniform in [0, 1), and Bool is true at masked places. Uint32 [2] holds
	// keys from which the graph computes uniform numbers if there are many.
	Shape shapes.Shape
}

// mostDrawn is the number of random numbers per row above which a graph gets keys instead of numbers.
const mostDrawn = 1 << 18

const (
	siteTime     = "mask_time_indices"    // frames replaced by masked_spec_embed, bool [B, frames]
	siteChannels = "mask_feature_indices" // channels that are zero in all frames, bool [B, hidden_size]
	siteLayers   = "layerdrop"            // one number for each layer, [layers]
	siteFeatures = "feature_projection"
	siteEncoder  = "encoder"

	siteAttention  = "attention"
	siteHidden     = "hidden"
	siteActivation = "activation"
	siteOutput     = "output"
)

func siteOf(layer int, part string) string { return fmt.Sprintf("layers/%d/%s", layer, part) }

// Sites returns the places where a model uses random numbers for a batch, in the order of [Config.Draw].
func (c Config) Sites(batch, samples int) []Site {
	frames := c.Frames(samples)
	var sites []Site
	add := func(name string, rate float64, t dtypes.DType, dimensions ...int) {
		shape := shapes.Make(t, dimensions...)
		if shape.Rank() > 2 && shape.Size() > batch*mostDrawn {
			shape = shapes.Make(dtypes.Uint32, 2)
		}
		if rate > 0 {
			sites = append(sites, Site{name, shape})
		}
	}
	add(siteFeatures, c.FeatProjDropout, dtypes.Float32, batch, frames, c.HiddenSize)
	if c.ApplySpecAugment {
		add(siteTime, c.MaskTimeProb, dtypes.Bool, batch, frames)
		add(siteChannels, c.MaskFeatureProb, dtypes.Bool, batch, c.HiddenSize)
	}
	add(siteEncoder, c.HiddenDropout, dtypes.Float32, batch, frames, c.HiddenSize)
	add(siteLayers, c.LayerDrop, dtypes.Float32, c.NumHiddenLayers)
	for i := range c.NumHiddenLayers {
		add(siteOf(i, siteAttention), c.AttentionDropout, dtypes.Float32, batch, c.NumAttentionHeads, frames, frames)
		add(siteOf(i, siteHidden), c.HiddenDropout, dtypes.Float32, batch, frames, c.HiddenSize)
		add(siteOf(i, siteActivation), c.ActivationDropout, dtypes.Float32, batch, frames, c.IntermediateSize)
		add(siteOf(i, siteOutput), c.HiddenDropout, dtypes.Float32, batch, frames, c.HiddenSize)
	}
	return sites
}

// Named maps the names of sites to a graph's inputs in the same order.
func Named(sites []Site, inputs []*graph.Node) Noise {
	noise := Noise{}
	for i, site := range sites {
		noise[site.Name] = inputs[i]
	}
	return noise
}

// Draw draws the random numbers of a batch for [Config.Sites]. lengths holds the number of samples without padding in
// each row, because SpecAugment does not mask padding; nil means no padding.
func (c Config) Draw(random *rand.Rand, batch, samples int, lengths []int) []*tensors.Tensor {
	frames := make([]int, batch)
	channels := make([]int, batch)
	for row := range batch {
		frames[row], channels[row] = c.Frames(samples), c.HiddenSize
		if lengths != nil {
			frames[row] = c.Frames(lengths[row])
		}
	}
	var all []*tensors.Tensor
	for _, site := range c.Sites(batch, samples) {
		switch site.Name {
		case siteTime:
			mask := Spans(random, c.MaskTimeProb, c.MaskTimeLength, c.MaskTimeMinMasks, frames, c.Frames(samples))
			all = append(all, tensors.FromFlatDataAndDimensions(mask, site.Shape.Dimensions...))
		case siteChannels:
			mask := Spans(random, c.MaskFeatureProb, c.MaskFeatureLength, c.MaskFeatureMinMasks, channels, c.HiddenSize)
			all = append(all, tensors.FromFlatDataAndDimensions(mask, site.Shape.Dimensions...))
		default:
			if site.Shape.DType == dtypes.Uint32 {
				keys := []uint32{random.Uint32(), random.Uint32()}
				all = append(all, tensors.FromFlatDataAndDimensions(keys, len(keys)))
				continue
			}
			values := make([]float32, site.Shape.Size())
			for i := range values {
				values[i] = random.Float32()
			}
			all = append(all, tensors.FromFlatDataAndDimensions(values, site.Shape.Dimensions...))
		}
	}
	return all
}

// Spans draws SpecAugment's masks for rows of a given size, like transformers. Each row gets spans of length places
// before the row's end, which cover about the given share of the row, with overlaps counted twice. There are at least
// minSpans spans in a row if they fit. All rows use the same random number for rounding the number of spans. If size is
// less than length, nothing is masked.
func Spans(random *rand.Rand, share float64, length, minSpans int, ends []int, size int) []bool {
	mask := make([]bool, len(ends)*size)
	if length > size {
		return mask
	}
	rounding := random.Float64()
	for row, end := range ends {
		count := max(int(share*float64(end)/float64(length)+rounding), minSpans)
		starts := max(end-length+1, 0)
		count = min(count, size/length, starts)
		for _, start := range random.Perm(starts)[:count] {
			for place := start; place < start+length; place++ {
				mask[row*size+place] = true
			}
		}
	}
	return mask
}

// dropout sets values of x to zero where the site's noise is below rate, and scales the others up. Without noise, it
// returns x.
func (n Noise) dropout(site string, x *graph.Node, rate float64) *graph.Node {
	noise := n[site]
	if noise == nil || rate == 0 {
		return x
	}
	if noise.DType() == dtypes.Uint32 {
		noise = uniform(noise, x.Shape().Dimensions...)
	}
	return nn.Dropout(x, graph.ConvertDType(noise, x.DType()), rate)
}

// keep returns y, the output of a layer, or its input x if LayerDrop drops the layer (Fan et al., 2020).
func (n Noise) keep(layer int, rate float64, y, x *graph.Node) *graph.Node {
	noise := n[siteLayers]
	if noise == nil || rate == 0 {
		return y
	}
	kept := graph.GreaterOrEqual(graph.Slice(noise, graph.AxisElem(layer)), graph.ConstAs(noise, rate))
	return graph.Where(graph.Reshape(kept), y, x)
}
