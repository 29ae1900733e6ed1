package tokenize

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"
)

// checkTokenizer fails where ids are outside the vocabulary or decoded text is not UTF-8.
func checkTokenizer(t *testing.T, tokenizer Tokenizer, text string) {
	t.Helper()
	if len(text) > 1000 {
		text = text[:1000]
	}
	ids := tokenizer.Encode(text)
	for _, id := range ids {
		if id < 0 || id >= tokenizer.Size() {
			t.Fatalf("%q has the id %d, outside of %d", text, id, tokenizer.Size())
		}
	}
	if decoded := tokenizer.Decode(ids); utf8.ValidString(text) && !utf8.ValidString(decoded) {
		t.Fatalf("%q decodes to %q", text, decoded)
	}
}

func FuzzEncode(f *testing.F) {
	for _, text := range hardStrings(f) {
		if len(text) <= 1000 {
			f.Add(text)
		}
	}
	tokenizers := []Tokenizer{OpenCLIP(), TransformersCLIP()}
	for _, name := range []string{"gpt2_like.json", "llama2_like.json", "llama3_like.json", "suffix_like.json",
		"trained.json", "sp_bpe.model", "sp_unigram.model", "sp_bpe_rules.model"} {
		tokenizer, err := Load(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		tokenizers = append(tokenizers, tokenizer)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, tokenizer := range tokenizers {
			checkTokenizer(t, tokenizer, text)
		}
	})
}

func FuzzFromJSON(f *testing.F) {
	for _, name := range []string{"metaspace_like", "suffix_like", "prefix_like", "llama3_like"} {
		data, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "don't 12 stop")
	}
	f.Add([]byte(`{"model":{"type":"BPE","vocab":{"a":0,"":1},"merges":[["a",""],["",""]]}}`), "aaa")
	f.Add([]byte(`{"added_tokens":[{"id":3,"content":""},{"id":4,"content":"a","lstrip":true,"rstrip":true}],
		"model":{"type":"BPE","vocab":{"a":0}}}`), " a  a ")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		if tokenizer, err := FromJSON(data); err == nil {
			checkTokenizer(t, tokenizer, text)
		}
	})
}

func FuzzParseSentencePiece(f *testing.F) {
	for _, name := range []string{"sp_bpe_rules", "sp_unigram"} {
		data, err := os.ReadFile("testdata/" + name + ".model")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "ﬁne　▁the forget 😀😃")
	}
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		if model, err := parseSentencePiece(data); err == nil {
			checkTokenizer(t, model, text)
		}
	})
}
