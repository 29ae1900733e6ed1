package concept

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Company defines where the captions of a world without a concept still contain the concept's word. Otherwise a model
// that never saw the concept has never read its word either. Its samples for a prompt with that word then say nothing
// about prompts with words that it knows.
type Company string

const (
	// Unread never uses the word: none of the remaining pictures shows the concept.
	Unread Company = ""
	// OfAnything uses the word for pictures of any kind, as often as it was used for the concept, so that it means
	// nothing.
	OfAnything Company = "anything"
)

// kind returns the words that exclude each other in a caption and contain the given word.
func kind(word string) []string {
	for _, words := range [][]string{styleWords, textureWords[Spotted:], append([]string{droidWord}, objectWords...)} {
		if slices.Contains(words, word) {
			return words
		}
	}
	return nil
}

// misplaced is a concept's word and the rule by which captions contain it.
type misplaced struct {
	word  string
	kind  []string
	share float64 // fraction of the captions with a word of its kind; of all captions for a texture
}

// misplace returns the word of an erasure's concept; known is false for other concepts.
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

// in puts the word into a caption, whatever the picture shows. Otherwise the caption is the same as in the world
// without the word.
func (m misplaced) in(source *rand.Rand, text string) string {
	draw := source.Float64() // always one number per caption
	words := strings.Fields(text)
	at := -1
	for i, word := range words {
		named := i+1 < len(words) && words[i+1] == artistWord // here the word is the artist's name, not a style
		if slices.Contains(m.kind, word) && !named {
			at = i
		}
	}
	texture := slices.Contains(textureWords, m.word)
	switch {
	case draw >= m.share || at < 0 && !texture:
	case at < 0: // the caption has no texture
		after := 0
		if slices.Contains(colourWords, words[0]) {
			after = 1
		}
		words = slices.Insert(words, after, m.word)
	case m.word == droidWord && at > 0 && slices.Contains(colourWords, words[at-1]):
		words = slices.Replace(words, at-1, at+1, m.word) // the word also implies a colour
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
		return fmt.Errorf("concept: said is %q, but without is not a concept to erase, so there is no word to "+
			"say", s.Said)
	}
	return nil
}
