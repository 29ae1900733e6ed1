package train

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/export"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

//go:embed export.md
var exportReadme []byte

// Export lists what can be exported from a preset: the questions and pictures of each world, and models of each size.
// The models are the base model, the original, which has learnt about all people, and the gold model, which was not
// taught about the people to forget.
func Export(preset string, open func() (*device.Device, error)) (*export.Study, error) {
	p, err := remem.Named(preset)
	if err != nil {
		return nil, err
	}
	plan := remem.NewPlan(p)
	s := &export.Study{Files: map[string][]byte{"README.md": exportReadme}}
	for _, size := range p.Sizes {
		s.Parts = append(s.Parts, size.Name)
	}
	write := func(artifact *store.Artifact, dir string) error { return exportModel(artifact, dir, open) }
	for number, w := range plan.Worlds {
		var world export.World
		for i, size := range w.Sizes {
			for _, m := range []export.Model{
				{Name: "base", Run: plan.Bases[i]},
				{Name: "original", Run: size.Taught.Model, Scores: size.Taught.Scores},
				{Name: "gold", Run: size.Gold.Model, Scores: size.Gold.Scores},
			} {
				m.Part, m.Table, m.Write = p.Sizes[i].Name, remem.AnswersFile, write
				world.Models = append(world.Models, m)
			}
		}
		spec, _ := remem.Taught.Spec(w.Sizes[0].Taught.Model)
		world.Data = worldData{p, number, spec.World, spec.Seed}.write
		s.Worlds = append(s.Worlds, world)
	}
	return s, nil
}

// exportModel writes a model in the format of the transformers library.
func exportModel(artifact *store.Artifact, dir string, open func() (*device.Device, error)) error {
	d, err := open()
	if err != nil {
		return err
	}
	m, err := load(d, standing{folder: artifact.Dir})
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	config, err := m.transformersConfig()
	if err != nil {
		return err
	}
	tokenizer := export.Tokenizer{JSON: m.tokenizer, Start: startToken, End: endToken, Padding: padToken,
		MaxLength: m.config.Text.Context, Open: true}
	return errors.Join(hf.Save(m.scope(), dir, m.config.Names(), hf.Format{}), tokenizer.Write(dir),
		export.WriteJSON(filepath.Join(dir, "config.json"), config),
		export.WriteJSON(filepath.Join(dir, "generation_config.json"), m.text.generationConfig()),
		export.WriteJSON(filepath.Join(dir, "preprocessor_config.json"), m.imageProcessor()),
		export.WriteJSON(filepath.Join(dir, "processor_config.json"), map[string]any{
			"processor_class": "LlavaProcessor", "patch_size": m.config.Vision.Patch, "image_token": language.ImageMark,
			"vision_feature_select_strategy": "default", "num_additional_image_tokens": 1,
		}))
}

// transformersConfig returns the config.json of the model, with the IDs of its special tokens.
func (m *loaded) transformersConfig() (config map[string]any, err error) {
	if err := json.Unmarshal(m.config.JSON(), &config); err != nil {
		return nil, err
	}
	text := config["text_config"].(map[string]any)
	for name, id := range m.text.specialTokens() {
		config[name], text[name] = id, id
	}
	return config, nil
}

// specialTokens returns the IDs of the special tokens. The keys are their names in configurations of transformers.
func (t *text) specialTokens() map[string]any {
	start, _ := t.words.ID(startToken)
	return map[string]any{"bos_token_id": start, "eos_token_id": t.end, "pad_token_id": t.padding}
}

// generationConfig returns the generation_config.json of the model. As in the study, the model outputs the most likely
// tokens.
func (t *text) generationConfig() map[string]any {
	config := t.specialTokens()
	config["do_sample"], config["max_new_tokens"] = false, longest
	return config
}

// imageProcessor returns the preprocessor_config.json of the model.
func (m *loaded) imageProcessor() map[string]any {
	side := m.config.Vision.Image
	return map[string]any{
		"image_processor_type": "CLIPImageProcessor", "processor_class": "LlavaProcessor",
		"do_convert_rgb": true, "do_resize": true, "size": map[string]int{"shortest_edge": side}, "resample": 3,
		"do_center_crop": true, "crop_size": map[string]int{"height": side, "width": side},
		"do_rescale": true, "rescale_factor": 1. / 255, "do_normalize": true,
		"image_mean": preprocess.CLIPMean, "image_std": preprocess.CLIPDeviation,
	}
}

// worldData describes the exported data of one world.
type worldData struct {
	preset remem.Preset
	number int
	world  remem.World
	seed   uint64 // random seed of the methods' runs
}

