package profile

import (
	"fmt"
	"image"
	"math/rand/v2"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Cast is a group of people with profiles, pictures and questions.
type Cast struct {
	Set
	Filter FilterReport

	name     string
	root     uint64
	size     int // side of the pictures in pixels
	training int // training pictures per person; test pictures have higher numbers
	sitters  []persona.Sitter
	faults   faults
	kept     [][]int // index of the candidate shown in each of a person's pictures
}

const (
	// lookCandidates is the number of random looks from which the one that differs most from all earlier looks is
	// chosen.
	lookCandidates = 24
	// minDistance is the smallest allowed distance between two people, who then differ in the head's outline, in skin
	// colour or in hair colour.
	minDistance = 4
)

// All looks are divided into two halves. People with profiles are from one half, and the crowd from the other.
const (
	profiled = iota
	crowded
)

// lookalikeless returns a random look that differs from all earlier looks. Groups and genders alternate with i.
func lookalikeless(source *rand.Rand, before []persona.Sitter, i int) (persona.Sitter, error) {
	group, gender := i%persona.MaxGroups, persona.Gender(i/persona.MaxGroups%2)
	for range 2000 {
		s := persona.DrawDistinctSitter(source, before, lookCandidates, group, gender)
		if s.Half() == profiled && s.Nearest(before) >= minDistance {
			return s, nil
		}
	}
	return persona.Sitter{}, fmt.Errorf("profile: no look is left that differs from %d others; ask for fewer people",
		len(before))
}

// newCast returns a cast of people whose looks differ from each other and from earlier looks. It has no profiles and no
// pictures yet.
func newCast(spec Spec, root uint64, name string, count int, before []persona.Sitter) (*Cast, error) {
	c := &Cast{name: name, root: root, size: spec.ImageSize, training: spec.Pictures,
		faults: faults{spec.Strangers, spec.Torn}}
	all := slices.Clone(before)
	for i := range count {
		s, err := lookalikeless(seed.Stream(c.root, "profile", name, i, "look"), all, i)
		if err != nil {
			return nil, err
		}
		c.sitters, all = append(c.sitters, s), append(all, s)
	}
	return c, nil
}

// fill adds profiles, records and pictures to a cast.
func (c *Cast) fill(taken register) error {
	if err := c.describe(taken); err != nil {
		return err
	}
	c.ask()
	for identity := range c.People {
		kept, err := c.pick(identity)
		if err != nil {
			return err
		}
		c.kept = append(c.kept, kept)
	}
	return nil
}

// describe generates the people's profiles.
func (c *Cast) describe(taken register) error {
	writer := newRegistry(seed.Stream(c.root, "profile", c.name, "facts"), taken)
	for _, s := range c.sitters {
		p, err := writer.write(s)
		if err != nil {
			return err
		}
		p.Pictures = c.training + TestPictures
		c.People = append(c.People, p)
	}
	return nil
}

// ask generates the records for all splits.
func (c *Cast) ask() {
	full := FullShape
	full.Pictures = min(c.training, full.Questions())
	for identity := range c.People {
		c.Records = append(c.Records, c.shapeRecords(full, identity)...)
	}
	for _, split := range []Split{Test, Paraphrase, Reverse, FirstPerson} {
		for identity := range c.People {
			c.Records = append(c.Records, c.otherRecords(split, identity)...)
		}
	}
}

// otherRecords returns a person's records for a split that is not used in training. Each test question has its own
// picture; questions in other splits reuse training pictures.
func (c *Cast) otherRecords(split Split, identity int) []Record {
	source := seed.Stream(c.root, "profile", c.name, identity, string(split))
	order := source.Perm(TestPictures)
	var records []Record
	for number, t := range otherTemplates(split) {
		picture := source.IntN(c.training)
		if split == Test {
			picture = c.training + order[number]
		}
		records = append(records, c.People[identity].record(t, split, identity, picture, number))
	}
	return records
}

// Render draws a person's picture into the upper left corner of dst, which must have at least ImageSize pixels in each
// direction. It is safe for concurrent use.
func (c *Cast) Render(identity, picture int, dst *image.NRGBA) {
	split := Train
	if picture >= c.training {
		split = Test
	}
	c.candidate(identity, split, c.kept[identity][picture]).draw(dst, c.size)
}

// Picture renders a person's picture into a new image.
func (c *Cast) Picture(identity, picture int) *image.NRGBA {
	dst := newPicture(c.size)
	c.Render(identity, picture, dst)
	return dst
}

// Anchor draws one of the two pictures, 0 or 1, that define a person's look. No question uses these pictures.
func (c *Cast) Anchor(identity, which int) *image.NRGBA {
	dst := newPicture(c.size)
	source := seed.Stream(c.root, "profile", c.name, identity, "anchor", which)
	c.sitters[identity].Portray(dst, c.size, anchors()[which], source)
	return dst
}

func newPicture(size int) *image.NRGBA { return image.NewNRGBA(image.Rect(0, 0, size, size)) }
