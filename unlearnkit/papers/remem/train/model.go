package train

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

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// loaded is a model with its tokenizer, ready for training. Its tensors are in the scope [unlearn.Policy].
type loaded struct {
	config    llava.Config
	tokenizer []byte // content of tokenizer.json; nil for a published model, which is saved as an adapter
	text      *text
	store     *model.Store
	device    *device.Device
}

// tokenizerFile is the name of the tokenizer's file in a model's folder.
const tokenizerFile = "tokenizer.json"

// towerShape returns the configuration of a small vision tower.
func towerShape(spec remem.TowerSpec) clip.VisionConfig {
	c := llava.SmallS().Vision
	c.Width, c.Layers, c.Heads, c.Hidden, c.Image = spec.Width, spec.Layers, spec.Heads, 4*spec.Width,
		spec.World.ImageSize
	return c
}

// shape returns the configuration of a small model.
func shape(vision clip.VisionConfig, size remem.Size, words *tokenize.Pipeline, placeholder int) llava.Config {
	c := llava.SmallS()
	c.Vision, c.Placeholder = vision, int32(placeholder)
	c.Text.Vocabulary, c.Text.Width, c.Text.Layers, c.Text.Hidden = words.Size(), size.Width, size.Layers, size.Hidden
	c.Text.Heads, c.Text.KeyValueHeads, c.Text.HeadWidth = size.Heads, size.Heads, size.Width/size.Heads
	return c
}

func newLoaded(d *device.Device, config llava.Config, words *language.Words) (*loaded, error) {
	text, err := newText(words)
	return &loaded{config: config, text: text, store: model.NewStore(), device: d}, err
}

// standing locates the files of a model: a folder, and adapters that are merged in this order.
type standing struct {
	folder    string
	published bool
	adapters  []string
	precision string // as in [remem.Training]
}

// standing locates the model in the last artifact. If the model is an adapter, the earlier artifacts hold the models
// that it is added to.
func (l *Lab) standing(artifacts []*store.Artifact) (s standing, err error) {
	spec, published, err := lab.Published[remem.PublishedSpec](artifacts[0])
	if err != nil {
		return s, err
	}
	if !published {
		return standing{folder: artifacts[len(artifacts)-1].Dir}, nil
	}
	s.published = true
	for _, adapter := range artifacts[1:] {
		s.adapters = append(s.adapters, adapter.Dir)
	}
	s.folder, err = l.found.digests.Folder(spec.Model)
	return s, err
}

// adapterFile is the name of the file with an adapter's weights.
const adapterFile = "adapter_model.safetensors"

// diverged reports whether the last artifact has no model, because the training diverged.
func diverged(artifacts []*store.Artifact) bool {
	last := artifacts[len(artifacts)-1]
	_, published, _ := lab.Published[remem.PublishedSpec](last)
	return !published && !last.Has(lab.WeightsFile) && !last.Has(adapterFile)
}

// weights holds the names of a model's weight files, which may be shards.
var weights = lab.Weights{Base: "model"}

// load reads a model and merges its adapters.
func load(d *device.Device, from standing) (*loaded, error) {
	config, err := lab.ReadConfig(from.folder, llava.ParseConfig)
	if err != nil {
		return nil, err
	}
	words, err := language.OpenWords(from.folder, config)
	if err != nil {
		return nil, err
	}
	m, err := newLoaded(d, config, words)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", from.folder, err)
	}
	if !from.published {
		if m.tokenizer, err = os.ReadFile(filepath.Join(from.folder, tokenizerFile)); err != nil {
			return nil, err
		}
	}
	if from.published {
		m.recompute()
	}
	if from.precision == remem.BFloat16 {
		answering.Mix(m.store.RootScope())
	}
	if err := m.trace(); err != nil {
		return nil, fmt.Errorf("read %s: %w", from.folder, err)
	}
	return m, from.into(m.scope(), config.Names())
}

// into loads the weights of the model into a scope that already has its tensors.
func (s standing) into(scope *model.Scope, names hf.Names) error {
	file, err := weights.Open(s.folder)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := lab.LoadFrom(file, s.folder, scope, names); err != nil {
		return err
	}
	return s.adapt(scope, names)
}

// adapt merges the adapters into the model in a scope.
func (s standing) adapt(scope *model.Scope, names hf.Names) error {
	for _, folder := range s.adapters {
		report, err := hf.LoadAdapter(scope, folder, names)
		if err == nil {
			err = nn.Merge(scope.Store().Scope(report.Adapted))
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", folder, err)
		}
	}
	return nil
}

func (m *loaded) scope() *model.Scope { return m.store.Scope("/" + unlearn.Policy) }

// trace creates the model's tensors in its store.
func (m *loaded) trace() error {
	c := m.config.Vision
	_, err := m.device.Trace("read the model", m.store, func(root *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{llava.Logits(root.At(unlearn.Policy), m.config, x[0], x[1], nil)}
	}, shapes.Make(dtypes.Float32, 1, c.Channels, c.Image, c.Image),
		shapes.Make(dtypes.Int32, 1, m.config.ImageTokens()+1))
	return err
}

// recompute makes a training step of a large model fit on a GPU with the paper's batch: without it, the activations of
// 64 questions take half a terabyte.
func (m *loaded) recompute() { nn.Recompute(m.scope().At("language_model")) }

// adapt adds new LoRA adapters to the decoder.
func (m *loaded) adapt(rank int, seed uint64) error {
	return answering.LLaVA(m.config).Adapt(m.scope(), nn.LoRA{Rank: rank, Alpha: 2 * float64(rank)}, seed)
}

// save writes the model into a folder, after merging its adapters. For a published model it writes only the adapters
// and the projector, as PEFT does.
func (m *loaded) save(folder string, half bool) error {
	if m.tokenizer == nil {
		return answering.LLaVA(m.config).SaveAdapter(m.scope(), folder)
	}
	if decoder := m.scope().At("language_model"); adapted(decoder) {
		if err := nn.Merge(decoder); err != nil {
			return err
		}
	}
	if err := hf.Save(m.scope(), folder, m.config.Names(), hf.Format{Half: half}); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(folder, lab.ConfigFile), m.config.JSON(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, tokenizerFile), m.tokenizer, 0o644)
}

func adapted(scope *model.Scope) bool {
	for v := range scope.IterVariables() {
		if strings.Contains(v.Path(), "/lora_A/") {
			return true
		}
	}
	return false
}

// pixels converts a picture to the input of the models.
func pixels(c clip.VisionConfig, drawn preprocess.Image) []float32 {
	values, _, _ := preprocess.CLIPImageProcessor(c.Image).Apply(drawn)
	return values
}

// records tokenizes questions with their answers.
func (m *loaded) records(questions []question) ([]answering.Record, error) {
	records := make([]answering.Record, len(questions))
	for i, q := range questions {
		drawn, err := q.picture()
		if err == nil {
			records[i], err = m.text.record(q.Question, q.Answer, pixels(m.config.Vision, drawn))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.ID, err)
		}
	}
	return records, nil
}

// withoutTower returns a method that does not train the vision tower, because the tower learns nothing from answers.
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
