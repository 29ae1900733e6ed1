package salmu

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Score is the outcomes of one example under one model. What an example has no part in is NaN.
type Score struct {
	ID       string
	Split    string
	Identity int // -1 for none

	Cosine float64 // of the image with its caption: the sensitive one, or the generic one in the retain splits
	Rank   float64 // of the own caption among the gallery's, 1 the best
	Core   float64 // the larger cosine with "name value" and "value name"
	// 1 where the probe takes the own caption for the image's own, 0 where not; of the half that it is judged on
	True  float64
	False float64 // 1 where the probe takes another's caption for another's
	Right float64 // 1 where the name, or the object, is found
}

// NewScore is a score of which nothing is known yet.
func NewScore(id, split string, identity int) Score {
	nan := math.NaN()
	return Score{id, split, identity, nan, nan, nan, nan, nan, nan}
}

// Scores are those of all examples under one model.
type Scores []Score

// measured are the outcomes of a score, by their columns in files.
var measured = []struct {
	name string
	of   func(s *Score) *float64
}{
	{"cosine", func(s *Score) *float64 { return &s.Cosine }},
	{"rank", func(s *Score) *float64 { return &s.Rank }},
	{"core", func(s *Score) *float64 { return &s.Core }},
	{"probe_true", func(s *Score) *float64 { return &s.True }},
	{"probe_false", func(s *Score) *float64 { return &s.False }},
	{"right", func(s *Score) *float64 { return &s.Right }},
}

// scoreRow is a score in a file. Outcomes are computed in float32; an example has no value where it has no part.
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
	return scoresOf(frame)
}

func scoresOf(frame *safefile.Frame) (Scores, error) {
	ids, err := frame.Words("id")
	if err != nil {
		return nil, err
	}
	splits, err := frame.Words("split")
	if err != nil {
		return nil, err
	}
	identities, err := frame.Numbers("identity")
	if err != nil {
		return nil, err
	}
	scores := make(Scores, frame.Rows())
	for i := range scores {
		scores[i].ID, scores[i].Split, scores[i].Identity = ids[i], splits[i], int(identities[i])
	}
	for _, outcome := range measured {
		values, err := frame.Numbers(outcome.name)
		if err != nil {
			return nil, err
		}
		for i, value := range values {
			*outcome.of(&scores[i]) = value
		}
	}
	return scores, nil
}
