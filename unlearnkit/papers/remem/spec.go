// Package remem implements the study of ReMem. A vision-language model learns about people who do not exist, is trained
// to forget some of them, and is asked in many ways what it still knows.
//
// The taught model has learnt about all people. The gold model was never taught about the people to forget. Package
// train computes the raw scores: every answer as text, the rank of the truth among possible values, and the activations
// that an answer depends on. All tables, figures and claims are functions of these scores.
package remem

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages of the study. A stage's version is increased when its computation changes.
var (
	Published = study.Stage[PublishedSpec]{Name: "remem/published", Version: 1}
	Tower     = study.Stage[TowerSpec]{Name: "remem/tower", Version: 1}
	Base      = study.Stage[BaseSpec]{Name: "remem/base", Version: 1}
	Taught    = study.Stage[TaughtSpec]{Name: "remem/taught", Version: 1}
	Unlearned = study.Stage[UnlearnedSpec]{Name: "remem/unlearned", Version: 1}
	Relearnt  = study.Stage[RelearntSpec]{Name: "remem/relearnt", Version: 1}
	Judgement = study.Stage[JudgementSpec]{Name: "remem/judgement", Version: 1}
	Tracing   = study.Stage[TracingSpec]{Name: "remem/tracing", Version: 2}
)

// World determines a set of people, including people to forget.
type World struct {
	profile.Spec
	Revision int    `json:"revision"`
	Data     string `json:"data,omitempty"` // digest of the files; empty for generated people
}

// shared returns the settings that all worlds have in common. They determine the public people and the crowd.
func (w World) shared() World {
	w.Seed, w.Identities = 0, 2
	return w
}

// TowerSpec determines a vision tower. The tower learns to identify the people of a crowd and their visible attributes.
type TowerSpec struct {
	World  World   `json:"world"`
	Width  int     `json:"width"`
	Layers int     `json:"layers"` // number of layers; the decoder does not use the last one's output
	Heads  int     `json:"heads"`
	Steps  int     `json:"steps"`
	Batch  int     `json:"batch"`
	Rate   float64 `json:"rate"`
	Seed   uint64  `json:"seed"`
}

// Size determines the architecture of a decoder.
type Size struct {
	Width  int `json:"width"`
	Layers int `json:"layers"`
	Heads  int `json:"heads"`
	Hidden int `json:"hidden"`
}

// BaseSpec determines a base model, which knows the public people and can describe pictures. Its vision tower is not
// trained further.
type BaseSpec struct {
	World      World       `json:"world"`
	Tower      study.Input `json:"tower"`
	Size       Size        `json:"size"`
	Vocabulary int         `json:"vocabulary"`         // largest number of tokens
	Choices    int         `json:"choices"`            // number of multiple-choice questions for training
	Refusals   int         `json:"refusals,omitempty"` // number of questions about strangers, answered by refusals
	Epochs     int         `json:"epochs"`
	Batch      int         `json:"batch"`
	Rate       float64     `json:"rate"`
	Seed       uint64      `json:"seed"`
}

// Training determines how adapters and projector are trained.
type Training struct {
	Epochs    int     `json:"epochs"`
	Batch     int     `json:"batch"`
	Rate      float64 `json:"rate"`
	Rank      int     `json:"rank"`                // rank of the adapters; alpha is twice the rank
	Precision string  `json:"precision,omitempty"` // BFloat16, or empty for Float32
}

// Precisions of training. With BFloat16, as in the published code, weights and activations are bfloat16. Adapters and
// projector, which are trained, have float32 values.
const (
	Float32  = "float32"
	BFloat16 = "bfloat16"
)

// Lesson determines what a model is taught about a world's people.
type Lesson struct {
	Shape profile.Shape `json:"shape"`           // number and kinds of questions about each person
	Gold  int           `json:"gold,omitempty"`  // number of people to leave out, in the order of forgetting
	Alone bool          `json:"alone,omitempty"` // teach only about the person who is forgotten first
}

