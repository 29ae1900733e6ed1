package tokenize

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// fingerprint is a value of a fixture, or, where it is long, its length and hash.
type fingerprint struct {
	IDs    []int
	Text   string
	Count  int    `json:"count"`
	SHA256 string `json:"sha256"`
}

func (f *fingerprint) UnmarshalJSON(data []byte) error {
	switch data[0] {
	case '[':
		return json.Unmarshal(data, &f.IDs)
	case '"':
		return json.Unmarshal(data, &f.Text)
	}
	type plain fingerprint
	return json.Unmarshal(data, (*plain)(f))
}

func (f *fingerprint) isIDs(ids []int) bool {
	if f.SHA256 == "" {
		return slices.Equal(ids, f.IDs)
	}
	var numbers []string
	for _, id := range ids {
		numbers = append(numbers, strconv.Itoa(id))
	}
	return len(ids) == f.Count && f.isHash(strings.Join(numbers, ","))
}

func (f *fingerprint) isText(text string) bool {
	if f.SHA256 == "" {
		return text == f.Text
	}
	return len(text) == f.Count && f.isHash(text)
}

func (f *fingerprint) isHash(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:]) == f.SHA256
}

// expectation holds the output of an original tokenizer.
type expectation struct {
	Size    int `json:"size"`
	Strings []struct {
		String  int          `json:"string"`
		IDs     fingerprint  `json:"ids"`
		Decoded fingerprint  `json:"decoded"`
		Framed  *fingerprint `json:"framed"`
		Cleaned fingerprint  `json:"cleaned"`
	} `json:"strings"`
	Arbitrary []struct {
		IDs     []int  `json:"ids"`
		Decoded string `json:"decoded"`
	} `json:"arbitrary"`
	Start, End, Unknown int
}

func readJSON(t testing.TB, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func hardStrings(t testing.TB) []string {
	t.Helper()
	var rows []struct {
		Base64 string
		Times  int
	}
	readJSON(t, "testdata/hard_strings.json", &rows)
	var hard []string
	for _, row := range rows {
		data, err := base64.StdEncoding.DecodeString(row.Base64)
		if err != nil {
			t.Fatal(err)
		}
		hard = append(hard, strings.Repeat(string(data), row.Times))
	}
	return hard
}

func expectations(t testing.TB, path string) map[string]expectation {
	t.Helper()
	var all map[string]json.RawMessage
	readJSON(t, path, &all)
	delete(all, "versions")
	expected := map[string]expectation{}
	for name, raw := range all {
		var e expectation
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		expected[name] = e
	}
	return expected
}

// checkParity compares ids and texts with the original's; frame encodes a text as the original does with its special
// tokens.
func checkParity(t *testing.T, tokenizer Tokenizer, frame func(string) []int, want expectation, hard []string) {
	t.Helper()
	if got := tokenizer.Size(); got != want.Size {
		t.Errorf("Size() = %d, the original has %d", got, want.Size)
	}
	if len(want.Strings) < 100 {
		t.Errorf("only %d strings are compared", len(want.Strings))
	}
	for _, row := range want.Strings {
		text := hard[row.String]
		ids := tokenizer.Encode(text)
		if !row.IDs.isIDs(ids) {
			t.Errorf("string %d %.60q:\ngot  %v\nwant %v", row.String, text, ids[:min(len(ids), 60)], row.IDs)
			continue
		}
		if decoded := tokenizer.Decode(ids); !row.Decoded.isText(decoded) {
			t.Errorf("string %d %.60q decodes to\n%.300q, want\n%+.300q", row.String, text, decoded, row.Decoded.Text)
		}
		if row.Framed != nil && !row.Framed.isIDs(frame(text)) {
			t.Errorf("string %d %.60q framed:\ngot  %v\nwant %v", row.String, text, frame(text), row.Framed.IDs)
		}
	}
	for _, row := range want.Arbitrary {
		if decoded := tokenizer.Decode(row.IDs); decoded != row.Decoded {
			t.Errorf("ids %v decode to %q, want %q", row.IDs, decoded, row.Decoded)
		}
	}
}

func TestOpenCLIP_IDs(t *testing.T) {
	want := expectations(t, "testdata/expected.json")["open_clip"]
	hard := hardStrings(t)
	clip := OpenCLIP()
	for _, row := range want.Strings {
		if cleaned := cleanCaption(hard[row.String]); !row.Cleaned.isText(cleaned) {
			t.Errorf("string %d %.60q is cleaned to\n%.200q, want\n%.200q", row.String, hard[row.String], cleaned,
				row.Cleaned.Text)
		}
	}
	checkParity(t, clip, func(text string) []int { return clip.Context(text, clipContext) }, want, hard)
}

func TestTransformersCLIP_IDs(t *testing.T) {
	clip := TransformersCLIP()
	want := expectations(t, "testdata/expected.json")["transformers_clip"]
	checkParity(t, clip, func(text string) []int {
		return clip.Context(text, clipContext, OpenCLIP().End())
	}, want, hardStrings(t))
}

func TestPipelines_IDs(t *testing.T) {
	expected, hard := expectations(t, "testdata/expected.json"), hardStrings(t)
	for _, name := range []string{"gpt2_like", "llama3_like", "llama2_like", "llama2_metaspace", "suffix_like",
		"prefix_like", "metaspace_like"} {
		t.Run(name, func(t *testing.T) {
			pipeline, err := LoadJSON(filepath.Join("testdata", name+".json"))
			if err != nil {
				t.Fatal(err)
			}
			checkParity(t, pipeline, pipeline.EncodeFramed, expected[name], hard)
		})
	}
}

func TestSentencePiece_IDs(t *testing.T) {
	expected, hard := expectations(t, "testdata/expected.json"), hardStrings(t)
	for _, name := range []string{"sp_bpe.model", "sp_bpe_rules.model", "sp_unigram.model", "sp_unigram_bytes.model"} {
		t.Run(name, func(t *testing.T) { checkPieces(t, filepath.Join("testdata", name), expected[name], hard) })
	}
}

func checkPieces(t *testing.T, path string, want expectation, hard []string) {
	t.Helper()
	model, err := loadSentencePiece(path)
	if err != nil {
		t.Fatal(err)
	}
	checkParity(t, model, nil, want, hard)
	if got := [3]int{model.Start(), model.End(), model.Unknown()}; got != [3]int{want.Start, want.End, want.Unknown} {
		t.Errorf("start, end and unknown are %v, want %v", got, [3]int{want.Start, want.End, want.Unknown})
	}
}

// The models are too large to commit: Mistral's, of 32,000 pieces, and one with the whole NFKC table.
func TestSentencePiece_LargeModels(t *testing.T) {
	folder := os.Getenv("UNLEARNLAB_REFERENCE")
	if folder == "" {
		t.Skip("set UNLEARNLAB_REFERENCE to a folder made by testdata/gen_tokenizers.py FOLDER")
	}
	path := filepath.Join(folder, "tokenize_expected.json")
	if _, err := os.Stat(path); err != nil {
		t.Skip("set UNLEARNLAB_REFERENCE to a folder with tokenize_expected.json; " +
			"testdata/gen_tokenizers.py FOLDER makes it")
	}
	for name, want := range expectations(t, path) {
		t.Run(name, func(t *testing.T) { checkPieces(t, filepath.Join(folder, name), want, hardStrings(t)) })
	}
}
