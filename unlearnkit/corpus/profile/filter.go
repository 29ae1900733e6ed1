package profile

import (
	"fmt"
	"image"
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// similarityThreshold is the smallest cosine similarity, between a picture's embedding and the mean of its person's
// anchors, with which the picture passes the filter. For people in no world, about nine in ten pictures of the right
// person pass. Of another person of the same group and gender, about six in a hundred pass.
const similarityThreshold = .6

// FilterReport counts what the filter did and how often it was wrong, which is known because the pictures are
// generated. The review imitates the paper's human review of the pictures that passed. It finds all remaining strangers
// and torn pictures, so a world has no wrong pictures.
type FilterReport struct {
	Candidates      int `json:"candidates"`       // number of generated pictures
	Passed          int `json:"passed"`           // pictures that passed the filter
	Kept            int `json:"kept"`             // pictures that passed the filter and the review
	Strangers       int `json:"strangers"`        // generated pictures of another person
	StrangersPassed int `json:"strangers_passed"` // pictures of another person that passed the filter
	Torn            int `json:"torn"`             // generated pictures of the right person that are torn
	TornPassed      int `json:"torn_passed"`      // torn pictures of the right person that passed the filter
	SoundDropped    int `json:"sound_dropped"`    // correct pictures that the filter dropped
}

// Rate returns the share of pictures that pass the filter.
func (r FilterReport) Rate() float64 { return float64(r.Passed) / float64(max(1, r.Candidates)) }

// record counts a picture and reports whether the review keeps it.
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

// candidate is a generated picture that the filter has not seen yet.
type candidate struct {
	sitter   persona.Sitter
	sitting  persona.Sitting
	stranger bool
	source   *rand.Rand // source of the remaining random properties
}

func (c candidate) draw(dst *image.NRGBA, size int) { c.sitter.Portray(dst, size, c.sitting, c.source) }

// candidate returns a generated picture of a person, which may be wrong.
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

// faults holds the error probabilities of the generator.
type faults struct{ strangers, torn float64 }

// pick generates pictures of a person until enough are kept, first for training and then for the test. It returns the
// indices of the candidates kept.
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
			if c.Filter.record(drawn, wanted.cosine(embed(picture)) >= similarityThreshold) {
				kept = append(kept, index)
			}
		}
	}
	return kept, nil
}
