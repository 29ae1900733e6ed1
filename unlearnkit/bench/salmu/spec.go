// Package salmu is the study of SALMUBench: which methods make a contrastive image-text model forget who has which phone number, at what price for what it should keep.
//
// Package compute makes its raw scores, one row an example; everything here is a function of those rows.
package salmu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

// Stages of the study. A version changes when what the stage computes does.
var (
	Base      = store.Stage{Name: "salmu/base", Version: 1}
	Judgement = store.Stage{Name: "salmu/judgement", Version: 1}
	Unlearned = store.Stage{Name: "salmu/unlearned", Version: 1}
)

// Corpus says which examples: those of a small world, or of a download of the published data.
type Corpus struct {
	World    *persona.Spec `json:",omitempty"`
	Revision int           `json:",omitempty"` // of the small worlds
	Data     string        `json:",omitempty"` // a digest of the download
}

// Size is the shape of a small model, both towers alike.
type Size struct {
	Width, Layers, Heads int
	Embedding            int
	Patch                int
	Vocabulary, Context  int
}

// Training is how base models are trained.
type Training struct {
	Epochs    int     // over the retain set
	Batch     int     // retain rows a step
	Rate      float64 // at the peak
	Warmup    int     // steps
	Decay     float64
	Sensitive int // passes over the sensitive rows, in a model that sees them
}

// BaseSpec determines a base model.
type BaseSpec struct {
	Corpus      Corpus
	Size        Size
	Training    Training
	Compromised bool // it has seen the sensitive rows
	Seed        uint64
}

// JudgementSpec determines the raw scores of a base model.
type JudgementSpec struct {
	Corpus Corpus // of the examples
	Model  store.Key
	Each   int // captions of either kind that compete with an image's own
}

// UnlearnedSpec determines a run of a method and the raw scores at its budgets.
type UnlearnedSpec struct {
	Corpus  Corpus
	Start   store.Key
	Method  string
	Version int
	Values  map[string]float64
	Budgets []int
	Each    int // captions of either kind that compete with an image's own
	Retain  int // rows of the sample of what is kept
	Seed    uint64
}
