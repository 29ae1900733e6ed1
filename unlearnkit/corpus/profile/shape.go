package profile

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Shape defines the amount of training data per person. The zero value means no training data.
type Shape struct {
	Name          string
	Pictures      int // pictures per person, which the questions use in turn
	Single, Multi int // questions per person that name the person (Single) or not (Multi)
	Test          bool
}

// FullShape is the shape of a world's own training data.
var FullShape = Shape{Name: "full", Pictures: 100, Single: 70, Multi: 30, Test: true}

// Shapes of other data sets (arXiv:2605.03759, Table 1). None of them has Single questions or a test set.
var (
	FIUBench = Shape{Name: "FIUBench", Pictures: 1, Multi: 20}
	MLLMU    = Shape{Name: "MLLMU-Bench", Pictures: 1, Multi: 1}
	CLEAR    = Shape{Name: "CLEAR", Pictures: 20, Multi: 20}
)

// Shapes returns all shapes in the order of Table 1.
func Shapes() []Shape { return []Shape{FIUBench, MLLMU, CLEAR, FullShape} }

// Questions returns the number of questions per person.
func (s Shape) Questions() int { return s.Single + s.Multi }

// check returns an error if a shape does not fit people with the given number of training pictures.
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

// Shape returns new training questions about all people. They use the templates in rounds of all attributes, in which
// each person begins with a different attribute. If there are more questions than templates, templates are repeated.
// Pictures are assigned in an independent order, so no picture belongs to one kind of question.
func (c *Cast) Shape(s Shape) ([]Record, error) {
	if err := s.check(c.training); err != nil {
		return nil, err
	}
	var all []Record
	for identity := range c.People {
		all = append(all, c.shapeRecords(s, identity)...)
	}
	return all, nil
}

func (c *Cast) shapeRecords(s Shape, identity int) []Record {
	var records []Record
	order := seed.Stream(c.root, "profile", c.name, identity, "pictures").Perm(c.training)[:s.Pictures]
	for _, part := range []struct {
		hop   Hop
		count int
	}{{Single, s.Single}, {Multi, s.Multi}} {
		pool := trainingTemplates(part.hop)
		for i := range part.count {
			t := pool[rotate(i%len(pool), identity, len(pool))]
			number := len(records)
			records = append(records, c.People[identity].record(t, Train, identity, order[number%s.Pictures], number))
		}
	}
	return records
}

// rotate returns the index of the template for a person's i-th question. It rotates each complete round, so that people
// begin with different attributes.
func rotate(i, identity, pool int) int {
	round := len(attributes)
	start := i / round * round
	if start+round > pool {
		return i
	}
	return start + (i-start+identity)%round
}
