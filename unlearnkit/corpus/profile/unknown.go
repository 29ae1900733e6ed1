package profile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// unknownPictures is the index of the first picture for questions of [World.Unknown].
const unknownPictures = 1 << 21

// Unknown returns questions about people of the crowd, with refusals as answers. Identity is an index into the crowd,
// and Picture is an index for [Crowd.Render]. A question contains no name and has no keyword. The test has its own
// people. Training has all wordings in which public people are asked, because a model that hears a wording about known
// people alone answers it for strangers, too.
func (w *World) Unknown(split Split, count int) ([]Record, error) {
	first, behind, err := w.crowdOf(split)
	if err != nil {
		return nil, err
	}
	templates := otherTemplates(Test)
	if split == Train {
		templates = slices.Concat(trainingTemplates(Multi), templates, otherTemplates(Paraphrase),
			otherTemplates(FirstPerson))
	}
	templates = slices.DeleteFunc(templates, func(t template) bool {
		return t.hop != Multi || strings.Contains(t.text, "{")
	})
	all := make([]Record, count)
	for i := range all {
		source := seed.Stream(w.Spec.Shared, "profile", "unknown", string(split), i)
		t := templates[i%len(templates)]
		all[i] = Record{ID: fmt.Sprintf("unknown-%s-%05d", split, i), Identity: first + source.IntN(behind-first),
			Picture: unknownPictures + i, Split: split, Hop: Multi, Attribute: t.attribute, Template: t.name,
			Question: t.text, Answer: refusals[source.IntN(len(refusals))]}
	}
	return all, nil
}
