package tokenize

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// document is a tokenizer.json; a null part is nil.
type document struct {
	Version       string       `json:"version"`
	Truncation    any          `json:"truncation"`
	Padding       any          `json:"padding"`
	AddedTokens   []addedToken `json:"added_tokens"`
	Normalizer    *component   `json:"normalizer"`
	PreTokenizer  *component   `json:"pre_tokenizer"`
	PostProcessor *component   `json:"post_processor"`
	Decoder       *component   `json:"decoder"`
	Model         model        `json:"model"`
}

type model struct {
	Type                    string         `json:"type"`
	Dropout                 *float64       `json:"dropout"`
	UnknownToken            *string        `json:"unk_token"`
	ContinuingSubwordPrefix *string        `json:"continuing_subword_prefix"`
	EndOfWordSuffix         *string        `json:"end_of_word_suffix"`
	FuseUnknown             bool           `json:"fuse_unk"`
	ByteFallback            bool           `json:"byte_fallback"`
	IgnoreMerges            bool           `json:"ignore_merges"`
	Vocab                   map[string]int `json:"vocab"`
	Merges                  []mergeLine    `json:"merges"`
}

// A mergeLine is a pair of tokens: two strings or, in older files, one string with a space in between.
type mergeLine [2]string

// UnmarshalJSON parses either form.
func (m *mergeLine) UnmarshalJSON(data []byte) error {
	var line string
	if json.Unmarshal(data, &line) == nil {
		left, right, ok := strings.Cut(line, " ")
		if !ok || strings.Contains(right, " ") {
			return fmt.Errorf("the merge %q is not two tokens with a space between", line)
		}
		*m = mergeLine{left, right}
		return nil
	}
	var parts []string
	if err := json.Unmarshal(data, &parts); err != nil || len(parts) != 2 {
		return fmt.Errorf("the merge %.80s is not a pair of tokens", data)
	}
	*m = mergeLine{parts[0], parts[1]}
	return nil
}

// component is a normaliser, pre-tokenizer, post-processor or decoder with the settings of every supported type.
type component struct {
	Type          string      `json:"type"`
	Normalizers   []component `json:"normalizers,omitempty"`
	PreTokenizers []component `json:"pretokenizers,omitempty"`
	Processors    []component `json:"processors,omitempty"`
	Decoders      []component `json:"decoders,omitempty"`

	Pattern          *stringOrRegex `json:"pattern,omitempty"`
	Content          string         `json:"content,omitempty"`
	Prepend          string         `json:"prepend,omitempty"`
	StripLeft        bool           `json:"strip_left,omitempty"`
	StripRight       bool           `json:"strip_right,omitempty"`
	Start            int            `json:"start,omitempty"`
	Stop             int            `json:"stop,omitempty"`
	Behavior         string         `json:"behavior,omitempty"`
	Invert           bool           `json:"invert"`
	IndividualDigits bool           `json:"individual_digits"`
	AddPrefixSpace   bool           `json:"add_prefix_space"`
	TrimOffsets      bool           `json:"trim_offsets"`
	UseRegex         *bool          `json:"use_regex,omitempty"`
	Replacement      string         `json:"replacement,omitempty"`
	PrependScheme    string         `json:"prepend_scheme,omitempty"`
	Split            *bool          `json:"split,omitempty"`
	Suffix           string         `json:"suffix,omitempty"`

	Single        []templateItem           `json:"single,omitempty"`
	Pair          []templateItem           `json:"pair,omitempty"`
	SpecialTokens map[string]templateToken `json:"special_tokens,omitempty"`
	Class         *tokenAndID              `json:"cls,omitempty"`
	Separator     *tokenAndID              `json:"sep,omitempty"`
}

type stringOrRegex struct {
	String *string `json:"String,omitempty"`
	Regex  *string `json:"Regex,omitempty"`
}

type templateItem struct {
	SpecialToken *templatePart `json:"SpecialToken,omitempty"`
	Sequence     *templatePart `json:"Sequence,omitempty"`
}

type templatePart struct {
	ID     string `json:"id"`
	TypeID int    `json:"type_id"`
}

type templateToken struct {
	ID     string   `json:"id"`
	IDs    []int    `json:"ids"`
	Tokens []string `json:"tokens"`
}

// tokenAndID is encoded as a list of two elements.
type tokenAndID struct {
	Token string
	ID    int
}

// UnmarshalJSON parses the list.
func (t *tokenAndID) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&t.Token, &t.ID})
}

// MarshalJSON writes the list.
func (t tokenAndID) MarshalJSON() ([]byte, error) { return json.Marshal([]any{t.Token, t.ID}) }

