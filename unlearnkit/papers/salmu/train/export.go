package train

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/export"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

//go:embed export.md
var exportReadme string

// Export returns what can be exported of a preset: the pictures of each world, and its Compromised and its Clean model
// as original and gold.
func Export(preset string, open func() (*device.Device, error)) (*export.Study, error) {
	p, err := salmu.Named(preset)
	if err != nil {
		return nil, err
	}
	s := &export.Study{Readme: []byte(exportReadme)}
	for number, w := range salmu.NewPlan(p).Worlds {
		e := worldExport{p, number, w, open}
		s.Worlds = append(s.Worlds, export.World{Write: e.write,
			Runs: []*study.Run{base(w.Compromised), base(w.Clean), w.Compromised, w.Clean}})
	}
	return s, nil
}

// base returns the training run of a judged base model.
func base(judged *study.Run) *study.Run {
	return judged.Needs[slices.IndexFunc(judged.Needs, salmu.Base.Made)]
}

// worldExport writes one world of a preset.
type worldExport struct {
	preset salmu.Preset
	number int
	runs   salmu.World
	open   func() (*device.Device, error)
}

func (e worldExport) write(ctx context.Context, s *store.Store, dir string) error {
	d, err := e.open()
	if err != nil {
		return err
	}
	var r reader
	for name, scores := range map[string]*study.Run{"gold": e.runs.Clean, "original": e.runs.Compromised} {
		if err := export.Scores(filepath.Join(dir, "scores", name+".parquet"), s, scores,
			salmu.ScoresFile(0)); err != nil {
			return err
		}
		artifact, err := s.Local(base(scores).Key())
		if err != nil {
			return fmt.Errorf("%s: %w", base(scores).Title, err)
		}
		m, err := load(d, artifact.Dir)
		if err != nil {
			return err
		}
		err = m.export(filepath.Join(dir, "models"), name)
		m.store.Finalize()
		if err != nil {
			return err
		}
		r = m.reader(nil) // both models have the same tokenizer
	}
	spec, _ := salmu.Base.Spec(base(e.runs.Compromised))
	world, err := persona.Generate(*spec.Corpus.World)
	if err != nil {
		return err
	}
	r.corpus = newSmall(world)
	return e.writeData(ctx, filepath.Join(dir, "data"), world, r)
}

// picture is a row of the exported data.
type picture struct {
	FileName  string `json:"file_name" about:"picture"`
	ID        string `json:"id" about:"id of the raw scores"`
	Part      string `json:"part" about:"split of the raw scores"`
	Caption   string `json:"caption" about:"caption in training"`
	Generic   string `json:"generic_caption" about:"description of a portrait without name and fact"`
	Identity  int    `json:"identity" about:"number of the sensitive person, -1 for others"`
	Name      string `json:"name" about:"name of the sensitive person"`
	Attribute string `json:"attribute" about:"kind of fact in the caption"`
	Value     string `json:"value" about:"fact in the caption"`
	Class     int    `json:"class" about:"class of an object, -1 for portraits"`
	Sample    bool   `json:"retain_sample" about:"part of the retain sample that the paper's methods walk through"`

	row persona.Row
}

// pictureSplits are the exported splits, by the splits of the world.
var pictureSplits = []struct {
	name, about string
	of          []persona.Split
}{
	{"forget", "what a method is given to forget", []persona.Split{persona.Forget}},
	{"retain", "what all models were trained on", []persona.Split{persona.RetainSynth, persona.RetainReal}},
	{"holdout_association", "other pictures and facts of people in forget, which no method sees",
		[]persona.Split{persona.HoldoutAssociation}},
	{"holdout_identity", "other sensitive people, whom no method sees", []persona.Split{persona.HoldoutIdentity}},
	{"test", "objects for zero-shot classification", []persona.Split{persona.ObjectTest}},
}

// pictures returns the exported splits of a world.
func pictures(world *persona.World, sample []persona.Row) (splits []export.Split[picture]) {
	type place struct {
		split persona.Split
		id    string
	}
	sampled := map[place]bool{}
	for _, row := range sample {
		sampled[place{row.Split, row.ID}] = true
	}
	for _, s := range pictureSplits {
		split := export.Split[picture]{Name: s.name, About: s.about}
		for _, of := range s.of {
			for _, row := range world.Split(of) {
				split.Rows = append(split.Rows, picture{FileName: row.ID + ".png", ID: row.ID, Part: string(row.Split),
					Caption: row.Caption, Generic: row.Generic, Identity: row.Identity, Name: row.Name,
					Attribute: row.Attribute, Value: row.Value, Class: row.Class,
					Sample: sampled[place{row.Split, row.ID}], row: row})
			}
		}
		splits = append(splits, split)
	}
	return splits
}

