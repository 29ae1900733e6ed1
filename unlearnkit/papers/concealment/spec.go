// Package concealment is the study of "Unlearning or Concealment?": which of four ways of erasing a concept from a
// diffusion model have only hidden it, so that a little help of the original brings it back, and which bring back no
// more than a model that never saw it.
//
// Package train makes its raw scores; everything here is a function of those.
package concealment

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages of the study. A version changes when what the stage computes does.
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

// World is a world of pictures.
type World struct {
	concept.Spec
	Revision int `json:"revision,omitempty"`
}

// JudgeSpec determines the classifier that says of a picture what it shows. It learns from pictures that no diffusion
// model sees.
type JudgeSpec struct {
	World  World   `json:"world"`
	Blocks []int   `json:"blocks"`
	Widths []int   `json:"widths"`
	Steps  int     `json:"steps"`
	Batch  int     `json:"batch"`
	Rate   float64 `json:"rate"` // at the peak
	Warmup int     `json:"warmup"`
	Decay  float64 `json:"decay"`
	Seed   uint64  `json:"seed"`
	// Noise is put on what it learns from, as drawn pictures have some: of each picture its standard deviation lies
	// between none and this, where black is -1 and white 1.
	Noise float64 `json:"noise,omitempty"`
}

// Network is the shape of a small diffusion model and of the latents that it draws.
type Network struct {
	Channels    []int   `json:"channels"`  // by level, each half as large as the one before
	Attending   int     `json:"attending"` // the first level that attends to the prompt
	Heads       int     `json:"heads"`
	FeedForward int     `json:"feed_forward"`
	Context     int     `json:"context"` // width of the prompts' hidden states
	Output      string  `json:"output"`  // what the network puts out: sample, epsilon or v_prediction
	Halvings    int     `json:"halvings"`
	Low         float64 `json:"low"` // factors of the latents' bands
	Detail      float64 `json:"detail"`
}

// Training is how diffusion models are trained.
type Training struct {
	Steps   int     `json:"steps"`
	Batch   int     `json:"batch"`
	Rate    float64 `json:"rate"` // at the peak
	Warmup  int     `json:"warmup"`
	Decay   float64 `json:"decay"`
	Clip    float64 `json:"clip"`
	Average float64 `json:"average"` // the decay of the moving average that is the model
	Dropped float64 `json:"dropped"` // share of prompts left out, as guidance needs
}

// Sampling is how pictures are drawn.
type Sampling struct {
	Solver   string  `json:"solver"` // ddim or pndm
	Steps    int     `json:"steps"`
	Eta      float64 `json:"eta,omitempty"`
	Guidance float64 `json:"guidance"`
}

// BaseSpec determines an original model, or a gold one where the world is without a concept.
type BaseSpec struct {
	World    World    `json:"world"`
	Network  Network  `json:"network"`
	Training Training `json:"training"`
	Seed     uint64   `json:"seed"`

	// Looks are numbers of steps after which the model draws Each pictures of every prompt of the gate for Judge.
	Looks    []int       `json:"looks,omitempty"`
	Each     int         `json:"each,omitempty"`
	Sampling Sampling    `json:"sampling,omitzero"`
	Judge    study.Input `json:"judge,omitempty"`

	// Discarded says that the model is not kept, only what was seen while it was trained.
	Discarded bool `json:"discarded,omitempty"`
}

// SamplesSpec determines what a judge sees in pictures that a model draws.
type SamplesSpec struct {
	Model    study.Input `json:"model"`
	Judge    study.Input `json:"judge"`
	Prompts  []string    `json:"prompts"`
	Each     int         `json:"each"` // pictures of every prompt
	Sampling Sampling    `json:"sampling"`
	Seed     uint64      `json:"seed"`
}

// ErasureSpec says what is erased from a model and how.
type ErasureSpec struct {
	Start   study.Input        `json:"start"`
	Erasure concept.Erasure    `json:"erasure"`
	Method  string             `json:"method"`
	Version int                `json:"version"`
	Values  map[string]float64 `json:"values"`
	// the method is told the concept's name alone, and not in many surroundings
	Alone bool   `json:"alone,omitempty"`
	Seed  uint64 `json:"seed"`
}

// TuningSpec determines what a judge sees in pictures of a model while something is erased from it, of prompts and
// noise by which methods are not judged later.
type TuningSpec struct {
	ErasureSpec
	Judge    study.Input `json:"judge"`
	Budgets  []int       `json:"budgets"` // passes after which pictures are drawn
	Forget   int         `json:"forget"`  // pictures of what is to be forgotten
	Retain   int         `json:"retain"`  // of what is to be kept
	Sampling Sampling    `json:"sampling"`
}

// ErasedSpec determines a model from which something was erased.
type ErasedSpec struct {
	ErasureSpec
	Budget int `json:"budget"` // passes
}

// AttackSpec determines what partial diffusion makes of a prompt with an original model and another one: an unlearned
// or a gold model.
type AttackSpec struct {
	Original study.Input `json:"original"`
	Other    study.Input `json:"other"`
	Judge    study.Input `json:"judge"`
	Prompt   string      `json:"prompt"`
	// Finish is what the other model is told in place of the prompt, which may be nothing.
	Finish   *string  `json:"finish,omitempty"`
	Psi      []string `json:"psi"`
	Sampling Sampling `json:"sampling"`
	Pictures int      `json:"pictures"` // at every psi
	Set      int      `json:"set"`      // pictures that either model draws alone
	Fit      Fit      `json:"fit"`
	Sheet    bool     `json:"sheet,omitempty"` // pictures to look at are kept
	Seed     uint64   `json:"seed"`            // of the noise, the same for all models
}

// MovedSpec determines how far the weights of a model lie from those of another, tensor by tensor.
type MovedSpec struct {
	From study.Input `json:"from"`
	To   study.Input `json:"to"`
}

// SecondSpec determines what another judge sees in the pictures that attacks have kept.
type SecondSpec struct {
	Judge   study.Input   `json:"judge"`
	Attacks []study.Input `json:"attacks"`
}

// Fit is how the classifiers learn to tell the pictures of two models apart. They start from the judge.
type Fit struct {
	Epochs   int     `json:"epochs"`
	Batch    int     `json:"batch"`
	Rate     float64 `json:"rate"`
	Momentum float64 `json:"momentum"`
	Margin   float64 `json:"margin"`  // of the triplet loss
	Held     float64 `json:"held"`    // share of the pictures that are kept for validation
	Subsets  int     `json:"subsets"` // of KID
}
