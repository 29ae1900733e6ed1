package tokenize

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// mergeByRounds merges as CLIP's original does: it finds the pair of lowest rank, merges all its occurrences from left
// to right, and repeats.
func mergeByRounds(ids []int, table mergeTable) []int {
	for {
		best, found := mergeResult{}, pair{}
		for i := 0; i+1 < len(ids); i++ {
			if m, ok := table[pair{ids[i], ids[i+1]}]; ok && (found == pair{} || m.rank < best.rank) {
				best, found = m, pair{ids[i], ids[i+1]}
			}
		}
		if (found == pair{}) {
			return ids
		}
		var next []int
		for i := 0; i < len(ids); i++ {
			if i+1 < len(ids) && (pair{ids[i], ids[i+1]}) == found {
				next = append(next, best.id)
				i++
			} else {
				next = append(next, ids[i])
			}
		}
		ids = next
	}
}

// mergeOneByOne merges as tokenizers does: it merges the leftmost pair of lowest rank, and repeats.
func mergeOneByOne(ids []int, table mergeTable) []int {
	for {
		at, best := -1, mergeResult{}
		for i := 0; i+1 < len(ids); i++ {
			if m, ok := table[pair{ids[i], ids[i+1]}]; ok && (at < 0 || m.rank < best.rank) {
				at, best = i, m
			}
		}
		if at < 0 {
			return ids
		}
		ids = slices.Concat(ids[:at], []int{best.id}, ids[at+2:])
	}
}

// The ranks of the drawn tables are in any order, so that a pair may come before the merge that makes one of its
// halves.
func TestMergePairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		table := mergeTable{}
		ranks := rapid.Permutation([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}).Draw(t, "ranks")
		for i, rank := range ranks {
			left := rapid.IntRange(1, 3+i).Draw(t, "left")
			right := rapid.IntRange(1, 3+i).Draw(t, "right")
			if _, taken := table[pair{left, right}]; !taken {
				table[pair{left, right}] = mergeResult{rank, 4 + i}
			}
		}
		ids := rapid.SliceOfN(rapid.IntRange(1, 3), 0, 30).Draw(t, "ids")
		if got, want := mergePairs(ids, table.find, true), mergeByRounds(ids, table); !slices.Equal(got, want) {
			t.Fatalf("in rounds %v, want %v", got, want)
		}
		if got, want := mergePairs(ids, table.find, false), mergeOneByOne(ids, table); !slices.Equal(got, want) {
			t.Fatalf("one by one %v, want %v", got, want)
		}
	})
}

// Here (abc, a) has a lower rank than the merge that makes abc. Merged one by one, the first abc takes the next a at
// once; merged in rounds, it finds an abc there.
func TestMergePairs_InRounds(t *testing.T) {
	const a, bc, abc, abca = 1, 2, 3, 4
	table := mergeTable{{a, bc}: {9, abc}, {abc, a}: {7, abca}}
	ids := []int{a, bc, a, bc}
	if got := mergePairs(ids, table.find, true); !slices.Equal(got, []int{abc, abc}) {
		t.Errorf("in rounds %v", got)
	}
	if got := mergePairs(ids, table.find, false); !slices.Equal(got, []int{abca, bc}) {
		t.Errorf("one by one %v", got)
	}
}

// protobufPiece writes a SentencePiece of a model.
func protobufPiece(text string, score float32, kind byte) string {
	message := []byte{0x0A, byte(len(text))}
	message = append(message, text...)
	message = append(message, 0x15)
	message = binary.LittleEndian.AppendUint32(message, math.Float32bits(score))
	message = append(message, 0x18, kind)
	return "\x0a" + string(rune(len(message))) + string(message)
}

// An unknown character costs ten more than the worst piece.
func TestUnigram_UnknownCharacter(t *testing.T) {
	const noSpaces = "\x1a\x04\x18\x00\x20\x00"
	// "ab" and "c" cost 11. The unknown "a" and "bc" cost 6 + 10 minus the score of "bc".
	for score, want := range map[float32][]int{-1: {1, 2}, 4.9: {1, 2}, 5.1: {0, 3}} {
		model, err := parseSentencePiece([]byte(protobufPiece("<unk>", 0, 2) + protobufPiece("ab", -5, 1) +
			protobufPiece("c", -6, 1) + protobufPiece("bc", score, 1) + noSpaces))
		if err != nil {
			t.Fatal(err)
		}
		if got := model.Encode("abc"); !slices.Equal(got, want) {
			t.Errorf("with %g: %v, want %v", score, got, want)
		}
	}
}

