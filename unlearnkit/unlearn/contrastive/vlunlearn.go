package contrastive

import (
	"math"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// VLUnlearn returns MultiDelete (Cheng and Amiri, 2024) for CLIP: three squared errors against the frozen model.
//
//   - Modality decoupling: pairs of the forget set move to where the frozen model has an image with another's caption.
//   - Multimodal retention: pairs of the retain set stay.
//   - Unimodal retention: images and texts of the forget set stay.
//
// The position of a pair is the mean of its two embeddings, as SALMUBench describes it. With the setting "retrieval" at
// 1, decoupling compares the batch's matrices of cosines instead, as MultiDelete's code does for retrieval.
func VLUnlearn() Method {
	return Method{
		Entry: catalogue.Contrastive.Entry("vlunlearn"), Reference: true,
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			retrieval := p.Value("retrieval") != 0
			falling := phase(p, func(m Models, b unlearn.Batch) *graph.Node {
				return decouple(m, b, retrieval)
			}, unlearn.Forget, unlearn.Retain)
			falling.Optimizer.NoDecay = optim.NoDecayForVectors
			falling.Rate = halfCosine{p.Value("rate"), p.Value("epochs")}
			return []Phase{falling}, nil
		},
	}
}

// halfCosine falls from peak to zero over the given number of passes.
type halfCosine struct{ peak, passes float64 }

func (h halfCosine) Rate(pass int) float64 {
	return h.peak * 0.5 * (1 + math.Cos(math.Pi*min(1, float64(pass)/h.passes)))
}

func decouple(m Models, b unlearn.Batch, retrieval bool) *graph.Node {
	p := readPairs(m, b)
	keptImages := m.Reference.Image(b.Of(unlearn.Forget, Image))
	keptTexts := m.Reference.Text(b.Of(unlearn.Forget, Caption))
	others := b.Shuffled(keptTexts)
	var decoupling *graph.Node
	if retrieval {
		matrix := func(images, texts *graph.Node) *graph.Node {
			return graph.DotGeneral(images, []int{1}, nil, texts, []int{1}, nil)
		}
		// The two directions of retrieval are one matrix and its transpose, whose errors are equal.
		difference := SquaredError(matrix(p.forgetImages, p.forgetTexts), matrix(keptImages, others))
		decoupling = graph.MulScalar(difference, 2)
	} else {
		decoupling = SquaredError(midpoint(p.forgetImages, p.forgetTexts), midpoint(keptImages, others))
	}
	multimodal := SquaredError(midpoint(p.retainImages, p.retainTexts), midpoint(p.keptImages, p.keptTexts))
	unimodal := graph.Add(SquaredError(p.forgetImages, keptImages), SquaredError(p.forgetTexts, keptTexts))
	return graph.Add(graph.Add(decoupling, multimodal), unimodal)
}

func midpoint(a, b *graph.Node) *graph.Node { return graph.MulScalar(graph.Add(a, b), 0.5) }
