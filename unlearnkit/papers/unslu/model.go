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

	wall    float64 // seconds of the run that computed the scores
	counted bool    // the seconds include the time for features that the run computed before its first step
}

// readModel reads the scores and the cost of a run. The scores must have the same clips as the others of the world.
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

// Measured holds the scores of a model on the validation or test split and on the forget clips.
type Measured struct {
	Known  metric.Classification // recognition of the split's clips
	Forget metric.Classification // recognition of the forget clips
	Attack Attack                // attack that separates the forget clips from the split's clips
}

// On measures the model on the validation or the test split.
func (m *Model) On(split string) Measured {
	forget, others := m.Scores.ofSplit(Forget), m.Scores.ofSplit(split)
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

// count replaces the seconds of the training cost.
func (m *Model) count(seconds float64) {
	cost := m.Cost()
	cost.Seconds = seconds
	m.SetFrame(CostFile, safefile.FrameOf([]Cost{cost}))
}

// Cost is the cost of a training.
type Cost struct {
	Seconds float64 `parquet:"seconds"` // wall-clock time of the training alone
	Passes  float64 `parquet:"passes"`  // clips through the network, counted 1 for a forward and 2 for a backward pass
}

// CostFile is the name of the file with the training cost, in one row.
const CostFile = "cost.parquet"

// WriteParquet writes the cost as a table with one row.
func (c Cost) WriteParquet(path string) error { return safefile.WriteRows(path, []Cost{c}) }

// ReadCost reads the cost from an artifact's file, which WriteParquet wrote.
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

// EpochsFile is the name of the file with loss and accuracy after each epoch of a training.
const EpochsFile = "epochs.parquet"

// Epoch holds a model's loss and accuracy on validation clips after an epoch.
type Epoch struct {
	Number   int     `parquet:"epoch" json:"epoch"`
	Rate     float64 `parquet:"rate" json:"rate"`
	Loss     float64 `parquet:"loss" json:"loss"`
	Accuracy float64 `parquet:"accuracy" json:"accuracy"`
}

// SecondsAhead names a run's note of the seconds that it spent on computing features before its first step.
const SecondsAhead = "seconds_ahead"
