package unslu

import (
	"fmt"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Model is what is known of a model in one repetition: its raw scores, and what it cost to make it.
type Model struct {
	Scores Scores
	Cost   Cost

	run      *study.Run // that made the scores
	wall     float64    // seconds of that run
	counted  bool       // the seconds include what the run computed ahead of its steps
	measured map[string]func() Measured
}

// Cost is what a training took.
type Cost struct {
	Seconds float64 // by the clock on the wall, of the training alone
	Passes  float64 // of a clip through the network: 1 forward, 2 backward
}

// Measured is a model on a split that nobody has heard.
type Measured struct {
	Known  metric.Classification // of that split
	Forget metric.Classification // of the clips to be forgotten
	Attack metric.Membership     // that tells those from that split
}

func newModel(scores Scores, cost Cost, run *study.Run) *Model {
	m := &Model{Scores: scores, Cost: cost, run: run, measured: map[string]func() Measured{}}
	for _, split := range []string{Validation, Test} {
		m.measured[split] = sync.OnceValue(func() Measured {
			return Measured{Known: scores.of(split).classified(), Forget: scores.of(Forget).classified(),
				Attack: scores.attack(split)}
		})
	}
	return m
}

// On measures the model on the validation or the test split; it does so once.
func (m *Model) On(split string) Measured { return m.measured[split]() }

// lost tells whether a model diverged, so that it has no scores.
func (m *Model) lost() bool { return m.Scores == nil }

// readModel reads the scores of a run, and what the training cost that they are of.
func readModel(s *store.Store, run *study.Run, others *Model) (*Model, error) {
	artifact, err := s.Get(run.Key())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	if !artifact.Has(ScoresFile) {
		return &Model{run: run}, nil
	}
	scores, err := ReadScores(artifact, ScoresFile)
	if err == nil && others != nil {
		err = scores.pair(others.Scores)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	cost, err := ReadCost(artifact)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	m := newModel(scores, cost, run)
	m.wall = artifact.Manifest.Wall
	_, m.counted = artifact.Manifest.Measured[SecondsAhead]
	return m, nil
}

// CostFile is the name of what a training cost, one row.
const CostFile = "cost.parquet"

// costRow is a cost in a file.
type costRow struct {
	Seconds float64 `parquet:"seconds"`
	Passes  float64 `parquet:"passes"`
}

// WriteParquet writes one row: seconds and passes.
func (c Cost) WriteParquet(path string) error { return safefile.WriteRows(path, []costRow{costRow(c)}) }

// ReadCost reads what a run has kept of it.
func ReadCost(artifact *store.Artifact) (cost Cost, err error) {
	frame, err := artifact.ReadTable(CostFile)
	if err != nil {
		return cost, err
	}
	for name, into := range map[string]*float64{"seconds": &cost.Seconds, "passes": &cost.Passes} {
		values, err := frame.Numbers(name)
		if err != nil {
			return cost, err
		}
		if len(values) != 1 {
			return cost, fmt.Errorf("%s has %d rows, it should have one", CostFile, len(values))
		}
		*into = values[0]
	}
	return cost, nil
}

// EpochsFile is the name of what was observed after each epoch of a training.
const EpochsFile = "epochs.parquet"

// Epoch is what was observed after an epoch: on validation clips.
type Epoch struct {
	Number   int     `parquet:"epoch" json:"epoch"`
	Rate     float64 `parquet:"rate" json:"rate"`
	Loss     float64 `parquet:"loss" json:"loss"`
	Accuracy float64 `parquet:"accuracy" json:"accuracy"`
}
