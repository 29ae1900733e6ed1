package train

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/export"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

//go:embed export.md
var exportReadme []byte

// Export lists what can be exported from a preset: the clips of each world's data sets, and for each benchmark its
// original, its gold model and their backbone.
func Export(preset string, open func() (*device.Device, error)) (*export.Study, error) {
	p, err := unslu.Named(preset)
	if err != nil {
		return nil, err
	}
	plan := unslu.NewPlan(p)
	s := &export.Study{Files: map[string][]byte{"README.md": exportReadme}}
	for _, b := range p.Benchmarks {
		s.Parts = append(s.Parts, b.Name())
	}
	for number, w := range plan.Worlds {
		data := worldData{preset: p.Name, number: number}
		var world export.World
		for i, b := range p.Benchmarks {
			runs := w.Benchmarks[i]
			spec, _ := unslu.Judgement.Spec(runs.Original)
			data.sets = append(data.sets, setData{part: b.Name(), name: b.Set, corpus: spec.Corpus})
			write := func(artifact *store.Artifact, dir string) error {
				return exportModel(artifact, dir, spec.Corpus, open)
			}
			for _, m := range []export.Model{
				{Name: "base", Run: plan.Backbones[b.Backbone]},
				{Name: "original", Run: runs.OriginalTraining, Scores: runs.Original},
				{Name: "gold", Run: runs.GoldTraining, Scores: runs.Gold},
			} {
				m.Part, m.Table, m.Write = b.Name(), unslu.ScoresFile, write
				world.Models = append(world.Models, m)
			}
		}
		world.Data = data.write
		s.Worlds = append(s.Worlds, world)
	}
	return s, nil
}

// exportModel writes a model in the format of the transformers library.
func exportModel(artifact *store.Artifact, dir string, corpus unslu.Corpus,
	open func() (*device.Device, error)) error {
	d, err := open()
	if err != nil {
		return err
	}
	m, err := load(d, artifact.Dir, corpus.Samples)
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	set, err := speech.Make(corpus.World)
	if err != nil {
		return err
	}
	config, err := m.transformersConfig(set.Intents)
	if err != nil {
		return err
	}
	return errors.Join(hf.Save(m.scope(), dir, m.config.Names(), hf.Format{}),
		export.WriteJSON(filepath.Join(dir, "config.json"), config),
		export.WriteJSON(filepath.Join(dir, "preprocessor_config.json"), map[string]any{
			"feature_extractor_type": "Wav2Vec2FeatureExtractor", "feature_size": 1, "sampling_rate": set.Rate,
			"padding_side": "right", "padding_value": 0., "do_normalize": true, "return_attention_mask": false,
		}))
}

// transformersConfig returns the config.json of the model for the transformers library. If the model has a
// classification head, the configuration includes the names of the intents.
func (m *loaded) transformersConfig(intents []string) (config map[string]any, err error) {
	if err := json.Unmarshal(m.config.JSON(), &config); err != nil || m.config.NumLabels == 0 {
		delete(config, "num_labels") // a backbone has no labels
		return config, err
	}
	names, numbers := map[string]string{}, map[string]int{}
	for i, intent := range intents {
		names[fmt.Sprint(i)], numbers[intent] = intent, i
	}
	config["id2label"], config["label2id"] = names, numbers
	return config, nil
}

// worldData describes the exported data of one world.
type worldData struct {
	preset string
	number int
	sets   []setData // one data set for each benchmark
}

// setData describes the data set of a benchmark. Several benchmarks can share a data set.
type setData struct {
	part, name string
	corpus     unslu.Corpus
}

func (w worldData) write(ctx context.Context, dir string, parts []string) error {
	written := map[string]bool{}
	for _, s := range w.sets {
		if written[s.name] || len(parts) > 0 && !slices.Contains(parts, s.part) {
			continue
		}
		written[s.name] = true
		folder := filepath.Join(dir, guest.PartFolder(s.name))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		if err := s.write(ctx, folder, fmt.Sprintf("unslu-%s-world-%d-%s", w.preset, w.number,
			guest.PartFolder(s.name))); err != nil {
			return err
		}
	}
	return nil
}

// clip is a row of the exported data.
type clip struct {
	FileName string `json:"file_name" about:"sound"`
	ID       string `json:"id" about:"id of the raw scores"`
	Speaker  string `json:"speaker" about:"who speaks"`
	Text     string `json:"text" about:"spoken words"`
	Intent   string `json:"intent" about:"meaning of the words"`
	Label    int    `json:"label" about:"number of the intent for training and tests; some are wrong on purpose"`

	utterance speech.Utterance
}

// splits returns the exported splits of a data set.
func (s setData) splits(set *speech.Set) ([]export.Split[clip], error) {
	c, err := newClips(set, s.corpus, s.corpus.World.Seed)
	if err != nil {
		return nil, err
	}
	var splits []export.Split[clip]
	for _, part := range []struct {
		name, about string
		of          *table
	}{
		{unslu.Forget, "forget set of the methods: all training clips of some speakers", c.forget},
		{unlearn.Retain, "training clips of the other speakers", c.retain},
		{unslu.Validation, "clips of speakers that no model has heard, for choices", c.validation},
		{unslu.Test, "clips of other speakers that no model has heard", c.test},
	} {
		split := export.Split[clip]{Name: part.name, About: part.about}
		for _, u := range part.of.utterances {
			split.Rows = append(split.Rows, clip{FileName: guest.PartFolder(u.ID) + ".wav", ID: u.ID,
				Speaker: u.Speaker, Text: u.Text, Intent: u.Intent, Label: u.Label, utterance: u})
		}
		splits = append(splits, split)
	}
	return splits, nil
}

func (s setData) write(ctx context.Context, dir, name string) error {
	set, err := speech.Make(s.corpus.World)
	if err != nil {
		return err
	}
	splits, err := s.splits(set)
	if err != nil {
		return err
	}
	orders := map[string][][]int{}
	for _, split := range splits[:2] {
		orders[split.Name] = unlearn.Orders(s.corpus.World.Seed, split.Name, len(split.Rows), 1)
	}
	if err := export.WriteJSON(filepath.Join(dir, export.OrdersFile), orders); err != nil {
		return err
	}
	data := export.Dataset[clip]{
		Name: name, Splits: splits, Ending: "wav", License: export.License, Cite: "UnSLU-BENCH, arXiv:2505.15700",
		About: fmt.Sprintf("Spoken commands of synthetic speakers at %d samples a second: a small world of "+
			"UnSLU-BENCH's %s. Models hear the first %d samples of a clip, or silence after it.", set.Rate, s.name,
			s.corpus.Samples),
		File: func(row clip) string { return row.FileName },
		Draw: func(row clip, target io.Writer) error {
			samples, err := set.Samples(row.utterance)
			if err != nil {
				return err
			}
			return safefile.EncodeWAV(target, &safefile.Audio{Rate: set.Rate, Channels: [][]float32{samples}},
				safefile.Float)
		},
	}
	return data.Write(ctx, dir)
}
