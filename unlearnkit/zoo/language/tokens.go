package language

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// ImageMark marks the place of the image in a text.
const ImageMark = "<image>"

// Words converts texts to a model's tokens and back.
type Words struct {
	tokenizer   tokenize.Tokenizer
	start       []int // tokens that the tokenizer puts before a text
	vocabulary  int   // size of the model's vocabulary
	placeholder int32 // token of the image; negative if the model has no vision
}

// OpenWords reads the tokenizer in the folder of a model with vision.
func OpenWords(dir string, c llava.Config) (*Words, error) {
	return openWords(dir, c.Text.Vocabulary, c.Placeholder)
}

func openWords(dir string, vocabulary int, placeholder int32) (*Words, error) {
	tokenizer, err := tokenize.Load(dir)
	if err != nil {
		return nil, fmt.Errorf("the tokenizer: %w", err)
	}
	start, err := startOf(dir, tokenizer)
	return &Words{tokenizer, start, vocabulary, placeholder}, err
}

// NewWords returns Words for a tokenizer and a model with vision.
func NewWords(t *tokenize.Pipeline, c llava.Config) *Words {
	start, _ := t.Frame()
	return &Words{t, start, c.Text.Vocabulary, c.Placeholder}
}

// ID returns the ID of a special token, such as </s>, or false if the tokenizer does not know it.
func (w *Words) ID(token string) (int32, bool) {
	switch t := w.tokenizer.(type) {
	case *tokenize.Pipeline:
		id, known := t.ID(token)
		return int32(id), known
	case *tokenize.SentencePiece:
		for id := range t.Size() {
			if t.Piece(id) == token {
				return int32(id), true
			}
		}
	}
	return 0, false
}

// Decode returns the text that the tokens stand for.
func (w *Words) Decode(tokens []int32) string {
	ids := make([]int, len(tokens))
	for i, token := range tokens {
		ids[i] = int(token)
	}
	return w.tokenizer.Decode(ids)
}

// startOf returns the tokens that a tokenizer puts before a text. They are in tokenizer.json or, for SentencePiece, the
// begin-of-sequence piece, unless tokenizer_config.json disables it.
func startOf(dir string, t tokenize.Tokenizer) ([]int, error) {
	switch t := t.(type) {
	case *tokenize.Pipeline:
		before, _ := t.Frame()
		return before, nil
	case *tokenize.SentencePiece:
		path := filepath.Join(dir, "tokenizer_config.json")
		text, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		config := struct {
			Start bool `json:"add_bos_token"`
		}{true}
		if err == nil {
			if err := json.Unmarshal(text, &config); err != nil {
				return nil, fmt.Errorf("read %s: %w", path, err)
			}
		}
		if config.Start && t.Start() >= 0 {
			return []int{t.Start()}, nil
		}
	}
	return nil, nil
}

// Tokens returns the token IDs of a text, with the tokenizer's start tokens, and with the placeholder for [ImageMark].
func (w *Words) Tokens(text string) ([]int32, error) {
	ids := w.start
	switch count := strings.Count(text, ImageMark); {
	case count == 0:
		ids = append(ids[:len(ids):len(ids)], w.tokenizer.Encode(text)...)
	case w.placeholder < 0:
		return nil, fmt.Errorf("the text has %s, and the model sees no images", ImageMark)
	case count > 1:
		return nil, fmt.Errorf("the text has %s %d times; a model takes one image", ImageMark, count)
	default:
		ids = append(ids[:len(ids):len(ids)], w.around(text)...)
	}
	all := make([]int32, len(ids))
	for i, id := range ids {
		if id < 0 || id >= w.vocabulary {
			return nil, fmt.Errorf("the tokenizer gives the id %d for a part of %.40q, the model has %d: they do not "+
				"belong together", id, text, w.vocabulary)
		}
		all[i] = int32(id)
	}
	return all, nil
}

// around encodes a text with one mark. If the tokenizer does not know the mark, the texts before and after it are
// encoded separately, as in the code of LLaVA's authors.
func (w *Words) around(text string) []int {
	placeholder := int(w.placeholder)
	if pipeline, ok := w.tokenizer.(*tokenize.Pipeline); ok {
		if id, known := pipeline.ID(ImageMark); known && id == placeholder {
			return pipeline.Encode(text)
		}
	}
	before, behind, _ := strings.Cut(text, ImageMark)
	ids := append(w.tokenizer.Encode(before), placeholder)
	return append(ids, w.tokenizer.Encode(behind)...)
}

// Join appends a continuation to a text with one space between them, or none if the text is empty or there is other
// white space. Spaces at the end of the text are ignored.
func Join(text, continuation string) string {
	text = strings.TrimRight(text, " ")
	if text == "" || strings.TrimRight(text, "\t\r\n") != text ||
		strings.TrimLeft(continuation, " \t\r\n") != continuation {
		return text + continuation
	}
	return text + " " + continuation
}

// Continue tokenises a text and a continuation, as concatenated by [Join], and returns the tokens of both. Spaces at
// the end of the text, and a token that overlaps both, belong to the continuation.
func (w *Words) Continue(text, continuation string) (prompt, next []int32, err error) {
	head, err := w.Tokens(strings.TrimRight(text, " "))
	if err != nil {
		return nil, nil, err
	}
	whole, err := w.Tokens(Join(text, continuation))
	if err != nil {
		return nil, nil, err
	}
	shared := 0
	for shared < min(len(head), len(whole)) && head[shared] == whole[shared] {
		shared++
	}
	return whole[:shared], whole[shared:], nil
}

// Token returns the text of a token for display on one line, without a space before it.
func (w *Words) Token(id int32) string {
	text := ""
	switch t := w.tokenizer.(type) {
	case *tokenize.Pipeline:
		text = t.Token(int(id))
	case *tokenize.SentencePiece:
		text = t.Piece(int(id))
	}
	if plain := w.tokenizer.Decode([]int{int(id)}); strings.TrimSpace(plain) != "" {
		text = plain
	}
	if text = strings.Trim(text, " ▁Ġ"); text == "" {
		return "(space)"
	}
	return strings.ReplaceAll(text, "\n", `\n`)
}
