package train

import (
	"maps"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	remem "github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem/train"
	salmu "github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu/train"
	unslu "github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu/train"
)

// Step is a training step of a study.
type Step = lab.Step

var steps = map[string]func() []Step{"salmu": salmu.Steps, "remem": remem.Steps, "unslu": unslu.Steps}

// Compilable returns the papers that have training steps at the paper's size.
func Compilable() []string { return slices.Sorted(maps.Keys(steps)) }

// Steps returns the training steps of a paper's study at the preset paper, or nil for other papers.
func Steps(paper string) []Step {
	if of := steps[paper]; of != nil {
		return of()
	}
	return nil
}
