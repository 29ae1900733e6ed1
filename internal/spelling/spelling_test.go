package spelling_test

import (
	"fmt"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
)

func TestNearest(t *testing.T) {
	names := []string{"delete", "direct", "descent-to-delete", "finetuning"}
	for _, test := range []struct{ name, want string }{
		{"delete", "delete"},
		{"delet", "delete"},
		{"dlete", "delete"},
		{"dirext", "direct"},
		{"diret", "direct"},
		{"fine-tuning", "finetuning"},
		{"descend-to-delete", "descent-to-delete"},
		{"scrub", ""},
		{"", ""},
	} {
		if got := spelling.Nearest(test.name, names); got != test.want {
			t.Errorf("%q: %q, want %q", test.name, got, test.want)
		}
	}
	if got := spelling.Nearest("delete", nil); got != "" {
		t.Errorf("%q of no names", got)
	}
}

// Case decides only between names that are otherwise equally near.
func TestNearest_Case(t *testing.T) {
	names := []string{"DELETE/5x", "Original", "original", "R2D2"}
	for _, test := range []struct {
		name, nearest string
		match         int
	}{
		{"DELETE/5x", "DELETE/5x", 0},
		{"delete/5x", "DELETE/5x", 0},
		{"delte/5x", "DELETE/5x", -1},
		{"r2d2", "R2D2", 3},
		{"Original", "Original", 1},
		{"original", "original", 2},
		{"ORIGINAL", "Original", -1}, // both candidates match
		{"orignal", "original", -1},
		{"", "", -1},
	} {
		if got := spelling.Match(test.name, names); got != test.match {
			t.Errorf("%q is at %d, want %d", test.name, got, test.match)
		}
		if got := spelling.Nearest(test.name, names); got != test.nearest {
			t.Errorf("%q is near to %q, want %q", test.name, got, test.nearest)
		}
	}
	if got := spelling.Match("a", []string{"A", "A"}); got != 0 {
		t.Errorf("the same name twice is at %d", got)
	}
}

func TestMatch_Parentheses(t *testing.T) {
	rows := []string{"same", "mine (guest, 1 of 5 worlds)", "same (guest)", "DELETE (5x)", "DELETE (10x)"}
	for name, want := range map[string]int{"mine": 1, "MINE": 1, "same": 0, "same (guest)": 2, "DELETE": -1, "min": -1} {
		if got := spelling.Match(name, rows); got != want {
			t.Errorf("%q is at %d, want %d", name, got, want)
		}
	}
}

func ExampleMatch() {
	rows := []string{"DELETE/5x", "CLIPErase/5x"}
	fmt.Println(spelling.Match("cliperase/5x", rows), spelling.Match("SCRUB", rows))
	// Output: 1 -1
}

func ExampleNearest() {
	fmt.Println(spelling.Nearest("shufled", []string{"generic", "shuffled", "direct"}))
	// Output: shuffled
}
