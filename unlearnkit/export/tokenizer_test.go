package export

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
)

func trained(t *testing.T) *tokenize.Pipeline {
	t.Helper()
	words, err := tokenize.TrainBPE([]string{"Hello there", "hello 1234", "the other there"},
		tokenize.Training{Size: 370, Start: "<s>", End: "</s>", Lowercase: true, DigitPairs: true})
	if err != nil {
		t.Fatal(err)
	}
	return words
}

func TestTokenizerWrite(t *testing.T) {
	words, dir := trained(t), t.TempDir()
	written := Tokenizer{JSON: words.JSON(), Start: "<s>", End: "</s>", Padding: "</s>", MaxLength: 9}
	for _, test := range []struct {
		open bool
		want []int
	}{
		{false, words.EncodeFramed("Hello 12")},
		{true, words.EncodeFramed("Hello 12")[:len(words.EncodeFramed("Hello 12"))-1]},
	} {
		written.Open = test.open
		if err := written.Write(dir); err != nil {
			t.Fatal(err)
		}
		text := read(t, dir, "tokenizer.json")
		again, err := tokenize.FromJSON([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := again.EncodeFramed("Hello 12"); !slices.Equal(got, test.want) {
			t.Errorf("open %v: got the ids %v, want %v", test.open, got, test.want)
		}
		var document struct {
			Normalizer struct{ Normalizers []map[string]any }
			Model      struct{ Merges []string } // older releases of tokenizers read merges as single strings
		}
		if err := json.Unmarshal([]byte(text), &document); err != nil || len(document.Model.Merges) == 0 ||
			len(document.Normalizer.Normalizers[0]) != 1 {
			t.Errorf("got %+v, %v", document, err)
		}
	}
	var config map[string]any
	if err := json.Unmarshal([]byte(read(t, dir, "tokenizer_config.json")), &config); err != nil ||
		config["eos_token"] != "</s>" || config["model_max_length"] != 9. {
		t.Errorf("got the configuration %v, %v", config, err)
	}
}

func TestTokenizerWrite_UnknownComponent(t *testing.T) {
	dir := t.TempDir()
	text := strings.Replace(string(trained(t).JSON()), `"NFC"`, `"Magic"`, 1)
	err := Tokenizer{JSON: []byte(text)}.Write(dir)
	if entries, _ := os.ReadDir(dir); err == nil || !strings.HasSuffix(err.Error(), `a component of type "Magic"`) ||
		len(entries) > 0 {
		t.Errorf("got the error %v and %d files", err, len(entries))
	}
}