// A quadratic algorithm would take minutes.
func TestEncode_LinearTime(t *testing.T) {
	texts := map[string]string{
		"one word":                 strings.Repeat("abcdefghij", 10_000),
		"one letter":               strings.Repeat("a", 100_000),
		"one letter of many bytes": strings.Repeat("界", 30_000),
		"spaces":                   strings.Repeat(" ", 100_000),
		"mojibake":                 "²" + strings.Repeat("Ł", 7_000),
		"marks":                    strings.Repeat("\u0301\u0316", 30_000),
		"words":                    strings.Repeat("a photo of ", 7_000),
		"not text":                 strings.Repeat("\xED\xA0\xFF", 20_000),
		"nested references":        "&" + strings.Repeat("amp;", 2_000),
	}
	tokenizers := map[string]Tokenizer{"OpenCLIP": OpenCLIP(), "TransformersCLIP": TransformersCLIP()}
	for _, name := range []string{"llama2_like.json", "llama3_like.json", "sp_bpe.model", "sp_unigram.model"} {
		var err error
		if tokenizers[name], err = Load(filepath.Join("testdata", name)); err != nil {
			t.Fatal(err)
		}
	}
	for what, text := range texts {
		for name, tokenizer := range tokenizers {
			start := time.Now()
			tokenizer.Decode(tokenizer.Encode(text))
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%s takes %v for %s", name, took, what)
			}
		}
	}
}

func TestContext_EndMark(t *testing.T) {
	c := OpenCLIP()
	long := c.Context(strings.Repeat("cat ", 100), clipContext)
	if len(long) != clipContext || long[0] != c.Start() || long[clipContext-1] != c.End() ||
		long[clipContext-2] == c.End() {
		t.Errorf("a long text becomes %v", long)
	}
	if short := c.Context("cat", 5); !slices.Equal(short, []int{49406, 2368, 49407, 0, 0}) {
		t.Errorf("a short text becomes %v", short)
	}
	if got := fit([]int{1, 2, 3}, 0, 9); len(got) != 0 {
		t.Errorf("no room becomes %v", got)
	}
	if got := TransformersCLIP().Context(strings.Repeat("cat ", 100), 4, 7); !slices.Equal(got,
		[]int{49406, 2368, 2368, 49407}) {
		t.Errorf("a pipeline's long text becomes %v", got)
	}
}

func TestNormalize_LongRuns(t *testing.T) {
	alphabet := []rune("aeoAΩ가각\u1100\u1161\u11a8" +
		"\u0300\u0301\u0316\u0323\u0345\u05b0\u05bc\u0f71\u0f72\u0f74ﬁé½ǖ\u0344\u0958\u034f")
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOfN(rapid.SampledFrom(alphabet), 0, 9).Draw(t, "text"))
		for _, form := range []norm.Form{norm.NFC, norm.NFD, norm.NFKC, norm.NFKD} {
			if got, want := normalFormOfRuns(form, text), form.String(text); got != want {
				t.Fatalf("form %d of %+q: %+q, want %+q", form, text, got, want)
			}
		}
	})
	long := "e" + strings.Repeat("\u0323", 40) + strings.Repeat("\u0301", 2)
	if got, want := normalForm(norm.NFC, long),
		"ẹ"+strings.Repeat("\u0323", 39)+strings.Repeat("\u0301", 2); got != want {
		t.Errorf("a long run becomes %+q, want %+q", got, want)
	}
}

func TestReplaceInvalid(t *testing.T) {
	// Unicode 15, table 3-8 and its neighbours.
	tests := map[string]string{
		"\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41": "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA",
		"\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41": "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA",
		"\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42": "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFDA\uFFFD\uFFFDB",
		"\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41": "\uFFFD\uFFFD\uFFFD\uFFFDA",
		"plain\u00E9\uFFFD":                    "plain\u00E9\uFFFD",
	}
	for text, want := range tests {
		if got := replaceInvalid(text); got != want {
			t.Errorf("%q becomes %+q, want %+q", text, got, want)
		}
	}
}

