package salmu

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Score holds the outcomes of one example under one model. An outcome is NaN if the example does not count in it.
type Score struct {
	ID       string `parquet:"id"`
	Split    string `parquet:"split"`
	Identity int    `parquet:"identity"` // -1 for none

	// Cosine is the cosine of the image with its caption, which is generic in the retain splits and sensitive in the
	// others.
	Cosine float64 `parquet:"cosine"`
	Rank   float64 `parquet:"rank"` // rank of the own caption among the gallery's, 1 the best
	Core   float64 `parquet:"core"` // the larger cosine with "name value" and "value name"
	// True is 1 if the probe accepts the own caption and 0 if not. Only the probe's test half has it.
	True  float64 `parquet:"probe_true"`
	False float64 `parquet:"probe_false"` // 1 if the probe rejects another's caption
	Right float64 `parquet:"right"`       // 1 if the name or the object is recognised
}

// NewScore returns a score without outcomes.
func NewScore(id, split string, identity int) Score {
	nan := math.NaN()
	return Score{id, split, identity, nan, nan, nan, nan, nan, nan}
}

// Scores holds the scores of all examples under one model.
type Scores []Score

// Evaluation returns the scores as an evaluation in memory.
func (s Scores) Evaluation() *study.Evaluation { return study.Evaluated(safefile.FrameOf(s)) }

// ScoresOf returns the scores of an evaluation as rows, or nil if the model diverged.
func ScoresOf(e *study.Evaluation) Scores {
	if e.Lost() {
		return nil
	}
	scores, err := safefile.RowsOf[Score](e.Frame())
	if err != nil {
		panic(err) // an identity that is not a whole number
	}
	return scores
}

// scoreRow is the file format of a score. Outcomes are computed in float32. Missing outcomes are null.
type scoreRow struct {
	ID       string   `parquet:"id,dict"`
	Split    string   `parquet:"split,dict"`
	Identity int32    `parquet:"identity,dict"`
	Cosine   *float32 `parquet:"cosine"`
	Rank     *float32 `parquet:"rank"`
	Core     *float32 `parquet:"core"`
	True     *float32 `parquet:"probe_true"`
	False    *float32 `parquet:"probe_false"`
	Right    *float32 `parquet:"right"`
}

// outcome converts a number to the file's format, in which NaN is null.
func outcome(value float64) *float32 {
	if math.IsNaN(value) {
		return nil
	}
	kept := float32(value)
	return &kept
}

// WriteParquet writes one row per example: id, split, identity and the outcomes.
func (s Scores) WriteParquet(path string) error {
	rows := make([]scoreRow, len(s))
	for i, score := range s {
		rows[i] = scoreRow{score.ID, score.Split, int32(score.Identity), outcome(score.Cosine), outcome(score.Rank),
			outcome(score.Core), outcome(score.True), outcome(score.False), outcome(score.Right)}
	}
	return safefile.WriteRows(path, rows)
}

// ReadScores reads a file of an artifact that WriteParquet wrote.
func ReadScores(artifact *store.Artifact, name string) (Scores, error) {
	frame, err := artifact.ReadTable(name)
	if err != nil {
		return nil, err
	}
	return safefile.RowsOf[Score](frame)
}
