package unlearn

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

// Names of the streams that Ablating Concepts draws.
const (
	Anchors = "anchors" // pictures of the anchor by the original model
	Noises  = "noises"  // noise for them
)

// AblationTarget is what the prediction for a concept goes to in [AblatingConcepts].
type AblationTarget string

// The targets.
const (
	ModelBased AblationTarget = "model" // the model's own prediction for the anchor
	NoiseBased AblationTarget = "noise" // the noise that was added to a picture of the anchor
)

// AblationGroup is what [AblatingConcepts] trains.
type AblationGroup struct {
	name, title string
	rate        Setting
	train       func(p Plan, o *optim.Optimizer)
}

// AblationGroups are the paper's: the keys and values of cross-attention, the embedding of the tokens that stand in a
// prompt and not in its anchor, and the whole UNet.
func AblationGroups() []AblationGroup {
	return []AblationGroup{
		{"", "", Setting{"rate", 1.6e-5, "official code: 2e-6 times a batch of 4 on 2 devices"},
			func(_ Plan, o *optim.Optimizer) {
				o.Select = ofUNet(diffusion.KeysAndValues)
			}},
		{"-embedding", ", embedding",
			Setting{"rate", 1e-5, "the order of the official code's, which is larger than that of the weights"},
			trainConceptsTokens},
		{"-full", ", full weights", Setting{"rate", 5e-7,
			"official code, which trains all weights to forget memorised pictures"}, func(_ Plan, o *optim.Optimizer) {
			o.Select = ofUNet(diffusion.Everything)
		}},
	}
}

// AblatingConcepts is Ablating Concepts (Kumari et al., 2023): the prediction for a prompt c* with the concept goes to
// that for the same prompt c with an anchor in its place, at pictures of the anchor with noise,
//
//	‖e(x, t, c*) - e(x, t, c)‖²    where the second term has no gradient, or
//	‖e(x, t, c*) - noise‖²,
//
// plus the setting "regulariser" times ‖e(x, t, c) - noise‖². The original model draws the pictures, once.
//
// The official code stops, in the keys and values that it trains, the gradient of the first token, which all texts
// share; a task does so with UNetConfig.HoldFirst.
func AblatingConcepts(target AblationTarget, group AblationGroup) Method {
	const code = "official code"
	if target != ModelBased && target != NoiseBased {
		panic(fmt.Sprintf("Ablating Concepts has no target %q", target))
	}
	return Method{
		Name:    "ablating-" + string(target) + group.name,
		Title:   "Ablating Concepts (" + string(target) + "-based" + group.title + ")",
		Version: 1, Source: "Kumari et al., ICCV 2023; official code",
		Settings: []Setting{
			group.rate, {"batch", 8, "official code: 4 on 2 devices"}, {"decay", 0.01, code}, {"clip", 1, code},
			{"regulariser", 0, "official code; 0.2 where the words of concept and anchor overlap"},
			{"anchors", 800, "official code: 1000 pictures, of which 100 steps see so many; a pass is those steps"},
			{"steps", 50, "Stable Diffusion's; the paper names none"},
			{"guidance", 7.5, "Stable Diffusion's; the paper names none"},
		},
		Phases: func(p Plan) []Phase {
			forgetTexts(p, Prompt, Empty, Anchor)
			optimizer, regulariser := adamW(p.Value("decay")), p.Value("regulariser")
			optimizer.ClipNorm = p.Value("clip")
			group.train(p, &optimizer)
			return []Phase{{
				Streams: []string{Anchors, Noises}, Drawn: []Drawn{anchorPictures(p), noises(p)}, Batch: p.batch(),
				Loss:      func(m Models, b Batch) *graph.Node { return ablate(m.Policy, b, target, regulariser) },
				Optimizer: optimizer, Rate: optim.Constant(p.Value("rate")),
			}}
		},
	}
}

func ablate(model View, b Batch, target AblationTarget, regulariser float64) *graph.Node {
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

// anchorPictures are drawn once, before the first step, when the model is still the original.
func anchorPictures(p Plan) Drawn {
	count, steps, guidance := p.whole("anchors"), p.whole("steps"), p.Value("guidance")
	return Drawn{
		Name: Anchors, Rows: count, Columns: []string{Sample, Prompt, Anchor}, Once: true,
		Draw: func(ctx context.Context, sampler Sampler, root uint64, _ int) ([]*tensors.Tensor, error) {
			texts, err := textsOf(p.stream(Forget), root, 0, count)
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
		},
	}
}

// noises are noise and timesteps, anew in each pass.
func noises(p Plan) Drawn {
	count := p.whole("anchors")
	return Drawn{
		Name: Noises, Rows: count, Columns: []string{Added, Timestep},
		Draw: func(_ context.Context, sampler Sampler, root uint64, pass int) ([]*tensors.Tensor, error) {
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
		},
	}
}

// trainConceptsTokens selects the embedding, of which it holds all rows but those of the tokens that prompts have and
// their anchors have not.
func trainConceptsTokens(p Plan, o *optim.Optimizer) {
	named := conceptsTokens(p)
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
				panic(fmt.Errorf("the token %d of a prompt is none of the %d of the embedding", token, len(rows)))
			}
			rows[token] = true
		}
		return graph.BroadcastToDims(graph.InsertAxes(graph.Const(value.Graph(), rows), -1),
			value.Shape().Dimensions...)
	}
}

func conceptsTokens(p Plan) []int32 {
	stream := p.stream(Forget)
	texts, err := textsOf(stream, 0, 0, stream.Rows())
	if err != nil {
		panic(err)
	}
	prompts, err := tensors.CopyFlatData[int32](texts[Prompt])
	if err != nil {
		panic(err)
	}
	anchors, err := tensors.CopyFlatData[int32](texts[Anchor])
	if err != nil {
		panic(err)
	}
	var named []int32
	length := len(prompts) / stream.Rows()
	for row := range stream.Rows() {
		for _, token := range prompts[row*length : (row+1)*length] {
			if !slices.Contains(anchors[row*length:(row+1)*length], token) && !slices.Contains(named, token) {
				named = append(named, token)
			}
		}
	}
	if len(named) == 0 {
		panic(fmt.Errorf("no prompt of the stream %q has a token that its anchor has not", Forget))
	}
	return named
}
