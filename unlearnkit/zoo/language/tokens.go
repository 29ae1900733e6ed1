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

// ImageMark stands in a text where the model sees the image.
const ImageMark = "<image>"

// Words turns texts into the tokens of one model, and back.
type Words struct {
	tokenizer   tokenize.Tokenizer
	start       []int // what the tokenizer puts before a text
	vocabulary  int   // of the model
	placeholder int32 // of the image; negative where the model sees none
}

// OpenWords reads the tokenizer in the folder of a model that sees.
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

// NewWords are those of a tokenizer for a model that sees.
func NewWords(t *tokenize.Pipeline, c llava.Config) *Words {
	start, _ := t.Frame()
	return &Words{t, start, c.Text.Vocabulary, c.Placeholder}
}

// ID is the id of a special token, such as </s>; false where the tokenizer has none of that name.
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

// Decode is the text of tokens.
func (w *Words) Decode(tokens []int32) string {
	ids := make([]int, len(tokens))
	for i, token := range tokens {
		ids[i] = int(token)
	}
	return w.tokenizer.Decode(ids)
}

// startOf is what a tokenizer puts before a text: what its tokenizer.json says, and of SentencePiece's file the piece
// of the beginning, unless tokenizer_config.json forbids it.
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

// Tokens returns the ids of a text with what the tokenizer puts before it, and the placeholder where the text has
// [ImageMark].
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

// around encodes a text with one mark. A tokenizer that does not know the mark encodes what is before and behind it
// each for itself, as the code of LLaVA's authors does.
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

// Join puts a continuation behind a text with one space between, or none where the text is empty or other white space
// is there already. Spaces at the text's end change nothing.
func Join(text, continuation string) string {
	text = strings.TrimRight(text, " ")
	if text == "" || strings.TrimRight(text, "\t\r\n") != text ||
		strings.TrimLeft(continuation, " \t\r\n") != continuation {
		return text + continuation
	}
	return text + " " + continuation
}

// Continue tokenises a text and its continuation together, as [Join] puts them, and returns the tokens of both. Of a
// token that has the end of the text and the beginning of the continuation, the continuation is the owner, and so it is
// of spaces at the text's end.
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

// Token is the text of one token on a line, for a reader, without the space before it.
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
