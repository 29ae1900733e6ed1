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