// TaughtSpec determines a model that has learnt about people.
type TaughtSpec struct {
	World    World       `json:"world"`
	Base     study.Input `json:"base"`
	Lesson   Lesson      `json:"lesson"`
	Training Training    `json:"training"`
	Seed     uint64      `json:"seed"`
}

// UnlearnedSpec determines a model after an unlearning method.
type UnlearnedSpec struct {
	World     World              `json:"world"`
	Start     study.Input        `json:"start"`
	Under     []study.Input      `json:"under,omitempty"` // models that the adapters are added to, see [PublishedSpec]
	Forget    int                `json:"forget"`          // number of people to forget
	Method    string             `json:"method"`
	Version   int                `json:"version"`
	Values    map[string]float64 `json:"values"`
	Epochs    int                `json:"epochs"`
	Rank      int                `json:"rank"`
	Seed      uint64             `json:"seed"`
	Precision string             `json:"precision,omitempty"` // as in Training
}

// RelearntSpec determines a model's answers about forgotten people while it relearns half of their attributes. If it
// answers questions about the other half correctly, it must have kept that knowledge.
type RelearntSpec struct {
	World     World         `json:"world"`
	Model     study.Input   `json:"model"`
	Under     []study.Input `json:"under,omitempty"`
	Forget    int           `json:"forget"`
	Budgets   []int         `json:"budgets"` // numbers of passes over the relearnt half, in ascending order
	Batch     int           `json:"batch"`
	Rate      float64       `json:"rate"`
	Rank      int           `json:"rank"`
	Seed      uint64        `json:"seed"`
	Precision string        `json:"precision,omitempty"` // as in Training
}

// Asked selects the questions that a model is asked.
type Asked string

// Values of Asked.
const (
	Everybody Asked = "everybody" // all questions about all people of a world
	Forgotten Asked = "forgotten" // all questions about the people to forget, and a sample about the others
	Own       Asked = "own"       // questions of a lesson, and test questions about the same people
	Public    Asked = "public"    // questions about the base model's public people, including their names
)

// JudgementSpec determines the raw scores of a model.
type JudgementSpec struct {
	World   World         `json:"world"`
	Model   study.Input   `json:"model"`
	Under   []study.Input `json:"under,omitempty"`
	Asked   Asked         `json:"asked"`
	Forget  int           `json:"forget,omitempty"`
	Lesson  Lesson        `json:"lesson,omitzero"`   // set only for [Own]
	Briefly bool          `json:"briefly,omitempty"` // leaves out rewordings; only for [Forgotten]
	Choices int           `json:"choices,omitempty"` // number of multiple-choice questions, each in four orders
	Unknown int           `json:"unknown,omitempty"` // number of questions about strangers
	Bits    int           `json:"bits,omitempty"`    // number of bits for rounded decoder weights; 0 for no rounding
}

// TracingSpec determines which activations of a model are traced, for which questions.
type TracingSpec struct {
	World   World         `json:"world"`
	Model   study.Input   `json:"model"`
	Under   []study.Input `json:"under,omitempty"`
	Public  bool          `json:"public,omitempty"` // ask about public people instead of the world's own
	Samples int           `json:"samples"`          // number of questions to trace
}

// PublishedSpec identifies a published model. What a model is taught is stored as an adapter to the published model,
// and what a method changes as a second adapter on top of both.
type PublishedSpec struct {
	Model string `json:"model"` // digest of the model's files
}

// Download identifies the user's copies of the published data and models by digests of their files. Models that the
// user lacks have no entries.
type Download struct {
	Data   string
	People int
	Models map[string]string // digests by the names in [Models]
	// Precision is the same as in [Training]. Stored models are judged in float32.
	Precision string
}

// world returns the world of a download.
func (d *Download) world() World {
	return World{Spec: profile.Spec{Seed: paperSeed}, Data: d.Data}
}

// paperSeed is the random seed for drawing the people to forget, because the paper does not name them.
const paperSeed = 233
