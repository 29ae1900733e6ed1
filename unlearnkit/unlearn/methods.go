package unlearn

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/spelling"
)

// Methods are those of the papers, in the order of their tables.
func Methods() []Method {
	return []Method{
		GenericCaptions(), ShuffledCaptions(), DirectSimilarity(), NegativeGradient(), Finetuning(), DescentToDelete(), VLUnlearn(), DELETE(), CLIPErase(),
	}
}

// Lookup returns the method of [Methods] with that name. Of a name that is none, the error says which comes nearest.
func Lookup(name string) (Method, error) {
	var names []string
	for _, m := range Methods() {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	if guess := spelling.Nearest(name, names); guess != "" {
		return Method{}, fmt.Errorf("no method is called %q; did you mean %q?", name, guess)
	}
	return Method{}, fmt.Errorf("no method is called %q; there are %s", name, strings.Join(names, ", "))
}
