package compute

import (
	"context"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// drawnAtOnce is how many pictures a network draws together: numbers of pictures that it divides need one compiled graph.
const drawnAtOnce = 40

// artist draws pictures with a model.
type artist struct {
	*painter
	texts    *device.Program
	denoiser *diffusion.Denoiser
	empty    *tensors.Tensor
}

// artist prepares the model, with the values that it will have by then.
func (p *painter) artist(ctx context.Context) (*artist, error) {
	texts, err := p.Device.Compile("read prompts", p.store, func(_ *model.Scope, in []*graph.Node) []*graph.Node {
		return []*graph.Node{p.Text(p.store.Scope("/"+unlearn.Policy+"/text_encoder"), in[0])}
	})
	if err != nil {
		return nil, err
	}
	a := &artist{painter: p, texts: texts}
	if a.denoiser, err = diffusion.NewDenoiser(p.Device, p.store.Scope("/"+unlearn.Policy+"/unet"), p.Model); err != nil {
		texts.Close()
		return nil, err
	}
	if a.empty, err = a.hidden(ctx, ""); err != nil {
		a.close()
		return nil, err
	}
	return a, nil
}

func (a *artist) close() {
	a.texts.Close()
	a.denoiser.Close()
}

// hidden are the hidden states of prompts.
func (a *artist) hidden(ctx context.Context, prompts ...string) (*tensors.Tensor, error) {
	ids, err := tokens(prompts...)
	if err != nil {
		return nil, err
	}
	outputs, err := a.texts.Run(ctx, tensors.FromFlatDataAndDimensions(ids, len(prompts), concept.ContextLength))
	if err != nil {
		return nil, err
	}
	return outputs[0], nil
}

// draw draws a picture for each prompt, from the noise of its seed. Their planes stand one behind the other.
func (a *artist) draw(ctx context.Context, prompts []string, seeds []uint64, s concealment.Sampling, progress func(calls, of int)) ([]float32, error) {
	hidden, err := a.hidden(ctx, prompts...)
	if err != nil {
		return nil, err
	}
	drawn, err := diffusion.Sample(ctx, a.denoiser, diffusion.SampleOptions{
		Plan:     schedule.Plan{Solver: schedule.Solver(s.Solver), Steps: s.Steps, Eta: s.Eta},
		Guidance: s.Guidance, Prompt: hidden, Empty: a.empty, Seeds: seeds, Batch: drawnAtOnce, Progress: progress,
	})
	if err != nil {
		return nil, err
	}
	return a.decode(drawn.Samples), nil
}

// decode makes pictures of latents.
func (a *artist) decode(samples []float64) []float32 {
	single := make([]float32, len(samples))
	for i, value := range samples {
		single[i] = float32(value)
	}
	each := channels * a.image * a.image
	pictures := make([]float32, 0, len(samples))
	for latent := range slices.Chunk(single, each) {
		pictures = append(pictures, latents(a.network).Decode(latent, channels, a.image, a.image)...)
	}
	return pictures
}

// seen is a picture that was drawn and what a judge takes it for.
type seen struct {
	prompt string
	number int // among those of the prompt
	sight  sight
}

// look draws so many pictures of each prompt and lets a judge look at them.
func (a *artist) look(ctx context.Context, j *judge, prompts []string, each int, s concealment.Sampling, noise func(number int) uint64, progress func(done, of int)) ([]seen, []float32, error) {
	var words []string
	var seeds []uint64
	var all []seen
	for _, prompt := range prompts {
		for number := range each {
			words, seeds, all = append(words, prompt), append(seeds, noise(len(all))), append(all, seen{prompt: prompt, number: number})
		}
	}
	pictures, err := a.draw(ctx, words, seeds, s, progress)
	if err != nil {
		return nil, nil, err
	}
	sights, err := j.see(ctx, pictures, a.image)
	for i := range sights {
		all[i].sight = sights[i]
	}
	return all, pictures, err
}

// views are what is kept of pictures.
func views(all []seen) concealment.Views {
	views := make(concealment.Views, len(all))
	for i, s := range all {
		views[i] = concealment.View{Prompt: s.prompt, Number: s.number, Labels: concept.Labels{
			Object: concept.Object(s.sight.best(0)), Style: concept.Style(s.sight.best(1)), Colour: concept.Colour(s.sight.best(2)), Texture: concept.Texture(s.sight.best(3)),
		}}
	}
	return views
}
