package unslu

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/internal/memo"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Splits of the clips that models are judged on.
const (
	Forget     = "forget"     // all clips of the speakers to be forgotten
	Validation = "validation" // of speakers that no model has heard
	Test       = "test"       // of others that no model has heard
)

// ScoresFile is the name of the scores of a model.
const ScoresFile = "scores.parquet"

// Score is what a model makes of one clip.
type Score struct {
	ID      string `parquet:"id"`
	Split   string `parquet:"split"`
	Speaker string `parquet:"speaker"`

	Label     int     `parquet:"label"` // intents
	Predicted int     `parquet:"predicted"`
	Loss      float64 `parquet:"loss"` // cross-entropy
}

// Scores are those of all clips under one model.
type Scores []Score

// scoreRow is a score in a file. Losses are computed in float32.
type scoreRow struct {
	ID        string  `parquet:"id,dict"`
	Split     string  `parquet:"split,dict"`
	Speaker   string  `parquet:"speaker,dict"`
	Label     int32   `parquet:"label,dict"`
	Predicted int32   `parquet:"predicted,dict"`
	Loss      float32 `parquet:"loss"`
}

// WriteParquet writes one row a clip.
func (s Scores) WriteParquet(path string) error {
	rows := make([]scoreRow, len(s))
	for i, score := range s {
		rows[i] = scoreRow{score.ID, score.Split, score.Speaker, int32(score.Label), int32(score.Predicted),
			float32(score.Loss)}
	}
	return safefile.WriteRows(path, rows)
}

// ReadScores reads what WriteParquet has written: a file of an artifact.
func ReadScores(artifact *store.Artifact, name string) (Scores, error) {
	frame, err := artifact.ReadTable(name)
	if err != nil {
		return nil, err
	}
	return scoresOf(frame)
}

// scoresOf returns the rows of a score file, with losses up to the largest that counts.
func scoresOf(frame *safefile.Frame) (Scores, error) {
	scores, err := safefile.RowsOf[Score](frame)
	for i := range scores {
		scores[i].Loss = math.Min(scores[i].Loss, largestLoss)
	}
	return scores, err
}

// of are the scores of a split.
func (s Scores) of(split string) Scores {
	return slices.DeleteFunc(slices.Clone(s), func(score Score) bool { return score.Split != split })
}

// losses are those of all clips.
func (s Scores) losses() []float64 {
	losses := make([]float64, len(s))
	for i := range s {
		losses[i] = s[i].Loss
	}
	return losses
}

// classified compares what a model recognises with the labels.
func (s Scores) classified() metric.Classification {
	truth, predicted := make([]int, len(s)), make([]int, len(s))
	for i := range s {
		truth[i], predicted[i] = s[i].Label, s[i].Predicted
	}
	return metric.Classify(truth, predicted)
}

// mostFrequent is the share of the most frequent label: what a model would recognise that always gives it.
func (s Scores) mostFrequent() (share float64) {
	counts := map[int]int{}
	for _, score := range s {
		counts[score.Label]++
		share = max(share, float64(counts[score.Label])/float64(len(s)))
	}
	return share
}

// attacks keeps the fitted attacks by a sum of their losses: fitting those of five worlds takes seconds.
var attacks memo.Map[[sha256.Size]byte, metric.Membership]

// attack fits the paper's attack on losses: from the loss alone, was a clip one of those to be forgotten, or of a split
// that no model has heard? Models of a world are attacked alike, so that they differ by their losses alone.
func attack(members, others []float64, against string) metric.Membership {
	key := sha256.Sum256(fmt.Appendf(nil, "%s %x %x", against, members, others))
	found, _ := attacks.Get(key, func() (metric.Membership, error) {
		return metric.LossMIA(members, others, seed.Stream(0, "unslu", "attack", against)), nil
	})
	return found
}
