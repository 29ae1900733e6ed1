// Package concealment implements the study of "Unlearning or Concealment?". The study asks which of four ways of
// erasing a concept from a diffusion model only hide the concept.
//
// It attacks erased models by partial diffusion: the original takes the first steps, up to a share ψ, and the erased
// model completes the picture. If the concept was hidden, it comes back with this help from the original. If it was
// unlearned, it comes back no more than in a gold model, which was trained without the concept.
//
// Package train computes the raw scores. All tables, figures and claims are functions of these scores.
package concealment

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages of the study. A stage's version is increased when its computation changes.
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

// World determines the pictures and captions on which models are trained.
type World struct {
	concept.Spec
	Revision int `json:"revision,omitempty"`
}

// JudgeSpec determines the judge: a classifier that labels pictures. It is trained on pictures that no diffusion model
// is trained on.
type JudgeSpec struct {
	World  World   `json:"world"`
	Blocks []int   `json:"blocks"`
	Widths []int   `json:"widths"`
	Steps  int     `json:"steps"`
	Batch  int     `json:"batch"`
	Rate   float64 `json:"rate"` // peak learning rate
	Warmup int     `json:"warmup"`
	Decay  float64 `json:"decay"`
	Seed   uint64  `json:"seed"`
	// Noise is added to the training pictures, because pictures that a model draws have some noise. Each picture's
	// standard deviation is drawn between 0 and Noise, on a scale from -1 (black) to 1 (white).
	Noise float64 `json:"noise,omitempty"`
}

// Network determines the architecture of a small diffusion model, and the latents that it draws.
type Network struct {
	Channels    []int   `json:"channels"`  // channels of each level; the picture's width halves from level to level
	Attending   int     `json:"attending"` // index of the first level that attends to the prompt
	Heads       int     `json:"heads"`
	FeedForward int     `json:"feed_forward"`
	Context     int     `json:"context"` // width of the prompts' hidden states
	Output      string  `json:"output"`  // predicted quantity: sample, epsilon or v_prediction
	Halvings    int     `json:"halvings"`
	Low         float64 `json:"low"` // factors of the latents' low and detail bands
	Detail      float64 `json:"detail"`
}

// Training determines how diffusion models are trained.
type Training struct {
	Steps   int     `json:"steps"`
	Batch   int     `json:"batch"`
	Rate    float64 `json:"rate"` // peak learning rate
	Warmup  int     `json:"warmup"`
	Decay   float64 `json:"decay"`
	Clip    float64 `json:"clip"`
	Average float64 `json:"average"` // decay of the moving average that is the final model
	Dropped float64 `json:"dropped"` // share of training steps without a prompt, for guidance
}

// Sampling determines how pictures are drawn.
type Sampling struct {
	Solver   string  `json:"solver"` // ddim or pndm
	Steps    int     `json:"steps"`
	Eta      float64 `json:"eta,omitempty"`
	Guidance float64 `json:"guidance"`
}

// BaseSpec determines an original model or, if the world lacks a concept, a gold model.
type BaseSpec struct {
	World    World    `json:"world"`
	Network  Network  `json:"network"`
	Training Training `json:"training"`
	Seed     uint64   `json:"seed"`

	// Looks lists training steps. After each of them, the model draws Each pictures of every gate prompt, and Judge
	// labels them.
	Looks    []int       `json:"looks,omitempty"`
	Each     int         `json:"each,omitempty"`
	Sampling Sampling    `json:"sampling,omitzero"`
	Judge    study.Input `json:"judge,omitempty"`

	// Discarded is true if only the labels during training are stored, not the trained model.
	Discarded bool `json:"discarded,omitempty"`
}

// SamplesSpec determines the judge's labels of pictures that a model draws.
type SamplesSpec struct {
	Model    study.Input `json:"model"`
	Judge    study.Input `json:"judge"`
	Prompts  []string    `json:"prompts"`
	Each     int         `json:"each"` // number of pictures of every prompt
	Sampling Sampling    `json:"sampling"`
	Seed     uint64      `json:"seed"`
}

// ErasureSpec determines which concept is erased from a model, and how.
type ErasureSpec struct {
	Start   study.Input        `json:"start"`
	Erasure concept.Erasure    `json:"erasure"`
	Method  string             `json:"method"`
	Version int                `json:"version"`
	Values  map[string]float64 `json:"values"`
	// Alone is true if the method uses only the concept's name as prompt, not many contexts.
	Alone bool   `json:"alone,omitempty"`
	Seed  uint64 `json:"seed"`
}

// TuningSpec determines the judge's labels of pictures that a model draws while a concept is erased. Its prompts and
// noises are not used to judge methods later.
type TuningSpec struct {
	ErasureSpec
	Judge    study.Input `json:"judge"`
	Budgets  []int       `json:"budgets"` // numbers of passes after which pictures are drawn
	Forget   int         `json:"forget"`  // number of pictures of the concept to forget
	Retain   int         `json:"retain"`  // number of pictures of concepts to retain
	Sampling Sampling    `json:"sampling"`
}

// ErasedSpec determines a model from which a concept was erased.
type ErasedSpec struct {
	ErasureSpec
	Budget int `json:"budget"` // number of passes
}

// AttackSpec determines an attack: partial diffusion of a prompt by an original model and another model, which is an
// unlearned or a gold model.
type AttackSpec struct {
	Original study.Input `json:"original"`
	Other    study.Input `json:"other"`
	Judge    study.Input `json:"judge"`
	Prompt   string      `json:"prompt"`
	// Finish replaces the prompt for the other model. It may be empty.
	Finish   *string  `json:"finish,omitempty"`
	Psi      []string `json:"psi"`
	Sampling Sampling `json:"sampling"`
	Pictures int      `json:"pictures"` // number of pictures at every psi
	Set      int      `json:"set"`      // number of pictures that each model draws alone
	Fit      Fit      `json:"fit"`
	Sheet    bool     `json:"sheet,omitempty"` // store sheets of pictures
	Seed     uint64   `json:"seed"`            // noise seed, the same for all models
}

// MovedSpec determines the distance between the weights of two models, tensor by tensor.
type MovedSpec struct {
	From study.Input `json:"from"`
	To   study.Input `json:"to"`
}

// SecondSpec determines the second judge's labels of pictures that attacks have stored.
type SecondSpec struct {
	Judge   study.Input   `json:"judge"`
	Attacks []study.Input `json:"attacks"`
}

// Fit determines how classifiers are trained to distinguish the pictures of two models. Their initial weights are the
// judge's.
type Fit struct {
	Epochs   int     `json:"epochs"`
	Batch    int     `json:"batch"`
	Rate     float64 `json:"rate"`
	Momentum float64 `json:"momentum"`
	Margin   float64 `json:"margin"`  // margin of the triplet loss
	Held     float64 `json:"held"`    // share of the pictures that are held out for validation
	Subsets  int     `json:"subsets"` // number of subsets for KID
}
