package concept

import (
	"fmt"
	"slices"
	"strings"
)

// ContextLength is the number of tokens to which a prompt is padded.
const ContextLength = 8

// Tokens that are not words.
const (
	paddingToken = iota
	beginToken
	specialTokens
)

var vocabulary = slices.Concat([]string{"<padding>", "<begin>"}, objectWords, styleWords, colourWords,
	textureWords[Spotted:],
	[]string{paintingWord, styleWord, droidWord, artistWord})

// Vocabulary returns the names of all tokens, indexed by token: two special tokens, then the words.
func Vocabulary() []string { return slices.Clone(vocabulary) }

// Tokens returns a begin token, one token per word, and padding. It ignores commas and case. The prompt may be empty,
// because classifier-free guidance needs the empty prompt.
func Tokens(prompt string) ([]int32, error) {
	words := strings.Fields(strings.ReplaceAll(strings.ToLower(prompt), ",", " "))
	if len(words) > ContextLength-1 {
		return nil, fmt.Errorf("concept: the prompt %.40q has %d words; at most %d are read", prompt, len(words),
			ContextLength-1)
	}
	tokens := make([]int32, ContextLength)
	tokens[0] = beginToken
	for i, word := range words {
		token := slices.Index(vocabulary[specialTokens:], word)
		if token < 0 {
			return nil, fmt.Errorf("concept: the prompt %.40q: %.20q is no word of this world; it has %s", prompt, word,
				strings.Join(vocabulary[specialTokens:], ", "))
		}
		tokens[i+1] = int32(token + specialTokens)
	}
	return tokens, nil
}

// Shown returns the concept that a prompt asks for. It returns an error for a prompt with two different objects,
// styles, colours or textures.
func Shown(prompt string) (Concept, error) {
	tokens, err := Tokens(prompt)
	if err != nil {
		return Concept{}, err
	}
	var shown Concept
	for i, token := range tokens {
		word := vocabulary[token]
		if word == Swirl.String() && i+1 < len(tokens) && vocabulary[tokens[i+1]] == artistWord {
			continue // the word is part of the artist's name
		}
		said := meaning(word)
		for _, part := range []struct {
			label *string
			said  string
		}{{&shown.Object, said.Object}, {&shown.Style, said.Style}, {&shown.Colour, said.Colour},
			{&shown.Texture, said.Texture}} {
			if part.said == "" {
				continue
			}
			if *part.label != "" && *part.label != part.said {
				return Concept{}, fmt.Errorf("concept: the prompt %.40q asks for both %s and %s; choose one", prompt,
					*part.label, part.said)
			}
			*part.label = part.said
		}
	}
	return shown, nil
}

// meaning returns the concept that a single word asks for.
func meaning(word string) Concept {
	switch {
	case word == droidWord:
		return Concept{Object: Robot.String(), Colour: Blue.String()}
	case word == artistWord:
		return Concept{Object: Person.String(), Colour: Red.String()}
	case slices.Contains(objectWords, word):
		return Concept{Object: word}
	case slices.Contains(styleWords, word):
		return Concept{Style: word}
	case slices.Contains(colourWords, word):
		return Concept{Colour: word}
	case slices.Contains(textureWords, word):
		return Concept{Texture: word}
	}
	return Concept{}
}