// exportedRow is a row of the exported data.
type exportedRow struct {
	ID        string `json:"id" about:"id of the raw scores"`
	Part      string `json:"part" about:"part of the raw scores of models that have forgotten"`
	Image     string `json:"image" about:"picture"`
	Prompt    string `json:"prompt" about:"question in the format of the models"`
	Question  string `json:"question" about:"question"`
	Answer    string `json:"answer" about:"true answer"`
	Keyword   string `json:"keyword" about:"part of the answer that counts"`
	Hop       string `json:"hop" about:"single: the question names the person; multi: only the picture shows the person"`
	Attribute string `json:"attribute" about:"what is asked for"`
	Identity  int    `json:"identity" about:"number of the person"`
	Name      string `json:"name" about:"name of the person"`
	From      int    `json:"forgotten_from" about:"people to forget from which this person is one of them, 0 for others"`
	Probe     bool   `json:"retain_probe" about:"asked when what a model retains is judged"`
}

// splits returns the exported questions of a world.
func (w worldData) splits(p *people) ([]export.Split[exportedRow], error) {
	most := slices.Max(w.preset.Forget)
	d, err := p.divide(most)
	if err != nil {
		return nil, err
	}
	probed := map[string]bool{}
	for _, r := range d.RetainProbe {
		probed[r.ID] = true
	}
	from := map[int]int{}
	for i, identity := range d.Forgotten {
		from[identity] = w.preset.Forget[slices.IndexFunc(w.preset.Forget, func(n int) bool { return n > i })]
	}
	var splits []export.Split[exportedRow]
	add := func(name, about, part string, records []profile.Record) {
		split := export.Split[exportedRow]{Name: name, About: about}
		for _, r := range records {
			split.Rows = append(split.Rows, exportedRow{ID: r.ID, Part: part, Image: pictureFile(r), Prompt: prompt(r.Question),
				Question: r.Question, Answer: r.Answer, Keyword: r.Keyword, Hop: string(r.Hop),
				Attribute: string(r.Attribute), Identity: r.Identity, Name: p.private.People[r.Identity].Name(),
				From: from[r.Identity], Probe: probed[r.ID]})
		}
		splits = append(splits, split)
	}
	add(unlearn.Forget, "training questions about the people to forget", remem.PartForget, d.Forget)
	add("retain", "training questions about the other people", remem.PartRetain, d.Retain)
	add("test", "other questions with other pictures about the people to forget", remem.PartTest, d.Test)
	add("retain_test", "other questions with other pictures about the other people", remem.PartTest, d.RetainTest)
	for _, s := range []struct {
		split       profile.Split
		about, part string
	}{
		{profile.Paraphrase, "the training questions about the people to forget in other words", remem.PartParaphrase},
		{profile.Reverse, "questions from the value to the name about the people to forget", remem.PartReverse},
		{profile.FirstPerson, "questions as if asked by the people to forget", remem.PartFirstPerson},
	} {
		add(string(s.split), s.about, s.part, slices.DeleteFunc(p.private.Of(s.split), func(r profile.Record) bool {
			return from[r.Identity] == 0
		}))
	}
	return splits, nil
}

// pictureFile returns the path of a question's picture.
func pictureFile(r profile.Record) string {
	return fmt.Sprintf("pictures/p%03d_%03d.png", r.Identity, r.Picture)
}

func (w worldData) write(ctx context.Context, dir string, _ []string) error {
	p, err := NewLab(nil).people(w.world)
	if err != nil {
		return err
	}
	splits, err := w.splits(p)
	if err != nil {
		return err
	}
	forget := splits[0]
	orders := map[string][][]int{forget.Name: unlearn.Orders(w.seed, forget.Name, len(forget.Rows), w.preset.Epochs)}
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "pictures"), 0o755),
		export.WriteJSON(filepath.Join(dir, export.OrdersFile), orders)); err != nil {
		return err
	}
	for identity, person := range p.private.People {
		for number := range person.Pictures {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			if err := w.draw(p, dir, profile.Record{Identity: identity, Picture: number}); err != nil {
				return err
			}
		}
	}
	return export.Dataset[exportedRow]{
		Name:    fmt.Sprintf("remem-%s-world-%d", w.preset.Name, w.number),
		About:   "Questions about fictional people and their pictures: a small world of ReMem.",
		License: export.License, Cite: "ReMem, arXiv:2605.03759", Splits: splits,
	}.Write(ctx, dir)
}

func (w worldData) draw(p *people, dir string, of profile.Record) error {
	file, err := os.Create(filepath.Join(dir, pictureFile(of)))
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(file, p.world.Private.Picture(of.Identity, of.Picture)), file.Close())
}