func TestFromJSON_Unsupported(t *testing.T) {
	const model = `"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":[["a","b"]]}`
	tests := []struct{ document, want string }{
		{`{` + model + `,"normalizer":{"type":"BertNormalizer"}}`, `normalizer "BertNormalizer" is not supported`},
		{`{` + model + `,"normalizer":{"type":"Sequence","normalizers":[{"type":"Nmt"}]}}`,
			`normalizer "Nmt" is not supported`},
		{`{` + model + `,"pre_tokenizer":{"type":"UnicodeScripts"}}`,
			`pre-tokenizer "UnicodeScripts" is not supported`},
		{`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"(?<=a)b"},"behavior":"Isolated"}}`,
			`"(?<=a)b" is not supported`},
		{`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"[[:graph:]]"},"behavior":"Isolated"}}`,
			`class [:graph:]`},
		{`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"[a[b]]"},"behavior":"Isolated"}}`,
			`a class in a class`},
		{`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"[\\Sa]"},"behavior":"Isolated"}}`,
			`\S inside of brackets`},
		{`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"\\bx"},"behavior":"Isolated"}}`, `\b`},
		{`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"Regex":"^a|\\s+(?!\\S)|\\s+"},
			"behavior":"Isolated"}}`, `an anchor`},
		{`{` + model + `,"pre_tokenizer":{"type":"Split","pattern":{"String":"x"},"behavior":"Sideways"}}`,
			`behavior "Sideways"`},
		{`{` + model + `,"pre_tokenizer":{"type":"Split","behavior":"Isolated"}}`, `needs a pattern`},
		{`{` + model + `,"pre_tokenizer":{"type":"Metaspace","replacement":"_","prepend_scheme":"last"}}`,
			`prepend_scheme "last"`},
		{`{` + model + `,"post_processor":{"type":"Cut"}}`, `post-processor "Cut"`},
		{`{` + model + `,"post_processor":{"type":"TemplateProcessing",
			"single":[{"SpecialToken":{"id":"x","type_id":0}}]}}`,
			`names the token "x"`},
		{`{` + model + `,"post_processor":{"type":"TemplateProcessing","single":[]}}`, `0 times`},
		{`{` + model + `,"post_processor":{"type":"RobertaProcessing"}}`, `"cls" and "sep"`},
		{`{` + model + `,"decoder":{"type":"WordPiece"}}`, `decoder "WordPiece"`},
		{`{` + model + `,"added_tokens":[{"id":-4,"content":"x"}]}`, `the added token "x" has the id -4`},
		{`{` + model + `,"normalizer":{"type":"Sequence","normalizers":[` +
			strings.TrimSuffix(strings.Repeat(`{"type":"Replace","pattern":{"String":"a"},"content":"aa"},`, 40), ",") +
			`]}}`, `times as long`},
		{`{"model":{"type":"Unigram","vocab":{"a":0}}}`, `model "Unigram"`},
		{`{"model":{"type":"BPE","vocab":{}}}`, `no vocabulary`},
		{`{"model":{"type":"BPE","vocab":{"a":0,"b":0}}}`, `"a" and "b" have the same id 0`},
		{`{"model":{"type":"BPE","vocab":{"a":99999999999}}}`, `has the id 99999999999`},
		{`{"model":{"type":"BPE","vocab":{"a":0},"unk_token":"u"}}`, `unknown token "u"`},
		{`{"model":{"type":"BPE","vocab":{"a":0},"dropout":0.1}}`, `"dropout"`},
		{`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b c"]}}`, `"a b c" is not two tokens`},
		{`{"model":{"type":"BPE","vocab":{"a":0},"merges":[["a"]]}}`, `is not a pair`},
		{`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a b"]}}`, `"b", which is not in the vocabulary`},
		{`{"model":{"type":"BPE","vocab":{"a":0},"merges":["a a"]}}`, `makes "aa", which is not`},
		{`not json`, `not a tokenizer.json`},
	}
	for _, test := range tests {
		if _, err := FromJSON([]byte(test.document)); err == nil || !strings.Contains(err.Error(), test.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%.150s:\nerror %v, want %s", test.document, err, test.want)
		}
	}
}

