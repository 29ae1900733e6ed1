package train

import (
	"context"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// drawnAtOnce is the networks' batch size. It is constant, so that one compiled graph suffices. A picture's rounding
// depends on its index in the batch, but not on the other pictures.
const drawnAtOnce = 40

// artist draws pictures with a model. Other weights can be loaded into the model.
type artist struct {
	*painter
	texts    *device.Program
	denoiser *diffusion.Denoiser
	sampler  denoising.Sampler // sampler that methods use; nil before its first use
}

func (p *painter) artist() (*artist, error) {
	texts, err := p.Device.Compile("read prompts", p.store, func(_ *model.Scope, in []*graph.Node) []*graph.Node {
		return []*graph.Node{p.Text(p.store.Scope("/"+unlearn.Policy+"/text_encoder"), in[0])}
	})
	if err != nil {
		return nil, err
	}
	denoiser, err := diffusion.NewDenoiser(p.Device, p.store.Scope("/"+unlearn.Policy+"/unet"), p.Model)
	if err != nil {
		texts.Close()
		return nil, err
	}
	return &artist{painter: p, texts: texts, denoiser: denoiser}, nil
}

func (a *artist) close() {
	a.texts.Close()
	a.denoiser.Close()
	if a.sampler != nil {
		a.sampler.Close()
	}
}

// hidden returns the hidden states of prompts. It encodes each prompt separately, so that one compiled graph suffices.
func (a *artist) hidden(ctx context.Context, prompts ...string) (*tensors.Tensor, error) {
	read := map[string][]float32{}
	var all []float32
	for _, prompt := range prompts {
		if read[prompt] == nil {
			ids, err := tokens(prompt)
			if err != nil {
				return nil, err
			}
			outputs, err := a.texts.Run(ctx, tensors.FromFlatDataAndDimensions(ids, 1, concept.ContextLength))
			if err != nil {
				return nil, err
			}
			read[prompt] = tensors.MustCopyFlatData[float32](outputs[0])
		}
		all = append(all, read[prompt]...)
	}
	return tensors.FromFlatDataAndDimensions(all, len(prompts), concept.ContextLength, a.network.Context), nil
}

// draw draws a picture for each prompt, from the noise with its seed. It returns the concatenated colour planes.
func (a *artist) draw(ctx context.Context, prompts []string, seeds []uint64, s concealment.Sampling,
	progress func(calls, of int)) ([]float32, error) {
	more := filling(len(prompts), a.Batch)
	prompts, seeds = slices.Concat(prompts, slices.Repeat([]string{""}, more)),
		slices.Concat(seeds, make([]uint64, more))
	hidden, err := a.hidden(ctx, prompts...)
	if err != nil {
		return nil, err
	}
	empty, err := a.hidden(ctx, "")
	if err != nil {
		return nil, err
	}
	drawn, err := diffusion.Sample(ctx, a.denoiser, diffusion.SampleOptions{
		Plan:     schedule.Plan{Solver: schedule.Solver(s.Solver), Steps: s.Steps, Eta: s.Eta},
		Guidance: s.Guidance, Prompt: hidden, Empty: empty, Seeds: seeds, Batch: a.Batch, Progress: progress,
	})
	if err != nil {
		return nil, err
	}
	pictures := a.decode(drawn.Samples)
	return pictures[:len(pictures)/len(prompts)*(len(prompts)-more)], nil
}

// filling returns the number of pictures that are missing in the last batch.
func filling(count, atOnce int) int { return (atOnce - count%atOnce) % atOnce }

// decode converts latents to pictures.
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

// ask returns views that ask for count pictures of every prompt. They have no labels yet.
func ask(prompts []string, count int) concealment.Views {
	var asked concealment.Views
	for _, prompt := range prompts {
		for number := range count {
			asked = append(asked, concealment.View{Prompt: prompt, Number: number})
		}
	}
	return asked
}

// look draws the pictures that are asked for. It returns them with the judge's labels.
func (a *artist) look(ctx context.Context, j *judge, asked concealment.Views, s concealment.Sampling,
	noise func(number int) uint64, progress func(done, of int)) (concealment.Views, error) {
	var prompts []string
	var seeds []uint64
	for i, view := range asked {
		prompts, seeds = append(prompts, view.Prompt), append(seeds, noise(i))
	}
	pictures, err := a.draw(ctx, prompts, seeds, s, progress)
	if err != nil {
		return nil, err
	}
	return labelled(ctx, j, asked, pictures)
}

// labelled returns the views with the judge's labels of the pictures.
func labelled(ctx context.Context, j *judge, asked concealment.Views, pictures []float32) (concealment.Views, error) {
	sights, err := j.see(ctx, pictures)
	if err != nil {
		return nil, err
	}
	views := slices.Clone(asked)
	for i, s := range sights {
		views[i].Labels = s.labels()
	}
	return views, nil
}
