package compute

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// loaded is a model below [unlearn.Policy] with its words, ready to be trained.
type loaded struct {
	config llava.Config
	words  *tokenize.Pipeline
	text   *text
	store  *model.Store
	device *device.Device
}

// Files of a model's folder beside its weights.
const tokenizerFile = "tokenizer.json"

// towerShape is a small vision tower's configuration.
func towerShape(spec remem.TowerSpec) clip.VisionConfig {
	c := llava.SmallS().Vision
	c.Width, c.Layers, c.Heads, c.Hidden, c.Image = spec.Width, spec.Layers, spec.Heads, 4*spec.Width,
		spec.World.ImageSize
	return c
}

// shape is a small model's configuration.
func shape(vision clip.VisionConfig, size remem.Size, words *tokenize.Pipeline, placeholder int) llava.Config {
	c := llava.SmallS()
	c.Vision, c.Placeholder = vision, int32(placeholder)
	c.Text.Vocabulary, c.Text.Width, c.Text.Layers, c.Text.Hidden = words.Size(), size.Width, size.Layers, size.Hidden
	c.Text.Heads, c.Text.KeyValueHeads, c.Text.HeadWidth = size.Heads, size.Heads, size.Width/size.Heads
	return c
}

func newLoaded(d *device.Device, config llava.Config, words *tokenize.Pipeline) (*loaded, error) {
	text, err := newText(words)
	return &loaded{config, words, text, model.NewStore(), d}, err
}

// load reads a model's folder.
func load(d *device.Device, folder string) (*loaded, error) {
	config, err := lab.ReadConfig(folder, llava.ParseConfig)
	if err != nil {
		return nil, err
	}
	words, err := tokenize.LoadJSON(filepath.Join(folder, tokenizerFile))
	if err != nil {
		return nil, err
	}
	m, err := newLoaded(d, config, words)
	if err != nil {
		return nil, err
	}
	if err := m.trace(); err != nil {
		return nil, fmt.Errorf("read %s: %w", folder, err)
	}
	return m, lab.Load(m.scope(), folder, config.Names())
}

func (m *loaded) scope() *model.Scope { return m.store.Scope("/" + unlearn.Policy) }

// trace makes the model's tensors known to its store.
func (m *loaded) trace() error {
	c := m.config.Vision
	_, err := m.device.Trace("read the model", m.store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{llava.Logits(root.At(unlearn.Policy), m.config, x[0], x[1], nil)}
	}, shapes.Make(dtypes.Float32, 1, c.Channels, c.Image, c.Image),
		shapes.Make(dtypes.Int32, 1, m.config.ImageTokens()+1))
	return err
}

// adapt gives the decoder new adapters.
func (m *loaded) adapt(rank int, seed uint64) error {
	return answering.LLaVA(m.config).Adapt(m.scope(), nn.LoRA{Rank: rank, Alpha: 2 * float64(rank)}, seed)
}

// save merges the adapters, if there are any, and writes the model's folder.
func (m *loaded) save(folder string, half bool) error {
	adapted := false
	for v := range m.scope().IterVariables() {
		adapted = adapted || strings.Contains(v.Path(), "/lora_A/")
	}
	if adapted {
		if err := nn.Merge(m.scope().At("language_model")); err != nil {
			return err
		}
	}
	if err := hf.Save(m.scope(), folder, m.config.Names(), hf.Format{Half: half}); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, lab.ConfigFile), m.config.JSON(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, tokenizerFile), m.words.JSON(), 0o644)
}

// pixels are a picture as models take it.
func pixels(c clip.VisionConfig, drawn preprocess.Image) []float32 {
	values, _, _ := preprocess.CLIPImageProcessor(c.Image).Apply(drawn)
	return values
}

// records are questions with their answers in tokens.
func (m *loaded) records(questions []question) ([]answering.Record, error) {
	records := make([]answering.Record, len(questions))
	for i, q := range questions {
		var err error
		records[i], err = m.text.record(q.Question, q.Answer, pixels(m.config.Vision, picture(q.picture())))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.ID, err)
		}
	}
	return records, nil
}

// withoutTower is a method that trains all weights but those of the vision tower, which learns nothing from answers.
func withoutTower(m answering.Method) answering.Method {
	lay := m.Phases
	m.Phases = func(p *unlearn.Plan) ([]answering.Phase, error) {
		phases, err := lay(p)
		if err != nil {
			return nil, err
		}
		phases = slices.Clone(phases)
		for i, fit := range phases {
			phases[i].Fit = func(phase *answering.Phase, policy answering.View) error {
				if err := fit.Fit(phase, policy); err != nil {
					return err
				}
				all := phase.Optimizer.Select
				phase.Optimizer.Select = func(path string) float64 {
					if strings.HasPrefix(path, "vision_tower/") {
						return 0
					}
					return all(path)
				}
				return nil
			}
		}
		return phases, nil
	}
	return m
}
