package pretrain

import (
	"errors"
	"fmt"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// Contrastive is the objective of wav2vec 2.0 (Baevski et al., 2020, §3.2). For each masked frame, the model
// distinguishes the frame's quantised features from those of other masked frames in the same clip. The quantiser is
// rewarded for using all its entries. XLSR-53 and XLS-R have the same objective.
//
// In addition to the encoder's tensors, it has quantizer, project_q and project_hid like Wav2Vec2ForPreTraining. Its
// fields have the same names as in that model's config.json.
type Contrastive struct {
	Groups    int `json:"num_codevector_groups"`
	Entries   int `json:"num_codevectors_per_group"`
	CodeWidth int `json:"codevector_dim"` // width of the code vectors, concatenated over groups
	Width     int `json:"proj_codevector_dim"`
	Negatives int `json:"num_negatives"` // number of negatives for each masked frame

	LogitTemperature float64 `json:"contrastive_logits_temperature"` // κ in equation (3)
	DiversityWeight  float64 `json:"diversity_loss_weight"`          // α in equation (2)

	// Gumbel is the temperature for drawing entries, which decreases with each step.
	Gumbel Falling `json:"-"`
}

// Falling is a decreasing temperature First · Factor^step with the minimum Last.
type Falling struct{ First, Factor, Last float64 }

// At returns the temperature for a step, counted from 0.
func (f Falling) At(step int) float64 { return max(f.First*power(f.Factor, step), f.Last) }

// originalContrastive returns the objective with which wav2vec2-base was pre-trained.
func originalContrastive() Contrastive {
	return Contrastive{Groups: 2, Entries: 320, CodeWidth: 256, Width: 256, Negatives: 100, LogitTemperature: 0.1,
		DiversityWeight: 0.1, Gumbel: Falling{2, 0.999995, 0.5}}
}

// SmallContrastive returns an objective for small encoders and a few thousand steps. It has fewer entries, and a
// temperature that falls to a quarter in 3,000 steps.
func SmallContrastive() Contrastive {
	c := originalContrastive()
	c.Entries, c.CodeWidth, c.Width, c.Negatives = 32, 32, 32, 20
	c.Gumbel.Factor = 0.9995
	return c
}

// Check returns an error for the first field that is not valid.
func (c Contrastive) Check() error {
	for _, size := range []struct {
		name  string
		value int
	}{
		{"num_codevector_groups", c.Groups}, {"num_codevectors_per_group", c.Entries},
		{"codevector_dim", c.CodeWidth}, {"proj_codevector_dim", c.Width}, {"num_negatives", c.Negatives},
	} {
		if size.value < 1 || size.value > 1<<14 {
			return fmt.Errorf("contrastive objective: %s is %d, it must be between 1 and %d", size.name, size.value,
				1<<14)
		}
	}
	switch {
	case c.CodeWidth%c.Groups != 0:
		return fmt.Errorf("contrastive objective: codevector_dim %d cannot be divided among num_codevector_groups %d",
			c.CodeWidth, c.Groups)
	case !(c.LogitTemperature > 0):
		return fmt.Errorf("contrastive objective: contrastive_logits_temperature is %g, it must be positive",
			c.LogitTemperature)
	case !(c.DiversityWeight >= 0):
		return fmt.Errorf("contrastive objective: diversity_loss_weight is %g, it must not be negative",
			c.DiversityWeight)
	case !(c.Gumbel.Last > 0 && c.Gumbel.First >= c.Gumbel.Last && c.Gumbel.Factor > 0 && c.Gumbel.Factor <= 1):
		return errors.New("contrastive objective: the Gumbel temperature must fall: First ≥ Last > 0, 0 < Factor ≤ 1")
	}
	return nil
}

// ContrastiveInput is a batch. Its Noise must contain the masked frames, "mask_time_indices".
type ContrastiveInput struct {
	wav2vec2.Input
	// Negatives [B, frames, frames] holds how many times the second frame is a negative for the first, in each clip.
	Negatives *graph.Node
	// Gumbel [B, frames, groups, entries] has the standard Gumbel distribution, and Temperature is a scalar. If nil,
	// the most likely entry is used, as in evaluation.
	Gumbel, Temperature *graph.Node
}

// ContrastiveLoss holds scalars. The losses are sums over the masked frames, as in Wav2Vec2ForPreTraining.
type ContrastiveLoss struct {
	Total       *graph.Node // Contrastive + DiversityWeight · Diversity
	Contrastive *graph.Node
	Diversity   *graph.Node
	Perplexity  *graph.Node // perplexity of the entries used for masked frames, summed over groups
	Masked      *graph.Node // number of masked frames
}

// Loss applies the model whose tensors are below scope.
func (c Contrastive) Loss(scope *model.Scope, encoder wav2vec2.Config, in ContrastiveInput) ContrastiveLoss {
	masked := in.Noise[maskedFrames]
	if masked == nil {
		panic(fmt.Errorf("the contrastive objective needs the masked frames (the noise %q)", maskedFrames))
	}
	out := wav2vec2.Forward(scope, encoder, in.Input)
	hidden := projection(scope.At("project_hid"), out.Hidden, c.Width)
	weights := graph.ConvertDType(masked, hidden.DType())
	q := c.quantise(scope.At("quantizer"), out.Features, in, weights)
	codes := projection(scope.At("project_q"), q.vectors, c.Width)

	losses := c.compare(unit(hidden), unit(codes), q.choice, graph.ConvertDType(in.Negatives, hidden.DType()))
	loss := ContrastiveLoss{Perplexity: q.perplexity, Masked: graph.ReduceAllSum(weights)}
	loss.Contrastive = graph.ReduceAllSum(graph.Mul(losses, weights))
	entries := float64(c.Groups * c.Entries)
	unused := graph.DivScalar(graph.AddScalar(graph.Neg(q.perplexity), entries), entries)
	loss.Diversity = graph.Mul(unused, loss.Masked)
	loss.Total = graph.Add(loss.Contrastive, graph.MulScalar(loss.Diversity, c.DiversityWeight))
	return loss
}

// projection is nn.Linear with PyTorch's initial values.
func projection(scope *model.Scope, x *graph.Node, width int) *graph.Node {
	return nn.Linear(scope, x, width, true)
}

// compare returns the loss [B, frames] of each frame, equation (3):
//
//	−log( exp(sim(h, q)/κ) / (exp(sim(h, q)/κ) + Σ exp(sim(h, q̃)/κ)) ).
//
// It computes all similarities in a clip as one product, instead of copying q̃ for each negative. A negative with the
// same entries as the frame is left out, because they cannot be distinguished.
func (c Contrastive) compare(hidden, codes, choice, negatives *graph.Node) *graph.Node {
	logits := graph.DivScalar(graph.Einsum("btd,bsd->bts", hidden, codes), c.LogitTemperature)
	own := graph.DivScalar(graph.ReduceSum(graph.Mul(hidden, codes), -1), c.LogitTemperature)
	agreeing := graph.Einsum("btgv,bsgv->bts", choice, choice)
	same := graph.GreaterThan(agreeing, graph.ConstAs(agreeing, float64(c.Groups)-0.5))
	negatives = graph.Where(same, graph.ZerosLike(negatives), negatives)
	largest := graph.StopGradient(graph.ReduceAndKeep(logits, graph.ReduceMax, -1))
	others := graph.ReduceSum(graph.Mul(negatives, graph.Exp(graph.Sub(logits, largest))), -1)
	largest = graph.Squeeze(largest, -1)
	return graph.Sub(graph.Add(graph.Log(graph.Add(others, graph.Exp(graph.Sub(own, largest)))), largest), own)
}

type quantisation struct {
	vectors    *graph.Node // [B, frames, CodeWidth]
	choice     *graph.Node // one-hot per group, [B, frames, groups, entries], without gradient
	perplexity *graph.Node
}

// quantise chooses an entry of each group for each frame. The choice is hard, but its gradient is that of the softmax
// at the given temperature (Jang et al., 2016).
func (c Contrastive) quantise(scope *model.Scope, features *graph.Node, in ContrastiveInput,
	masked *graph.Node) quantisation {
	batch, frames, channels := features.Shape().Dimensions[0], features.Shape().Dimensions[1],
		features.Shape().Dimensions[2]
	weight := scope.At("weight_proj")
	nn.Parameter(weight, features, "weight", nn.Normal(1), c.Groups*c.Entries, channels)
	nn.Parameter(weight, features, "bias", nn.Constant(0), c.Groups*c.Entries)
	logits := graph.Reshape(nn.Linear(weight, features, c.Groups*c.Entries, true), batch, frames, c.Groups, c.Entries)
	book := nn.Parameter(scope, features, "codevectors", fromZeroToOne, 1, c.Groups*c.Entries, c.CodeWidth/c.Groups)
	book = graph.Reshape(book, c.Groups, c.Entries, c.CodeWidth/c.Groups)

	var q quantisation
	var used, chosen *graph.Node
	if in.Gumbel == nil {
		q.choice = oneHotMax(logits)
		used, chosen = q.choice, q.choice
	} else {
		used = graph.Softmax(logits, -1)
		noisy := graph.Add(logits, graph.ConvertDType(in.Gumbel, logits.DType()))
		soft := graph.Softmax(graph.Div(noisy, graph.ConvertDType(in.Temperature, logits.DType())), -1)
		q.choice = oneHotMax(noisy)
		// adds exactly 0, but provides the gradient
		chosen = graph.Add(q.choice, graph.Sub(soft, graph.StopGradient(soft)))
	}
	q.vectors = graph.Reshape(graph.Einsum("btgv,gvd->btgd", chosen, book), batch, frames, c.CodeWidth)
	q.perplexity = perplexity(used, masked)
	return q
}

// oneHotMax returns 1 at the largest value on the last axis and 0 elsewhere.
func oneHotMax(x *graph.Node) *graph.Node {
	x = graph.StopGradient(x)
	return graph.OneHot(graph.ArgMax(x, -1, dtypes.Int32), x.Shape().Dimensions[x.Rank()-1], x.DType())
}

// perplexity returns Σ_g exp(H(p_g)) for the mean p of shares [B, frames, groups, entries] over the masked frames.
func perplexity(shares, masked *graph.Node) *graph.Node {
	mean := graph.Div(graph.Einsum("btgv,bt->gv", shares, masked), graph.ReduceAllSum(masked))
	least := graph.ConstAs(mean, 1e-30) // because 0·log 0 is 0
	return graph.ReduceAllSum(graph.Exp(graph.Neg(
		graph.ReduceSum(graph.Mul(mean, graph.Log(graph.Max(mean, least))), -1))))
}

// unit scales the last axis to length one.
func unit(x *graph.Node) *graph.Node {
	squares := graph.ReduceAndKeep(graph.Square(x), graph.ReduceSum, -1)
	return graph.Div(x, graph.Sqrt(graph.Max(squares, graph.ConstAs(squares, 1e-16))))
}

func (c Contrastive) gumbelShape(batch, frames int) shapes.Shape {
	return shapes.Make(dtypes.Float32, batch, frames, c.Groups, c.Entries)
}
