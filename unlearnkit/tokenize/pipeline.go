package tokenize

import (
	"slices"
	"strings"
)

// Pipeline is a tokenizer made of the parts that a Hugging Face tokenizer.json names: added tokens are cut out of the
// text, what lies between is normalised, split into words and encoded by byte-pair encoding. Decoding leaves special
// tokens out.
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

// A chunk is a part of the text on its way to a word; first says that it stands at the text's beginning.
type chunk struct {
	text  string
	first bool
}

// A splitter splits a chunk further and may rewrite it.
type splitter func(chunk) []chunk

// A decoder turns the tokens of ids into others, nearer to text.
type decoder func(tokens []string) []string

// Encode returns the ids of the text alone, without what the file's post-processor puts around it.
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

// EncodeFramed returns the ids of the text with those of its beginning and end that the file's post-processor names.
func (p *Pipeline) EncodeFramed(text string) []int {
	return slices.Concat(p.before, p.Encode(text), p.after)
}

// Frame returns the ids that the file's post-processor puts before a text and after it.
func (p *Pipeline) Frame() (before, after []int) {
	return slices.Clone(p.before), slices.Clone(p.after)
}

// Context returns the framed ids cut to length, the marks of beginning and end kept, or filled up with padding.
func (p *Pipeline) Context(text string, length, padding int) []int {
	content := p.Encode(text)
	if room := length - len(p.before) - len(p.after); room >= 0 && len(content) > room {
		content = content[:room]
	}
	return Fit(slices.Concat(p.before, content, p.after), length, padding)
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

// Size is one more than the largest id, of the vocabulary or of an added token.
func (p *Pipeline) Size() int { return p.size }

// ID is the id of a token as the file writes it, added ones included.
func (p *Pipeline) ID(token string) (id int, ok bool) {
	id, ok = p.ids[token]
	return id, ok
}

// Token is the token of an id as the file writes it, "" where there is none.
func (p *Pipeline) Token(id int) string { return p.tokens[id] }

// JSON is the tokenizer.json that the tokenizer was read from.
func (p *Pipeline) JSON() []byte { return slices.Clone(p.document) }
