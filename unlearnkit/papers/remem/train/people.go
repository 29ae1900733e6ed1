package train

import (
	"fmt"
	"image"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
)

// people holds the people to learn and to forget, either generated or from a download.
type people struct {
	seed    uint64 // seed for drawing the people to forget
	private *group
	world   *profile.World // nil for a download
}

// group holds people, their pictures, and the questions about them.
type group struct {
	*profile.Set
	picture func(identity, picture int) (preprocess.Image, error)
	shape   func(s profile.Shape) ([]profile.Record, error)
}

func groupOf(c *profile.Cast) *group {
	return &group{&c.Set, func(identity, number int) (preprocess.Image, error) {
		return picture(c.Picture(identity, number)), nil
	}, c.Shape}
}

func (l *Lab) people(spec remem.World) (*people, error) {
	return l.worlds.Of(spec, func() (*people, error) {
		if spec.Data != "" {
			return l.openPublished(spec)
		}
		if spec.Revision != profile.Revision {
			return nil, fmt.Errorf("the run has worlds of revision %d, and this program makes revision %d",
				spec.Revision, profile.Revision)
		}
		w, err := profile.Generate(spec.Spec)
		if err != nil {
			return nil, err
		}
		return &people{spec.Seed, groupOf(w.Private), w}, nil
	})
}

// divide divides the people into those to forget and those to retain.
func (p *people) divide(count int) (profile.Division, error) { return p.private.Divide(p.seed, count) }

// first returns the identity of the person who is forgotten first.
func (p *people) first() (int, error) {
	d, err := p.divide(1)
	if err != nil {
		return 0, err
	}
	return d.Forgotten[0], nil
}

// lesson returns the training questions of a lesson.
func (p *people) lesson(l remem.Lesson) ([]profile.Record, error) {
	records, err := p.private.shape(l.Shape)
	if err != nil {
		return nil, err
	}
	switch {
	case l.Alone:
		first, err := p.first()
		return slices.DeleteFunc(records, func(r profile.Record) bool { return r.Identity != first }), err
	case l.Gold > 0:
		d, err := p.divide(l.Gold)
		return slices.DeleteFunc(records, func(r profile.Record) bool {
			return slices.Contains(d.Forgotten, r.Identity)
		}), err
	}
	return records, nil
}

// picture converts a person's picture for preprocessing.
func picture(drawn *image.NRGBA) preprocess.Image {
	bounds := drawn.Bounds()
	p := preprocess.NewImage(bounds.Dx(), bounds.Dy())
	for i := range bounds.Dx() * bounds.Dy() {
		copy(p.Pixels[3*i:3*i+3], drawn.Pix[4*i:4*i+3])
	}
	return p
}

// question is a question about a picture, with its answer.
type question struct {
	profile.Record
	part    string
	picture func() (preprocess.Image, error)
}

// questions returns questions from records about people of the group.
func (g *group) questions(part string, records []profile.Record) []question {
	questions := make([]question, len(records))
	for i, r := range records {
		questions[i] = question{r, part, func() (preprocess.Image, error) { return g.picture(r.Identity, r.Picture) }}
	}
	return questions
}

// split returns a split's questions about the given people, or about everybody if none are given.
func (g *group) split(part string, split profile.Split, identities ...int) []question {
	return g.questions(part, slices.DeleteFunc(g.Of(split), func(r profile.Record) bool {
		return len(identities) > 0 && !slices.Contains(identities, r.Identity)
	}))
}

// choices returns multiple-choice questions as ordinary questions. Their answers are letters.
func (p *people) choices(of profile.Split, count int) ([]question, error) {
	choices, err := p.world.Choices(of, count)
	if err != nil {
		return nil, err
	}
	questions := make([]question, len(choices))
	for i, c := range choices {
		questions[i] = p.ofCrowd("choice", profile.Record{ID: c.ID, Split: of, Question: c.Prompt(), Answer: c.Letter()},
			c.Person, c.Picture)
	}
	return questions, nil
}

// unknown returns questions about strangers, with refusals as answers.
func (p *people) unknown(of profile.Split, count int) ([]question, error) {
	records, err := p.world.Unknown(of, count)
	if err != nil {
		return nil, err
	}
	questions := make([]question, len(records))
	for i, r := range records {
		questions[i] = p.ofCrowd(remem.PartUnknown, r, r.Identity, r.Picture)
	}
	return questions, nil
}

// ofCrowd returns a question about a picture of a person of the crowd.
func (p *people) ofCrowd(part string, r profile.Record, person, number int) question {
	return question{r, part, func() (preprocess.Image, error) {
		return picture(p.world.Crowd.Picture(person, number)), nil
	}}
}
