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

// studentSource is the name of what disturbs the student of [SCRUB].
const studentSource = "student"

// SCRUB is SCRUB (Kurmanji et al., 2023): a student that starts as its teacher, the frozen model, obeys it on the
// retain set and moves away from it on the forget set. One optimizer serves the two phases of an epoch,
//
//	γ·CE + α·KL_T(teacher ‖ student) over the retain set, then -KL_T(teacher ‖ student) over the forget set,
//
// where KL_T is T² times the divergence at temperature T. The original begins each epoch with the forget set, as the
// setting "maximise-first" does, and goes over it in the first "msteps" of its "epochs" alone; it then takes back steps
// by what they do to a validation set (rewinding), which is not done here.
//
// The student is disturbed as in training, if the model is [Disturbed], and the teacher is not. Where it is not, the
// student equals its teacher at first, so one that begins with the forget set begins with a gradient of rounding alone.
func SCRUB() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("scrub"), Reference: true,
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			epochs, maximising := p.Whole("epochs"), p.Whole("msteps")
			if maximising > epochs {
				return nil, fmt.Errorf(`the setting "msteps" is %d: it must be at most "epochs", which is %d`,
					maximising, epochs)
			}
			minimise, err := scrubbing(p, unlearn.Retain, obeying(p))
			if err != nil {
				return nil, err
			}
			maximise, err := scrubbing(p, unlearn.Forget, leaving(p))
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

// scrubbing is a pass of the student over a stream.
func scrubbing(p *unlearn.Plan, stream string, of loss) (Phase, error) {
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

// disturbance is what disturbs a model in training, nothing if it is not [Disturbed].
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

// obeying is the loss on the retain set.
func obeying(p *unlearn.Plan) loss {
	gamma, alpha, temperature := p.Value("gamma"), p.Value("alpha"), p.Value("temperature")
	return func(m Models, b unlearn.Batch) *graph.Node {
		student, apart := apart(m, b, unlearn.Retain, temperature)
		right := surprise(student, b.Of(unlearn.Retain, Label))
		return graph.Add(graph.MulScalar(right, gamma), graph.MulScalar(apart, alpha))
	}
}

// leaving is the loss on the forget set.
func leaving(p *unlearn.Plan) loss {
	temperature := p.Value("temperature")
	return func(m Models, b unlearn.Batch) *graph.Node {
		_, apart := apart(m, b, unlearn.Forget, temperature)
		return graph.Neg(apart)
	}
}

// apart are the student's logits of a stream's rows, and KL_T between the teacher and the student.
func apart(m Models, b unlearn.Batch, stream string, temperature float64) (student, distance *graph.Node) {
	rows := RowsOf(b, stream)
	teacher := m.Reference.Logits(rows)
	rows.Noise = b.Columns(studentSource)
	student = m.Policy.Logits(rows)
	return student, graph.MulScalar(Divergence(student, teacher, temperature), temperature*temperature)
}
