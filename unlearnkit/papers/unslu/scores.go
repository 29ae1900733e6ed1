package unslu

import (
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// largestLoss is the loss of a clip whose label has a probability of zero: in float32, exp(-x) vanishes beyond about
// 87. Only a model that diverged has a loss that is not finite.
const largestLoss = 87

// Names of the splits that models are judged on.
const (
	Forget     = "forget"     // all clips of the forget speakers
	Validation = "validation" // clips of speakers that no model was trained on
	Test       = "test"       // clips of further speakers that no model was trained on
)

// ScoresFile is the name of the file with the scores of a model.
const ScoresFile = "scores.parquet"

// Score holds the outcomes of one clip under one model.
type Score struct {
	ID      string `parquet:"id"`
	Split   string `parquet:"split"`
	Speaker string `parquet:"speaker"`

	Label     int     `parquet:"label"` // correct intent
	Predicted int     `parquet:"predicted"`
	Loss      float64 `parquet:"loss"` // cross-entropy of Label
}

// Scores holds the scores of one model on all clips.
type Scores []Score

// scoreRow is a row of the score file. Losses are computed in float32.
type scoreRow struct {
	ID        string  `parquet:"id,dict"`
	Split     string  `parquet:"split,dict"`
	Speaker   string  `parquet:"speaker,dict"`
	Label     int32   `parquet:"label,dict"`
	Predicted int32   `parquet:"predicted,dict"`
	Loss      float32 `parquet:"loss"`
}

// WriteParquet writes one row per clip.
func (s Scores) WriteParquet(path string) error {
	rows := make([]scoreRow, len(s))
	for i, score := range s {
		rows[i] = scoreRow{score.ID, score.Split, score.Speaker, int32(score.Label), int32(score.Predicted),
			float32(score.Loss)}
	}
	return safefile.WriteRows(path, rows)
}

// ReadScores reads scores from an artifact's file, which WriteParquet wrote.
func ReadScores(artifact *store.Artifact, name string) (Scores, error) {
	frame, err := artifact.ReadTable(name)
	if err != nil {
		return nil, err
	}
	return scoresOf(frame)
}

// scoresOf returns the rows of a score file, with losses capped at largestLoss.
func scoresOf(frame *safefile.Frame) (Scores, error) {
	scores, err := safefile.RowsOf[Score](frame)
	for i := range scores {
		scores[i].Loss = math.Min(scores[i].Loss, largestLoss)
	}
	return scores, err
}

// ofSplit returns the scores of a split.
func (s Scores) ofSplit(split string) Scores {
	return slices.DeleteFunc(slices.Clone(s), func(score Score) bool { return score.Split != split })
}

func (s Scores) losses() []float64 {
	losses := make([]float64, len(s))
	for i := range s {
		losses[i] = s[i].Loss
	}
	return losses
}

// classified compares a model's predictions with the labels.
func (s Scores) classified() metric.Classification {
	truth, predicted := make([]int, len(s)), make([]int, len(s))
	for i := range s {
		truth[i], predicted[i] = s[i].Label, s[i].Predicted
	}
	return metric.Classify(truth, predicted)
}
