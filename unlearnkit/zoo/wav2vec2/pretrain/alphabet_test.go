package pretrain_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2/pretrain"
)

func TestAlphabet_RoundTrip(t *testing.T) {
	alphabet, err := pretrain.NewAlphabet("più luce", "acceso")
	if err != nil {
		t.Fatal(err)
	}
	if want := " aceilopsuù"; alphabet.Letters() != want || alphabet.Size() != len([]rune(want))+1 {
		t.Errorf("the letters are %q of %d, want %q", alphabet.Letters(), alphabet.Size(), want)
	}
	for _, text := range []string{"più luce", "acceso", "", "cc cc"} {
		numbers, err := alphabet.Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		var frames []int32 // each letter twice, followed by a blank
		for _, number := range numbers {
			frames = append(frames, number, number, 0)
		}
		if got := alphabet.Decode(frames); got != text {
			t.Errorf("%q is read as %q", text, got)
		}
	}
}

func TestAlphabet_Likeliest(t *testing.T) {
	alphabet, err := pretrain.NewAlphabet("ab")
	if err != nil {
		t.Fatal(err)
	}
	var logits []float32 // the frames of two clips: a a blank a b, and b b a blank a
	for _, number := range []int{1, 1, 0, 1, 2, 2, 2, 1, 0, 1} {
		row := []float32{-1, -1, -1}
		row[number] = 0.5
		logits = append(logits, row...)
	}
	batch := tensors.FromFlatDataAndDimensions(logits, 2, 5, 3)
	for _, test := range []struct {
		frames []int
		want   []string
	}{
		{nil, []string{"aab", "baa"}},
		{[]int{5, 3}, []string{"aab", "ba"}},
		{[]int{0, 2}, []string{"", "b"}},
	} {
		got, err := alphabet.Greedy(batch, test.frames)
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("of %v frames: %q, %v, want %q", test.frames, got, err, test.want)
		}
	}
	for _, wrong := range []*tensors.Tensor{tensors.FromFlatDataAndDimensions(logits, 5, 6),
		tensors.FromFlatDataAndDimensions(logits, 3, 5, 2)} {
		if _, err := alphabet.Greedy(wrong, nil); err == nil || !strings.Contains(err.Error(), "[clips, frames, 3]") {
			t.Errorf("logits of %s: %v", wrong.Shape(), err)
		}
	}
	if _, err := alphabet.Greedy(batch, []int{1}); err == nil {
		t.Error("one number of frames does for two clips")
	}
}

func TestAlphabet_Refused(t *testing.T) {
	if _, err := pretrain.NewAlphabet("", ""); err == nil || !strings.Contains(err.Error(), "no letters") {
		t.Errorf("no letters: %v", err)
	}
	_, err := pretrain.NewAlphabet("a", "\xff")
	if err == nil || !strings.Contains(err.Error(), "text 1 is not UTF-8") {
		t.Errorf("no UTF-8: %v", err)
	}
	alphabet, err := pretrain.NewAlphabet("ab")
	if err != nil {
		t.Fatal(err)
	}
	_, err = alphabet.Encode("abc")
	if err == nil || !strings.Contains(err.Error(), `the letter 'c' of the text "abc"`) {
		t.Errorf("a letter too many: %v", err)
	}
}

// The blank 0 separates equal letters.
func ExampleAlphabet() {
	alphabet, err := pretrain.NewAlphabet("hello")
	if err != nil {
		fmt.Println(err)
		return
	}
	numbers, err := alphabet.Encode("hello")
	fmt.Printf("%q %v %v\n", alphabet.Letters(), numbers, err)
	fmt.Println(alphabet.Decode([]int32{2, 2, 0, 1, 3, 3, 0, 3, 4, 4}))
	// Output:
	// "ehlo" [2 1 3 3 4] <nil>
	// hello
}
