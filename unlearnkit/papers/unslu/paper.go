package unslu

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Published is the stage that checks published backbones. Only the preset paper has it.
var Published = study.Stage[PublishedSpec]{Name: "unslu/published", Version: 1}

// PublishedSpec identifies a published backbone.
type PublishedSpec struct {
	Model string `json:"model"` // digest of the model's files
}

// Names of the published backbones. Their folders have the same names.
const (
	Wav2Vec2Base  = "wav2vec2-base"
	HuBERTBase    = "hubert-base-ls960"
	XLSR128       = "wav2vec2-xls-r-300m"
	XLSR53Italian = "wav2vec2-large-xlsr-53-italian"
	XLSR53German  = "wav2vec2-large-xlsr-53-german"
	xlsr53French  = "wav2vec2-large-xlsr-53-french"
)

// Models lists the names of the published backbones.
var Models = []string{Wav2Vec2Base, HuBERTBase, XLSR128, XLSR53Italian, XLSR53German, xlsr53French}

// PaperSamples is the largest length of a clip in samples: ten seconds.
const PaperSamples = 10 * speechfolder.Rate

// paperBenchmark is a benchmark of the paper, with its names in the paper and in the download.
type paperBenchmark struct {
	table, set, model string
	data              speechfolder.Kind
	backbone          string
}

var paperBenchmarks = []paperBenchmark{
	{"1", "FSC", "wav2vec 2.0", speechfolder.FluentSpeechCommands, Wav2Vec2Base},
	{"1", "FSC", "HuBERT", speechfolder.FluentSpeechCommands, HuBERTBase},
	{"2", "SLURP*", "wav2vec 2.0", speechfolder.SLURP, Wav2Vec2Base},
	{"2", "SLURP*", "HuBERT", speechfolder.SLURP, HuBERTBase},
	{"2", "ITALIC", "XLS-R 128", speechfolder.ITALIC, XLSR128},
	{"2", "ITALIC", "XLS-R 53-IT", speechfolder.ITALIC, XLSR53Italian},
	{"3", "de-De", "XLS-R 128", speechfolder.German, XLSR128},
	{"3", "de-De", "XLS-R 53-DE", speechfolder.German, XLSR53German},
	{"3", "fr-FR", "XLS-R 128", speechfolder.French, XLSR128},
	{"3", "fr-FR", "XLS-R 53-FR", speechfolder.French, xlsr53French},
}

func (b paperBenchmark) name() string { return b.set + "/" + b.model }

// needs returns the names of the data and models that the benchmark needs and a download lacks.
func (b paperBenchmark) needs(d *Download) (missing []string) {
	if d.Data[b.data] == "" {
		missing = append(missing, b.data.Title())
	}
	if d.Models[b.backbone] == "" {
		missing = append(missing, b.backbone)
	}
	return missing
}

// Seeds with which the authors' code draws the speakers to be forgotten.
const (
	drawSeed      = 42
	drawSeedSLURP = 0
)

func (b paperBenchmark) corpus(digest string) Corpus {
	c := Corpus{MoreThan: speech.ForgetClips, Share: speech.ForgetShare, Samples: PaperSamples, Data: digest,
		Parts: b.data.Parts()[0], Seed: drawSeed}
	if b.data == speechfolder.SLURP {
		c.Seed = drawSeedSLURP
	}
	return c
}

// training returns the settings for training originals and gold models. Batches of 32 are the paper's batches of 8 with
// gradients accumulated over four steps. The paper states neither its patience nor how often it evaluates on validation
// clips. Here the model is evaluated after each epoch, and the steps make four to seventeen epochs.
func (b paperBenchmark) training() Training {
	t := Training{Steps: 15000, Batch: 8, Rate: 1e-4, Warmup: .1, Decay: .01, Patience: 2, Stop: 5}
	switch b.data {
	case speechfolder.FluentSpeechCommands:
		t.Steps, t.Batch, t.Rate = 2800, 32, 5e-4
	case speechfolder.SLURP:
		t.Steps, t.Batch, t.Rate = 30000, 32, 5e-4
	}
	return t
}

