package classifying

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// studentSource is the name of the random columns that disturb the student of [SCRUB].
const studentSource = "student"

// SCRUB returns the method SCRUB (Kurmanji et al., 2023): a student starts as a copy of its teacher, the frozen model.
// It follows the teacher on the retain set and moves away from it on the forget set. One optimizer serves the two
// phases of an epoch,
//
//	γ·CE + α·KL_T(teacher ‖ student) over the retain set, then -KL_T(teacher ‖ student) over the forget set,
//
// where KL_T is T² times the divergence at temperature T. The original begins each epoch with the forget set, as with
// the setting "maximise-first", and uses the forget set only in the first "msteps" of its "epochs". It then undoes
// steps according to a validation set (rewinding), which is not implemented here.
//
// If the model is [Disturbed], the student has training noise, but the teacher does not. Otherwise the student equals
// its teacher at first, so if it begins with the forget set, the first gradient is only rounding error.
func SCRUB() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("scrub"), Reference: true,
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			epochs, maximising := p.Whole("epochs"), p.Whole("msteps")
			if maximising > epochs {
				return nil, fmt.Errorf(`the setting "msteps" is %d: it must be at most "epochs", which is %d`,
					maximising, epochs)
			}
			minimise, err := scrubPhase(p, unlearn.Retain, followLoss(p))
			if err != nil {
				return nil, err
			}
			maximise, err := scrubPhase(p, unlearn.Forget, leaveLoss(p))
			if err != nil {
				return nil, err
			}
			var phases []Phase
			for epoch := 1; epoch <= epochs; epoch++ {
				minimise.Name, maximise.Name = fmt.Sprint("minimising ", epoch), fmt.Sprint("maximising ", epoch)
				order := []Phase{minimise, maximise}
				if p.Value("maximise-first") != 0 {
					slices.Reverse(order)
				}
				if epoch > maximising {
					order = []Phase{minimise}
				}
				phases = append(phases, order...)
			}
			for i := range phases[1:] {
				phases[1+i].Continues = true
			}
			return phases, nil
		},
	}
}

// scrubPhase returns a pass of the student over a stream.
func scrubPhase(p *unlearn.Plan, stream string, of loss) (Phase, error) {
	pass, err := phase(p, of, stream)
	if err != nil {
		return pass, err
	}
	if p.Value("sgd") != 0 {
		pass.Optimizer.Rule = optim.SGD{Momentum: p.Value("momentum"), WeightDecay: p.Value("decay")}
	}
	row, err := shapeOfInput(p, stream)
	if p.Value("training") != 0 {
		pass.Fit = func(phase *Phase, policy View) error {
			phase.Random = disturbance(policy.model, row)
			return nil
		}
	}
	return pass, err
}

// disturbance returns the random columns that disturb a model in training, or nil if it is not [Disturbed].
func disturbance(m Model, row []int) []unlearn.Random {
	disturbed, is := m.(Disturbed)
	if !is {
		return nil
	}
	names := slices.Sorted(maps.Keys(disturbed.Noise(seed.Stream(0, studentSource), 1, row)))
	if len(names) == 0 {
		return nil
	}
	draw := func(random *rand.Rand, rows int) ([]*tensors.Tensor, error) {
		noise := disturbed.Noise(random, rows, row)
		columns := make([]*tensors.Tensor, len(names))
		for i, name := range names {
			columns[i] = noise[name]
		}
		return columns, nil
	}
	return []unlearn.Random{{Name: studentSource, Columns: names, Draw: draw}}
}

// followLoss returns the loss on the retain set.
func followLoss(p *unlearn.Plan) loss {
	gamma, alpha, temperature := p.Value("gamma"), p.Value("alpha"), p.Value("temperature")
	return func(m Models, b unlearn.Batch) *graph.Node {
		student, apart := distance(m, b, unlearn.Retain, temperature)
		right := crossEntropy(student, b.Of(unlearn.Retain, Label))
		return graph.Add(graph.MulScalar(right, gamma), graph.MulScalar(apart, alpha))
	}
}

// leaveLoss returns the loss on the forget set.
func leaveLoss(p *unlearn.Plan) loss {
	temperature := p.Value("temperature")
	return func(m Models, b unlearn.Batch) *graph.Node {
		_, apart := distance(m, b, unlearn.Forget, temperature)
		return graph.Neg(apart)
	}
}

// distance returns the student's logits for a stream's rows, and KL_T between the teacher and the student.
func distance(m Models, b unlearn.Batch, stream string, temperature float64) (student, distance *graph.Node) {
	rows := RowsOf(b, stream)
	teacher := m.Reference.Logits(rows)
	rows.Noise = b.Columns(studentSource)
	student = m.Policy.Logits(rows)
	return student, graph.MulScalar(Divergence(student, teacher, temperature), temperature*temperature)
}
