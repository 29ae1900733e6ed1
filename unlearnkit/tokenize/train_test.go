package tokenize

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
)

var regen = flag.Bool("regen", false, "write testdata/trained.json anew; run testdata/gen_tokenizers.py after it")

// trainingTexts returns the texts that the fixtures' generator uses.
func trainingTexts(t testing.TB) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/training.txt")
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

var smallWorld = Training{Size: 512, Special: []string{"<pad>", "<image>"}, Start: "<start>", End: "<end>",
	Lowercase: true, DigitPairs: true}

func TestTrainBPE_EqualsTokenizers(t *testing.T) {
	trained, err := TrainBPE(trainingTexts(t), Training{Size: 420, Special: []string{"<|endoftext|>"}})
	if err != nil {
		t.Fatal(err)
	}
	reference, err := LoadJSON("testdata/trained_by_tokenizers.json")
	if err != nil {
		t.Fatal(err)
	}
	if trained.Size() != 420 || reference.Size() != 420 {
		t.Errorf("%d tokens, the original learned %d, want 420", trained.Size(), reference.Size())
	}
	for id := range reference.Size() {
		if got, want := trained.Token(id), reference.Token(id); got != want {
			t.Fatalf("token %d is %q, the original learned %q", id, got, want)
		}
	}
}

func TestTrainBPE_SameBytes(t *testing.T) {
	trained, err := TrainBPE(trainingTexts(t), smallWorld)
	if err != nil {
		t.Fatal(err)
	}
	if *regen {
		if err := os.WriteFile("testdata/trained.json", trained.JSON(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/trained.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(trained.JSON(), want) {
		t.Error("the tokenizer differs from testdata/trained.json; if it should, run with -regen")
	}
	backwards := trainingTexts(t)
	slices.Reverse(backwards)
	again, err := TrainBPE(backwards, smallWorld)
	if err != nil || !bytes.Equal(again.JSON(), want) {
		t.Errorf("the order of the texts changes the tokenizer: %v", err)
	}
}

func TestTrainBPE_ReadByTokenizers(t *testing.T) {
	trained, err := LoadJSON("testdata/trained.json")
	if err != nil {
		t.Fatal(err)
	}
	checkParity(t, trained, trained.EncodeFramed, expectations(t, "testdata/expected.json")["trained"], hardStrings(t))
}

func TestTrainBPE_Digits(t *testing.T) {
	trained, err := TrainBPE(trainingTexts(t), smallWorld)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{"1999": {"19", "99"}, "+49 407": {"+", "49", "Ġ", "40", "7"},
		"a00b": {"a", "00", "b"}} {
		var got []string
		for _, id := range trained.Encode(text) {
			got = append(got, trained.Token(id))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is split into %q, want %q", text, got, want)
		}
	}
}

func TestTrainBPE_EndMark(t *testing.T) {
	trained, err := TrainBPE(trainingTexts(t), smallWorld)
	if err != nil {
		t.Fatal(err)
	}
	ids := trained.EncodeFramed("a cat")
	if start, _ := trained.ID("<start>"); ids[0] != start || ids[len(ids)-1] != trained.Size()-1 ||
		trained.Size() != 512 {
		t.Errorf("ids %v of %d", ids, trained.Size())
	}
	if text := trained.Decode(ids); text != "a cat" {
		t.Errorf("they decode to %q", text)
	}
}

func TestTrainBPE_NoMorePairs(t *testing.T) {
	trained, err := TrainBPE([]string{"abc abc"}, Training{Size: 5000})
	if err != nil || trained.Size() != 256+3 { // the merged tokens are ab, abc and Ġabc
		t.Errorf("%d tokens, %v", trained.Size(), err)
	}
}

func TestTrainBPE_Refused(t *testing.T) {
	for want, training := range map[string]Training{
		"200 tokens are too few":                          {Size: 200},
		"300 tokens are too few":                          {Size: 300, DigitPairs: true},
		`the special token "<x>" is empty or named twice`: {Size: 400, Special: []string{"<x>"}, Start: "<x>"},
		`the special token "" is empty`:                   {Size: 400, Special: []string{""}},
		`the special token "a" is also a`:                 {Size: 400, Special: []string{"a"}},
	} {
		if _, err := TrainBPE([]string{"text"}, training); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
