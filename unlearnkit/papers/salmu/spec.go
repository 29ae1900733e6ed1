// Package salmu is the study of SALMUBench: which methods make a contrastive image-text model forget who has which
// phone number, at what price for what it should keep.
//
// Package train makes its raw scores, one row an example; everything here is a function of those rows.
package salmu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages of the study. A version changes when what the stage computes does.
var (
	Base      = study.Stage[BaseSpec]{Name: "salmu/base", Version: 1}
	Judgement = study.Stage[JudgementSpec]{Name: "salmu/judgement", Version: 1}
	Unlearned = study.Stage[UnlearnedSpec]{Name: "salmu/unlearned", Version: 1}
)

// Corpus says which examples: those of a small world, or of a download of the published data.
type Corpus struct {
	World    *persona.Spec `json:"world,omitempty"`
	Revision int           `json:"revision,omitempty"` // of the small worlds
	Data     string        `json:"data,omitempty"`     // a digest of the download
	// of the folder that general knowledge is asked of, beside a download
	ImageNet string `json:"imagenet,omitempty"`
	Retain   string `json:"retain,omitempty"` // of the folder with what is kept, for who walks through it
}

// root is where the random numbers of a run on the corpus start.
func (c Corpus) root() uint64 {
	if c.World == nil {
		return PaperSeed
	}
	return c.World.Seed
}

// Size is the shape of a small model, both towers alike.
type Size struct {
	Width      int `json:"width"`
	Layers     int `json:"layers"`
	Heads      int `json:"heads"`
	Embedding  int `json:"embedding"`
	Patch      int `json:"patch"`
	Vocabulary int `json:"vocabulary"`
	Context    int `json:"context"`
}

// Training is how base models are trained.
type Training struct {
	Epochs    int     `json:"epochs"` // over the retain set
	Batch     int     `json:"batch"`  // retain rows a step
	Rate      float64 `json:"rate"`   // at the peak
	Warmup    int     `json:"warmup"` // steps
	Decay     float64 `json:"decay"`
	Sensitive int     `json:"sensitive"` // passes over the sensitive rows, in a model that sees them
}

// BaseSpec determines a base model.
type BaseSpec struct {
	Corpus      Corpus   `json:"corpus"`
	Size        Size     `json:"size"`
	Training    Training `json:"training"`
	Compromised bool     `json:"compromised"` // it has seen the sensitive rows
	Seed        uint64   `json:"seed"`
}

// JudgementSpec determines the raw scores of a base model.
type JudgementSpec struct {
	Corpus   Corpus        `json:"corpus"` // of the examples
	Model    study.Input   `json:"model"`
	Pictures []study.Input `json:"-"`    // of a download, which the corpus names, in the order of [Corpus.Sources]
	Each     int           `json:"each"` // captions of either kind that compete with an image's own
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
	Each     int                `json:"each"`   // captions of either kind that compete with an image's own
	Retain   int                `json:"retain"` // rows of the sample of what is kept
	Seed     uint64             `json:"seed"`
}
