package diffusion

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// Pipeline is a text-to-image model from a folder in the format of diffusers' StableDiffusionPipeline. Its three
// networks are at the roots of separate stores. Unlearning changes UNet.
type Pipeline struct {
	Model  Model
	VAE    VAEConfig
	Text   clip.TextConfig
	Solver schedule.Solver // solver of the folder's scheduler; "" if this package lacks it

	UNet, Decoder, Encoder *model.Store // tensors of the UNet, the VAE and the text encoder

	Warnings []string // warnings about loading, such as weights that are not finite

	device *device.Device
}

// part is implemented by the networks' configurations.
type part interface {
	Trace(*device.Device, *model.Store) error
	Names() hf.Names
}

// OpenPipeline reads the UNet, VAE, text encoder and scheduler in a folder. It ignores the tokenizer, safety checker
// and feature extractor.
func OpenPipeline(d *device.Device, dir string) (*Pipeline, error) {
	p := &Pipeline{UNet: model.NewStore(), Decoder: model.NewStore(), Encoder: model.NewStore(), device: d}
	scheduler := filepath.Join(dir, "scheduler", "scheduler_config.json")
	content, err := os.ReadFile(scheduler)
	if err != nil {
		return nil, fmt.Errorf("open pipeline: %w; a folder of diffusers' StableDiffusionPipeline was expected", err)
	}
	if p.Solver, p.Model.Schedule, err = schedule.ParseConfig(content); err != nil {
		return nil, fmt.Errorf("read %s: %w", scheduler, err)
	}
	if p.Model.UNet, err = loadPart(p, filepath.Join(dir, "unet"), ParseUNetConfig, p.UNet); err != nil {
		return nil, err
	}
	if p.VAE, err = loadPart(p, filepath.Join(dir, "vae"), ParseVAEConfig, p.Decoder); err != nil {
		return nil, err
	}
	if p.Text, err = loadPart(p, filepath.Join(dir, "text_encoder"), clip.ParseTextConfig, p.Encoder); err != nil {
		return nil, err
	}
	if p.VAE.Latent != p.Model.UNet.In || p.Text.Width != p.Model.UNet.Context {
		return nil, fmt.Errorf("read %s: the UNet takes %d channels and texts %d wide, but the VAE has %d and the "+
			"text encoder %d",
			dir, p.Model.UNet.In, p.Model.UNet.Context, p.VAE.Latent, p.Text.Width)
	}
	return p, nil
}

func loadPart[C part](p *Pipeline, dir string, parse func([]byte) (C, error), store *model.Store) (config C,
	err error) {
	folder, err := hf.Open(dir)
	if err != nil {
		return config, err
	}
	defer folder.Tensors.Close()
	if config, err = parse(folder.Config); err != nil {
		return config, fmt.Errorf("read %s: %w", dir, err)
	}
	if err = config.Trace(p.device, store); err != nil {
		return config, fmt.Errorf("read %s: %w", dir, err)
	}
	report, err := hf.Load(store.RootScope(), folder.Tensors, config.Names())
	if err != nil {
		return config, fmt.Errorf("read %s: %w", dir, err)
	}
	for _, warning := range report.Warnings {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s: %s", dir, warning))
	}
	return config, nil
}

// Exchange replaces tensors of the UNet with a method's result. path is a safetensors file with all tensors or the
// changed ones, a folder with such a file and a config.json, or a folder with an adapter in PEFT's format.
func (p *Pipeline) Exchange(path string) error {
	root, names := p.UNet.RootScope(), p.Model.UNet.Names()
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("read a UNet: %w", err)
	}
	var report hf.Report
	switch {
	case info.IsDir() && exists(path, "adapter_config.json"):
		report, err = hf.LoadAdapter(root, path, names)
	case info.IsDir():
		var folder *hf.Folder
		if folder, err = hf.Open(path); err == nil {
			defer folder.Tensors.Close()
			report, err = hf.Overlay(root, folder.Tensors, names)
		}
	default:
		var file *safefile.Tensors
		if file, err = safefile.Open(path); err == nil {
			defer file.Close()
			report, err = hf.Overlay(root, file, names)
		}
	}
	if err != nil {
		return fmt.Errorf("read the UNet %s: %w", path, err)
	}
	for _, warning := range report.Warnings {
		p.Warnings = append(p.Warnings, fmt.Sprintf("%s: %s", path, warning))
	}
	return nil
}

// Narrow makes the UNet compute in bfloat16, as explained at [UNetConfig.Narrow]. Call it after [Pipeline.Exchange].
func (p *Pipeline) Narrow() error {
	narrow, err := p.Model.UNet.Narrow(p.device, p.UNet)
	if err != nil {
		return err
	}
	p.UNet = narrow
	return nil
}

func exists(dir, name string) bool {
	_, err := os.Stat(filepath.Join(dir, name))
	return err == nil
}

// Hidden returns the text encoder's last hidden states, to which the UNet attends, for prompts [n, T] of type int32.
func (p *Pipeline) Hidden(ctx context.Context, ids *tensors.Tensor) (*tensors.Tensor, error) {
	return p.compute(ctx, "encode prompts", p.Encoder, ids, func(scope *model.Scope, in []*graph.Node) []*graph.Node {
		return []*graph.Node{clip.HiddenText(scope, p.Text, in[0], nil)}
	})
}

// Pictures decodes the result of [Sample] into pictures [n, 3, H, W] with values from about -1 to 1.
func (p *Pipeline) Pictures(ctx context.Context, latents Result) (*tensors.Tensor, error) {
	return p.compute(ctx, "decode latents", p.Decoder, tensorOf(dtypes.Float32, latents.Samples, latents.Shape...),
		func(scope *model.Scope, in []*graph.Node) []*graph.Node {
			return []*graph.Node{Pictures(scope, p.VAE, in[0])}
		})
}

func (p *Pipeline) compute(ctx context.Context, stage string, store *model.Store, input *tensors.Tensor,
	build device.Build) (*tensors.Tensor, error) {
	program, err := p.device.Compile(stage, store, build)
	if err != nil {
		return nil, err
	}
	defer program.Close()
	outputs, err := program.Run(ctx, input)
	if err != nil {
		return nil, err
	}
	return outputs[0], nil
}
