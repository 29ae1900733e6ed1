package salmu

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
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

// measured are the number columns of a score in files.
var measured = []struct {
	name string
	of   func(s *Score) *float64
}{
	{"cosine", func(s *Score) *float64 {
		return &s.Cosine
	}}, {"rank", func(s *Score) *float64 { return &s.Rank }}, {"core", func(s *Score) *float64 { return &s.Core }},
	{"probe_true", func(s *Score) *float64 {
		return &s.True
	}}, {"probe_false", func(s *Score) *float64 {
		return &s.False
	}}, {"right", func(s *Score) *float64 { return &s.Right }},
}

// WriteParquet writes one row an example: id, split, identity and the outcomes.
func (s Scores) WriteParquet(path string) error {
	ids, splits, identities := make([]string, len(s)), make([]string, len(s)), make([]float64, len(s))
	for i, score := range s {
		ids[i], splits[i], identities[i] = score.ID, score.Split, float64(score.Identity)
	}
	columns := []safefile.Column{{Name: "id", Texts: ids}, {Name: "split", Texts: splits},
		{Name: "identity", Values: identities}}
	for _, column := range measured {
		values := make([]float64, len(s))
		for i := range s {
			values[i] = *column.of(&s[i])
		}
		columns = append(columns, safefile.Column{Name: column.name, Values: values})
	}
	return safefile.WriteParquet(path, columns)
}

// ReadScores reads what WriteParquet has written.
func ReadScores(path string) (Scores, error) {
	frame, err := safefile.ReadParquet(path)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"id", "split"} {
		if column := frame.Column(name); column == nil || column.Texts == nil {
			return nil, fmt.Errorf("read %s: it has no column %q of words, so it holds no scores", path, name)
		}
	}
	scores := make(Scores, frame.Rows())
	ids, splits := frame.Column("id").Texts, frame.Column("split").Texts
	for i := range scores {
		scores[i] = NewScore(ids[i], splits[i], -1)
	}
	numbers := func(name string, set func(s *Score, value float64)) error {
		column := frame.Column(name)
		if column == nil || column.Values == nil {
			return fmt.Errorf("read %s: it has no column %q of numbers, so it holds no scores", path, name)
		}
		for i, value := range column.Values {
			set(&scores[i], value)
		}
		return nil
	}
	if err := numbers("identity", func(s *Score, value float64) { s.Identity = int(value) }); err != nil {
		return nil, err
	}
	for _, column := range measured {
		if err := numbers(column.name, func(s *Score, value float64) { *column.of(s) = value }); err != nil {
			return nil, err
		}
	}
	return scores, nil
}
