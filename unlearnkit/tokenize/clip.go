package tokenize

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
)

//go:embed clip/bpe_simple_vocab_16e6.txt.gz
var clipVocabulary []byte

const (
	clipMerges    = 49152 - 256 - 2 // number of merges; the file's other lines are unused
	clipEndOfWord = "</w>"
	// clipContext is the number of input tokens of every CLIP text tower.
	clipContext = 77
)

// CLIP is the byte-level byte-pair encoding of OpenAI's CLIP, as OpenCLIP's SimpleTokenizer runs it: ftfy cleans the
// text, HTML references are decoded twice, white space is collapsed and letters become lower case. Then words, single
// digits and runs of other characters are encoded separately.
//
// The tokenizer of transformers, which diffusion pipelines use, has the same vocabulary but cleans less and pads with
// the end mark: it is [TransformersCLIP].
type CLIP struct {
	tokens  []string
	ids     map[string]int
	merges  mergeTable
	pattern pattern
}

var openCLIP = sync.OnceValue(func() *CLIP {
	tokenizer, err := readCLIP(bytes.NewReader(clipVocabulary))
	if err != nil {
		panic("tokenize: the embedded vocabulary: " + err.Error())
	}
	return tokenizer
})

// OpenCLIP returns the tokenizer with the embedded vocabulary of all CLIP models of OpenAI and all ViT models of
// OpenCLIP.
func OpenCLIP() *CLIP { return openCLIP() }

// loadCLIP reads a list of merges as readCLIP does.
func loadCLIP(path string) (*CLIP, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	tokenizer, err := readCLIP(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return tokenizer, nil
}

// readCLIP reads a list of merges in the format of bpe_simple_vocab_16e6.txt, compressed by gzip or not: a heading,
// then a pair of tokens per line.
func readCLIP(source io.Reader) (*CLIP, error) {
	buffered := bufio.NewReader(source)
	source = buffered
	if magic, _ := buffered.Peek(2); string(magic) == "\x1f\x8b" {
		unpacked, err := gzip.NewReader(buffered)
		if err != nil {
			return nil, err
		}
		source = unpacked
	}
	data, err := readBounded(source)
	if err != nil {
		return nil, err
	}
	_, list, _ := strings.Cut(string(data), "\n")
	return newCLIP(strings.Split(list, "\n"))
}

func newCLIP(lines []string) (*CLIP, error) {
	c := &CLIP{ids: map[string]int{}, merges: mergeTable{}}
	for _, suffix := range []string{"", clipEndOfWord} {
		for _, b := range clipBytes() {
			c.add(string(b) + suffix)
		}
	}
	for rank, line := range lines {
		if line == "" || rank == clipMerges {
			break
		}
		parts := strings.Fields(line)
		if len(parts) != 2 {
			return nil, fmt.Errorf("line %d: %q is not a pair of tokens", rank+2, line)
		}
		left, known := c.ids[parts[0]]
		right, alsoKnown := c.ids[parts[1]]
		if !known || !alsoKnown {
			return nil, fmt.Errorf("line %d: %q joins a token that no earlier line makes", rank+2, line)
		}
		if _, made := c.ids[parts[0]+parts[1]]; made {
			return nil, fmt.Errorf("line %d: %q makes a token that an earlier line makes", rank+2, line)
		}
		c.merges[pair{left, right}] = mergeResult{rank, c.add(parts[0] + parts[1])}
	}
	if len(c.merges) == 0 {
		return nil, fmt.Errorf("it holds no merges; a CLIP vocabulary has a heading and then a pair of tokens a line")
	}
	c.add("<start_of_text>")
	c.add("<end_of_text>")
	var err error
	// The original ignores case in the classes too. That affects one character: U+0345, whose capital is a letter, is
	// in no class and is skipped.
	c.pattern, err = compilePattern(
		`(?i:<start_of_text>|<end_of_text>|'s|'t|'re|'ve|'m|'ll|'d)|\p{L}+|\p{N}|[^\s\p{L}\p{N}\x{345}]+`)
	return c, err
}

// clipBytes lists the characters of the 256 bytes in the order of their ids: the printable ones first.
func clipBytes() []rune {
	var printable, others []rune
	for b, character := range byteCharacter {
		if int(character) == b {
			printable = append(printable, character)
		} else {
			others = append(others, character)
		}
	}
	return append(printable, others...)
}

func (c *CLIP) add(token string) int {
	c.ids[token] = len(c.tokens)
	c.tokens = append(c.tokens, token)
	return len(c.tokens) - 1
}

// Start returns the id of the token before a text.
func (c *CLIP) Start() int { return len(c.tokens) - 2 }

// End returns the id of the token after a text. It is the largest id, by which a text tower finds the end.
func (c *CLIP) End() int { return len(c.tokens) - 1 }

// Size returns the number of tokens, 49,408 for the embedded vocabulary.
func (c *CLIP) Size() int { return len(c.tokens) }

// Encode returns the ids of the cleaned text, without start and end.
func (c *CLIP) Encode(text string) []int {
	text = cleanCaption(text)
	var ids []int
	for _, span := range c.pattern.find(text) {
		ids = append(ids, c.word(text[span[0]:span[1]])...)
	}
	return ids
}

func (c *CLIP) word(text string) []int {
	if text == "<start_of_text>" || text == "<end_of_text>" {
		return []int{c.ids[text]}
	}
	ids := make([]int, len(text))
	for i := range len(text) {
		ids[i] = c.ids[string(byteCharacter[text[i]])]
	}
	last := text[len(text)-1]
	ids[len(text)-1] = c.ids[string(byteCharacter[last])+clipEndOfWord]
	return mergePairs(ids, c.merges.find, true)
}

// Context returns the ids of text between start and end, cut to length without losing the end mark, or padded with
// zeros.
func (c *CLIP) Context(text string, length int) []int {
	ids := append(append([]int{c.Start()}, c.Encode(text)...), c.End())
	return fit(ids, length, 0)
}

// Decode returns the text of the ids with a space after each word; start and end appear as <start_of_text> and
// <end_of_text>.
func (c *CLIP) Decode(ids []int) string {
	var joined strings.Builder
	for _, id := range ids {
		if id >= 0 && id < len(c.tokens) {
			joined.WriteString(c.tokens[id])
		}
	}
	text := replaceInvalid(fromByteLevel(joined.String()))
	return strings.ReplaceAll(text, clipEndOfWord, " ")
}

// fit returns exactly length ids: padded, or cut so that the last id, which marks the end, remains the last.
func fit(ids []int, length, padding int) []int {
	fitted := make([]int, length)
	n := copy(fitted, ids)
	if len(ids) > length && length > 0 {
		fitted[length-1] = ids[len(ids)-1]
	}
	for i := n; i < length; i++ {
		fitted[i] = padding
	}
	return fitted
}
