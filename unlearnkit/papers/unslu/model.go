package unslu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Model holds the scores of a model in one world, and its training cost.
type Model struct {
	*study.Evaluation
	Scores Scores // nil if the model diverged

	wall    float64 // seconds of the run that made the scores
	counted bool    // the seconds include what the run computed ahead of its steps
}

// readModel reads the scores of a run. They must have the same clips as the other scores of the world.
func readModel(s *store.Store, run *study.Run, world int, others *Model) (*Model, error) {
	var pair *study.Evaluation
	if others != nil {
		pair = others.Evaluation
	}
	e, err := layout.Load(s, study.Reading{Run: run, For: study.ForValue, Repetition: world, File: ScoresFile}, pair)
	if err != nil || e.Lost() {
		return &Model{Evaluation: e}, err
	}
	m := &Model{Evaluation: e}
	if m.Scores, err = scoresOf(e.Frame()); err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	if _, err := costOf(e.FrameOf(CostFile)); err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	artifact, err := s.Get(run.Key())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	m.wall = artifact.Manifest.Wall
	_, m.counted = artifact.Manifest.Measured[SecondsAhead]
	return m, nil
}

// Measured holds the measures of a model on a split that no model has heard.
type Measured struct {
	Known  metric.Classification // on the forget clips
	Forget metric.Classification // on the clips to be forgotten
	Attack metric.Membership     // separates the forget clips from the split
}

// On measures the model on the validation or the test split.
func (m *Model) On(split string) Measured {
	forget, others := m.Scores.of(Forget), m.Scores.of(split)
	return Measured{others.classified(), forget.classified(), attack(forget.losses(), others.losses(), split)}
}

// Cost returns the training cost of a model that has not diverged.
func (m *Model) Cost() Cost {
	cost, err := costOf(m.FrameOf(CostFile))
	if err != nil {
		panic(err) // readModel has checked the file
	}
	return cost
}

// count replaces the seconds of a training.
func (m *Model) count(seconds float64) {
	cost := m.Cost()
	cost.Seconds = seconds
	m.SetFrame(CostFile, safefile.FrameOf([]Cost{cost}))
}

// Cost is the cost of a training.
type Cost struct {
	Seconds float64 `parquet:"seconds"` // wall-clock time of the training alone
	Passes  float64 `parquet:"passes"`  // passes of a clip through the network: 1 forward, 2 backward
}

// CostFile is the name of the file with the training cost, in one row.
const CostFile = "cost.parquet"

// WriteParquet writes one row: seconds and passes.
func (c Cost) WriteParquet(path string) error { return safefile.WriteRows(path, []Cost{c}) }

// ReadCost reads a file of an artifact that WriteParquet wrote.
func ReadCost(artifact *store.Artifact) (cost Cost, err error) {
	frame, err := artifact.ReadTable(CostFile)
	if err != nil {
		return cost, err
	}
	return costOf(frame)
}

func costOf(frame *safefile.Frame) (cost Cost, err error) {
	rows, err := safefile.RowsOf[Cost](frame)
	if err != nil {
		return cost, err
	}
	if len(rows) != 1 {
		return cost, fmt.Errorf("%s has %d rows, it should have one", CostFile, len(rows))
	}
	return rows[0], nil
}

// EpochsFile is the name of the file with the observations after each epoch of a training.
const EpochsFile = "epochs.parquet"

// Epoch holds observations on validation clips after an epoch.
type Epoch struct {
	Number   int     `parquet:"epoch" json:"epoch"`
	Rate     float64 `parquet:"rate" json:"rate"`
	Loss     float64 `parquet:"loss" json:"loss"`
	Accuracy float64 `parquet:"accuracy" json:"accuracy"`
}

// SecondsAhead is the note of a run that records the seconds spent on computing features ahead of its steps.
const SecondsAhead = "seconds_ahead"
