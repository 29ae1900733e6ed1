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

// Folder is a model in a folder of diffusers' StableDiffusionPipeline. Its configurations and the prompt are checked
// now, its weights read when its turn comes.
func Folder(d *device.Device, dir, prompt string) (Source, error) {
	return Exchanged(d, dir, "", prompt)
}

// Exchanged is the model of a folder with another UNet, see [diffusion.Pipeline.Exchange]: of what authors of erasing
// methods pass on. The folder's own if unet is "".
func Exchanged(d *device.Device, dir, unet, prompt string) (Source, error) {
	m, err := Prompted(d, dir, unet, "", prompt)
	if err != nil {
		return Source{}, err
	}
	return m.Source(0), nil
}

// Several is the model of a folder with the prompts that it is to draw, one after the other. With more than one it
// stays in memory, so that neither weights nor graphs are made twice, until it is closed.
type Several struct {
	Narrow bool // its UNet computes in bfloat16, see [diffusion.Pipeline.Narrow]

	config *diffusion.Model
	name   string
	open   func(ctx context.Context, narrow bool) (*Opened, []*tensors.Tensor, error)
	count  int

	opened *Opened // once it is, if it stays
	hidden []*tensors.Tensor
}

// Prompted is a model of a folder, with another UNet as [Exchanged] has it, for some prompts. Guidance leads away from
// the negative prompt, which is empty as a rule.
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

// Source is the model with one of its prompts.
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

// Close lets a model go that has stayed.
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

// clipEnd marks a text's end, and fills it up in Stable Diffusion 1.x.
const clipEnd = "<|endoftext|>"

// tokens are the ids of texts by a folder's tokenizer, as long as the text encoder reads.
func tokens(folder string, text clip.TextConfig, texts ...string) ([][]int32, error) {
	tokenizer, err := tokenizerOf(folder, text)
	if err != nil {
		return nil, err
	}
	padding, ok := tokenizer.ID(clipEnd)
	if !ok {
		return nil, fmt.Errorf("read %s: the tokenizer has no %s, which CLIP's ends texts with", folder, clipEnd)
	}
	var all [][]int32
	for _, t := range texts {
		if n := len(tokenizer.EncodeFramed(t)); n > text.Context {
			return nil, fmt.Errorf("the text %.40q… has %d tokens with the marks of its ends; the text encoder "+
				"beside %s reads %d", t, n, folder, text.Context)
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

// tokenizerOf reads a folder's tokenizer. Without the folder a text encoder of CLIP's vocabulary has CLIP's.
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

// open reads the weights, and the prompts' hidden states. The text encoder is let go once the prompts are read.
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
