package answering

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// climbed is what a model that is to forget descends: it climbs its own loss.
func climbed(m Models, b unlearn.Batch) *graph.Node {
	return graph.Neg(CrossEntropy(m.Policy, RowsOf(b, unlearn.Forget)))
}

// GradientAscent is GA: -CE of what is to be forgotten.
func GradientAscent() Method {
	return Method{
		Entry:  catalogue.Answering.Entry("gradient-ascent"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) { return drawing(p, climbed) },
	}
}

// GradientDifference is GD: for each record to be forgotten one that is kept is drawn,
//
//	-CE(forget) + CE(partner).
func GradientDifference() Method {
	return Method{
		Entry: catalogue.Answering.Entry("gradient-difference"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			weight := p.Value("retain-weight")
			return drawing(p, func(m Models, b unlearn.Batch) *graph.Node {
				return graph.Add(climbed(m, b), graph.MulScalar(CrossEntropy(m.Policy, RowsOf(b, partner)), weight))
			}, partner)
		},
	}
}

// GradientDifferenceAlternating is GD as it goes over all that is to be forgotten, climbing, and then over all that is
// kept, descending, again and again. One optimizer and one schedule serve all these passes.
func GradientDifferenceAlternating() Method {
	return Method{
		Entry: catalogue.Answering.Entry("gradient-difference-alternating"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			climbing, err := phase(p, climbed, unlearn.Forget)
			if err != nil {
				return nil, err
			}
			descending, err := phase(p, kept, unlearn.Retain)
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
				climbing.Schedule = from(whole, epoch*(up+down))
				descending.Schedule = from(whole, epoch*(up+down)+up)
				climbing.Continues, descending.Continues = epoch > 0, true
				phases = append(phases, climbing, descending)
			}
			return phases, nil
		},
	}
}

// steps is the number of steps of a pass over a stream.
func steps(p *unlearn.Plan, name string) (int, error) {
	stream, err := p.Stream(name)
	if err != nil {
		return 0, err
	}
	return 1 + (stream.Rows()-1)/p.Whole("batch"), nil
}

// later is a schedule from a step on.
type later struct {
	optim.Schedule
	begin int
}

// Rate implements [optim.Schedule].
func (l later) Rate(step int) float64 { return l.Schedule.Rate(l.begin + step) }

func from(whole optim.Schedule, begin int) func(int) optim.Schedule {
	return func(int) optim.Schedule { return later{whole, begin} }
}

// KL is -CE(forget) + KL(model as it was ‖ model) on a record that is kept, drawn for each to be forgotten. As released
// it is the mean over all places of the rows, of which most are no answer; see [Divergence].
func KL() Method {
	return Method{
		Entry: catalogue.Answering.Entry("kl"), Reference: true,
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			weight, answersAlone := p.Value("retain-weight"), p.Value("answers") != 0
			return drawing(p, func(m Models, b unlearn.Batch) *graph.Node {
				moved := Divergence(m.Policy, m.Reference, RowsOf(b, partner), answersAlone)
				return graph.Add(climbed(m, b), graph.MulScalar(moved, weight))
			}, partner)
		},
	}
}

// Finetuning learns the answers of the stream [unlearn.Retain]: it teaches them to a model at first, and is what goes
// on where nothing is to be forgotten.
func Finetuning() Method {
	return Method{
		Entry: catalogue.Answering.Entry("finetuning"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			learning, err := phase(p, kept, unlearn.Retain)
			return []Phase{learning}, err
		},
	}
}

// kept is the loss of a model that is to know what it keeps.
func kept(m Models, b unlearn.Batch) *graph.Node {
	return CrossEntropy(m.Policy, RowsOf(b, unlearn.Retain))
}
