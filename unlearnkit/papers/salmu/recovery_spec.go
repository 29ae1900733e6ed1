package salmu

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages of the attacks that try to bring back what a method made a model forget.
var (
	// Forgetful keeps the model that a method leaves after its only budget.
	Forgetful = study.Stage[UnlearnedSpec]{Name: "salmu/forgetful", Version: 1}
	Attacked  = study.Stage[AttackedSpec]{Name: "salmu/attacked", Version: 1}
)

// Attack changes a model, or how it is read, at growing budgets.
type Attack string

// The attacks.
const (
	Relearning Attack = "relearning" // training on the lessons; budgets are steps
	Alignment  Attack = "alignment"  // a linear map from pictures to captions, fitted on the lessons; budgets are pairs
)

// Lessons are the pairs of pictures and captions that an attack uses. No lesson is a probe.
type Lessons string

// The lessons.
const (
	OfRetained Lessons = "retained" // pairs on which all models were trained, without any person who has a secret
	OfRelated  Lessons = "related"  // secrets of people whom methods never see; Compromised has seen them
	OfHalf     Lessons = "half"     // half of the forgotten attributes of each person; probes are of the other half
)

// AttackedSpec determines an attack on a model.
type AttackedSpec struct {
	Corpus  Corpus      `json:"corpus"`
	Model   study.Input `json:"model"`
	Attack  Attack      `json:"attack"`
	Lessons Lessons     `json:"lessons"`
	Rate    float64     `json:"rate,omitempty"`  // learning rate
	Batch   int         `json:"batch,omitempty"` // pairs in a step
	Budgets []int       `json:"budgets"`
	Each    int         `json:"each"` // captions of each kind that compete with an image's own
	Seed    uint64      `json:"seed"`
}

// AttackFile is the file of an attack's scores. A model that diverged has none.
const AttackFile = "attack.parquet"

// Probe is the split of a row that asks for a forgotten fact. Rows of the split [Objects] are classes of objects, which
// test general knowledge.
const Probe = "probe"

// AttackScore holds the outcomes of one example at one budget. Budget 0 is the model before the attack. An outcome is
// NaN if it is not defined for the example.
type AttackScore struct {
	Budget   int     `parquet:"budget"`
	ID       string  `parquet:"id"`
	Split    string  `parquet:"split"`
	Identity int     `parquet:"identity"` // person, or class of an object
	Rank     float64 `parquet:"rank"`     // see [Score]
	Swap     float64 `parquet:"swap"`     // 1 if the own caption is nearer than three with another person's value
	Right    float64 `parquet:"right"`    // share of the class that is recognised
}

// attackRow is a row of the file. Missing outcomes are null.
type attackRow struct {
	Budget   int32    `parquet:"budget,dict"`
	ID       string   `parquet:"id,dict"`
	Split    string   `parquet:"split,dict"`
	Identity int32    `parquet:"identity,dict"`
	Rank     *float32 `parquet:"rank"`
	Swap     *float32 `parquet:"swap"`
	Right    *float32 `parquet:"right"`
}

// WriteAttack writes the scores of an attack, one row per budget and example.
func WriteAttack(path string, scores []AttackScore) error {
	rows := make([]attackRow, len(scores))
	for i, s := range scores {
		rows[i] = attackRow{int32(s.Budget), s.ID, s.Split, int32(s.Identity), outcome(s.Rank), outcome(s.Swap),
			outcome(s.Right)}
	}
	return safefile.WriteRows(path, rows)
}

// NewAttackScore returns a score whose outcomes are all NaN.
func NewAttackScore(budget int, id, split string, identity int) AttackScore {
	nan := math.NaN()
	return AttackScore{budget, id, split, identity, nan, nan, nan}
}
