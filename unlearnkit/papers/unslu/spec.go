// Package unslu is the study of UnSLU-BENCH. It asks which methods make models of spoken commands forget a speaker, how
// fast they are, and what this costs in recognition.
//
// Package train computes its raw scores, one row per clip. All tables, figures and claims are functions of these rows
// and of the trainings' costs.
package unslu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages of the study. A stage's version is increased when its computation changes.
var (
	Backbone  = study.Stage[BackboneSpec]{Name: "unslu/backbone", Version: 1}
	Base      = study.Stage[BaseSpec]{Name: "unslu/base", Version: 1}
	Judgement = study.Stage[JudgementSpec]{Name: "unslu/judgement", Version: 1}
	Unlearned = study.Stage[UnlearnedSpec]{Name: "unslu/unlearned", Version: 1}
)

// Corpus determines the clips and the speakers to be forgotten.
type Corpus struct {
	World    speech.Config `json:"world,omitzero"` // empty for published clips
	Revision int           `json:"revision"`
	MoreThan int           `json:"more_than"` // forget speakers have more training clips than this
	Share    float64       `json:"share"`     // smallest share of training clips to be forgotten
	Samples  int           `json:"samples"`   // length of every clip, cut or padded with silence

	// Only for published clips:
	Data  string             `json:"data,omitempty"`  // digest of the files
	Parts speechfolder.Parts `json:"parts,omitempty"` // how the parts are made from the published ones
	Seed  uint64             `json:"seed,omitempty"`  // seed for drawing speakers; small worlds use their own
}

// Size is the shape of a small model.
type Size struct {
	Hidden    int   `json:"hidden"`
	Layers    int   `json:"layers"`
	Heads     int   `json:"heads"`
	Channels  int   `json:"channels"` // channels of the convolutions
	Kernels   []int `json:"kernels"`
	Strides   []int `json:"strides"`
	Projected int   `json:"projected"` // width between encoder and intents
	// Deep selects a norm before each part of a layer and in every convolution, as in XLS-R and XLSR. Without it, norms
	// follow each part and only the first convolution has one, as in wav2vec 2.0 and HuBERT.
	Deep bool `json:"deep"`
}

// Objective is the objective of a backbone's pre-training.
type Objective string

// Objectives of pre-training.
const (
	Nothing     Objective = "nothing"     // initial weights
	Contrastive Objective = "contrastive" // wav2vec 2.0's, XLS-R's: which quantised frame was masked
	Clusters    Objective = "clusters"    // HuBERT's: which cluster the masked frame belongs to
	Letters     Objective = "letters"     // XLSR-53's in one language: transcription, letter by letter
)

// BackboneSpec determines a backbone. As with the published backbones, there is one of each kind, and it has heard no
// voice of any world.
type BackboneSpec struct {
	Objective Objective   `json:"objective"`
	Languages []string    `json:"languages,omitempty"`
	Start     study.Input `json:"start,omitempty"` // backbone whose training is continued
	Size      Size        `json:"size"`
	Steps     int         `json:"steps,omitempty"` // 0 without pre-training
	Batch     int         `json:"batch,omitempty"`
	Rate      float64     `json:"rate,omitempty"`
	Clips     int         `json:"clips,omitempty"` // clips per language
	Samples   int         `json:"samples"`         // length of every clip
	Seed      uint64      `json:"seed"`
	Revision  int         `json:"revision"` // revision of the recordings
}

// Training determines the training of models on intents.
type Training struct {
	Epochs int     `json:"epochs"`          // at most
	Steps  int     `json:"steps,omitempty"` // at most; counted instead of epochs
	Batch  int     `json:"batch"`
	Rate   float64 `json:"rate"`   // after the warm-up
	Warmup float64 `json:"warmup"` // share of the steps in which the rate rises
	Decay  float64 `json:"decay"`  // weight decay
	// Patience is the number of epochs without a better validation accuracy after which the rate falls to a tenth.
	Patience int `json:"patience"`
	Stop     int `json:"stop"` // number of such epochs after which the training ends; 0 for never
}

// BaseSpec determines a model that has learnt intents.
type BaseSpec struct {
	Corpus   Corpus      `json:"corpus"`
	Backbone study.Input `json:"backbone"`
	Training Training    `json:"training"`
	Gold     bool        `json:"gold"` // the model has not heard the forget speakers
	Seed     uint64      `json:"seed"`
}

// JudgementSpec determines the raw scores of a model that has learnt intents.
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

// Download identifies the user's copies of the published data and models by digests of the files. It has no entries for
// data and models that the user does not have.
type Download struct {
	Data   map[speechfolder.Kind]string
	Models map[string]string // by the names in [Models]
}
