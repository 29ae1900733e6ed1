package train

import (
	"os"
	"path/filepath"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// tokenizerFile is the name of the tokenizer's file in a model's folder.
const tokenizerFile = "tokenizer.json"

// Tokens at the start and at the end of each text.
const (
	startToken = "<|startoftext|>"
	endToken   = "<|endoftext|>"
)

// loaded is a model with its tokenizer. Its tensors are in the scope unlearn.Policy of the store.
type loaded struct {
	config clip.Config
	words  tokenizer
	store  *model.Store
}

// shape returns the configuration of a small model.
func shape(s salmu.Size, image, vocabulary int) clip.Config {
	tower := clip.Tower{Width: s.Width, Layers: s.Layers, Heads: s.Heads, Hidden: 4 * s.Width, Activation: "gelu",
		Epsilon: 1e-5}
	return clip.Config{
		Text: clip.TextConfig{Tower: tower, Vocabulary: vocabulary, Context: s.Context,
			EndOfText: clip.LargestID},
		Vision:     clip.VisionConfig{Tower: tower, Image: image, Patch: s.Patch, Channels: 3},
		Projection: s.Embedding,
	}
}

// fresh returns a model with random initial weights.
func fresh(config clip.Config, words *tokenize.Pipeline, seed uint64) *loaded {
	m := &loaded{config, words, model.NewStore()}
	nn.Seed(m.scope(), seed)
	return m
}

func (m *loaded) scope() *model.Scope { return m.store.Scope("/" + unlearn.Policy) }

// save writes the model and its tokenizer to a folder.
func (m *loaded) save(folder string, words *tokenize.Pipeline) error {
	if err := lab.Save(m.scope(), folder, m.config.Names(), m.config.JSON()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, tokenizerFile), words.JSON(), 0o644)
}

// load reads the model in a folder.
func load(d *device.Device, folder string) (*loaded, error) {
	config, err := lab.ReadConfig(folder, clip.ParseConfig)
	if err != nil {
		return nil, err
	}
	words, err := tokenize.LoadJSON(filepath.Join(folder, tokenizerFile))
	if err != nil {
		return nil, err
	}
	m := &loaded{config, words, model.NewStore()}
	if err := m.trace(d); err != nil {
		return nil, err
	}
	return m, lab.Load(m.scope(), folder, config.Names())
}

// trace creates the model's tensors in its store.
func (m *loaded) trace(d *device.Device) error {
	vision, text := m.config.Vision, m.config.Text
	_, err := d.Trace("read the model", m.store, func(root *model.Scope, inputs []*graph.Node) []*graph.Node {
		scope := root.At(unlearn.Policy)
		return []*graph.Node{clip.Logits(scope, clip.EncodeImage(scope, m.config, inputs[0]),
			clip.EncodeText(scope, m.config, inputs[1], nil))}
	}, shapes.Make(dtypes.Float32, 1, vision.Channels, vision.Image, vision.Image),
		shapes.Make(dtypes.Int32, 1, text.Context))
	return err
}
