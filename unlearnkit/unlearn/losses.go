package unlearn

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// Names of the columns of contrastive tasks.
const (
	Image   = "image"   // pixels
	Caption = "caption" // token ids of the image's own caption
	Generic = "generic" // token ids of a caption that says nothing of the person
)

// Contrast is CLIP's loss of a batch of images with their texts: the mean of the cross-entropies by rows and by
// columns.
func Contrast(model View, pixels, ids *graph.Node) *graph.Node {
	return clip.ContrastiveLoss(model.Logits(model.Image(pixels), model.Text(ids)))
}

// Cosines are the cosines of vectors of length one, row by row.
func Cosines(a, b *graph.Node) *graph.Node { return graph.ReduceSum(graph.Mul(a, b), -1) }

// SquaredError is the mean over all elements of the squared difference.
func SquaredError(a, b *graph.Node) *graph.Node {
	return graph.ReduceAllMean(graph.Square(graph.Sub(a, b)))
}

// adamW is PyTorch's AdamW, which decays every tensor.
func adamW(decay float64) optim.Optimizer {
	return optim.Optimizer{Rule: optim.AdamW{WeightDecay: decay}}
}

// Settings that several methods have.
func rate(value float64) Setting { return Setting{"rate", value, "SALMUBench, appendix"} }

var (
	batch256 = Setting{"batch", 256, "SALMUBench, appendix"}
	decay    = Setting{"decay", 0.01, "PyTorch's default; the paper names none"}
)

// descent is a method of one loss over the forget set.
func descent(name, title string, peak float64, loss func(m Models, b Batch) *graph.Node) Method {
	return Method{
		Name: name, Title: title, Version: 1, Source: "SALMUBench",
		Settings: []Setting{rate(peak), batch256, decay},
		Phases: func(p Plan) []Phase {
			return []Phase{{
				Streams: []string{Forget}, Batch: p.batch(), Loss: loss,
				Optimizer: adamW(p.Value("decay")), Rate: optim.Constant(p.Value("rate")),
			}}
		},
	}
}

// sideBySide is a method of one loss over the forget set and as many rows of the retain set, that reads the frozen
// model.
func sideBySide(name, title, source string, peak float64, loss func(m Models, b Batch) *graph.Node) Method {
	return Method{
		Name: name, Title: title, Version: 1, Source: source, Passes: []int{5, 10, 15, 20}, Reference: true,
		Settings: []Setting{rate(peak), batch256, decay},
		Phases: func(p Plan) []Phase {
			return []Phase{{
				Streams: []string{Forget, Retain}, Batch: p.batch(), Loss: loss,
				Optimizer: adamW(p.Value("decay")), Rate: optim.Constant(p.Value("rate")),
			}}
		},
	}
}
