package denoising

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

// Names of the streams that Ablating Concepts draws.
const (
	Anchors = "anchors" // pictures of the anchor, drawn by the original model
	Noises  = "noises"  // noise for the pictures
)

// AblationTarget is the target of the prediction for a concept in [AblatingConcepts].
type AblationTarget string

// The targets.
const (
	ModelBased AblationTarget = "model" // the model's own prediction for the anchor
	NoiseBased AblationTarget = "noise" // the noise that was added to a picture of the anchor
)

// AblationGroup defines which parameters [AblatingConcepts] trains.
type AblationGroup struct {
	suffix string // suffix of the method's name
	train  func(forget unlearn.Stream, o *optim.Optimizer) error
}

// AblationGroups returns the paper's groups: the keys and values of cross-attention, the embeddings of the tokens that
// occur in a prompt and not in its anchor, and the whole UNet.
func AblationGroups() []AblationGroup {
	return []AblationGroup{
		{"", trainUNetGroup(diffusion.KeysAndValues)},
		{"-embedding", trainConceptTokens},
		{"-full", trainUNetGroup(diffusion.Everything)},
	}
}

func trainUNetGroup(group diffusion.Group) func(unlearn.Stream, *optim.Optimizer) error {
	return func(_ unlearn.Stream, o *optim.Optimizer) error {
		o.Select = selectUNet(group)
		return nil
	}
}

// AblatingConcepts returns the method Ablating Concepts (Kumari et al., 2023): for a prompt c* with the concept and the
// same prompt c with an anchor instead, the prediction moves to a target on noised pictures of the anchor,
//
//	‖e(x, t, c*) - e(x, t, c)‖²    where the second term has no gradient, or
//	‖e(x, t, c*) - noise‖²,
//
// plus the setting "regulariser" times ‖e(x, t, c) - noise‖². The original model draws the pictures, once.
//
// In the trained keys and values, the official code stops the gradient of the first token, which all texts share; a
// task does this with UNetConfig.HoldFirst.
func AblatingConcepts(target AblationTarget, group AblationGroup) Method {
	return Method{
		Entry: catalogue.Denoising.Entry("ablating-" + string(target) + group.suffix),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			forget, err := p.Stream(unlearn.Forget, Prompt, Empty, Anchor)
			if err != nil {
				return nil, err
			}
			optimizer := optim.Optimizer{Rule: optim.AdamW{WeightDecay: p.Value("decay")}, ClipNorm: p.Value("clip")}
			if err := group.train(forget, &optimizer); err != nil {
				return nil, err
			}
			regulariser := p.Value("regulariser")
			return []Phase{{
				Streams: []string{Anchors, Noises}, Drawn: []Drawn{anchorPictures(p, forget), noises(p)},
				Batch: p.Whole("batch"), Optimizer: optimizer, Rate: optim.Constant(p.Value("rate")),
				Loss: func(m Models, b unlearn.Batch) *graph.Node {
					return ablate(m.Policy, b, target, regulariser)
				},
			}}, nil
		},
	}
}

func ablate(model View, b unlearn.Batch, target AblationTarget, regulariser float64) *graph.Node {
	timestep, noise := b.Of(Noises, Timestep), b.Of(Noises, Added)
	sample := model.Noisy(b.Of(Anchors, Sample), noise, timestep)
	anchored := model.Noise(sample, timestep, b.Of(Anchors, Anchor))
	wanted := noise
	if target == ModelBased {
		wanted = graph.StopGradient(anchored)
	}
	loss := model.NoiseError(model.Noise(sample, timestep, b.Of(Anchors, Prompt)), wanted, timestep)
	if regulariser != 0 {
		loss = graph.Add(loss, graph.MulScalar(model.NoiseError(anchored, noise, timestep), regulariser))
	}
	return loss
}

