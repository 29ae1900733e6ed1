package export

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// Tokenizer describes a model's tokenizer for the library transformers.
type Tokenizer struct {
	JSON      []byte // content of tokenizer.json, with byte-pair encoding
	Start     string // token before every text
	End       string // token after every text
	Padding   string
	MaxLength int // maximum length of a text in tokens
	// Open omits the end token after a text, so that a model can continue the text.
	Open bool
	// More lists further special tokens by role.
	More map[string]string
}

// Write writes tokenizer.json and tokenizer_config.json into a model's folder. Older releases of the library tokenizers
// can read the result: merges are single strings, and components have only the settings that they need.
func (t Tokenizer) Write(dir string) error {
	var document map[string]any
	if err := json.Unmarshal(t.JSON, &document); err != nil {
		return fmt.Errorf("write %s: the tokenizer: %w", dir, err)
	}
	for _, part := range []string{"normalizer", "pre_tokenizer", "post_processor", "decoder"} {
		if err := prune(document[part]); err != nil {
			return fmt.Errorf("write %s: %w", dir, err)
		}
	}
	model := document["model"].(map[string]any)
	for i, merge := range model["merges"].([]any) {
		if pair, two := merge.([]any); two {
			model["merges"].([]any)[i] = fmt.Sprintf("%s %s", pair...)
		}
	}
	if t.Open {
		openTemplate(document["post_processor"], t.End)
	}
	config := map[string]any{"tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": t.MaxLength,
		"bos_token": t.Start, "eos_token": t.End, "pad_token": t.Padding, "clean_up_tokenization_spaces": false,
		"model_input_names": []string{"input_ids", "attention_mask"}}
	for name, token := range t.More {
		config[name] = token
	}
	if err := WriteJSON(filepath.Join(dir, "tokenizer.json"), document); err != nil {
		return err
	}
	return WriteJSON(filepath.Join(dir, "tokenizer_config.json"), config)
}

// settings lists the allowed settings of each type of component. Older releases of the library tokenizers reject
// others.
var settings = map[string][]string{
	"NFC":                {},
	"Lowercase":          {},
	"Sequence":           {"normalizers", "pretokenizers"},
	"Split":              {"pattern", "behavior", "invert"},
	"ByteLevel":          {"add_prefix_space", "trim_offsets", "use_regex"},
	"TemplateProcessing": {"single", "pair", "special_tokens"},
}

// prune deletes settings that a component's type does not allow.
func prune(component any) error {
	fields, is := component.(map[string]any)
	if !is {
		return nil
	}
	kind, _ := fields["type"].(string)
	own, known := settings[kind]
	if !known {
		return fmt.Errorf("the tokenizer has a component of type %q", kind)
	}
	for name := range fields {
		if name != "type" && !slices.Contains(own, name) {
			delete(fields, name)
		}
	}
	for _, list := range []string{"normalizers", "pretokenizers"} {
		parts, _ := fields[list].([]any)
		for _, part := range parts {
			if err := prune(part); err != nil {
				return err
			}
		}
	}
	return nil
}

// openTemplate removes the end token from a post-processor's templates.
func openTemplate(processor any, end string) {
	fields := processor.(map[string]any)
	for _, name := range []string{"single", "pair"} {
		var kept []any
		for _, item := range fields[name].([]any) {
			special, _ := item.(map[string]any)["SpecialToken"].(map[string]any)
			if special == nil || special["id"] != end {
				kept = append(kept, item)
			}
		}
		fields[name] = kept
	}
	delete(fields["special_tokens"].(map[string]any), end)
}

// WriteJSON writes a value as an indented JSON file.
func WriteJSON(path string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
