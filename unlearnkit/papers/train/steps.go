package train

import (
	concealment "github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	remem "github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem/train"
	salmu "github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu/train"
	unslu "github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu/train"
)

// Step is a training step of a study.
type Step = lab.Step

var steps = map[string]func() []Step{"salmu": salmu.Steps, "remem": remem.Steps, "unslu": unslu.Steps,
	"concealment": concealment.Steps}

// Steps returns the training steps of a paper at its published size.
func Steps(paper string) []Step { return steps[paper]() }
