package profile

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Shape is how much a model gets to learn about each person. The zero value teaches nothing.
type Shape struct {
	Name          string
	Pictures      int // of each person; questions take them in turn
	Single, Multi int // questions of each person
	Test          bool
}

// FullShape is the shape of a world's own training: 100 pictures and questions.
var FullShape = Shape{Name: "full", Pictures: 100, Single: 70, Multi: 30, Test: true}

// The shapes of other sets (arXiv:2605.03759, Table 1). None of them names the person or has a test set.
var (
	FIUBench = Shape{Name: "FIUBench", Pictures: 1, Multi: 20}
	MLLMU    = Shape{Name: "MLLMU-Bench", Pictures: 1, Multi: 1}
	CLEAR    = Shape{Name: "CLEAR", Pictures: 20, Multi: 20}
)

// Shapes lists all of them in the order of Table 1.
func Shapes() []Shape { return []Shape{FIUBench, MLLMU, CLEAR, FullShape} }

// Questions is how many there are of each person.
func (s Shape) Questions() int { return s.Single + s.Multi }

// check says what is wrong with a shape for people who have so many pictures to train with.
func (s Shape) check(pictures int) error {
	switch {
	case s.Pictures < 1 || s.Pictures > pictures:
		return fmt.Errorf("profile: shape %q has %d pictures a person; choose 1 to %d", s.Name, s.Pictures, pictures)
	case s.Single < 0 || s.Multi < 0 || s.Questions() == 0:
		return fmt.Errorf("profile: shape %q has %d questions with and %d without the name; choose 0 or more of each "+
			"and 1 at least", s.Name, s.Single, s.Multi)
	}
	return nil
}

// Shape makes the training questions of all people anew: the templates in rounds of all attributes, beginning with
// another one for each person, and again from the start where the questions are more than the templates. Questions take
// the pictures in an order of their own, so that no picture goes with a kind of question.
func (c *Cast) Shape(s Shape) ([]Record, error) {
	if err := s.check(c.training); err != nil {
		return nil, err
	}
	var all []Record
	for identity := range c.People {
		all = append(all, c.shaped(s, identity)...)
	}
	return all, nil
}

func (c *Cast) shaped(s Shape, identity int) []Record {
	var records []Record
	order := seed.Stream(c.root, "profile", c.name, identity, "pictures").Perm(c.training)[:s.Pictures]
	for _, part := range []struct {
		hop   Hop
		count int
	}{{Single, s.Single}, {Multi, s.Multi}} {
		pool := trainingTemplates(part.hop)
		for i := range part.count {
			t := pool[rotated(i%len(pool), identity, len(pool))]
			number := len(records)
			records = append(records, c.People[identity].record(t, Train, identity, order[number%s.Pictures], number))
		}
	}
	return records
}

// rotated lets the rounds of a person begin with another attribute. What comes after the last whole round stays.
func rotated(i, identity, pool int) int {
	round := len(attributes)
	start := i / round * round
	if start+round > pool {
		return i
	}
	return start + (i-start+identity)%round
}
