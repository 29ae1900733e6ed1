package tokenize

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

// gpt2Words is the pattern of GPT-2's words, the default of ByteLevel.
const gpt2Words = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|` + lookahead

// splitters returns the steps of the pre-tokenizer that the component describes.
func (c component) splitters() ([]splitter, error) {
	switch c.Type {
	case "Sequence":
		var steps []splitter
		for _, part := range c.PreTokenizers {
			more, err := part.splitters()
			if err != nil {
				return nil, err
			}
			steps = append(steps, more...)
		}
		return steps, nil
	case "ByteLevel":
		return c.byteLevelSplitters()
	case "Digits":
		behavior := contiguous
		if c.IndividualDigits {
			behavior = isolated
		}
		return []splitter{splitBy(runeSpans(unicode.IsNumber), behavior, false)}, nil
	case "WhitespaceSplit":
		return []splitter{splitBy(runeSpans(unicode.IsSpace), removed, false)}, nil
	case "Whitespace":
		const word = wordCharacter + `\x{200C}\x{200D}` // Rust's expressions include the joiners
		words, err := compilePattern(`[` + word + `]+|[^\s` + word + `]+`)
		return []splitter{splitBy(words.find, removed, true)}, err
	case "Metaspace":
		return c.metaspaceSplitters()
	case "Split":
		return c.patternSplitters()
	}
	return nil, fmt.Errorf("pre-tokenizer %q is not supported", c.Type)
}

func (c component) byteLevelSplitters() ([]splitter, error) {
	var steps []splitter
	if c.AddPrefixSpace {
		steps = append(steps, func(text chunk) []chunk {
			if !strings.HasPrefix(text.text, " ") {
				text.text = " " + text.text
			}
			return []chunk{text}
		})
	}
	if c.UseRegex == nil || *c.UseRegex {
		words, err := compilePattern(gpt2Words)
		if err != nil {
			return nil, err
		}
		steps = append(steps, splitBy(words.find, isolated, false))
	}
	return append(steps, func(text chunk) []chunk { return []chunk{{byteLevel(text.text), text.first}} }), nil
}

func (c component) metaspaceSplitters() ([]splitter, error) {
	if c.Replacement == "" {
		return nil, errors.New("pre-tokenizer \"Metaspace\" needs a replacement")
	}
	scheme := c.PrependScheme
	switch {
	case scheme == "" && c.AddPrefixSpace:
		scheme = "always"
	case scheme == "":
		scheme = "never"
	case scheme != "always" && scheme != "first" && scheme != "never":
		return nil, fmt.Errorf("pre-tokenizer \"Metaspace\" with prepend_scheme %q is not supported", scheme)
	}
	steps := []splitter{func(text chunk) []chunk {
		text.text = strings.ReplaceAll(text.text, " ", c.Replacement)
		if (scheme == "always" || scheme == "first" && text.first) && !strings.HasPrefix(text.text, c.Replacement) {
			text.text = c.Replacement + text.text
		}
		return []chunk{text}
	}}
	if c.Split == nil || *c.Split {
		steps = append(steps, splitBy(stringSpans(c.Replacement), mergedWithNext, false))
	}
	return steps, nil
}

func (c component) patternSplitters() ([]splitter, error) {
	behaviors := map[string]behavior{
		"Isolated": isolated, "Removed": removed, "MergedWithPrevious": mergedWithPrevious,
		"MergedWithNext": mergedWithNext, "Contiguous": contiguous,
	}
	how, ok := behaviors[c.Behavior]
	if !ok {
		return nil, fmt.Errorf("pre-tokenizer \"Split\" with behavior %q is not supported", c.Behavior)
	}
	switch {
	case c.Pattern != nil && c.Pattern.String != nil && *c.Pattern.String != "":
		return []splitter{splitBy(stringSpans(*c.Pattern.String), how, c.Invert)}, nil
	case c.Pattern != nil && c.Pattern.Regex != nil:
		p, err := compilePattern(*c.Pattern.Regex)
		if err != nil {
			return nil, err
		}
		return []splitter{splitBy(p.find, how, c.Invert)}, nil
	}
	return nil, errors.New("pre-tokenizer \"Split\" needs a pattern that is a String or a Regex")
}

// A behavior is the treatment of the matches at which a text is split.
type behavior int

const (
	isolated           behavior = iota // each match is a chunk
	removed                            // each match is dropped
	mergedWithPrevious                 // each match belongs to the chunk before it
	mergedWithNext                     // each match belongs to the chunk after it
	contiguous                         // a run of matches is a chunk
)

// splitBy returns a splitter that splits a chunk at the spans that find returns or, with invert, between them.
func splitBy(find func(string) [][2]int, how behavior, invert bool) splitter {
	return func(text chunk) []chunk {
		var chunks []chunk
		previous := false // the last span was a match
		add := func(start, end int, match bool) {
			if start == end {
				return
			}
			joins := len(chunks) > 0 &&
				(how == mergedWithPrevious && match && !previous || how == mergedWithNext && !match && previous ||
					how == contiguous && match == previous)
			part := chunk{text.text[start:end], text.first && start == 0}
			previous = match
			switch {
			case how == removed && match:
			case joins:
				chunks[len(chunks)-1].text += part.text
			default:
				chunks = append(chunks, part)
			}
		}
		end := 0
		for _, span := range find(text.text) {
			add(end, span[0], invert)
			add(span[0], span[1], !invert)
			end = span[1]
		}
		add(end, len(text.text), invert)
		return chunks
	}
}

// stringSpans returns a function that finds the occurrences of separator.
func stringSpans(separator string) func(string) [][2]int {
	return func(text string) [][2]int {
		var spans [][2]int
		for at := 0; ; {
			i := strings.Index(text[at:], separator)
			if i < 0 {
				return spans
			}
			spans = append(spans, [2]int{at + i, at + i + len(separator)})
			at += i + len(separator)
		}
	}
}

// runeSpans returns a function that finds the single characters for which is returns true.
func runeSpans(is func(rune) bool) func(string) [][2]int {
	return func(text string) [][2]int {
		var spans [][2]int
		for i, r := range text {
			if is(r) {
				spans = append(spans, [2]int{i, i + len(string(r))})
			}
		}
		return spans
	}
}
