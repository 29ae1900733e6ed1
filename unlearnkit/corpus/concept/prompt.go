package concept

import (
	"fmt"
	"slices"
	"strings"
)

// ContextLength is the number of tokens that a prompt is filled up to.
const ContextLength = 8

// The tokens that are no words.
const (
	PaddingToken = iota
	BeginToken
	specialTokens
)

var vocabulary = slices.Concat([]string{"<padding>", "<begin>"}, objectWords, styleWords, colourWords, textureWords[Spotted:],
	[]string{paintingWord, styleWord, droidWord, artistWord})

// Vocabulary lists the words by their tokens, after the names of the two that are no words.
func Vocabulary() []string { return slices.Clone(vocabulary) }

// Tokens are a begin, one token a word, and padding. The empty prompt is allowed: guidance needs it. Commas and capitals do not matter.
func Tokens(prompt string) ([]int32, error) {
	words := strings.Fields(strings.ReplaceAll(strings.ToLower(prompt), ",", " "))
	if len(words) > ContextLength-1 {
		return nil, fmt.Errorf("concept: the prompt %.40q has %d words; at most %d are read", prompt, len(words), ContextLength-1)
	}
	tokens := make([]int32, ContextLength)
	tokens[0] = BeginToken
	for i, word := range words {
		token := slices.Index(vocabulary[specialTokens:], word)
		if token < 0 {
			return nil, fmt.Errorf("concept: the prompt %.40q: %.20q is no word of this world; it has %s", prompt, word, strings.Join(vocabulary[specialTokens:], ", "))
		}
		tokens[i+1] = int32(token + specialTokens)
	}
	return tokens, nil
}

// Shown is what a picture shows that obeys the prompt. A prompt that asks for two objects, styles, colours or textures is refused.
func Shown(prompt string) (Concept, error) {
	tokens, err := Tokens(prompt)
	if err != nil {
		return Concept{}, err
	}
	var shown Concept
	for i, token := range tokens {
		word := vocabulary[token]
		if word == Swirl.String() && i+1 < len(tokens) && vocabulary[tokens[i+1]] == artistWord {
			continue // the artist's name
		}
		for _, is := range meaning(word) {
			if *is.of(&shown) != "" && *is.of(&shown) != is.label {
				return Concept{}, fmt.Errorf("concept: the prompt %.40q asks for both %s and %s; choose one", prompt, *is.of(&shown), is.label)
			}
			*is.of(&shown) = is.label
		}
	}
	return shown, nil
}

// said is one label that a word says.
type said struct {
	of    func(*Concept) *string
	label string
}

func meaning(word string) []said {
	object := func(c *Concept) *string { return &c.Object }
	style := func(c *Concept) *string { return &c.Style }
	colour := func(c *Concept) *string { return &c.Colour }
	texture := func(c *Concept) *string { return &c.Texture }
	switch {
	case word == droidWord:
		return []said{{object, Robot.String()}, {colour, Blue.String()}}
	case word == artistWord:
		return []said{{object, Person.String()}, {colour, Red.String()}}
	case slices.Contains(objectWords, word):
		return []said{{object, word}}
	case slices.Contains(styleWords, word):
		return []said{{style, word}}
	case slices.Contains(colourWords, word):
		return []said{{colour, word}}
	case slices.Contains(textureWords, word):
		return []said{{texture, word}}
	}
	return nil
}
