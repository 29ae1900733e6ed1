package salmu

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Score holds the outcomes of one example under one model. An outcome is NaN if it is not defined for the example.
type Score struct {
	ID       string `parquet:"id"`
	Split    string `parquet:"split"`
	Identity int    `parquet:"identity"` // person, or class of an object; -1 for none

	// Cosine is the cosine of the image with its caption. The caption is generic in the retain splits and sensitive in
	// the others.
	Cosine float64 `parquet:"cosine"`
	Rank   float64 `parquet:"rank"` // rank of the image's own caption among the competing captions; 1 is the best
	Core   float64 `parquet:"core"` // the larger of the cosines with "name value" and "value name"
	// True is 1 if the probe accepts the image's own caption, else 0. Only the test half of the probe's examples has
	// it.
	True  float64 `parquet:"probe_true"`
	False float64 `parquet:"probe_false"` // 1 if the probe rejects another image's caption
	Right float64 `parquet:"right"`       // 1 if the name or the object is recognised
}

// NewScore returns a score whose outcomes are all NaN.
func NewScore(id, split string, identity int) Score {
	nan := math.NaN()
	return Score{id, split, identity, nan, nan, nan, nan, nan, nan}
}

// Scores holds the scores of one model on all examples.
type Scores []Score

// Evaluation returns the scores as an evaluation in memory.
func (s Scores) Evaluation() *study.Evaluation { return study.Evaluated(safefile.FrameOf(s)) }

// ScoresOf converts an evaluation to rows. It returns nil if the model diverged.
func ScoresOf(e *study.Evaluation) Scores {
	if e.Lost() {
		return nil
	}
	scores, err := safefile.RowsOf[Score](e.Frame())
	if err != nil {
		panic(err) // some identity is not a whole number
	}
	return scores
}

// scoreRow is a row of the score file. Outcomes are computed in float32, and missing outcomes are null.
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

// outcome converts a number to the format of the file, in which NaN is null.
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

// ReadScores reads scores from an artifact's file, which WriteParquet wrote.
func ReadScores(artifact *store.Artifact, name string) (Scores, error) {
	return store.ReadRows[Score](artifact, name)
}
