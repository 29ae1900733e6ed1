package profile

import (
	"fmt"
	"image"
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Threshold is the smallest cosine between the embedding of a picture and the mean of its person's anchors with which
// the picture passes. For people outside all worlds, about nine in ten pictures of the right person pass, and about six
// in a hundred of another person with the same group and gender.
const Threshold = .6

// FilterReport reports what the filter did and, because the generator knows the truth, how often it was wrong. The
// review represents the paper's, where people look at the passed pictures. It finds all remaining strangers and torn
// pictures, so that the pictures of a world have no faults.
type FilterReport struct {
	Candidates      int `json:"candidates"`       // generated pictures
	Passed          int `json:"passed"`           // pictures that passed the filter
	Kept            int `json:"kept"`             // pictures that passed filter and review
	Strangers       int `json:"strangers"`        // pictures that showed another person
	StrangersPassed int `json:"strangers_passed"` // pictures of another person that passed the filter
	Torn            int `json:"torn"`             // pictures that showed the person, but were broken
	TornPassed      int `json:"torn_passed"`      // broken pictures that passed the filter
	SoundDropped    int `json:"sound_dropped"`    // faultless pictures of the person that were dropped
}

// Rate returns the fraction of pictures that pass the filter.
func (r FilterReport) Rate() float64 { return float64(r.Passed) / float64(max(1, r.Candidates)) }

// record counts a picture and reports whether it is kept.
func (r *FilterReport) record(c candidate, passed bool) (kept bool) {
	count := func(all, passing *int) {
		*all++
		if passed {
			*passing++
		}
	}
	count(&r.Candidates, &r.Passed)
	switch {
	case c.stranger:
		count(&r.Strangers, &r.StrangersPassed)
	case c.sitting.Torn:
		count(&r.Torn, &r.TornPassed)
	case passed:
		r.Kept++
		return true
	default:
		r.SoundDropped++
	}
	return false
}

// candidate is a generated picture before the filter.
type candidate struct {
	sitter   persona.Sitter
	sitting  persona.Sitting
	stranger bool
	source   *rand.Rand // for the remaining random properties
}

func (c candidate) draw(dst *image.NRGBA, size int) { c.sitter.Portray(dst, size, c.sitting, c.source) }

// candidate draws the generator's output for a picture of a person.
func (c *Cast) candidate(identity int, split Split, index int) candidate {
	source := seed.Stream(c.root, "profile", c.name, identity, string(split), "candidate", index)
	drawn := candidate{sitter: c.sitters[identity], source: source}
	fault := source.Float64()
	if fault < c.faults.strangers {
		s := drawn.sitter
		for drawn.sitter.Distance(s) < minDistance {
			drawn.sitter = persona.DrawSitter(source, s.Group(), s.Gender())
		}
		drawn.stranger = true
	}
	drawn.sitting = layouts[split].drawSitting(source)
	drawn.sitting.Torn = !drawn.stranger && fault < c.faults.strangers+c.faults.torn
	return drawn
}

// faults holds the error rates of the generator.
type faults struct{ strangers, torn float64 }

// pick generates pictures of a person until enough have passed, first for training and then for the test.
func (c *Cast) pick(identity int) ([]int, error) {
	var wanted embedding
	for which := range anchorCount {
		wanted.add(embed(c.Anchor(identity, which)))
	}
	picture := newPicture(c.size)
	var kept []int
	for _, part := range []struct {
		split Split
		count int
	}{{Train, c.training}, {Test, TestPictures}} {
		enough := len(kept) + part.count
		for index := 0; len(kept) < enough; index++ {
			if index == 20*part.count+100 {
				return nil, fmt.Errorf("profile: the filter recognises person %d in too few of %d pictures; "+
					"lower the shares of strangers and torn pictures or use another seed", identity, index)
			}
			drawn := c.candidate(identity, part.split, index)
			drawn.draw(picture, c.size)
			if c.Filter.record(drawn, wanted.cosine(embed(picture)) >= Threshold) {
				kept = append(kept, index)
			}
		}
	}
	return kept, nil
}
