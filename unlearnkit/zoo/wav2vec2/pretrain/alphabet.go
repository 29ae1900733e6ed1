package pretrain

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gomlx/gomlx/core/tensors"
)

// Alphabet is the set of letters in texts, spaces included. The number 0 stands for CTC's blank, and 1 for the first
// letter.
type Alphabet struct {
	letters []rune
	numbers map[rune]int32
}

// NewAlphabet returns the letters of the texts as an alphabet, in Unicode order.
func NewAlphabet(texts ...string) (Alphabet, error) {
	a := Alphabet{numbers: map[rune]int32{}}
	for i, text := range texts {
		if !utf8.ValidString(text) {
			return Alphabet{}, fmt.Errorf("alphabet: text %d is not UTF-8", i)
		}
		for _, letter := range text {
			if _, ok := a.numbers[letter]; !ok {
				a.numbers[letter] = 0
				a.letters = append(a.letters, letter)
			}
		}
	}
	if len(a.letters) == 0 {
		return Alphabet{}, errors.New("alphabet: the texts have no letters")
	}
	slices.SortFunc(a.letters, cmp.Compare[rune])
	for i, letter := range a.letters {
		a.numbers[letter] = int32(i + 1)
	}
	return a, nil
}

// Size returns the number of letters plus one for the blank.
func (a Alphabet) Size() int { return len(a.letters) + 1 }

// Letters returns the letters, beginning with number 1.
func (a Alphabet) Letters() string { return string(a.letters) }

// Encode returns the numbers of a text's letters.
func (a Alphabet) Encode(text string) ([]int32, error) {
	var numbers []int32
	for _, letter := range text {
		number, ok := a.numbers[letter]
		if !ok {
			return nil, fmt.Errorf("the letter %q of the text %.60q is not in the alphabet %.120q", letter, text,
				a.Letters())
		}
		numbers = append(numbers, number)
	}
	return numbers, nil
}

// Decode returns the text spelled by a number per frame. Equal consecutive numbers stand for one letter, and blanks are
// dropped. Decode panics if a number is outside the alphabet.
func (a Alphabet) Decode(numbers []int32) string {
	var text strings.Builder
	var before int32
	for _, number := range numbers {
		if number != before && number != 0 {
			text.WriteRune(a.letters[number-1])
		}
		before = number
	}
	return text.String()
}

// Greedy decodes logits [B, frames, letters] with the most likely letter in each frame. frames holds the number of
// frames without padding in each clip; nil means no padding.
func (a Alphabet) Greedy(logits *tensors.Tensor, frames []int) ([]string, error) {
	dimensions := logits.Shape().Dimensions
	if len(dimensions) != 3 || dimensions[2] != a.Size() {
		return nil, fmt.Errorf("logits are %s, they must be [clips, frames, %d]", logits.Shape(), a.Size())
	}
	if frames != nil && len(frames) != dimensions[0] {
		return nil, fmt.Errorf("logits of %d clips, but numbers of frames for %d", dimensions[0], len(frames))
	}
	values := tensors.MustCopyFlatData[float32](logits)
	texts := make([]string, dimensions[0])
	for clip := range texts {
		own := dimensions[1]
		if frames != nil {
			own = min(frames[clip], own)
		}
		numbers := make([]int32, own)
		for frame := range numbers {
			row := values[(clip*dimensions[1]+frame)*a.Size():][:a.Size()]
			numbers[frame] = int32(slices.Index(row, slices.Max(row)))
		}
		texts[clip] = a.Decode(numbers)
	}
	return texts, nil
}

// framesFor returns the minimum number of frames for spelling letters: one for each, and one for a blank between equal
// letters.
func framesFor(numbers []int32) int {
	least := len(numbers)
	for i := 1; i < len(numbers); i++ {
		if numbers[i] == numbers[i-1] {
			least++
		}
	}
	return least
}
