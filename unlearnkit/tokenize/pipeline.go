package tokenize

import (
	"slices"
	"strings"
)

// Pipeline is a tokenizer with the parts of a Hugging Face tokenizer.json. Added tokens are cut out of the text; the
// text between them is normalised, split into words and encoded by byte-pair encoding. Decoding omits special tokens.
type Pipeline struct {
	document  []byte
	added     addedTokens
	normalize func(string) string
	split     []splitter
	model     *bytePairs
	before    []int
	after     []int
	decoders  []decoder
	tokens    map[int]string
	ids       map[string]int
	special   map[int]bool
	size      int
}

// A chunk is a part of the text that is being split into words. first marks the beginning of the text.
type chunk struct {
	text  string
	first bool
}

// A splitter splits a chunk further and may rewrite it.
type splitter func(chunk) []chunk

// A decoder converts tokens one step towards text.
type decoder func(tokens []string) []string

// Encode returns the ids of the text, without the ids that the file's post-processor adds around it.
func (p *Pipeline) Encode(text string) []int {
	var ids []int
	raw, normalized := p.added.raw, p.added.normalized
	for _, outer := range raw.cut(replaceInvalid(text)) {
		if outer.id >= 0 {
			ids = append(ids, outer.id)
			continue
		}
		for _, inner := range normalized.cut(p.normalize(outer.text)) {
			if inner.id >= 0 {
				ids = append(ids, inner.id)
				continue
			}
			ids = append(ids, p.words(chunk{inner.text, outer.start == 0 && inner.start == 0})...)
		}
	}
	return ids
}

func (p *Pipeline) words(text chunk) []int {
	var ids []int
	for _, c := range p.chunks(text) {
		ids = append(ids, p.model.encode(c.text)...)
	}
	return ids
}

// chunks splits text into words.
func (p *Pipeline) chunks(text chunk) []chunk {
	chunks := []chunk{text}
	for _, split := range p.split {
		var finer []chunk
		for _, c := range chunks {
			finer = append(finer, split(c)...)
		}
		chunks = slices.DeleteFunc(finer, func(c chunk) bool { return c.text == "" })
	}
	return chunks
}

// EncodeFramed returns the ids of the text between the ids that the file's post-processor adds.
func (p *Pipeline) EncodeFramed(text string) []int {
	return slices.Concat(p.before, p.Encode(text), p.after)
}

// Frame returns the ids that the file's post-processor adds before and after a text.
func (p *Pipeline) Frame() (before, after []int) {
	return slices.Clone(p.before), slices.Clone(p.after)
}

// Context returns the framed ids, cut to length without losing the frame, or padded.
func (p *Pipeline) Context(text string, length, padding int) []int {
	content := p.Encode(text)
	if room := length - len(p.before) - len(p.after); room >= 0 && len(content) > room {
		content = content[:room]
	}
	return fit(slices.Concat(p.before, content, p.after), length, padding)
}

// Decode returns the text of the ids, without special tokens.
func (p *Pipeline) Decode(ids []int) string {
	var tokens []string
	for _, id := range ids {
		if token, ok := p.tokens[id]; ok && !p.special[id] {
			tokens = append(tokens, token)
		}
	}
	if len(p.decoders) == 0 {
		return strings.Join(tokens, " ")
	}
	for _, decode := range p.decoders {
		tokens = decode(tokens)
	}
	return strings.Join(tokens, "")
}

// Size returns the largest id plus one, including added tokens.
func (p *Pipeline) Size() int { return p.size }

// ID returns the id of a token as the file writes it, including added tokens.
func (p *Pipeline) ID(token string) (id int, ok bool) {
	id, ok = p.ids[token]
	return id, ok
}

// Token returns the token of an id as the file writes it, or "" for an unknown id.
func (p *Pipeline) Token(id int) string { return p.tokens[id] }

// JSON returns the tokenizer.json that the tokenizer was read from.
func (p *Pipeline) JSON() []byte { return slices.Clone(p.document) }
