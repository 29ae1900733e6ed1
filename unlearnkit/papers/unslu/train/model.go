package train

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// loaded is a model whose tensors are in a scope of a store.
type loaded struct {
	config  wav2vec2.Config
	samples int // number of samples in a clip
	store   *model.Store
	place   string
}

// shape returns the configuration of a small backbone. It has the SpecAugment masks of the published models, with spans
// shortened in proportion to the clips. It has no dropout, because dropout would take as long as a small model's
// layers, and it would reduce the memory of single clips, which this study measures.
func shape(s unslu.Size, objective unslu.Objective) wav2vec2.Config {
	c := wav2vec2.Base()
	if s.Deep {
		c = wav2vec2.XLSR300M()
	} else if objective == unslu.Clusters {
		c = wav2vec2.HubertBase()
	}
	c.ConvDim = make([]int, len(s.Kernels))
	for i := range c.ConvDim {
		c.ConvDim[i] = s.Channels
	}
	c.ConvKernel, c.ConvStride = s.Kernels, s.Strides
	c.HiddenSize, c.NumHiddenLayers, c.NumAttentionHeads = s.Hidden, s.Layers, s.Heads
	c.IntermediateSize, c.ClassifierProjSize = 4*s.Hidden, s.Projected
	c.NumConvPosEmbeddings, c.NumConvPosEmbeddingGroups = 16, 4
	c.HiddenDropout, c.AttentionDropout, c.ActivationDropout, c.FeatProjDropout, c.LayerDrop = 0, 0, 0, 0, 0
	c.MaskTimeLength = 2
	return c
}

func (m *loaded) scope() *model.Scope { return m.store.Scope("/" + m.place) }

// save writes the model's folder. It rounds the weights to float16, as for all models that the program ships.
func (m *loaded) save(folder string) error {
	return lab.Save(m.scope(), folder, m.config.Names(), m.config.JSON())
}

// saveWhole writes the model's folder without rounding the weights. Rounding would change the weights more than
// training at rates of a few millionths does.
func (m *loaded) saveWhole(folder string) error {
	if err := hf.Save(m.scope(), folder, m.config.Names(), hf.Format{}); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, lab.ConfigFile), m.config.JSON(), 0o644)
}

// load reads the model in a folder into a new store.
func load(d *device.Device, folder string, samples int) (*loaded, error) {
	return loadInto(d, folder, samples, model.NewStore(), unlearn.Policy)
}

// loadInto reads the model in a folder into a scope of a store.
func loadInto(d *device.Device, folder string, samples int, store *model.Store, place string) (*loaded, error) {
	config, err := lab.ReadConfig(folder, wav2vec2.ParseConfig)
	if err != nil {
		return nil, err
	}
	m := &loaded{config, samples, store, place}
	if err := m.trace(d); err != nil {
		return nil, fmt.Errorf("read %s: %w", folder, err)
	}
	file, err := weights.Open(folder)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return m, lab.LoadFrom(file, folder, m.scope(), config.Names())
}

// addHead adds a classification head for a number of intents, with initial weights from a seed.
func (m *loaded) addHead(d *device.Device, intents int, root uint64) error {
	m.config.NumLabels = intents
	nn.Seed(m.scope(), root)
	return m.trace(d)
}

// trace creates the model's tensors in its store.
func (m *loaded) trace(d *device.Device) error {
	_, err := d.Trace("read the model", m.store, func(root *model.Scope, inputs []*graph.Node) []*graph.Node {
		out := wav2vec2.Forward(root.At("%s", m.place), m.config, wav2vec2.Input{Values: inputs[0]})
		if out.Logits == nil {
			return []*graph.Node{out.Hidden}
		}
		return []*graph.Node{out.Logits}
	}, shapes.Make(dtypes.Float32, 1, m.samples))
	return err
}
