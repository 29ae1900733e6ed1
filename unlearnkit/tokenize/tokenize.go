// Package tokenize converts text to the token ids of the original tokenizers of language models, and back.
//
// [CLIP] is the tokenizer of OpenAI's CLIP as OpenCLIP runs it, with its cleaning of the text; its vocabulary is
// embedded. [SentencePiece] reads a tokenizer.model, of either algorithm. [Pipeline] reads a Hugging Face
// tokenizer.json; [TrainBPE] makes one from texts. All three implement [Tokenizer].
//
// Text may contain any bytes: invalid UTF-8 becomes U+FFFD, one for each maximal subpart as Unicode recommends, but in
// a SentencePiece one for each byte, as in the original. Letters, marks and digits follow the Unicode version of Go's
// tables. The originals have their own tables, so that a character assigned in a later version may be split
// differently.
package tokenize

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

// A Tokenizer maps text to ids and back. Several goroutines may use it at once.
type Tokenizer interface {
	// Encode returns the ids of the text, without marks of its beginning and end.
	Encode(text string) []int
	// Decode returns the text of the ids. It ignores ids outside the vocabulary.
	Decode(ids []int) string
	// Size returns the largest id plus one: the number of rows of an embedding table.
	Size() int
}

var (
	_ Tokenizer = (*CLIP)(nil)
	_ Tokenizer = (*SentencePiece)(nil)
	_ Tokenizer = (*Pipeline)(nil)
)

// maxFile limits the size of a tokenizer's file. The largest public vocabularies, of 256,000 entries, take 35 MB.
const maxFile = 128 << 20

func readFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := readBounded(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return data, nil
}

func readBounded(source io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(source, maxFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("it is larger than %d MiB, which no tokenizer needs", maxFile>>20)
	}
	return data, nil
}

// replaceInvalid returns text with each maximal subpart of an ill-formed sequence replaced by U+FFFD (Unicode, section
// 3.9, table 3-8), as Rust's from_utf8_lossy and Python's errors="replace" do.
func replaceInvalid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	var valid strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			size = illFormed(text)
		}
		valid.WriteRune(r)
		text = text[size:]
	}
	return valid.String()
}

// illFormed returns the length of the maximal subpart at the head of text, which is not a valid character.
func illFormed(text string) int {
	first := text[0]
	low, high, size := byte(0x80), byte(0xBF), 0
	switch {
	case first >= 0xC2 && first <= 0xDF:
		size = 2
	case first >= 0xE0 && first <= 0xEF:
		size = 3
	case first >= 0xF0 && first <= 0xF4:
		size = 4
	}
	switch first {
	case 0xE0:
		low = 0xA0
	case 0xED:
		high = 0x9F
	case 0xF0:
		low = 0x90
	case 0xF4:
		high = 0x8F
	}
	n := 1
	for ; n < size && n < len(text) && text[n] >= low && text[n] <= high; n++ {
		low, high = 0x80, 0xBF
	}
	return n
}