func (e worldExport) writeData(ctx context.Context, dir string, world *persona.World, r reader) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	size := world.Spec.ImageSize
	drawn := image.NewNRGBA(image.Rect(0, 0, size, size))
	set := export.Dataset[picture]{
		Name:   fmt.Sprintf("salmu-%s-world-%d", e.preset.Name, e.number),
		Splits: pictures(world, retainSample(r.corpus, e.preset.Retain)), Ending: "png",
		About: "Portraits of fictional people with captions that contain their private facts, and pictures to retain: " +
			"a small world of SALMUBench.",
		License: export.License, Cite: "SALMUBench, arXiv:2603.26316",
		File: func(row picture) string { return row.FileName },
		Draw: func(row picture, target io.Writer) error {
			world.Render(row.row, drawn)
			return png.Encode(target, drawn)
		},
	}
	if err := set.Write(ctx, dir); err != nil {
		return err
	}
	return export.WriteJSON(filepath.Join(dir, "questions.json"), questionsOf(newExamples(r, e.preset.Each), r.corpus))
}

// questions holds what the raw scores compare the pictures with.
type questions struct {
	Gallery   []string `json:"gallery"`   // captions that compete with a picture's own
	Names     []string `json:"names"`     // names of the people forgotten entirely
	Classes   []string `json:"classes"`   // classes of objects
	Templates []string `json:"templates"` // prompts for the classes, with %s for the name of a class
	Probe     probe    `json:"probe"`
	// Orders are the orders in which the paper's methods walk through the rows of forget, by pass.
	Orders [][]int `json:"orders"`
}

// exportedPasses is the largest budget of the paper's methods.
const exportedPasses = 20

// probe is the draw of the association probe. Example i below the number of rows is picture i with its own caption,
// another example i is a picture with the caption of its partner.
type probe struct {
	Rows    []string `json:"rows"` // ids of the forget rows
	Partner []int    `json:"partner"`
	Train   []int    `json:"train"`
	Test    []int    `json:"test"`
}

func questionsOf(e *examples, from corpus) questions {
	q := questions{Gallery: e.competing, Names: e.people,
		Orders: unlearn.Orders(from.root(), unlearn.Forget, len(e.forget), exportedPasses),
		Probe:  probe{Partner: e.probe.Partner, Train: e.probe.Train, Test: e.probe.Test}}
	q.Classes, q.Templates = from.classes()
	for _, row := range e.forget {
		q.Probe.Rows = append(q.Probe.Rows, e.sensitive[row].ID)
	}
	return q
}

// export writes the model as a folder for transformers, and another for OpenCLIP.
func (m *loaded) export(dir, name string) error {
	words := m.words.(*tokenize.Pipeline)
	config, err := m.transformersConfig(words)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		folder string
		format hf.Format
		files  map[string]any
	}{
		{name, hf.Format{},
			map[string]any{"config.json": config, "preprocessor_config.json": m.imageProcessor()}},
		{"open_clip/" + name, hf.Format{Layout: hf.OpenCLIP, Base: "open_clip_model"},
			map[string]any{"open_clip_config.json": m.config.OpenCLIP()}},
	} {
		folder := filepath.Join(dir, filepath.FromSlash(f.folder))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := hf.Save(m.scope(), folder, m.config.Names(), f.format); err != nil {
			return err
		}
		for file, value := range f.files {
			if err := export.WriteJSON(filepath.Join(folder, file), value); err != nil {
				return err
			}
		}
		tokenizer := export.Tokenizer{JSON: words.JSON(), Start: startToken, End: endToken, Padding: endToken,
			MaxLength: m.config.Text.Context}
		if err := tokenizer.Write(folder); err != nil {
			return err
		}
	}
	return nil
}

// transformersConfig returns the config.json of the model with the ids of its special tokens, which transformers
// compares with the vocabulary.
func (m *loaded) transformersConfig(words *tokenize.Pipeline) (config map[string]any, err error) {
	if err := json.Unmarshal(m.config.JSON(), &config); err != nil {
		return nil, err
	}
	start, _ := words.ID(startToken)
	end, _ := words.ID(endToken)
	text := config["text_config"].(map[string]any)
	text["bos_token_id"], text["eos_token_id"], text["pad_token_id"] = start, end, end
	return config, nil
}

// imageProcessor returns the preprocessor_config.json of the model.
func (m *loaded) imageProcessor() map[string]any {
	side := m.config.Vision.Image
	return map[string]any{
		"image_processor_type": "CLIPImageProcessor", "processor_class": "CLIPProcessor",
		"do_convert_rgb": true, "do_resize": true, "size": map[string]int{"shortest_edge": side}, "resample": 3,
		"do_center_crop": true, "crop_size": map[string]int{"height": side, "width": side},
		"do_rescale": true, "rescale_factor": 1. / 255, "do_normalize": true,
		"image_mean": preprocess.CLIPMean, "image_std": preprocess.CLIPDeviation,
	}
}
