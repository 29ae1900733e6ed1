// Package concealment is the study of "Unlearning or Concealment?". It asks which of four ways of erasing a concept
// from a diffusion model have merely hidden it. A hidden concept comes back with a little help from the original. An
// unlearned concept comes back no more than in a model that never saw it.
//
// Package train computes the raw scores; everything here is a function of them.
package concealment

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages of the study. A version changes whenever the stage computes something else.
var (
	Judge   = study.Stage[JudgeSpec]{Name: "concealment/judge", Version: 1}
	Base    = study.Stage[BaseSpec]{Name: "concealment/base", Version: 1}
	Samples = study.Stage[SamplesSpec]{Name: "concealment/samples", Version: 1}
	Tuning  = study.Stage[TuningSpec]{Name: "concealment/tuning", Version: 1}
	Erased  = study.Stage[ErasedSpec]{Name: "concealment/erased", Version: 1}
	Attack  = study.Stage[AttackSpec]{Name: "concealment/attack", Version: 1}
	Moved   = study.Stage[MovedSpec]{Name: "concealment/moved", Version: 1}
	Second  = study.Stage[SecondSpec]{Name: "concealment/second", Version: 1}
)

// World specifies a world of pictures.
type World struct {
	concept.Spec
	Revision int `json:"revision,omitempty"`
}

// JudgeSpec specifies the classifier that labels pictures. It is trained on pictures that no diffusion model sees.
type JudgeSpec struct {
	World  World   `json:"world"`
	Blocks []int   `json:"blocks"`
	Widths []int   `json:"widths"`
	Steps  int     `json:"steps"`
	Batch  int     `json:"batch"`
	Rate   float64 `json:"rate"` // peak rate
	Warmup int     `json:"warmup"`
	Decay  float64 `json:"decay"`
	Seed   uint64  `json:"seed"`
	// Noise is added to the training pictures, since drawn pictures have some noise. Each picture's standard
	// deviation is drawn between 0 and Noise, on a scale from -1 (black) to 1 (white).
	Noise float64 `json:"noise,omitempty"`
}

// Network is the shape of a small diffusion model and of the latents that it draws.
type Network struct {
	Channels    []int   `json:"channels"`  // by level, each half as large as the one before
	Attending   int     `json:"attending"` // the first level that attends to the prompt
	Heads       int     `json:"heads"`
	FeedForward int     `json:"feed_forward"`
	Context     int     `json:"context"` // width of the prompts' hidden states
	Output      string  `json:"output"`  // predicted quantity: sample, epsilon or v_prediction
	Halvings    int     `json:"halvings"`
	Low         float64 `json:"low"` // factors of the latents' bands
	Detail      float64 `json:"detail"`
}

// Training configures how diffusion models are trained.
type Training struct {
	Steps   int     `json:"steps"`
	Batch   int     `json:"batch"`
	Rate    float64 `json:"rate"` // peak rate
	Warmup  int     `json:"warmup"`
	Decay   float64 `json:"decay"`
	Clip    float64 `json:"clip"`
	Average float64 `json:"average"` // decay of the moving average that is the final model
	Dropped float64 `json:"dropped"` // share of prompts left out, as guidance needs
}

// Sampling configures how pictures are drawn.
type Sampling struct {
	Solver   string  `json:"solver"` // ddim or pndm
	Steps    int     `json:"steps"`
	Eta      float64 `json:"eta,omitempty"`
	Guidance float64 `json:"guidance"`
}

// BaseSpec determines an original model, or a gold model if the world lacks a concept.
type BaseSpec struct {
	World    World    `json:"world"`
	Network  Network  `json:"network"`
	Training Training `json:"training"`
	Seed     uint64   `json:"seed"`

	// Looks lists training steps after which the model draws Each pictures of every gate prompt for Judge.
	Looks    []int       `json:"looks,omitempty"`
	Each     int         `json:"each,omitempty"`
	Sampling Sampling    `json:"sampling,omitzero"`
	Judge    study.Input `json:"judge,omitempty"`

	// Discarded drops the trained model and keeps only the looks during training.
	Discarded bool `json:"discarded,omitempty"`
}

// SamplesSpec determines what a judge sees in the pictures that a model draws.
type SamplesSpec struct {
	Model    study.Input `json:"model"`
	Judge    study.Input `json:"judge"`
	Prompts  []string    `json:"prompts"`
	Each     int         `json:"each"` // pictures of every prompt
	Sampling Sampling    `json:"sampling"`
	Seed     uint64      `json:"seed"`
}

// ErasureSpec specifies which concept is erased from a model, and how.
type ErasureSpec struct {
	Start   study.Input        `json:"start"`
	Erasure concept.Erasure    `json:"erasure"`
	Method  string             `json:"method"`
	Version int                `json:"version"`
	Values  map[string]float64 `json:"values"`
	// the method gets only the concept's name as prompt, not many contexts
	Alone bool   `json:"alone,omitempty"`
	Seed  uint64 `json:"seed"`
}

// TuningSpec determines what a judge sees in pictures of a model during erasure. The prompts and noises are not used
// to judge methods later.
type TuningSpec struct {
	ErasureSpec
	Judge    study.Input `json:"judge"`
	Budgets  []int       `json:"budgets"` // passes after which pictures are drawn
	Forget   int         `json:"forget"`  // pictures of the concept to forget
	Retain   int         `json:"retain"`  // pictures of concepts to retain
	Sampling Sampling    `json:"sampling"`
}

// ErasedSpec determines a model from which a concept was erased.
type ErasedSpec struct {
	ErasureSpec
	Budget int `json:"budget"` // passes
}

// AttackSpec determines the partial diffusion of a prompt by an original model and another model, which is unlearned
// or gold.
type AttackSpec struct {
	Original study.Input `json:"original"`
	Other    study.Input `json:"other"`
	Judge    study.Input `json:"judge"`
	Prompt   string      `json:"prompt"`
	// Finish replaces the prompt for the other model; it may be empty.
	Finish   *string  `json:"finish,omitempty"`
	Psi      []string `json:"psi"`
	Sampling Sampling `json:"sampling"`
	Pictures int      `json:"pictures"` // at every psi
	Set      int      `json:"set"`      // pictures that each model draws alone
	Fit      Fit      `json:"fit"`
	Sheet    bool     `json:"sheet,omitempty"` // store sheets of pictures
	Seed     uint64   `json:"seed"`            // noise seed, the same for all models
}

// MovedSpec determines the distance between the weights of two models, tensor by tensor.
type MovedSpec struct {
	From study.Input `json:"from"`
	To   study.Input `json:"to"`
}

// SecondSpec determines what the second judge sees in the pictures that attacks have stored.
type SecondSpec struct {
	Judge   study.Input   `json:"judge"`
	Attacks []study.Input `json:"attacks"`
}

// Fit configures how the classifiers learn to distinguish the pictures of two models. They start from the judge.
type Fit struct {
	Epochs   int     `json:"epochs"`
	Batch    int     `json:"batch"`
	Rate     float64 `json:"rate"`
	Momentum float64 `json:"momentum"`
	Margin   float64 `json:"margin"`  // margin of the triplet loss
	Held     float64 `json:"held"`    // share of the pictures that are held out for validation
	Subsets  int     `json:"subsets"` // subsets for KID
}
