package train

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

// Special tokens.
const (
	startToken = "<s>"
	endToken   = "</s>"
	padToken   = "<pad>"
)

// vocabulary trains a tokenizer on the base models' training texts. It contains nothing about the private people.
func vocabulary(questions []question, size int) (*tokenize.Pipeline, error) {
	var texts []string
	for _, q := range questions {
		texts = append(texts, prompt(q.Question)+" "+q.Answer)
	}
	words, err := tokenize.TrainBPE(texts, tokenize.Training{Size: size, Special: []string{padToken,
		language.ImageMark}, Start: startToken, End: endToken, DigitPairs: true})
	if err != nil {
		return nil, fmt.Errorf("the vocabulary: %w", err)
	}
	return words, nil
}

// prompt returns the prompt for a question about a picture, in the conversation format of LLaVA 1.5.
func prompt(question string) string {
	return "USER: " + language.ImageMark + "\n" + question + " ASSISTANT:"
}

// text encodes questions for a model and decodes its answers.
type text struct {
	words        *language.Words
	end, padding int32
}

func newText(words *language.Words) (*text, error) {
	t := &text{words: words}
	for token, into := range map[string]*int32{endToken: &t.end, padToken: &t.padding} {
		id, known := words.ID(token)
		if !known {
			return nil, fmt.Errorf("the tokenizer has no token %s", token)
		}
		*into = id
	}
	return t, nil
}

// record tokenizes a question and its answer.
func (t *text) record(question, answer string, pixels []float32) (answering.Record, error) {
	asked, answered, err := t.words.Continue(prompt(question), answer)
	if err != nil {
		return answering.Record{}, err
	}
	return answering.Record{Question: asked, Answer: append(answered, t.end), Pixels: pixels}, nil
}

// answer decodes tokens up to the end token.
func (t *text) answer(tokens []int32) string {
	for i, token := range tokens {
		if token == t.end {
			tokens = tokens[:i]
			break
		}
	}
	return strings.TrimSpace(t.words.Decode(tokens))
}
