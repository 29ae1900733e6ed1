// Package salmu is the study of SALMUBench. It asks which methods make a contrastive image-text model forget who has
// which phone number, and what this costs in retained knowledge.
//
// Package train computes its raw scores, one row per example. All tables, figures and claims are functions of these
// rows.
package salmu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages of the study. A stage's version is increased when its computation changes.
var (
	Base      = study.Stage[BaseSpec]{Name: "salmu/base", Version: 1}
	Judgement = study.Stage[JudgementSpec]{Name: "salmu/judgement", Version: 1}
	Unlearned = study.Stage[UnlearnedSpec]{Name: "salmu/unlearned", Version: 1}
)

// Corpus names the examples: a small world, or a download of the published data.
type Corpus struct {
	World    *persona.Spec `json:"world,omitempty"`
	Revision int           `json:"revision,omitempty"` // revision of the small worlds
	Data     string        `json:"data,omitempty"`     // digest of the download
	// ImageNet is a digest of the folder from which a download's general knowledge is judged.
	ImageNet string `json:"imagenet,omitempty"`
	Retain   string `json:"retain,omitempty"` // digest of the retain folder, for runs that use it
}

// root returns the random seed of runs on the corpus.
func (c Corpus) root() uint64 {
	if c.World == nil {
		return PaperSeed
	}
	return c.World.Seed
}

// Size is the shape of a small model, equal for both towers.
type Size struct {
	Width      int `json:"width"`
	Layers     int `json:"layers"`
	Heads      int `json:"heads"`
	Embedding  int `json:"embedding"`
	Patch      int `json:"patch"`
	Vocabulary int `json:"vocabulary"`
	Context    int `json:"context"`
}

// Training determines the training of base models.
type Training struct {
	Epochs    int     `json:"epochs"` // passes over the retain set
	Batch     int     `json:"batch"`  // retain rows per step
	Rate      float64 `json:"rate"`   // peak learning rate
	Warmup    int     `json:"warmup"` // steps
	Decay     float64 `json:"decay"`
	Sensitive int     `json:"sensitive"` // passes over the sensitive rows, in models that see them
}

// BaseSpec determines a base model.
type BaseSpec struct {
	Corpus      Corpus   `json:"corpus"`
	Size        Size     `json:"size"`
	Training    Training `json:"training"`
	Compromised bool     `json:"compromised"` // the model has seen the sensitive rows
	Seed        uint64   `json:"seed"`
}

// JudgementSpec determines the raw scores of a base model.
type JudgementSpec struct {
	Corpus   Corpus        `json:"corpus"` // corpus of the examples
	Model    study.Input   `json:"model"`
	Pictures []study.Input `json:"-"`    // pictures of a download, in the order of [Corpus.Sources]
	Each     int           `json:"each"` // captions of each kind that compete with an image's own
}

// UnlearnedSpec determines a run of a method and the raw scores at its budgets.
type UnlearnedSpec struct {
	Corpus   Corpus             `json:"corpus"`
	Start    study.Input        `json:"start"`
	Pictures []study.Input      `json:"-"` // as in [JudgementSpec]
	Method   string             `json:"method"`
	Version  int                `json:"version"`
	Values   map[string]float64 `json:"values"`
	Budgets  []int              `json:"budgets"`
	Each     int                `json:"each"`   // captions of each kind that compete with an image's own
	Retain   int                `json:"retain"` // rows of the retain sample
	Seed     uint64             `json:"seed"`
}

// Names of the base models among the references and in the panel.
const (
	clean       = "clean"
	compromised = "compromised"
	independent = "independent"
)

// Download identifies the user's copies of the published data and models by digests of the files. A digest is "" if the
// user does not have the files.
type Download struct {
	Benchmark   string // salmubench-512-redistributed
	Clean       string // clip-vit-b-16-salmu-clean
	Compromised string // clip-vit-b-16-salmu-compromised
	Independent string // a model trained on other data, for Table 4
	ImageNet    string // ImageNet's validation set, for GenKnow
	Retain      string // a sample of the models' other training data
	Image       int    // pixels along a side of the models' input
}

// PaperSeed is the random seed of the paper preset and of the official evaluation.
const PaperSeed = 42

// corpus returns the corpus of the judged examples. Only runs that use the retain sample name it.
func (d *Download) corpus() Corpus { return Corpus{Data: d.Benchmark, ImageNet: d.ImageNet} }

// Parameters returns the number of parameters of a small model.
func (s Size) Parameters(image int) int {
	block := 12*s.Width*s.Width + 13*s.Width
	patches := image / s.Patch * (image / s.Patch)
	vision := s.Width*3*s.Patch*s.Patch + s.Width + (patches+1)*s.Width + 4*s.Width
	text := (s.Vocabulary+s.Context)*s.Width + 2*s.Width
	return 2*s.Layers*block + vision + text + 2*s.Width*s.Embedding + 1
}
