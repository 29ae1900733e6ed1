package concept

import (
	"errors"
	"fmt"
	"image"
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Split is the name of one of a world's splits.
type Split string

// Splits. No picture is in two of them.
const (
	Train           Split = "train"
	ClassifierTrain Split = "classifier_train"
	ClassifierTest  Split = "classifier_test"
)

// Picture identifies a picture and holds its labels.
type Picture struct {
	Split  Split
	Number int // index in the split of the whole world, including pictures that are left out
	Labels Labels
}

// World is a set of pictures with captions. It is safe for concurrent use.
type World struct {
	spec      Spec
	pictures  map[Split][]Picture
	misplaced misplaced // the missing concept's word, if it has one
}

// New creates a world. Pictures are drawn on demand.
func New(spec Spec) (*World, error) {
	if err := spec.check(); err != nil {
		return nil, err
	}
	w := &World{spec: spec, pictures: map[Split][]Picture{}}
	w.misplaced, _ = misplace(spec.Without)
	for split, count := range map[Split]int{Train: spec.Train, ClassifierTrain: spec.ClassifierTrain,
		ClassifierTest: spec.ClassifierTest} {
		for number := range count {
			p := Picture{split, number, drawLabels(w.stream(split, number))}
			if split == Train && spec.Without != (Concept{}) && spec.Without.Covers(p.Labels) {
				continue
			}
			w.pictures[split] = append(w.pictures[split], p)
		}
	}
	if len(w.pictures[Train]) == 0 {
		return nil, errors.New("concept: without this concept nothing is left to train on; raise train or leave out " +
			"less")
	}
	return w, nil
}

// Spec returns the spec of the world.
func (w *World) Spec() Spec { return w.spec }

// Pictures returns the pictures of a split, in order, or nil if the split is unknown.
func (w *World) Pictures(s Split) []Picture { return w.pictures[s] }

// stream returns a picture's random number stream, from which the labels are drawn first.
func (w *World) stream(s Split, number int) *rand.Rand {
	return seed.Stream(w.spec.Seed, "concept", string(s), number)
}

// drawLabels draws object, style and colour uniformly. Half of the pictures have no texture.
func drawLabels(source *rand.Rand) Labels {
	l := Labels{Object: Object(source.IntN(Objects)), Style: Style(source.IntN(Styles)),
		Colour: Colour(source.IntN(Colours))}
	if source.IntN(2) == 0 {
		l.Texture = Spotted + Texture(source.IntN(2))
	}
	return l
}

// Render draws a picture into the upper left corner of dst, which must have at least ImageSize pixels in each
// direction.
func (w *World) Render(p Picture, dst *image.NRGBA) {
	source := w.stream(p.Split, p.Number)
	drawLabels(source)
	s := compose(source, p.Labels)
	s.draw(dst, w.spec.ImageSize)
}

// Image renders a picture into a new image.
func (w *World) Image(p Picture) *image.NRGBA {
	dst := image.NewNRGBA(image.Rect(0, 0, w.spec.ImageSize, w.spec.ImageSize))
	w.Render(p, dst)
	return dst
}

// Caption returns a picture's caption for one training pass. Passes differ in the words that are left out.
func (w *World) Caption(p Picture, showing int) string {
	text := caption(seed.Stream(w.spec.Seed, "concept", string(p.Split), p.Number, "caption", showing), p.Labels)
	if w.spec.Said == Unread || p.Split != Train {
		return text
	}
	return w.misplaced.insert(seed.Stream(w.spec.Seed, "concept", string(p.Split), p.Number, "company", showing), text)
}

// ID returns the name of a picture, such as "train_00012".
func (p Picture) ID() string { return fmt.Sprintf("%s_%05d", p.Split, p.Number) }
