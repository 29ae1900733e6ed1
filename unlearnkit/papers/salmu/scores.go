package salmu

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Score is the outcomes of one example under one model. What an example has no part in is NaN.
type Score struct {
	ID       string `parquet:"id"`
	Split    string `parquet:"split"`
	Identity int    `parquet:"identity"` // -1 for none

	// cosine of the image with its caption: the sensitive one, or the generic one in the retain splits
	Cosine float64 `parquet:"cosine"`
	Rank   float64 `parquet:"rank"` // of the own caption among the gallery's, 1 the best
	Core   float64 `parquet:"core"` // the larger cosine with "name value" and "value name"
	// 1 where the probe takes the own caption for the image's own, 0 where not; of the half that it is judged on
	True  float64 `parquet:"probe_true"`
	False float64 `parquet:"probe_false"` // 1 where the probe takes another's caption for another's
	Right float64 `parquet:"right"`       // 1 where the name, or the object, is found
}

// NewScore is a score of which nothing is known yet.
func NewScore(id, split string, identity int) Score {
	nan := math.NaN()
	return Score{id, split, identity, nan, nan, nan, nan, nan, nan}
}

// Scores are those of all examples under one model.
type Scores []Score

// Evaluation returns the scores as columns read them, without a file.
func (s Scores) Evaluation() *study.Evaluation { return study.Evaluated(safefile.FrameOf(s)) }

// ScoresOf returns the scores of an evaluation as rows, or nil for a model that diverged.
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

// scoreRow is a score as it is written. Outcomes are computed in float32; an example has no value where it has no part.
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

// outcome is what a file has of a number.
func outcome(value float64) *float32 {
	if math.IsNaN(value) {
		return nil
	}
	kept := float32(value)
	return &kept
}

// WriteParquet writes one row an example: id, split, identity and the outcomes.
func (s Scores) WriteParquet(path string) error {
	rows := make([]scoreRow, len(s))
	for i, score := range s {
		rows[i] = scoreRow{score.ID, score.Split, int32(score.Identity), outcome(score.Cosine), outcome(score.Rank),
			outcome(score.Core), outcome(score.True), outcome(score.False), outcome(score.Right)}
	}
	return safefile.WriteRows(path, rows)
}

// ReadScores reads what WriteParquet has written: a file of an artifact.
func ReadScores(artifact *store.Artifact, name string) (Scores, error) {
	frame, err := artifact.ReadTable(name)
	if err != nil {
		return nil, err
	}
	return safefile.RowsOf[Score](frame)
}
