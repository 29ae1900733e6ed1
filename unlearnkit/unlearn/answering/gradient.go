package answering

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// ascentLoss returns the negative cross-entropy on the forget set. Descending this loss raises the cross-entropy.
func ascentLoss(m Models, b unlearn.Batch) *graph.Node {
	return graph.Neg(CrossEntropy(m.Policy, RowsOf(b, unlearn.Forget)))
}

// GradientAscent returns GA, which descends -CE on the forget set.
func GradientAscent() Method {
	return Method{
		Entry:  catalogue.Answering.Entry("gradient-ascent"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) { return phaseWithDraws(p, ascentLoss) },
	}
}

// GradientDifference returns GD, which draws a retained partner for each record to forget and descends
//
//	-CE(forget) + r·CE(partner),
//
// where r is the setting "retain-weight".
func GradientDifference() Method {
	return Method{
		Entry: catalogue.Answering.Entry("gradient-difference"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			weight := p.Value("retain-weight")
			return phaseWithDraws(p, func(m Models, b unlearn.Batch) *graph.Node {
				return graph.Add(ascentLoss(m, b), graph.MulScalar(CrossEntropy(m.Policy, RowsOf(b, partner)), weight))
			}, partner)
		},
	}
}

// GradientDifferenceAlternating returns GD with alternating passes: one that climbs over the whole forget set, then one
// that descends over the whole retain set, and so on. One optimizer and one schedule serve all these passes.
func GradientDifferenceAlternating() Method {
	return Method{
		Entry: catalogue.Answering.Entry("gradient-difference-alternating"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			climbing, err := phase(p, ascentLoss, unlearn.Forget)
			if err != nil {
				return nil, err
			}
			descending, err := phase(p, retainLoss, unlearn.Retain)
			if err != nil {
				return nil, err
			}
			up, err := steps(p, unlearn.Forget)
			if err != nil {
				return nil, err
			}
			down, err := steps(p, unlearn.Retain)
			if err != nil {
				return nil, err
			}
			epochs := p.Whole("epochs")
			whole := cosine(p.Value("rate"), p.Value("warmup"), epochs*(up+down))
			var phases []Phase
			for epoch := range epochs {
				climbing.Name, descending.Name = fmt.Sprint("climbing ", epoch+1), fmt.Sprint("descending ", epoch+1)
				climbing.Schedule = shiftedBy(whole, epoch*(up+down))
				descending.Schedule = shiftedBy(whole, epoch*(up+down)+up)
				climbing.Continues, descending.Continues = epoch > 0, true
				phases = append(phases, climbing, descending)
			}
			return phases, nil
		},
	}
}

// steps returns the number of steps of a pass over a stream.
func steps(p *unlearn.Plan, name string) (int, error) {
	stream, err := p.Stream(name)
	if err != nil {
		return 0, err
	}
	return 1 + (stream.Rows()-1)/p.Whole("batch"), nil
}

// shiftedSchedule is a schedule that begins at a later step.
type shiftedSchedule struct {
	optim.Schedule
	begin int
}

// Rate implements [optim.Schedule].
func (l shiftedSchedule) Rate(step int) float64 { return l.Schedule.Rate(l.begin + step) }

func shiftedBy(whole optim.Schedule, begin int) func(int) optim.Schedule {
	return func(int) optim.Schedule { return shiftedSchedule{whole, begin} }
}

// KL returns the method that descends -CE(forget) + KL(original model ‖ model) on a retained record, drawn for each
// record to forget. As released, the divergence is the mean over all positions of the rows, although most positions are
// outside the answers; see [Divergence].
func KL() Method {
	return Method{
		Entry: catalogue.Answering.Entry("kl"), Reference: true,
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			weight, answersAlone := p.Value("retain-weight"), p.Value("answers") != 0
			return phaseWithDraws(p, func(m Models, b unlearn.Batch) *graph.Node {
				moved := Divergence(m.Policy, m.Reference, RowsOf(b, partner), answersAlone)
				return graph.Add(ascentLoss(m, b), graph.MulScalar(moved, weight))
			}, partner)
		},
	}
}

// Finetuning returns the method that learns the answers of the stream [unlearn.Retain]. It teaches a model the answers
// before unlearning, or continues training without the forget set.
func Finetuning() Method {
	return Method{
		Entry: catalogue.Answering.Entry("finetuning"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			learning, err := phase(p, retainLoss, unlearn.Retain)
			return []Phase{learning}, err
		},
	}
}

// retainLoss returns the cross-entropy on the retain set.
func retainLoss(m Models, b unlearn.Batch) *graph.Node {
	return CrossEntropy(m.Policy, RowsOf(b, unlearn.Retain))
}
