// Package remem is the study of ReMem. A vision-language model learns people who do not exist, is trained to forget
// some of them, and is asked in many ways what remains.
//
// Package train computes the raw scores. These are every answer in words, the rank of the truth among possible
// values, and the activations that an answer depends on. Everything here is a function of them.
package remem

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages of the study. A version changes whenever the stage computes something else.
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

// World specifies a set of people; some of them are to be forgotten.
type World struct {
	profile.Spec
	Revision int    `json:"revision"`
	Data     string `json:"data,omitempty"` // digest of the files, for published people
}

// shared returns what all worlds of a spec have in common: the public people and the crowd.
func (w World) shared() World {
	w.Seed, w.Identities = 0, 2
	return w
}

// TowerSpec determines a vision tower. It learns to distinguish the people of the crowd, and what their pictures
// show.
type TowerSpec struct {
	World  World   `json:"world"`
	Width  int     `json:"width"`
	Layers int     `json:"layers"` // the decoder does not see the last layer
	Heads  int     `json:"heads"`
	Steps  int     `json:"steps"`
	Batch  int     `json:"batch"`
	Rate   float64 `json:"rate"`
	Seed   uint64  `json:"seed"`
}

// Size is the shape of a decoder.
type Size struct {
	Width  int `json:"width"`
	Layers int `json:"layers"`
	Heads  int `json:"heads"`
	Hidden int `json:"hidden"`
}

// BaseSpec determines a model that knows the public people and can describe a picture. Its tower is not trained.
type BaseSpec struct {
	World      World       `json:"world"`
	Tower      study.Input `json:"tower"`
	Size       Size        `json:"size"`
	Vocabulary int         `json:"vocabulary"` // maximum number of tokens
	Choices    int         `json:"choices"`    // multiple-choice questions for training
	Epochs     int         `json:"epochs"`
	Batch      int         `json:"batch"`
	Rate       float64     `json:"rate"`
	Seed       uint64      `json:"seed"`
}

// Training configures how adapters and projector learn.
type Training struct {
	Epochs int     `json:"epochs"`
	Batch  int     `json:"batch"`
	Rate   float64 `json:"rate"`
	Rank   int     `json:"rank"` // rank of the adapters; alpha is twice the rank
}

// Lesson specifies what a model is taught about a world's people.
type Lesson struct {
	Shape profile.Shape `json:"shape"`           // what there is to learn about each person
	Gold  int           `json:"gold,omitempty"`  // number of people who are left out, in the order of forgetting
	Alone bool          `json:"alone,omitempty"` // teach only the person who is forgotten first
}

// TaughtSpec determines a model that has learnt people.
type TaughtSpec struct {
	World    World       `json:"world"`
	Base     study.Input `json:"base"`
	Lesson   Lesson      `json:"lesson"`
	Training Training    `json:"training"`
	Seed     uint64      `json:"seed"`
}

// UnlearnedSpec determines a model that a method has unlearned.
type UnlearnedSpec struct {
	World   World              `json:"world"`
	Start   study.Input        `json:"start"`
	Under   []study.Input      `json:"under,omitempty"` // models that the adapters depend on: see [PublishedSpec]
	Forget  int                `json:"forget"`          // number of people to forget
	Method  string             `json:"method"`
	Version int                `json:"version"`
	Values  map[string]float64 `json:"values"`
	Epochs  int                `json:"epochs"`
	Rank    int                `json:"rank"`
	Seed    uint64             `json:"seed"`
}

// RelearntSpec determines a model's answers about forgotten people while it relearns half of their attributes. Right
// answers about the other half must come from what the model has kept.
type RelearntSpec struct {
	World   World         `json:"world"`
	Model   study.Input   `json:"model"`
	Under   []study.Input `json:"under,omitempty"`
	Forget  int           `json:"forget"`
	Budgets []int         `json:"budgets"` // passes over the relearnt half, rising
	Batch   int           `json:"batch"`
	Rate    float64       `json:"rate"`
	Rank    int           `json:"rank"`
	Seed    uint64        `json:"seed"`
}

// Asked selects what a model is asked about.
type Asked string

// Values of Asked.
const (
	Everybody Asked = "everybody" // all people of a world, in all ways
	Forgotten Asked = "forgotten" // the people to forget in all ways, and a sample of what is kept
	Own       Asked = "own"       // what a lesson teaches, and the test questions about its people
	Public    Asked = "public"    // the public people of the base model, as in training and by name
)

// JudgementSpec determines the raw scores of a model.
type JudgementSpec struct {
	World   World         `json:"world"`
	Model   study.Input   `json:"model"`
	Under   []study.Input `json:"under,omitempty"`
	Asked   Asked         `json:"asked"`
	Forget  int           `json:"forget,omitempty"`
	Lesson  Lesson        `json:"lesson,omitzero"`   // only for [Own]
	Briefly bool          `json:"briefly,omitempty"` // only for [Forgotten]: without the other ways of asking
	Choices int           `json:"choices,omitempty"` // multiple-choice questions, each in four orders
	Bits    int           `json:"bits,omitempty"`    // to which decoder weights are rounded; 0 means no rounding
}

// TracingSpec determines causal maps of a model's answers.
type TracingSpec struct {
	World   World         `json:"world"`
	Model   study.Input   `json:"model"`
	Under   []study.Input `json:"under,omitempty"`
	Public  bool          `json:"public,omitempty"` // questions about public people instead of the world's own
	Samples int           `json:"samples"`          // number of questions to trace
}

// PublishedSpec determines a published model. What it is taught is stored as an adapter that depends on the published
// model. What a method unlearns is stored as another adapter that depends on both.
type PublishedSpec struct {
	Model string `json:"model"` // digest of its files
}

// Download holds the digests of the published data and models. It omits models that the user does not have.
type Download struct {
	Data   string
	People int
	Models map[string]string // digests by the names in [Models]
}

// world returns the world of a download.
func (d *Download) world() World {
	return World{Spec: profile.Spec{Seed: paperSeed}, Data: d.Data}
}

// paperSeed draws the people to forget, since the paper does not name them.
const paperSeed = 233
