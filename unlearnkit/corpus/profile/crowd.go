package profile

import (
	"fmt"
	"image"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Crowd is people without names whom a vision tower learns to tell apart. None of them looks like a private or public
// person, and all their pictures have the layouts of training.
type Crowd struct {
	root    uint64
	size    int
	sitters []persona.Sitter
}

// gather draws people who are apart from those of the casts and are not the same among each other.
func gather(spec Spec, casts []persona.Sitter) (*Crowd, error) {
	c := &Crowd{root: spec.Seed, size: spec.ImageSize}
	for i := range spec.Crowd {
		source := seed.Stream(spec.Seed, "profile", "crowd", i, "look")
		tries := 0
		for {
			s := persona.DrawSitter(source, i%persona.MaxGroups, persona.Gender(i/persona.MaxGroups%2))
			if s.Nearest(casts) >= apart && s.Nearest(c.sitters) > 0 {
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

// Len is how many people there are.
func (c *Crowd) Len() int { return len(c.sitters) }

// Render draws a picture of a person; there are as many as one likes. It may be called by several goroutines at once.
func (c *Crowd) Render(person, picture int, dst *image.NRGBA) {
	drawn := c.candidate(person, picture)
	drawn.draw(dst, c.size)
}

// Picture is Render into a new image.
func (c *Crowd) Picture(person, picture int) *image.NRGBA {
	dst := newPicture(c.size)
	c.Render(person, picture, dst)
	return dst
}

func (c *Crowd) candidate(person, picture int) candidate {
	source := seed.Stream(c.root, "profile", "crowd", person, "picture", picture)
	return candidate{sitter: c.sitters[person], sitting: layouts[Train].drawSitting(source), source: source}
}
