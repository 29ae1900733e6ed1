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
)

// ImageMark stands in a text where the model sees the image.
const ImageMark = "<image>"

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
func (m *Model) Tokens(text string) ([]int32, error) {
	ids := m.start
	switch count := strings.Count(text, ImageMark); {
	case count == 0:
		ids = append(ids[:len(ids):len(ids)], m.tokenizer.Encode(text)...)
	case m.sees == nil:
		return nil, fmt.Errorf("the text has %s, and the model sees no images", ImageMark)
	case count > 1:
		return nil, fmt.Errorf("the text has %s %d times; a model takes one image", ImageMark, count)
	default:
		ids = append(ids[:len(ids):len(ids)], m.around(text)...)
	}
	all := make([]int32, len(ids))
	for i, id := range ids {
		if id < 0 || id >= m.Text.Vocabulary {
			return nil, fmt.Errorf("the tokenizer gives the id %d for a part of %.40q, the model has %d: they do not "+
				"belong together", id, text, m.Text.Vocabulary)
		}
		all[i] = int32(id)
	}
	return all, nil
}

// around encodes a text with one mark. A tokenizer that does not know the mark encodes what is before and behind it
// each for itself, as the code of LLaVA's authors does.
func (m *Model) around(text string) []int {
	placeholder := int(m.sees.Placeholder)
	if pipeline, ok := m.tokenizer.(*tokenize.Pipeline); ok {
		if id, known := pipeline.ID(ImageMark); known && id == placeholder {
			return pipeline.Encode(text)
		}
	}
	before, behind, _ := strings.Cut(text, ImageMark)
	ids := append(m.tokenizer.Encode(before), placeholder)
	return append(ids, m.tokenizer.Encode(behind)...)
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
func (m *Model) Continue(text, continuation string) (prompt, next []int32, err error) {
	head, err := m.Tokens(strings.TrimRight(text, " "))
	if err != nil {
		return nil, nil, err
	}
	whole, err := m.Tokens(Join(text, continuation))
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
func (m *Model) Token(id int32) string {
	text := ""
	switch t := m.tokenizer.(type) {
	case *tokenize.Pipeline:
		text = t.Token(int(id))
	case *tokenize.SentencePiece:
		text = t.Piece(int(id))
	}
	if plain := m.tokenizer.Decode([]int{int(id)}); strings.TrimSpace(plain) != "" {
		text = plain
	}
	if text = strings.Trim(text, " ▁Ġ"); text == "" {
		return "(space)"
	}
	return strings.ReplaceAll(text, "\n", `\n`)
}
