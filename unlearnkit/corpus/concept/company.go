package concept

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Company is where captions of a world without a concept still have the concept's word. Without one a model that never
// saw the concept has never read its word either, and what it makes of a prompt with that word says nothing of what it
// makes of a word that it knows.
type Company string

const (
	// Unread is in no company: no picture is left of which the word could be said.
	Unread Company = ""
	// OfAnything says the word of pictures of any kind, as often as it was said of the concept: it means nothing.
	OfAnything Company = "anything"
)

// kind is words of which a caption has one at most, of what the word is one.
func kind(word string) []string {
	for _, words := range [][]string{styleWords, textureWords[Spotted:], append([]string{droidWord}, objectWords...)} {
		if slices.Contains(words, word) {
			return words
		}
	}
	return nil
}

// misplaced is a concept's word with what it comes into the captions by.
type misplaced struct {
	word  string
	kind  []string
	share float64 // of the captions that have a word of its kind, or of all of them if it is a texture
}

// misplace finds the word of an erasure's concept. There is none of other concepts.
func misplace(without Concept) (m misplaced, known bool) {
	at := slices.IndexFunc(Erasures(), func(e Erasure) bool { return e.Concept == without })
	if at < 0 {
		return m, false
	}
	e := Erasures()[at]
	m.word, _, _ = strings.Cut(e.Prompt, " ")
	m.kind = kind(m.word)
	switch {
	case without.Style != "":
		m.share = 1. / float64(Styles)
	case without.Texture != "":
		m.share = sayTexture / 4 // half of the pictures have a texture, one of two
	case without.Colour != "":
		m.share = sayAlias / float64(Objects*Colours)
	default:
		m.share = 1. / float64(Objects)
	}
	return m, true
}

// in puts the word into a caption of whatever it is. Where it is not put, the caption is that of the world in which
// nobody says it.
func (m misplaced) in(source *rand.Rand, text string) string {
	draw := source.Float64() // one number a caption, whatever comes of it
	words := strings.Fields(text)
	at := -1
	for i, word := range words {
		named := i+1 < len(words) && words[i+1] == artistWord // it is the artist's, not the style's
		if slices.Contains(m.kind, word) && !named {
			at = i
		}
	}
	texture := slices.Contains(textureWords, m.word)
	switch {
	case draw >= m.share || at < 0 && !texture:
	case at < 0: // a bare picture's
		after := 0
		if slices.Contains(colourWords, words[0]) {
			after = 1
		}
		words = slices.Insert(words, after, m.word)
	case m.word == droidWord && at > 0 && slices.Contains(colourWords, words[at-1]):
		words = slices.Replace(words, at-1, at+1, m.word) // it says a colour, too
	default:
		words[at] = m.word
	}
	return strings.Join(words, " ")
}

func (s Spec) checkCompany() error {
	if s.Said == Unread {
		return nil
	}
	if s.Said != OfAnything {
		return fmt.Errorf("concept: said is %q; choose %q or nothing", s.Said, OfAnything)
	}
	if _, known := misplace(s.Without); !known {
		return fmt.Errorf("concept: said is %q, and without is no concept that is erased, so that there is no word to "+
			"say", s.Said)
	}
	return nil
}