// epochsOfSteps is roughly how many epochs the paper's step counts amount to. Only cost estimates use it.
const epochsOfSteps = 10

// Paper returns the preset with the paper's data, models, rates, batches and budgets. It leaves out benchmarks whose
// data set or backbone the download lacks, and tables report what is left out.
func Paper(d Download) Preset {
	p := Preset{Name: "paper", Worlds: 1, Download: &d}
	for _, name := range Models {
		if d.Models[name] != "" {
			p.Backbones = append(p.Backbones, BackbonePreset{Name: name, Published: d.Models[name]})
		}
	}
	for _, b := range paperBenchmarks {
		if len(b.needs(&d)) == 0 {
			p.Benchmarks = append(p.Benchmarks, Benchmark{Table: b.table, Set: b.set, Model: b.model,
				Corpus: b.corpus(d.Data[b.data]), Backbone: b.backbone, Training: b.training(),
				Methods: paperMethods()})
		}
	}
	p.Backbones = slices.DeleteFunc(p.Backbones, func(backbone BackbonePreset) bool {
		return !slices.ContainsFunc(p.Benchmarks, func(b Benchmark) bool { return b.Backbone == backbone.Name })
	})
	if at := p.place(epochsBenchmark); at >= 0 {
		plus := p.Benchmarks[at].method("negative-plus")
		p.Epochs = EpochSweep{Benchmark: epochsBenchmark, Budgets: []int{5, 7, 11, 15, 60}, Method: plus.at(5e-7)}
	}
	if at := p.place(ratesBenchmark); at >= 0 {
		negative := p.Benchmarks[at].method("negative")
		p.Rates = RateSweep{Benchmark: ratesBenchmark, Method: negative.at(sweptRates...)}
	}
	return p
}

// paperMethods returns all methods at the paper's rates.
func paperMethods() (all []Method) {
	for _, entry := range catalogue.Classifying.Entries() {
		all = append(all, Method{Entry: entry, Rates: slices.Clone(entry.Rates)})
	}
	return all
}

func (b Benchmark) method(name string) Method {
	return b.Methods[slices.IndexFunc(b.Methods, func(m Method) bool { return m.Name == name })]
}

// Published reports whether the clips come from a download.
func (c Corpus) Published() bool { return c.Data != "" }

// cost estimates the time of a training from measurements on generated data. The unit is arbitrary: one unlearning run
// costs 12.
func (t Training) cost() float64 {
	epochs := t.Epochs
	if t.Steps > 0 {
		epochs = epochsOfSteps
	}
	return 20 + 8*float64(epochs)
}

// lacks returns a sentence about the benchmarks that a table leaves out, or "" if it has all. The sentence begins with
// a space.
func (p Preset) lacks(table string) string {
	if left := p.leftOut(table); left != "" {
		return " Left out: " + left + "."
	}
	return ""
}

// why returns the same information as lacks, after a colon. It is for tables without any benchmark.
func (p Preset) why(table string) string {
	if left := p.leftOut(table); left != "" {
		return ": " + left
	}
	return ""
}

// leftOut names the benchmarks of a table that the preset leaves out, and what the download lacks for them.
func (p Preset) leftOut(table string) string {
	if p.Download == nil {
		return ""
	}
	var left []string
	missing := map[string]bool{}
	for _, b := range paperBenchmarks {
		shown := b.table == table || b.name() == epochsBenchmark && (table == metricsTable || table == epochsTable)
		if needs := b.needs(p.Download); shown && len(needs) > 0 {
			left = append(left, b.name())
			for _, name := range needs {
				missing[name] = true
			}
		}
	}
	if len(left) == 0 {
		return ""
	}
	return fmt.Sprintf("%s, for want of %s", strings.Join(left, ", "),
		strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
}
