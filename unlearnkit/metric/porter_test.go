package metric_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

func TestPorterStem_EqualsNLTK(t *testing.T) {
	var reference struct{ Words, Stems string }
	loadReference(t, "porter_nltk.json", &reference)
	words, stems := strings.Split(reference.Words, " "), strings.Split(reference.Stems, " ")
	if len(words) < 2000 || len(words) != len(stems) {
		t.Fatalf("%d words and %d stems", len(words), len(stems))
	}
	for i, word := range words {
		if got := metric.PorterStem(word); got != stems[i] {
			t.Errorf("stem of %q = %q, want %q", word, got, stems[i])
		}
	}
}

func FuzzPorterStem(f *testing.F) {
	for _, word := range []string{"", "y", "ing", "ied", "eed", "ogi", "alli", "ion", "yyyyyyyy", "\xff\x80ed"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if stem := metric.PorterStem(word); len(stem) > len(word)+1 || len(word) > 0 && len(stem) == 0 {
			t.Fatalf("stem of %q is %q", word, stem)
		}
	})
}

func BenchmarkPorterStem(b *testing.B) {
	words := strings.Fields("generalizations relational hopping allergies engineer married seasonal controlling")
	for b.Loop() {
		for _, w := range words {
			metric.PorterStem(w)
		}
	}
}

func ExamplePorterStem() {
	for _, word := range []string{"generalizations", "hopping", "happily", "dying", "news"} {
		fmt.Print(metric.PorterStem(word), " ")
	}
	// Output: gener hop happili die news
}
