// Package pretrain provides objectives for pre-training speech encoders of the wav2vec2 family.
//
// [Contrastive] is the objective of wav2vec 2.0, XLSR-53 and XLS-R, [Clusters] is that of HuBERT, and [CTC] turns an
// encoder into a recogniser with transcribed speech. Each has a method Loss, which equals the original, and a method
// Steps, which returns the loss and batches of recordings for a [train.Job]:
//
//	steps, err := pretrain.SmallContrastive().Steps(pretrain.Plan{Scope: "policy", Encoder: encoder,
//		Clips: clips, Rows: 8, Seed: 1})
//	log, err := train.Job{Device: d, Scope: "policy", Loss: steps.Loss, Batch: steps.Batch, ...}.Run(ctx)
//
// Masks, negatives and Gumbel noise are drawn on the host from the seed and the step number, so an interrupted training
// continues to the same bytes. The trained tensors are below the scope with the names of the transformers library, as
// in package [wav2vec2], whose functions read the encoder there.
//
// # Iterations of HuBERT
//
// In the first iteration, the clusters are of features from preprocess.MFCC, and in the second of [States] in a middle
// layer of the first encoder. [Fit] finds the clusters.
package pretrain

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// maskedFrames is the name of the noise in [wav2vec2.Config.Sites] that selects masked frames.
const maskedFrames = "mask_time_indices"

// Plan holds the inputs of pre-training without the objective.
type Plan struct {
	Scope string // the model's scope in the store
	// Encoder is the model without a head. Its mask_time_prob and mask_time_length determine the masked frames; they
	// are 0.65 and 10 in wav2vec 2.0, and 0.8 and 10 in HuBERT. Its dropout rates are used.
	Encoder wav2vec2.Config
	Clips   Clips
	Rows    int // number of clips per step
	Seed    uint64
}

// Clips holds recordings padded at the end to the same length.
type Clips struct {
	Samples [][]float32
	// Lengths holds the number of samples without padding in each clip, from which the model's mask is computed; nil
	// means no padding.
	Lengths []int
}

// length returns the number of samples without padding in a clip.
func (c Clips) length(clip int) int {
	if c.Lengths == nil {
		return len(c.Samples[clip])
	}
	return c.Lengths[clip]
}

// Steps holds the loss and the batches of a [train.Job].
type Steps struct {
	Loss  func(root *model.Scope, inputs []*graph.Node) *graph.Node
	Batch func(step int) (train.Batch, error)
}

func (p Plan) check() error {
	if err := p.Encoder.Check(); err != nil {
		return err
	}
	switch {
	case p.Scope == "":
		return errors.New("pre-training: Scope is empty: set it to the model's scope in the store")
	case p.Rows < 1:
		return fmt.Errorf("pre-training: %d rows a step, at least one is needed", p.Rows)
	case len(p.Clips.Samples) == 0:
		return errors.New("pre-training: there are no clips")
	case p.Encoder.NumLabels > 0:
		return fmt.Errorf("pre-training: the encoder has a head for %d labels, set num_labels to 0",
			p.Encoder.NumLabels)
	}
	return p.Clips.check(p.Encoder)
}

func (c Clips) check(encoder wav2vec2.Config) error {
	if c.Lengths != nil && len(c.Lengths) != len(c.Samples) {
		return fmt.Errorf("%d clips have %d lengths", len(c.Samples), len(c.Lengths))
	}
	for i, samples := range c.Samples {
		if len(samples) != len(c.Samples[0]) {
			return fmt.Errorf("clip %d has %d samples and clip 0 has %d: cut or pad them to one length", i,
				len(samples), len(c.Samples[0]))
		}
		if length := c.length(i); length < 0 || length > len(samples) || encoder.Frames(length) == 0 {
			return fmt.Errorf("clip %d has %d samples of sound of %d, a frame takes %d", i, length, len(samples),
				encoder.ReceptiveField())
		}
		for at, x := range samples {
			if value := float64(x); math.IsNaN(value) || math.IsInf(value, 0) {
				return fmt.Errorf("clip %d: sample %d is %g", i, at, value)
			}
		}
	}
	return nil
}

// checkMasks returns an error if a clip may have fewer than two masked frames, because one frame would have no
// negatives.
func (p Plan) checkMasks() error {
	e := p.Encoder
	if !e.ApplySpecAugment || e.MaskTimeProb == 0 {
		return errors.New("pre-training: the encoder masks no frames, set apply_spec_augment and mask_time_prob")
	}
	if e.MaskTimeLength < 2 || e.MaskTimeMinMasks < 1 {
		return fmt.Errorf("pre-training: mask_time_length is %d and mask_time_min_masks %d, at least 2 and 1 are "+
			"needed, so that every clip has masked frames", e.MaskTimeLength, e.MaskTimeMinMasks)
	}
	for i := range p.Clips.Samples {
		if frames := e.Frames(p.Clips.length(i)); frames < e.MaskTimeLength {
			return fmt.Errorf("clip %d has %d frames, a masked span has mask_time_length %d", i, frames,
				e.MaskTimeLength)
		}
	}
	return nil
}

// soundInputs returns the inputs that all objectives need: the samples, the mask of padding if there are lengths, and
// the noise. It also returns the lengths of the rows.
func (p Plan) soundInputs(rows []int, random *rand.Rand) (inputs []*tensors.Tensor, lengths []int) {
	samples := len(p.Clips.Samples[0])
	values := make([]float32, 0, len(rows)*samples)
	for _, clip := range rows {
		values = append(values, p.Clips.Samples[clip]...)
		lengths = append(lengths, p.Clips.length(clip))
	}
	inputs = append(inputs, tensors.FromFlatDataAndDimensions(values, len(rows), samples))
	if p.Clips.Lengths != nil {
		mask := make([]bool, len(rows)*samples)
		for row, length := range lengths {
			for i := range length {
				mask[row*samples+i] = true
			}
		}
		inputs = append(inputs, tensors.FromFlatDataAndDimensions(mask, len(rows), samples))
	}
	return append(inputs, p.Encoder.Draw(random, len(rows), samples, lengths)...), lengths
}

// take interprets the inputs from soundInputs, and returns the objective's own inputs as rest.
func (p Plan) take(inputs []*graph.Node) (in wav2vec2.Input, rest []*graph.Node) {
	in.Values, rest = inputs[0], inputs[1:]
	if p.Clips.Lengths != nil {
		in.Mask, rest = rest[0], rest[1:]
	}
	sites := p.Encoder.Sites(in.Values.Shape().Dimensions[0], in.Values.Shape().Dimensions[1])
	in.Noise = wav2vec2.Named(sites, rest[:len(sites)])
	return in, rest[len(sites):]
}

// masked returns the masked frames from the result of soundInputs.
func (p Plan) masked(inputs []*tensors.Tensor) []bool {
	samples := len(p.Clips.Samples[0])
	sites := p.Encoder.Sites(p.Rows, samples)
	first := len(inputs) - len(sites)
	for i, site := range sites {
		if site.Name == maskedFrames {
			return tensors.MustCopyFlatData[bool](inputs[first+i])
		}
	}
	panic("pretrain: nothing is masked") // impossible after checkMasks
}

func power(base float64, exponent int) float64 { return math.Pow(base, float64(exponent)) }

func fromZeroToOne(values []float64, random *rand.Rand) {
	for i := range values {
		values[i] = random.Float64()
	}
}
