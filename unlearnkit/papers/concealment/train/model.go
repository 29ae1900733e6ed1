package train

import (
	"encoding/json"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/denoising"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// shape returns the model with a small network for pictures of a given size.
func shape(n concealment.Network, image int) (diffusion.Model, error) {
	in := latents(n).Channels(channels)
	m := diffusion.Model{
		UNet: diffusion.UNetConfig{
			In: in, Out: in, SampleSize: image >> n.Halvings, Context: n.Context, Groups: 8, Epsilon: 1e-5,
			CosineFirst: true, FeedForward: n.FeedForward, ZeroOutput: true,
		},
		Schedule: schedule.StableDiffusion(),
	}
	for i, width := range n.Channels {
		level := diffusion.Level{Channels: width, Layers: 1}
		if i >= n.Attending {
			level.DownAttention, level.UpAttention, level.Heads, level.Blocks = true, true, n.Heads, 1
		}
		m.UNet.Levels = append(m.UNet.Levels, level)
	}
	m.Schedule.Prediction = schedule.Prediction(n.Output)
	return m, m.UNet.Check()
}

// text returns the encoder of prompts: a vector for each word, which only Ablating Concepts trains.
func text(width int) func(scope *model.Scope, ids *graph.Node) *graph.Node {
	return func(scope *model.Scope, ids *graph.Node) *graph.Node {
		return diffusion.TextEmbedding(scope, ids, len(concept.Vocabulary()), concept.ContextLength, width)
	}
}

// painter is a diffusion model. Its tensors are in the scope unlearn.Policy.
type painter struct {
	denoising.Diffusion
	network concealment.Network
	image   int // width and height of a picture in pixels
	store   *model.Store
}

// fresh returns a model with its initial weights.
func fresh(d *device.Device, n concealment.Network, image int, seed uint64) (*painter, error) {
	network, err := shape(n, image)
	if err != nil {
		return nil, err
	}
	p := &painter{denoising.Diffusion{Device: d, Model: network, Text: text(n.Context), Batch: drawnAtOnce}, n, image,
		model.NewStore()}
	nn.Seed(p.scope(), seed)
	size := network.UNet.SampleSize
	_, err = d.Trace("prepare the model", p.store, func(root *model.Scope, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{p.Noise(root.At(unlearn.Policy), inputs[0], inputs[1], inputs[2])}
	}, shapes.Make(dtypes.Float32, 1, network.UNet.In, size, size), shapes.Make(dtypes.Int32, 1),
		shapes.Make(dtypes.Int32, 1, concept.ContextLength))
	return p, err
}

func (p *painter) scope() *model.Scope { return p.store.Scope("/" + unlearn.Policy) }

// folder is the content of a model's config.json.
type folder struct {
	Network concealment.Network `json:"network"`
	Image   int                 `json:"image_size"`
}

// save writes the model to a folder.
func (p *painter) save(dir string) error {
	config, err := json.MarshalIndent(folder{p.network, p.image}, "", "  ")
	if err != nil {
		return err
	}
	return lab.Save(p.scope(), dir, p.Model.UNet.Names(), config)
}

// readFolder reads the configuration in a model's folder.
func readFolder(dir string) (folder, error) {
	return lab.ReadConfig(dir, func(text []byte) (f folder, err error) {
		if err = json.Unmarshal(text, &f); err == nil {
			_, err = shape(f.Network, f.Image)
		}
		return f, err
	})
}

// load reads the weights in a folder. The model in the folder must have the same architecture.
func (p *painter) load(dir string) error {
	return lab.Load(p.scope(), dir, p.Model.UNet.Names())
}

// count returns the number of trained parameters.
func (p *painter) count() int { return lab.Parameters(p.store.Scope("/" + unlearn.Policy + "/unet")) }
