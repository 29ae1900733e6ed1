package classifying

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// teacherSource is the name of the logits that [BadTeachingLight] draws.
const teacherSource = "teacher"

// BadTeaching is BT (Chundawat et al., 2023). A pass goes over the forget set and the retain set in one order. Rows to
// be kept are taught by the model as it was, rows to be forgotten by one that never learnt the task, which the store
// has below [Incompetent]:
//
//	mean over rows of KL(teacher ‖ model)
//
// The original averages over classes too; the setting "class-mean" does.
func BadTeaching() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("bad-teaching"), Reference: true, Frozen: []string{Incompetent},
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			return alone(phase(p, taught(p, func(m Models, b unlearn.Batch) *graph.Node {
				return m.Frozen(Incompetent).Logits(RowsOf(b, Both))
			}), Both))
		},
	}
}

// BadTeachingLight is BT-L: [BadTeaching] in which rows to be forgotten are taught by logits of a normal distribution,
// new ones in each step.
func BadTeachingLight() Method {
	return Method{
		Entry: catalogue.Classifying.Entry("bad-teaching-light"), Reference: true,
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			light, err := phase(p, taught(p, func(_ Models, b unlearn.Batch) *graph.Node {
				return b.Of(teacherSource, "logits")
			}), Both)
			light.Fit = func(phase *Phase, policy View) error {
				phase.Random = []unlearn.Random{{Name: teacherSource, Columns: []string{"logits"},
					Draw: normal([]int{policy.Classes()})}}
				return nil
			}
			return alone(light, err)
		},
	}
}

// taught is the loss of a model that learns from two teachers.
func taught(p *unlearn.Plan, incompetent loss) loss {
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
