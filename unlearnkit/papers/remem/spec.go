// Package remem is the study of ReMem: a vision-language model learns people who do not exist, is made to forget some
// of them, and is asked in many ways what is left.
//
// Package train makes its raw scores: every answer in words, where the truth stands among what might be true, and
// through which activations an answer passes. Everything here is a function of those.
package remem

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages of the study. A version changes when what the stage computes does.
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

// World is people, some of whom are to be forgotten.
type World struct {
	profile.Spec
	Revision int    `json:"revision"`
	Data     string `json:"data,omitempty"` // a digest of the files, where people are published ones
}

// shared is what all worlds of a spec have in common: the public people and the crowd.
func (w World) shared() World {
	w.Seed, w.Identities = 0, 2
	return w
}

// TowerSpec determines a vision tower: it learns to tell the people of the crowd apart, and what their pictures show.
type TowerSpec struct {
	World  World   `json:"world"`
	Width  int     `json:"width"`
	Layers int     `json:"layers"` // the last of which the decoder does not see
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

// BaseSpec determines a model that knows the public people and can say what a picture shows. The tower stays as it
// is.
type BaseSpec struct {
	World      World       `json:"world"`
	Tower      study.Input `json:"tower"`
	Size       Size        `json:"size"`
	Vocabulary int         `json:"vocabulary"` // tokens at most
	Choices    int         `json:"choices"`    // multiple-choice questions to learn from
	Epochs     int         `json:"epochs"`
	Batch      int         `json:"batch"`
	Rate       float64     `json:"rate"`
	Seed       uint64      `json:"seed"`
}

// Training is how adapters and projector learn.
type Training struct {
	Epochs int     `json:"epochs"`
	Batch  int     `json:"batch"`
	Rate   float64 `json:"rate"`
	Rank   int     `json:"rank"` // of the adapters; alpha is twice that
}

// Lesson is what a model is taught of a world's people.
type Lesson struct {
	Shape profile.Shape `json:"shape"`           // of what there is to learn about each person
	Gold  int           `json:"gold,omitempty"`  // people who are left out, those that are to be forgotten first
	Alone bool          `json:"alone,omitempty"` // only the person who is to be forgotten first
}

// TaughtSpec determines a model that has learnt people.
type TaughtSpec struct {
	World    World       `json:"world"`
	Base     study.Input `json:"base"`
	Lesson   Lesson      `json:"lesson"`
	Training Training    `json:"training"`
	Seed     uint64      `json:"seed"`
}

// UnlearnedSpec determines what a method makes of a model.
type UnlearnedSpec struct {
	World   World              `json:"world"`
	Start   study.Input        `json:"start"`
	Under   []study.Input      `json:"under,omitempty"` // what adapters stand on: see [PublishedSpec]
	Forget  int                `json:"forget"`          // people
	Method  string             `json:"method"`
	Version int                `json:"version"`
	Values  map[string]float64 `json:"values"`
	Epochs  int                `json:"epochs"`
	Rank    int                `json:"rank"`
	Seed    uint64             `json:"seed"`
}

// RelearntSpec determines answers of a model about forgotten people while it learns half of their attributes again:
// what it is not told, it can only have kept.
type RelearntSpec struct {
	World   World         `json:"world"`
	Model   study.Input   `json:"model"`
	Under   []study.Input `json:"under,omitempty"`
	Forget  int           `json:"forget"`
	Budgets []int         `json:"budgets"` // passes over what it is told, rising
	Batch   int           `json:"batch"`
	Rate    float64       `json:"rate"`
	Rank    int           `json:"rank"`
	Seed    uint64        `json:"seed"`
}

// Asked is what a model is asked about.
type Asked string

// What there is to ask about.
const (
	Everybody Asked = "everybody" // all people of a world, in all ways
	Forgotten Asked = "forgotten" // those who are to be forgotten in all ways, and a sample of what is kept
	Own       Asked = "own"       // what a lesson teaches, and the test of those it is about
	Public    Asked = "public"    // the people whom the base model knows, as in training and by name
)

// JudgementSpec determines the raw scores of a model.
type JudgementSpec struct {
	World   World         `json:"world"`
	Model   study.Input   `json:"model"`
	Under   []study.Input `json:"under,omitempty"`
	Asked   Asked         `json:"asked"`
	Forget  int           `json:"forget,omitempty"`
	Lesson  Lesson        `json:"lesson,omitzero"`   // of [Own]
	Briefly bool          `json:"briefly,omitempty"` // of [Forgotten], without the other ways of asking
	Choices int           `json:"choices,omitempty"` // multiple-choice questions, each in four orders
	Bits    int           `json:"bits,omitempty"`    // to which the decoder's weights are rounded first; 0 leaves them
}

// TracingSpec determines causal maps of a model's answers.
type TracingSpec struct {
	World   World         `json:"world"`
	Model   study.Input   `json:"model"`
	Under   []study.Input `json:"under,omitempty"`
	Public  bool          `json:"public,omitempty"` // questions about public people in place of the world's own
	Samples int           `json:"samples"`          // questions that are traced
}

// PublishedSpec determines a published model. What it is taught is kept as an adapter, which stands on it, and what a
// method makes of that as another, which stands on both.
type PublishedSpec struct {
	Model string `json:"model"` // a digest of its files
}
