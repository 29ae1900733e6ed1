package profile

import (
	"fmt"
	"image"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Crowd is a group of people without names, for training a vision tower. None of them looks like a person with a
// profile. All pictures have training layouts.
type Crowd struct {
	root    uint64
	size    int
	sitters []persona.Sitter
}

// gather returns a crowd of people with distinct looks from the crowd's half of all looks.
func gather(spec Spec) (*Crowd, error) {
	c := &Crowd{root: spec.Shared, size: spec.ImageSize}
	for i := range spec.Crowd {
		source := seed.Stream(spec.Shared, "profile", "crowd", i, "look")
		tries := 0
		for {
			s := persona.DrawSitter(source, i%persona.MaxGroups, persona.Gender(i/persona.MaxGroups%2))
			if s.Half() == crowded && s.Nearest(c.sitters) > 0 {
				c.sitters = append(c.sitters, s)
				break
			}
			if tries++; tries == 10000 {
				return nil, fmt.Errorf("profile: no look is left after %d people of the crowd; ask for fewer", i)
			}
		}
	}
	return c, nil
}

// Len returns the number of people in the crowd.
func (c *Crowd) Len() int { return len(c.sitters) }

// Render draws a picture of a person. Any picture index is allowed. Render is safe for concurrent use.
func (c *Crowd) Render(person, picture int, dst *image.NRGBA) {
	drawn := c.candidate(person, picture)
	drawn.draw(dst, c.size)
}

// Picture renders a picture of a person into a new image.
func (c *Crowd) Picture(person, picture int) *image.NRGBA {
	dst := newPicture(c.size)
	c.Render(person, picture, dst)
	return dst
}

// Shows returns a label for each kind of question, in the order of [Shown]: the index of the true answer, or -1 if the
// picture does not show it.
func (c *Crowd) Shows(person, picture int) []int32 {
	drawn := c.candidate(person, picture)
	var all []int32
	for _, s := range subjects() {
		all = append(all, int32(slices.Index(s.words, s.truth(drawn.sitter, drawn.sitting))))
	}
	return all
}

func (c *Crowd) candidate(person, picture int) candidate {
	source := seed.Stream(c.root, "profile", "crowd", person, "picture", picture)
	return candidate{sitter: c.sitters[person], sitting: layouts[Train].drawSitting(source), source: source}
}
