package spelling_test

import (
	"fmt"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/spelling"
)

func TestTheNearestNameIsTheOneOfTheFewestEdits(t *testing.T) {
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

func ExampleNearest() {
	fmt.Println(spelling.Nearest("shufled", []string{"generic", "shuffled", "direct"}))
	// Output: shuffled
}
