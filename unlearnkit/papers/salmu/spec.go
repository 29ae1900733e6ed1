// Package salmu implements the study of SALMUBench. The study asks which methods make a contrastive image-text model
// forget who has which phone number, and how much retained knowledge this costs.
//
// The Compromised model is trained with the sensitive rows, the Clean model without them. Package train computes the
// raw scores of all models, one row per example. All tables, figures and claims are functions of these rows.
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

// Corpus names the data: a generated world, or a download of the published data.
type Corpus struct {
	World    *persona.Spec `json:"world,omitempty"`
	Revision int           `json:"revision,omitempty"` // revision of the generated data
	Data     string        `json:"data,omitempty"`     // digest of the downloaded data
	// ImageNet is the digest of the folder that tests general knowledge, if the data are downloaded.
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

// Size determines the architecture of a small model. The image encoder and the text encoder have the same size.
type Size struct {
	Width      int `json:"width"`
	Layers     int `json:"layers"`
	Heads      int `json:"heads"`
	Embedding  int `json:"embedding"`
	Patch      int `json:"patch"`
	Vocabulary int `json:"vocabulary"`
	Context    int `json:"context"`
}

// Training determines how base models are trained.
type Training struct {
	Epochs    int     `json:"epochs"` // passes over the retain set
	Batch     int     `json:"batch"`  // retain rows per step
	Rate      float64 `json:"rate"`   // peak learning rate
	Warmup    int     `json:"warmup"` // number of steps during which the rate rises
	Decay     float64 `json:"decay"`
	Sensitive int     `json:"sensitive"` // passes over the sensitive rows, for compromised models
}

// BaseSpec determines a base model.
type BaseSpec struct {
	Corpus      Corpus   `json:"corpus"`
	Size        Size     `json:"size"`
	Training    Training `json:"training"`
	Compromised bool     `json:"compromised"` // train on the sensitive rows, too
	Seed        uint64   `json:"seed"`
}

// JudgementSpec determines the raw scores of a base model.
type JudgementSpec struct {
	Corpus   Corpus        `json:"corpus"` // corpus with the examples
	Model    study.Input   `json:"model"`
	Pictures []study.Input `json:"-"`    // pictures of a download, in the order of [Corpus.Sources]
	Each     int           `json:"each"` // captions of each kind that compete with an image's own
}

// UnlearnedSpec determines a run of an unlearning method, and the raw scores at its budgets.
type UnlearnedSpec struct {
	Corpus   Corpus             `json:"corpus"`
	Start    study.Input        `json:"start"`
	Pictures []study.Input      `json:"-"` // pictures of a download, as in [JudgementSpec]
	Method   string             `json:"method"`
	Version  int                `json:"version"`
	Values   map[string]float64 `json:"values"`
	Budgets  []int              `json:"budgets"`
	Each     int                `json:"each"`   // captions of each kind that compete with an image's own
	Retain   int                `json:"retain"` // number of rows in the retain sample
	Seed     uint64             `json:"seed"`
}

// Names of the base models among the references and in the panel.
const (
	clean       = "clean"
	compromised = "compromised"
	independent = "independent"
)

// Download identifies the user's copies of the published data and models by digests of their files. A digest is "" if
// the user lacks the files.
type Download struct {
	Benchmark   string // data set salmubench-512-redistributed
	Clean       string // model clip-vit-b-16-salmu-clean
	Compromised string // model clip-vit-b-16-salmu-compromised
	Independent string // model trained on other data, for Table 4
	ImageNet    string // ImageNet's validation set, for GenKnow
	Retain      string // sample of the models' original training data
	Image       int    // width and height in pixels of the models' input
}

// PaperSeed is the random seed of the paper preset and of the official evaluation.
const PaperSeed = 42

// corpus returns the data for judging models. Only runs that use the retain sample add its digest.
func (d *Download) corpus() Corpus { return Corpus{Data: d.Benchmark, ImageNet: d.ImageNet} }

// Parameters returns the number of parameters of a small model.
func (s Size) Parameters(image int) int {
	block := 12*s.Width*s.Width + 13*s.Width
	patches := image / s.Patch * (image / s.Patch)
	vision := s.Width*3*s.Patch*s.Patch + s.Width + (patches+1)*s.Width + 4*s.Width
	text := (s.Vocabulary+s.Context)*s.Width + 2*s.Width
	return 2*s.Layers*block + vision + text + 2*s.Width*s.Embedding + 1
}
