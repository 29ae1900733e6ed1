// Package unslu is the study of UnSLU-BENCH: which methods make models of spoken commands forget a speaker, how fast,
// and at what price for what they recognise.
//
// Package train makes its raw scores, one row a clip; everything here is a function of those rows and of what the
// trainings cost.
package unslu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages of the study. A version changes when what the stage computes does.
var (
	Backbone  = study.Stage[BackboneSpec]{Name: "unslu/backbone", Version: 1}
	Base      = study.Stage[BaseSpec]{Name: "unslu/base", Version: 1}
	Judgement = study.Stage[JudgementSpec]{Name: "unslu/judgement", Version: 1}
	Unlearned = study.Stage[UnlearnedSpec]{Name: "unslu/unlearned", Version: 1}
)

// Corpus says which clips, and which speakers of them are to be forgotten.
type Corpus struct {
	World    speech.Config `json:"world,omitzero"` // absent of published clips
	Revision int           `json:"revision"`
	MoreThan int           `json:"more_than"` // clips that a speaker has in training who can be drawn to be forgotten
	Share    float64       `json:"share"`     // of the training clips that are to be forgotten at least
	Samples  int           `json:"samples"`   // of every clip, cut or filled up with silence

	// Of published clips alone:
	Data  string             `json:"data,omitempty"`  // a digest of the files
	Parts speechfolder.Parts `json:"parts,omitempty"` // how the parts are made of the published ones
	Seed  uint64             `json:"seed,omitempty"`  // of the draw of speakers, which in a world is the world's
}

// Size is the shape of a small model.
type Size struct {
	Hidden    int   `json:"hidden"`
	Layers    int   `json:"layers"`
	Heads     int   `json:"heads"`
	Channels  int   `json:"channels"` // of the convolutions
	Kernels   []int `json:"kernels"`
	Strides   []int `json:"strides"`
	Projected int   `json:"projected"` // width between encoder and intents
	// Deep has norms before each part of a layer and in every convolution, as XLS-R and XLSR do; wav2vec 2.0 and HuBERT
	// have them after each part and in the first convolution.
	Deep bool `json:"deep"`
}

// Objective is what a backbone is pre-trained for.
type Objective string

// Objectives of pre-training.
const (
	Nothing     Objective = "nothing"     // first values
	Contrastive Objective = "contrastive" // wav2vec 2.0's, XLS-R's: which quantised frame stood behind a mask
	Clusters    Objective = "clusters"    // HuBERT's: of which cluster was it
	Letters     Objective = "letters"     // XLSR-53's in its forms for one language: what is said, letter by letter
)

// BackboneSpec determines a backbone. There is one of each kind, as of the published ones, and it has heard no voice of
// any world.
type BackboneSpec struct {
	Objective Objective   `json:"objective"`
	Languages []string    `json:"languages,omitempty"`
	Start     study.Input `json:"start,omitempty"` // the backbone that is trained on
	Size      Size        `json:"size"`
	Steps     int         `json:"steps,omitempty"` // none where it is trained for nothing
	Batch     int         `json:"batch,omitempty"`
	Rate      float64     `json:"rate,omitempty"`
	Clips     int         `json:"clips,omitempty"` // of each language
	Samples   int         `json:"samples"`         // of every clip
	Seed      uint64      `json:"seed"`
	Revision  int         `json:"revision"` // of the recordings
}

// Training is how models learn intents.
type Training struct {
	Epochs int     `json:"epochs"`          // at most
	Steps  int     `json:"steps,omitempty"` // at most, where they are counted in place of epochs
	Batch  int     `json:"batch"`
	Rate   float64 `json:"rate"`   // after the warm-up
	Warmup float64 `json:"warmup"` // part of the steps in which the rate rises
	Decay  float64 `json:"decay"`  // of weights
	// Patience is the number of epochs without a better validation accuracy after which the rate falls to a tenth.
	Patience int `json:"patience"`
	Stop     int `json:"stop"` // such epochs after which the training ends; 0 is never
}

// BaseSpec determines a model that has learnt intents.
type BaseSpec struct {
	Corpus   Corpus      `json:"corpus"`
	Backbone study.Input `json:"backbone"`
	Training Training    `json:"training"`
	Gold     bool        `json:"gold"` // it has not heard the speakers who are to be forgotten
	Seed     uint64      `json:"seed"`
}

// JudgementSpec determines the raw scores of such a model.
type JudgementSpec struct {
	Corpus Corpus      `json:"corpus"`
	Model  study.Input `json:"model"`
}

// UnlearnedSpec determines a run of a method and its raw scores.
type UnlearnedSpec struct {
	Corpus    Corpus             `json:"corpus"`
	Start     study.Input        `json:"start"`
	Untrained study.Input        `json:"untrained,omitempty"` // the backbone, for the methods that learn from it
	Method    string             `json:"method"`
	Version   int                `json:"version"`
	Values    map[string]float64 `json:"values"`
	Seed      uint64             `json:"seed"`
}
