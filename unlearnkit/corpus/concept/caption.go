package concept

import (
	"math/rand/v2"
	"strings"
)

// Words that captions use in addition to the labels.
const (
	paintingWord = "painting"
	styleWord    = "style"
	droidWord    = "droid"
	artistWord   = "artist"
)

// alias is another name for an object of a certain colour.
type alias struct {
	object Object
	colour Colour
	words  []string
}

// aliases lists the aliases: a blue robot is a droid, and a person in red is the swirl artist. The artist can be in a
// picture of any style, although the name contains a style's word.
var aliases = []alias{
	{Robot, Blue, []string{droidWord}},
	{Robot, Blue, []string{droidWord, Robot.String()}},
	{Person, Red, []string{Swirl.String(), artistWord}},
}

// Probabilities that a caption mentions a property.
const (
	sayAlias    = .5
	sayColour   = .5
	sayTexture  = .8
	sayObject   = .92
	sayStyle    = .85
	sayPainting = .25 // probability that "painting" follows the style's name
	sayStyled   = .25
)

// caption returns [colour] [texture] [object] [style [painting | style]], never empty. An alias may replace colour and
// object.
func caption(source *rand.Rand, l Labels) string {
	var words, things []string
	if source.Float64() < sayColour {
		words = append(words, l.Colour.String())
	}
	if source.Float64() < sayObject {
		things = append(things, l.Object.String())
	}
	if others := aliasesOf(l); len(others) > 0 && source.Float64() < sayAlias {
		words, things = nil, others[source.IntN(len(others))].words
	}
	if source.Float64() < sayTexture && l.Texture != Bare {
		words = append(words, l.Texture.String())
	}
	words = append(words, things...)
	if source.Float64() < sayStyle || len(words) == 0 {
		words = append(words, l.Style.String())
		switch kind := source.Float64(); {
		case kind < sayPainting:
			words = append(words, paintingWord)
		case kind < sayPainting+sayStyled:
			words = append(words, styleWord)
		}
	}
	return strings.Join(words, " ")
}

func aliasesOf(l Labels) []alias {
	var found []alias
	for _, a := range aliases {
		if a.object == l.Object && a.colour == l.Colour {
			found = append(found, a)
		}
	}
	return found
}
