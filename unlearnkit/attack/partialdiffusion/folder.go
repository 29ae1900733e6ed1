package partialdiffusion

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// Several is a model with several prompts to draw. With more than one prompt the model remains in memory until Close,
// so that its weights are read and its graphs compiled once.
type Several struct {
	Narrow bool // compute the UNet in bfloat16, see [diffusion.Pipeline.Narrow]

	config *diffusion.Model
	name   string
	open   func(ctx context.Context, narrow bool) (*Opened, []*tensors.Tensor, error)
	count  int

	opened *Opened // the open model, if it remains in memory
	hidden []*tensors.Tensor
}

// Prompted returns the model in a folder in the format of diffusers' StableDiffusionPipeline, for several prompts. If
// unet is not "", that UNet replaces the folder's, see [diffusion.Pipeline.Exchange]; it is the part that authors of
// erasing methods publish. Guidance points away from the negative prompt, which is usually empty. Prompted checks the
// configurations and the prompts; the weights are read when a source is opened.
func Prompted(d *device.Device, dir, unet, negative string, prompts ...string) (*Several, error) {
	if unet != "" {
		if _, err := os.Stat(unet); err != nil {
			return nil, fmt.Errorf("read a UNet: %w", err)
		}
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: there is no such folder", dir)
	}
	text, err := configured(filepath.Join(dir, "text_encoder"), clip.ParseTextConfig)
	if err != nil {
		return nil, err
	}
	config := &diffusion.Model{}
	if config.UNet, err = configured(filepath.Join(dir, "unet"), diffusion.ParseUNetConfig); err != nil {
		return nil, err
	}
	scheduler := filepath.Join(dir, "scheduler", "scheduler_config.json")
	content, err := os.ReadFile(scheduler)
	if err != nil {
		return nil, fmt.Errorf("%w; a folder of diffusers' StableDiffusionPipeline was expected", err)
	}
	if _, config.Schedule, err = schedule.ParseConfig(content); err != nil {
		return nil, fmt.Errorf("read %s: %w", scheduler, err)
	}
	ids, err := tokens(filepath.Join(dir, "tokenizer"), text, append([]string{negative}, prompts...)...)
	if err != nil {
		return nil, err
	}
	return &Several{config: config, name: filepath.Base(dir), count: len(prompts),
		open: func(ctx context.Context, narrow bool) (*Opened, []*tensors.Tensor, error) {
			return open(ctx, d, dir, unet, narrow, ids)
		},
	}, nil
}

// Source returns the model with one of its prompts.
func (m *Several) Source(prompt int) Source {
	return Source{Name: m.name, Config: m.config, Open: func(ctx context.Context) (*Opened, error) {
		opened, hidden := m.opened, m.hidden
		if opened == nil {
			var err error
			if opened, hidden, err = m.open(ctx, m.Narrow); err != nil {
				return nil, err
			}
			if m.count > 1 {
				m.opened, m.hidden = opened, hidden
			}
		}
		with := *opened
		with.Empty, with.Prompt = hidden[0], hidden[1+prompt]
		if m.opened != nil {
			with.Close = nil
		}
		return &with, nil
	}}
}

// Close releases a model that has remained in memory.
func (m *Several) Close() {
	if m.opened != nil {
		m.opened.close()
		m.opened = nil
	}
}

func configured[C any](dir string, parse func([]byte) (C, error)) (config C, err error) {
	_, content, err := hf.Detect(dir)
	if err != nil {
		return config, err
	}
	if config, err = parse(content); err != nil {
		return config, fmt.Errorf("read %s: %w", dir, err)
	}
	return config, nil
}

// clipEnd marks the end of a text. Stable Diffusion 1.x also pads texts with it.
const clipEnd = "<|endoftext|>"

// tokens returns the token ids of texts from a folder's tokenizer, padded to the text encoder's length.
func tokens(folder string, text clip.TextConfig, texts ...string) ([][]int32, error) {
	tokenizer, err := tokenizerOf(folder, text)
	if err != nil {
		return nil, err
	}
	padding, ok := tokenizer.ID(clipEnd)
	if !ok {
		return nil, fmt.Errorf("read %s: the tokenizer has no %s, which ends CLIP's texts", folder, clipEnd)
	}
	var all [][]int32
	for _, t := range texts {
		if n := len(tokenizer.EncodeFramed(t)); n > text.Context {
			return nil, fmt.Errorf("the text %.40q… has %d tokens with its start and end marks; the text "+
				"encoder next to %s reads %d", t, n, folder, text.Context)
		}
		var ids []int32
		for _, id := range tokenizer.Context(t, text.Context, padding) {
			if id >= text.Vocabulary {
				return nil, fmt.Errorf("read %s: the tokenizer gives %d, but the text encoder knows %d tokens", folder,
					id, text.Vocabulary)
			}
			ids = append(ids, int32(id))
		}
		all = append(all, ids)
	}
	return all, nil
}

// tokenizerOf reads a folder's tokenizer. If the folder is missing, a text encoder with CLIP's vocabulary uses CLIP's
// tokenizer.
func tokenizerOf(folder string, text clip.TextConfig) (*tokenize.Pipeline, error) {
	if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) &&
		text.Vocabulary == tokenize.TransformersCLIP().Size() {
		return tokenize.TransformersCLIP(), nil
	}
	t, err := tokenize.Load(folder)
	if err != nil {
		return nil, err
	}
	pipeline, ok := t.(*tokenize.Pipeline)
	if !ok {
		return nil, fmt.Errorf("read %s: CLIP's tokenizer was expected, as vocab.json with merges.txt or as "+
			"tokenizer.json", folder)
	}
	return pipeline, nil
}

// open reads the weights and computes the prompts' hidden states. It releases the text encoder afterwards.
func open(ctx context.Context, d *device.Device, dir, unet string, narrow bool, ids [][]int32) (*Opened,
	[]*tensors.Tensor, error) {
	p, err := diffusion.OpenPipeline(d, dir)
	if err != nil {
		return nil, nil, err
	}
	if unet != "" {
		if err := p.Exchange(unet); err != nil {
			return nil, nil, err
		}
	}
	if narrow {
		if err := p.Narrow(); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", dir, err)
		}
	}
	var hidden []*tensors.Tensor
	for _, text := range ids {
		h, err := p.Hidden(ctx, tensors.FromFlatDataAndDimensions(text, 1, len(text)))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", dir, err)
		}
		hidden = append(hidden, h)
	}
	p.Encoder = nil
	denoiser, err := diffusion.NewDenoiser(d, p.UNet.RootScope(), p.Model)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	decoder, err := d.Compile("decode latents", p.Decoder, func(scope *model.Scope, in []*graph.Node) []*graph.Node {
		return []*graph.Node{diffusion.Pictures(scope, p.VAE, in[0])}
	})
	if err != nil {
		denoiser.Close()
		return nil, nil, fmt.Errorf("%s: %w", dir, err)
	}
	decode := func(ctx context.Context, latents diffusion.Result) (*tensors.Tensor, error) {
		single := make([]float32, len(latents.Samples))
		for i, value := range latents.Samples {
			single[i] = float32(value)
		}
		outputs, err := decoder.Run(ctx, tensors.FromFlatDataAndDimensions(single, latents.Shape...))
		if err != nil {
			return nil, err
		}
		return outputs[0], nil
	}
	release := func() {
		denoiser.Close()
		decoder.Close()
	}
	return &Opened{Model: Model{Name: filepath.Base(dir), Denoiser: denoiser}, Decode: decode, Close: release,
		Warnings: p.Warnings}, hidden, nil
}
