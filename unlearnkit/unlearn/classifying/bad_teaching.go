package classifying

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// teacherSource is the name of the logits that [BadTeachingLight] draws.
const teacherSource = "teacher"

// BadTeaching returns BT (Chundawat et al., 2023). A pass covers the forget set and the retain set in one mixed order.
// The original model teaches the rows to keep. The rows to forget are taught by a model that never learnt the task,
// stored below [Incompetent]:
//
//	mean over rows of KL(teacher ‖ model)
//
// The original method averages over classes too; the setting "class-mean" does this.
func BadTeaching() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("bad-teaching"), Reference: true, Frozen: []string{Incompetent},
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			return onePhase(phase(p, teachingLoss(p, func(m Models, b unlearn.Batch) *graph.Node {
				return m.Frozen(Incompetent).Logits(RowsOf(b, Both))
			}), Both))
		},
	}
}

// BadTeachingLight returns BT-L: [BadTeaching] with a random teacher for the rows to forget, whose logits are drawn
// from a normal distribution in each step.
func BadTeachingLight() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("bad-teaching-light"), Reference: true,
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			light, err := phase(p, teachingLoss(p, func(_ Models, b unlearn.Batch) *graph.Node {
				return b.Of(teacherSource, "logits")
			}), Both)
			light.Fit = func(phase *Phase, policy View) error {
				phase.Random = []unlearn.Random{{Name: teacherSource, Columns: []string{"logits"},
					Draw: normal([]int{policy.Classes()})}}
				return nil
			}
			return onePhase(light, err)
		},
	}
}

// teachingLoss returns the loss of a model that learns from two teachers.
func teachingLoss(p *unlearn.Plan, incompetent loss) loss {
	temperature, classMean := p.Value("temperature"), p.Value("class-mean") != 0
	return func(m Models, b unlearn.Batch) *graph.Node {
		rows := RowsOf(b, Both)
		competent := m.Reference.Logits(rows)
		forget := graph.InsertAxes(graph.Equal(b.Of(Both, Forgotten), graph.OnesLike(b.Of(Both, Forgotten))), -1)
		forget = graph.BroadcastToDims(forget, competent.Shape().Dimensions...)
		teacher := graph.Where(forget, graph.ConvertDType(incompetent(m, b), competent.DType()), competent)
		of := Divergence(m.Policy.Logits(rows), teacher, temperature)
		if classMean {
			of = graph.DivScalar(of, float64(m.Policy.Classes()))
		}
		return of
	}
}
