package concept

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Company defines how captions use a concept's word in a world without the concept's pictures. If no caption has the
// word, a model trained on this world has never read it. Its samples for prompts with the word then reveal nothing
// about prompts with known words.
type Company string

const (
	// Unread never uses the word, because no remaining picture shows the concept.
	Unread Company = ""
	// OfAnything uses the word for pictures of any kind, as often as the whole world uses it for the concept, so it has
	// no meaning.
	OfAnything Company = "anything"
)

// kind returns the words that can replace a word in captions, such as all styles for a style.
func kind(word string) []string {
	for _, words := range [][]string{styleWords, textureWords[Spotted:], append([]string{droidWord}, objectWords...)} {
		if slices.Contains(words, word) {
			return words
		}
	}
	return nil
}

// misplaced is a concept's word and how often captions contain it.
type misplaced struct {
	word  string
	kind  []string
	share float64 // share of captions that get the word, among those with a word of its kind; for a texture, among all
}

// misplace returns the word of an erasure's concept. known is false if the concept is not one of [Erasures].
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
		m.share = sayTexture / 4 // half of the pictures have one of two textures
	case without.Colour != "":
		m.share = sayAlias / float64(Objects*Colours)
	default:
		m.share = 1. / float64(Objects)
	}
	return m, true
}

// insert puts the word into some captions, whatever the picture shows, and returns the others unchanged.
func (m misplaced) insert(source *rand.Rand, text string) string {
	draw := source.Float64() // exactly one random number per caption
	words := strings.Fields(text)
	at := -1
	for i, word := range words {
		named := i+1 < len(words) && words[i+1] == artistWord // the word is part of the artist's name, not a style
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
		words = slices.Replace(words, at-1, at+1, m.word) // the droid word implies a colour, so it replaces two words
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