// anchorPictures returns the stream of pictures. They are drawn once before the first step, when the model is still the
// original.
func anchorPictures(p *unlearn.Plan, forget unlearn.Stream) Drawn {
	count, steps, guidance := p.Whole("anchors"), p.Whole("steps"), p.Value("guidance")
	return Drawn{
		Name: Anchors, Rows: count, Columns: []string{Sample, Prompt, Anchor}, Once: true,
		Open: openWith(func(ctx context.Context, sampler Sampler, root uint64, _ int) ([]*tensors.Tensor, error) {
			texts, err := textsOf(forget, root, 0, count)
			if err != nil {
				return nil, err
			}
			s := Sampling{Prompts: texts[Anchor], Empty: texts[Empty], Guidance: guidance, Steps: steps}
			for k := range count {
				s.Seeds = append(s.Seeds, seed.Derive(root, "anchor", k))
			}
			s.Stops = slices.Repeat([][]int{{steps}}, count)
			samples, err := sampler.Draw(ctx, s)
			if err != nil {
				return nil, err
			}
			return []*tensors.Tensor{samples, texts[Prompt], texts[Anchor]}, nil
		}),
	}
}

// noises returns the stream of noise and timesteps, which are drawn again in each pass.
func noises(p *unlearn.Plan) Drawn {
	count := p.Whole("anchors")
	return Drawn{
		Name: Noises, Rows: count, Columns: []string{Added, Timestep},
		Open: openWith(func(_ context.Context, sampler Sampler, root uint64, pass int) ([]*tensors.Tensor, error) {
			random, shape := seed.Stream(root, "noises", pass), sampler.Shape()
			times := make([]int32, count)
			for i := range times {
				times[i] = int32(random.IntN(sampler.TrainSteps()))
			}
			values := make([]float32, count*shape[0]*shape[1]*shape[2])
			for i := range values {
				values[i] = float32(random.NormFloat64())
			}
			return []*tensors.Tensor{tensors.FromFlatDataAndDimensions(values, append([]int{count}, shape...)...),
				tensors.FromFlatDataAndDimensions(times, count)}, nil
		}),
	}
}

// trainConceptTokens selects the token embedding. It masks all rows except tokens that occur in a prompt and not in its
// anchor.
func trainConceptTokens(forget unlearn.Stream, o *optim.Optimizer) error {
	named, err := conceptTokens(forget)
	if err != nil {
		return err
	}
	o.Select = func(path string) float64 {
		if strings.HasPrefix(path, textPart+"/") && strings.HasSuffix(path, "token_embedding/weight") {
			return 1
		}
		return 0
	}
	o.Mask = func(_ string, value *graph.Node) *graph.Node {
		rows := make([]bool, value.Shape().Dim(0))
		for _, token := range named {
			if token < 0 || int(token) >= len(rows) {
				panic(fmt.Errorf("the token %d of a prompt is not one of the embedding's %d", token, len(rows)))
			}
			rows[token] = true
		}
		return graph.BroadcastToDims(graph.InsertAxes(graph.Const(value.Graph(), rows), -1),
			value.Shape().Dimensions...)
	}
	return nil
}

func conceptTokens(forget unlearn.Stream) ([]int32, error) {
	texts, err := textsOf(forget, 0, 0, forget.Rows())
	if err != nil {
		return nil, err
	}
	prompts, err := tensors.CopyFlatData[int32](texts[Prompt])
	if err != nil {
		return nil, err
	}
	anchors, err := tensors.CopyFlatData[int32](texts[Anchor])
	if err != nil {
		return nil, err
	}
	var named []int32
	length := len(prompts) / forget.Rows()
	for row := range forget.Rows() {
		for _, token := range prompts[row*length : (row+1)*length] {
			if !slices.Contains(anchors[row*length:(row+1)*length], token) && !slices.Contains(named, token) {
				named = append(named, token)
			}
		}
	}
	if len(named) == 0 {
		return nil, fmt.Errorf("no prompt of the stream %q has a token that its anchor lacks", unlearn.Forget)
	}
	return named, nil
}