func TestParseSentencePiece_Refused(t *testing.T) {
	whole, err := os.ReadFile("testdata/sp_unigram.model")
	if err != nil {
		t.Fatal(err)
	}
	piece := func(text string, kind byte) string { return protobufPiece(text, -1, kind) }
	tests := map[string]string{
		"":                                  "it holds no pieces",
		"PK\x03\x04":                        "not a SentencePiece model",
		string(whole[:len(whole)/2]):        "cut off",
		piece("a", 1):                       "no unknown-token piece",
		piece("<unk>", 2) + piece("<u>", 2): "two unknown-token pieces",
		piece("<unk>", 2) + piece("a", 1) + piece("a", 1):      `"a", occurs twice`,
		piece("<unk>", 2) + piece("", 1):                       "no text can hold",
		piece("<unk>", 2) + piece("b", 6):                      `"b", represents no byte`,
		piece("<unk>", 2) + piece("b", 9):                      "unknown kind 9",
		piece("<unk>", 2) + "\x12\x02\x18\x03":                 "algorithm 3 is not supported",
		piece("<unk>", 2) + "\x12\x03\xc0\x01\x01":             "treat_whitespace_as_suffix",
		piece("<unk>", 2) + "\x12\x03\x98\x02\x01":             "no piece <0x00>",
		piece("<unk>", 2) + "\x1a\x04\x12\x02ab":               "cut off",
		piece("<unk>", 2) + "\x1a\x06\x12\x04\xff\xff\xff\xff": "claims a size",
		piece("<unk>", 2) + "\x2a\x03\x12\x01a":                "denormalizer_spec",
	}
	for data, want := range tests {
		if _, err := parseSentencePiece([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: error %v, want %s", data, err, want)
		}
	}
}

func TestReadCLIP_Line(t *testing.T) {
	tests := map[string]string{
		"":                        "it holds no merges",
		"#heading\na b c\n":       `line 2: "a b c" is not a pair`,
		"#heading\na b\nx ab q\n": "line 3",
		"#heading\nab c\n":        `line 2: "ab c" joins a token that no earlier line makes`,
		"#heading\na b\na b\n":    "line 3: \"a b\" makes a token that an earlier line makes",
		"\x1f\x8bnot gzip":        "gzip",
	}
	for text, want := range tests {
		if _, err := readCLIP(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

func TestLoad(t *testing.T) {
	folder := t.TempDir()
	if _, err := Load(folder); err == nil || !strings.Contains(err.Error(), "holds no tokenizer.json") {
		t.Errorf("an empty folder: %v", err)
	}
	write := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	clip := TransformersCLIP()
	var d document
	if err := json.Unmarshal(clip.JSON(), &d); err != nil {
		t.Fatal(err)
	}
	vocabulary, _ := json.Marshal(d.Model.Vocab)
	merges := []byte("#version: 0.2\n")
	for _, m := range d.Model.Merges {
		merges = append(merges, m[0]+" "+m[1]+"\n"...)
	}
	write("vocab.json", vocabulary)
	if _, err := Load(folder); err == nil || !strings.Contains(err.Error(), "merges.txt") {
		t.Errorf("without merges.txt: %v", err)
	}
	write("merges.txt", merges)
	loaded, err := Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"A photo of a cat.", "<|startoftext|>naïve"} {
		if got, want := loaded.Encode(text), clip.Encode(text); !slices.Equal(got, want) {
			t.Errorf("%q becomes %v, want %v", text, got, want)
		}
	}
	trained, err := os.ReadFile("testdata/trained.json")
	if err != nil {
		t.Fatal(err)
	}
	write("tokenizer.json", trained)
	if loaded, err = Load(folder); err != nil || loaded.Size() != 512 {
		t.Errorf("tokenizer.json does not come first: %v", err)
	}
	if _, err := Load("tokenize_test.go"); err == nil || !strings.Contains(err.Error(), "ends in") {
		t.Errorf("a Go file: %v", err)
	}
	if missing, err := Load(filepath.Join(folder, "none.model")); err == nil || missing != nil {
		t.Errorf("a missing file: %v, %v", missing, err)
	}
}

func TestDecode_UnknownIDs(t *testing.T) {
	for _, name := range []string{"trained.json", "sp_bpe.model", "sp_unigram.model"} {
		tokenizer, err := Load(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		ids := tokenizer.Encode("a cat")
		if got, want := tokenizer.Decode(append([]int{-1, tokenizer.Size(), 1 << 40}, ids...)),
			tokenizer.Decode(ids); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
