package train

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
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
var exportReadme []byte

// Export lists what can be exported from a preset: the pictures of each world, and the models Compromised and Clean, as
// original and gold model.
func Export(preset string, open func() (*device.Device, error)) (*export.Study, error) {
	p, err := salmu.Named(preset)
	if err != nil {
		return nil, err
	}
	s := &export.Study{Files: map[string][]byte{"README.md": exportReadme}}
	for number, w := range salmu.NewPlan(p).Worlds {
		var world export.World
		for _, m := range []struct {
			name   string
			scores *study.Run
		}{{"original", w.Compromised}, {"gold", w.Clean}} {
			training := m.scores.Needs[slices.IndexFunc(m.scores.Needs, salmu.Base.Made)]
			world.Models = append(world.Models, export.Model{Name: m.name, Run: training, Scores: m.scores,
				Table: salmu.ScoresFile(0), Write: func(artifact *store.Artifact, dir string) error {
					return exportModel(artifact, dir, open)
				}})
		}
		spec, _ := salmu.Judgement.Spec(w.Clean)
		world.Data = worldData{p, number, *spec.Corpus.World}.write
		s.Worlds = append(s.Worlds, world)
	}
	return s, nil
}

func exportModel(artifact *store.Artifact, dir string, open func() (*device.Device, error)) error {
	d, err := open()
	if err != nil {
		return err
	}
	m, err := load(d, artifact.Dir)
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	return m.export(dir)
}

// worldData describes the exported data of one world.
type worldData struct {
	preset salmu.Preset
	number int
	spec   persona.Spec
}

// noWords is a tokenizer for examples whose tokens are not needed.
type noWords struct{}

func (noWords) Context(string, int, int) []int { return nil }

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

// pictureSplits maps the splits of a world to exported splits.
var pictureSplits = []struct {
	name, about string
	of          []persona.Split
}{
	{"forget", "forget set of the methods", []persona.Split{persona.Forget}},
	{"retain", "data in the training of all models", []persona.Split{persona.RetainSynth, persona.RetainReal}},
	{"holdout_association", "other pictures and facts of people in forget, which no method sees",
		[]persona.Split{persona.HoldoutAssociation}},
	{"holdout_identity", "other sensitive people, unseen by the methods", []persona.Split{persona.HoldoutIdentity}},
	{"test", "objects for zero-shot classification", []persona.Split{persona.ObjectTest}},
}

// pictures returns the exported splits of a world. Rows of the sample are marked.
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

func (e worldData) write(ctx context.Context, dir string, _ []string) error {
	world, err := persona.Generate(e.spec)
	if err != nil {
		return err
	}
	r := reader{corpus: newSmall(world), words: noWords{}}
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

// questions holds the captions, names and classes with which the scores compare the pictures.
type questions struct {
	Gallery   []string `json:"gallery"`   // captions that compete with a picture's own
	Names     []string `json:"names"`     // names of the people forgotten entirely
	Classes   []string `json:"classes"`   // classes of objects
	Templates []string `json:"templates"` // prompts for the classes, with %s for the name of a class
	Probe     probe    `json:"probe"`
	// Orders holds, for each pass, the order in which the paper's methods read the forget rows.
	Orders [][]int `json:"orders"`
}

// exportedPasses is the largest budget of the paper's methods.
const exportedPasses = 20

// probe describes the examples of the association probe. Example i below the number of rows is picture i with its own
// caption. Every other example is a picture with the caption of its partner.
type probe struct {
	Rows    []string `json:"rows"` // IDs of the forget rows
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

// openCLIPFolder is the folder for models in OpenCLIP's format. It is next to the models in the format of transformers.
const openCLIPFolder = "open_clip"

// export writes the model in the formats of transformers and of OpenCLIP, into two folders.
func (m *loaded) export(dir string) error {
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
		{dir, hf.Format{}, map[string]any{"config.json": config, "preprocessor_config.json": m.imageProcessor()}},
		{filepath.Join(filepath.Dir(dir), openCLIPFolder, filepath.Base(dir)),
			hf.Format{Layout: hf.OpenCLIP, Base: "open_clip_model"},
			map[string]any{"open_clip_config.json": m.config.OpenCLIP()}},
	} {
		tokenizer := export.Tokenizer{JSON: words.JSON(), Start: startToken, End: endToken, Padding: endToken,
			MaxLength: m.config.Text.Context}
		err := errors.Join(os.MkdirAll(f.folder, 0o755), hf.Save(m.scope(), f.folder, m.config.Names(), f.format),
			tokenizer.Write(f.folder))
		for file, value := range f.files {
			err = errors.Join(err, export.WriteJSON(filepath.Join(f.folder, file), value))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// transformersConfig returns the config.json of the model for the transformers library. It includes the IDs of special
// tokens, which the library compares with the vocabulary.
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
