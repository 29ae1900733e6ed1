package tokenize

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An addedToken is cut out of the text before the model encodes it.
type addedToken struct {
	ID         int    `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LeftStrip  bool   `json:"lstrip"`
	RightStrip bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
	Special    bool   `json:"special"`
}

// addedTokens holds the tokens to find in the raw text and the tokens to find in the normalised text.
type addedTokens struct{ raw, normalized cutter }

// A cutter finds added tokens by their first byte, the longest first.
type cutter map[byte][]addedToken

func newCutter(tokens []addedToken) cutter {
	c := cutter{}
	for _, token := range tokens {
		if token.Content != "" {
			c[token.Content[0]] = append(c[token.Content[0]], token)
		}
	}
	for _, same := range c {
		slices.SortStableFunc(same, func(a, b addedToken) int { return len(b.Content) - len(a.Content) })
	}
	return c
}

// A section of text is an added token, or, with the id -1, the text between two added tokens.
type section struct {
	text  string
	start int
	id    int
}

func (c cutter) cut(text string) []section {
	var sections []section
	end := 0
	for at := 0; at < len(text); {
		token, ok := c.match(text[at:])
		if !ok {
			at++
			continue
		}
		start, stop := at, at+len(token.Content)
		at = stop
		if token.SingleWord && (endsWithWord(text[:start]) || startsWithWord(text[stop:])) {
			continue
		}
		if token.LeftStrip {
			start = max(len(strings.TrimRightFunc(text[:start], unicode.IsSpace)), end)
		}
		if token.RightStrip {
			stop = len(text) - len(strings.TrimLeftFunc(text[stop:], unicode.IsSpace))
		}
		if start > end {
			sections = append(sections, section{text[end:start], end, -1})
		}
		sections = append(sections, section{text[start:stop], start, token.ID})
		end = stop
		at = max(at, stop)
	}
	if end < len(text) {
		sections = append(sections, section{text[end:], end, -1})
	}
	return sections
}

func (c cutter) match(text string) (addedToken, bool) {
	for _, token := range c[text[0]] {
		if strings.HasPrefix(text, token.Content) {
			return token, true
		}
	}
	return addedToken{}, false
}

func isWordRune(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc)
}

func startsWithWord(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return text != "" && isWordRune(r)
}

func endsWithWord(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return text != "" && isWordRune(r)
}