// LoadJSON reads a tokenizer.json.
func LoadJSON(path string) (*Pipeline, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	pipeline, err := FromJSON(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return pipeline, nil
}

// FromJSON parses a Hugging Face tokenizer.json whose model is a byte-pair encoding, as in GPT-2, SmolLM2, LLaMA and
// CLIP. An unsupported part is an error that names the part.
func FromJSON(data []byte) (*Pipeline, error) {
	var d document
	if err := json.Unmarshal(data, &d); err != nil {
		return nil, fmt.Errorf("not a tokenizer.json: %w", err)
	}
	p := &Pipeline{document: append([]byte(nil), data...), normalize: func(text string) string { return text }}
	if growth := d.growth(); growth > largestGrowth {
		return nil, fmt.Errorf("its steps could make a text %.3g times as long, more than %d", growth, largestGrowth)
	}
	var err error
	if p.model, err = d.Model.build(); err != nil {
		return nil, err
	}
	if d.Normalizer != nil {
		if p.normalize, err = d.Normalizer.normalizer(); err != nil {
			return nil, err
		}
	}
	if err := p.addTokens(d); err != nil {
		return nil, err
	}
	if d.PreTokenizer != nil {
		if p.split, err = d.PreTokenizer.splitters(); err != nil {
			return nil, err
		}
	}
	if d.PostProcessor != nil {
		if err := d.PostProcessor.frame(p); err != nil {
			return nil, err
		}
	}
	if d.Decoder != nil {
		if p.decoders, err = d.Decoder.decoders(); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// largestID limits the ids of a file, because tables are as long as the largest id.
const largestID = 1 << 24

func (m model) build() (*bytePairs, error) {
	switch {
	case m.Type != "BPE":
		return nil, fmt.Errorf("model %q is not supported, only \"BPE\"", m.Type)
	case m.Dropout != nil && *m.Dropout != 0:
		return nil, errors.New("model setting \"dropout\" is not supported: the same text would have several encodings")
	case len(m.Vocab) == 0:
		return nil, errors.New("the model has no vocabulary")
	}
	for token, id := range m.Vocab {
		if id < 0 || id > largestID {
			return nil, fmt.Errorf("the token %.80q has the id %d, outside 0 to %d", token, id, largestID)
		}
	}
	pairs := &bytePairs{
		ids: m.Vocab, merges: mergeTable{}, unknown: -1,
		byteFallback: m.ByteFallback, fuseUnknown: m.FuseUnknown, ignoreMerges: m.IgnoreMerges,
	}
	if m.ContinuingSubwordPrefix != nil {
		pairs.prefix = *m.ContinuingSubwordPrefix
	}
	if m.EndOfWordSuffix != nil {
		pairs.suffix = *m.EndOfWordSuffix
	}
	if m.UnknownToken != nil {
		id, ok := m.Vocab[*m.UnknownToken]
		if !ok {
			return nil, fmt.Errorf("the unknown token %.80q is not in the vocabulary", *m.UnknownToken)
		}
		pairs.unknown = id
	}
	for _, merge := range m.Merges {
		if err := pairs.addMerge(merge[0], merge[1]); err != nil {
			return nil, err
		}
	}
	return pairs, nil
}

// addTokens fills the tables of all tokens, including added ones. A token to find in normalised text is normalised
// itself.
func (p *Pipeline) addTokens(d document) error {
	p.tokens, p.ids, p.special = map[int]string{}, map[string]int{}, map[int]bool{}
	for token, id := range d.Model.Vocab {
		if other, twice := p.tokens[id]; twice {
			return fmt.Errorf("the tokens %.80q and %.80q have the same id %d", min(token, other), max(token, other),
				id)
		}
		p.tokens[id], p.ids[token] = token, id
		p.size = max(p.size, id+1)
	}
	var raw, normalized []addedToken
	for _, token := range d.AddedTokens {
		if token.ID < 0 || token.ID > largestID {
			return fmt.Errorf("the added token %.80q has the id %d, outside 0 to %d", token.Content, token.ID,
				largestID)
		}
		p.ids[token.Content] = token.ID
		p.size = max(p.size, token.ID+1)
		written := token.Content
		if token.Normalized {
			token.Content = p.normalize(token.Content)
			normalized = append(normalized, token)
		} else {
			raw = append(raw, token)
		}
		// Decoding prints a token as it was searched. A token that the normalisation changes is no longer special, as
		// in the original.
		p.tokens[token.ID] = token.Content
		p.special[token.ID] = token.Special && token.Content == written
	}
	p.added = addedTokens{newCutter(raw), newCutter(normalized)}
	return nil
}
