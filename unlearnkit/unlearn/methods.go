package unlearn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/spelling"
)

// Methods are SALMUBench's, for models that embed images and texts, in the order of its tables.
func Methods() []Method {
	return []Method{
		GenericCaptions(), ShuffledCaptions(), DirectSimilarity(), NegativeGradient(), Finetuning(), DescentToDelete(),
		VLUnlearn(), DELETE(), CLIPErase(),
	}
}

// Erasing are the methods of "Unlearning or Concealment?", for models that draw pictures of texts.
func Erasing() []Method {
	methods := []Method{ESDX(), ESDU(), NewerESDX(), NewerESDU()}
	for _, target := range []AblationTarget{ModelBased, NoiseBased} {
		for _, group := range AblationGroups() {
			methods = append(methods, AblatingConcepts(target, group))
		}
	}
	return append(methods, SDD())
}

// Lookup returns the method of [Methods] or [Erasing] with that name. Of a name that is none, the error says which
// comes nearest.
func Lookup(name string) (Method, error) {
	var names []string
	for _, m := range slices.Concat(Methods(), Erasing()) {
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
