package tokenize

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

var transformersCLIP = sync.OnceValue(func() *Pipeline {
	c := OpenCLIP()
	vocabulary := map[string]int{clipStart: c.Start(), clipEnd: c.End()}
	for id, token := range c.tokens[:c.Start()] {
		vocabulary[token] = id
	}
	merges := make([]mergeLine, len(c.merges))
	for parts, m := range c.merges {
		merges[m.rank] = mergeLine{c.tokens[parts.left], c.tokens[parts.right]}
	}
	pipeline, err := clipPipeline(vocabulary, merges)
	if err != nil {
		panic("tokenize: the embedded vocabulary: " + err.Error())
	}
	return pipeline
})

const (
	clipStart = "<|startoftext|>"
	clipEnd   = "<|endoftext|>"
)

// TransformersCLIP returns the tokenizer of transformers' CLIPTokenizer, version 5, with the embedded vocabulary: text
// is composed (NFC), its white space becomes spaces and its letters lower case, without any other cleaning. The prompts
// of diffusion pipelines are padded with the end mark: Context(text, clipContext, OpenCLIP().End()).
func TransformersCLIP() *Pipeline { return transformersCLIP() }

// parseCLIPVocabulary reads a CLIP tokenizer from the bytes of vocab.json and merges.txt, the files of older model
// folders and of diffusion pipelines.
func parseCLIPVocabulary(vocabulary, merges []byte) (*Pipeline, error) {
	var ids map[string]int
	if err := json.Unmarshal(vocabulary, &ids); err != nil {
		return nil, fmt.Errorf("vocab.json is not an object of ids: %w", err)
	}
	var lines []mergeLine
	for i, line := range strings.Split(string(merges), "\n") {
		if i == 0 && strings.HasPrefix(line, "#version") || strings.TrimSpace(line) == "" {
			continue
		}
		parts := strings.Fields(line)
		if len(parts) != 2 {
			return nil, fmt.Errorf("merges.txt, line %d: %.80q is not a pair of tokens", i+1, line)
		}
		lines = append(lines, mergeLine{parts[0], parts[1]})
	}
	return clipPipeline(ids, lines)
}

// clipPipeline returns the tokenizer that CLIPTokenizer builds from a vocabulary.
func clipPipeline(vocabulary map[string]int, merges []mergeLine) (*Pipeline, error) {
	start, hasStart := vocabulary[clipStart]
	end, hasEnd := vocabulary[clipEnd]
	if !hasStart || !hasEnd {
		return nil, fmt.Errorf("the vocabulary lacks %s or %s", clipStart, clipEnd)
	}
	suffix, unknown, spaces := clipEndOfWord, clipEnd, `\s+`
	words := `<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`
	d := document{
		Version: "1.0",
		AddedTokens: []addedToken{
			{ID: start, Content: clipStart, Special: true},
			{ID: end, Content: clipEnd, Special: true},
		},
		Normalizer: &component{Type: "Sequence", Normalizers: []component{
			{Type: "NFC"}, {Type: "Replace", Pattern: &stringOrRegex{Regex: &spaces}, Content: " "},
			{Type: "Lowercase"},
		}},
		PreTokenizer: &component{Type: "Sequence", PreTokenizers: []component{
			{Type: "Split", Pattern: &stringOrRegex{Regex: &words}, Behavior: "Removed", Invert: true},
			{Type: "ByteLevel"},
		}},
		PostProcessor: &component{Type: "RobertaProcessing", Class: &tokenAndID{clipStart, start},
			Separator: &tokenAndID{clipEnd, end}},
		Decoder: &component{Type: "Sequence", Decoders: []component{
			{Type: "ByteLevel"}, {Type: "Replace", Pattern: &stringOrRegex{String: &suffix}, Content: " "},
		}},
		Model: model{Type: "BPE", UnknownToken: &unknown, EndOfWordSuffix: &suffix, Vocab: vocabulary, Merges: merges},
	}
	data, err := json.Marshal(d)
	if err != nil {
		return nil, err
	}
	pipeline, err := FromJSON(data)
	if err != nil {
		return nil, err
	}
	// The original adds this step to the file's decoder.
	pipeline.decoders = append(pipeline.decoders, each(func(text string) string {
		return strings.TrimFunc(text, isPythonSpace)
	}))
	return pipeline, nil
}
