// Package unslu implements the study of UnSLU-BENCH. The study asks which methods make models of spoken commands forget
// a speaker, how fast the methods are, and how much recognition they cost.
//
// The original is a model trained on all clips. The gold model is retrained without the clips of the forget speakers.
// Package train computes the raw scores of all models, one row per clip. All tables, figures and claims are functions
// of these rows and of the trainings' costs.
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
	World    speech.Config `json:"world,omitzero"` // settings of generated data; empty for published clips
	Revision int           `json:"revision"`
	MoreThan int           `json:"more_than"` // speakers can be drawn if they have more training clips than this
	Share    float64       `json:"share"`     // smallest share of training clips to be forgotten
	Samples  int           `json:"samples"`   // number of samples to which every clip is cut or padded

	// These fields are set only for published clips.
	Data  string             `json:"data,omitempty"`  // digest of the files
	Parts speechfolder.Parts `json:"parts,omitempty"` // how the splits are made from the published splits
	Seed  uint64             `json:"seed,omitempty"`  // seed for drawing speakers; generated data have their own
}

// Size determines the architecture of a small model.
type Size struct {
	Hidden    int   `json:"hidden"`
	Layers    int   `json:"layers"`
	Heads     int   `json:"heads"`
	Channels  int   `json:"channels"` // channels of the convolutions
	Kernels   []int `json:"kernels"`
	Strides   []int `json:"strides"`
	Projected int   `json:"projected"` // width of the layer between encoder and classifier
	// Deep selects a norm before each part of a layer and in every convolution, as in XLS-R and XLSR. If false, norms
	// follow each part and only the first convolution has one, as in wav2vec 2.0 and HuBERT.
	Deep bool `json:"deep"`
}

// Objective names the objective of a backbone's pre-training.
type Objective string

// Names of pre-training objectives.
const (
	Nothing     Objective = "nothing"     // no pre-training
	Contrastive Objective = "contrastive" // as wav2vec 2.0 and XLS-R: which quantised frame was masked
	Clusters    Objective = "clusters"    // as HuBERT: which cluster the masked frame belongs to
	Letters     Objective = "letters"     // as XLSR-53 after tuning to a language: transcription, letter by letter
)

// BackboneSpec determines a backbone. Like the published backbones, each is trained once, on voices that no world has.
type BackboneSpec struct {
	Objective Objective   `json:"objective"`
	Languages []string    `json:"languages,omitempty"`
	Start     study.Input `json:"start,omitempty"` // backbone from whose weights training continues
	Size      Size        `json:"size"`
	Steps     int         `json:"steps,omitempty"` // number of training steps; 0 if the backbone is not trained
	Batch     int         `json:"batch,omitempty"`
	Rate      float64     `json:"rate,omitempty"`
	Clips     int         `json:"clips,omitempty"` // clips per language
	Samples   int         `json:"samples"`         // number of samples in every clip
	Seed      uint64      `json:"seed"`
	Revision  int         `json:"revision"` // revision of the generated recordings
}

// Training determines how models are trained to recognise intents.
type Training struct {
	Epochs int     `json:"epochs"`          // largest number of epochs
	Steps  int     `json:"steps,omitempty"` // largest number of steps; replaces Epochs
	Batch  int     `json:"batch"`
	Rate   float64 `json:"rate"`   // learning rate after the warm-up
	Warmup float64 `json:"warmup"` // share of the steps during which the rate rises
	Decay  float64 `json:"decay"`  // weight decay
	// Patience is the number of epochs without a better validation accuracy after which the rate is divided by ten.
	Patience int `json:"patience"`
	Stop     int `json:"stop"` // number of epochs without a better accuracy after which the training ends; 0 for never
}

// BaseSpec determines a model that is trained to recognise intents.
type BaseSpec struct {
	Corpus   Corpus      `json:"corpus"`
	Backbone study.Input `json:"backbone"`
	Training Training    `json:"training"`
	Gold     bool        `json:"gold"` // train without the clips of the forget speakers
	Seed     uint64      `json:"seed"`
}

// JudgementSpec determines the raw scores of an original or a gold model.
type JudgementSpec struct {
	Corpus Corpus      `json:"corpus"`
	Model  study.Input `json:"model"`
}

// UnlearnedSpec determines a run of an unlearning method, and the raw scores of its result.
type UnlearnedSpec struct {
	Corpus    Corpus             `json:"corpus"`
	Start     study.Input        `json:"start"`
	Untrained study.Input        `json:"untrained,omitempty"` // backbone, used by some methods as an untrained teacher
	Method    string             `json:"method"`
	Version   int                `json:"version"`
	Values    map[string]float64 `json:"values"`
	Seed      uint64             `json:"seed"`
}

// Download identifies the user's copies of the published data and models by digests of their files. Data and models
// that the user lacks have no entries.
type Download struct {
	Data   map[speechfolder.Kind]string
	Models map[string]string // digests by the names in [Models]
}
