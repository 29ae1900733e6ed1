// Package madeup computes artificial scores of the papers' studies without a model, for tests of tables, figures and
// claims. Unlike a trained model's scores, they are equal on every processor.
package madeup

import (
	"fmt"
	"os"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Makers returns functions that compute artificial artifacts for all stages of all papers.
func Makers() study.Makers {
	return study.NewMakers(slices.Concat(salmuScores{}.makers(), rememScores{}.makers(), unsluScores{}.makers(),
		concealmentScores{}.makers())...)
}

const modelFile = "model.txt"

// name writes a name that seeds the random scores. The artifact's key cannot be used as a seed, because it changes with
// every stage's version.
func name(w *store.Work, words ...any) error {
	return os.WriteFile(w.Path(modelFile), fmt.Appendln(nil, words...), 0o644)
}
