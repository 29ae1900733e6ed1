package diffusion

import (
	"fmt"
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// Model is a UNet with the noise process used in its training. Schedule.Prediction determines what the UNet predicts.
type Model struct {
	UNet     UNetConfig
	Schedule schedule.Config
}

// StableDiffusion returns the configuration of Stable Diffusion 1.x.
func StableDiffusion() Model { return Model{StableDiffusionUNet(), schedule.StableDiffusion()} }

// Small returns the configuration of a network with 2.4 million parameters that draws 32×32 pictures, as latents of
// [SmallLatents], after training for a quarter of an hour on two processors. It has the parts of Stable Diffusion with
// the same names: one residual block per level, and self- and cross-attention at the two lower levels. Unlike Stable
// Diffusion, it predicts the sample without noise, because a network of this size that predicts the noise needs several
// times as much training before it draws anything.
func Small() Model {
	attending := func(channels int) Level {
		return Level{Channels: channels, Layers: 1, DownAttention: true, UpAttention: true, Heads: 4, Blocks: 1}
	}
	m := Model{
		UNetConfig{
			In: 12, Out: 12, SampleSize: 16, Context: 64, Groups: 8, Epsilon: 1e-5, CosineFirst: true, FeedForward: 2,
			ZeroOutput: true,
			Levels:     []Level{{Channels: 32, Layers: 1}, attending(64), attending(96)},
		},
		schedule.StableDiffusion(),
	}
	m.Schedule.Prediction = schedule.Original
	return m
}

// SmallLatents returns the latents of [Small]: 32×32 pictures as 12 bands of 16×16.
func SmallLatents() Haar { return Haar{Levels: 1, Low: .7, Detail: 1.5} }

// TextTable applies the simplest text encoder, which is enough for a few dozen words. It adds a vector for the word and
// a vector for the position, which are random and not trained. Token IDs are [B, T] with T ≤ length.
func TextTable(scope *model.Scope, ids *graph.Node, vocabulary, length, width int) *graph.Node {
	return graph.StopGradient(TextEmbedding(scope, ids, vocabulary, length, width))
}

// TextEmbedding is like [TextTable], but its vectors can be trained.
func TextEmbedding(scope *model.Scope, ids *graph.Node, vocabulary, length, width int) *graph.Node {
	words := nn.Embedding(scope.At("token_embedding"), ids, vocabulary, width)
	positions := nn.Parameter(scope.At("position_embedding"), words, "weight", nn.Normal(.3), length, width)
	here := graph.Slice(positions, graph.AxisRange(0, ids.Shape().Dimensions[1]), graph.AxisRange())
	return graph.Add(words, graph.InsertAxes(here, 0))
}

// shares returns sqrt(a_t) and sqrt(1-a_t) of each timestep as [B, 1, 1, 1].
func (m Model) shares(timestep, like *graph.Node) (signal, noise *graph.Node) {
	process, err := schedule.New(m.Schedule)
	if err != nil {
		panic(fmt.Errorf("the model's schedule: %w", err))
	}
	roots := [2][]float64{make([]float64, process.TrainSteps), make([]float64, process.TrainSteps)}
	for t := range process.TrainSteps {
		share := process.SignalShare(t)
		roots[0][t], roots[1][t] = math.Sqrt(share), math.Sqrt(1-share)
	}
	batch := like.Shape().Dimensions[0]
	look := func(table []float64) *graph.Node {
		values := graph.Gather(graph.ConstAsDType(like.Graph(), like.DType(), table), graph.Reshape(timestep, -1, 1))
		return graph.BroadcastToDims(graph.Reshape(values, -1, 1, 1, 1), batch, 1, 1, 1)
	}
	return look(roots[0]), look(roots[1])
}

// Noise predicts the noise in samples [B, In, H, W] with the text's hidden states [B, T, Context]. There is one
// timestep for each sample or one for all.
func (m Model) Noise(scope *model.Scope, sample, timestep, context *graph.Node) *graph.Node {
	output := UNet(scope, m.UNet, sample, timestep, context)
	if m.Schedule.Prediction == schedule.Epsilon {
		return output
	}
	signal, rest := m.shares(timestep, sample)
	if m.Schedule.Prediction == schedule.Original {
		return graph.Div(graph.Sub(sample, graph.Mul(signal, output)), rest)
	}
	return graph.Add(graph.Mul(rest, sample), graph.Mul(signal, output))
}

// Noisy adds noise to originals according to their timesteps: sqrt(a_t) original + sqrt(1-a_t) noise.
func (m Model) Noisy(original, noise, timestep *graph.Node) *graph.Node {
	signal, rest := m.shares(timestep, original)
	return graph.Add(graph.Mul(signal, original), graph.Mul(rest, noise))
}

// smallestNoise limits the weight of nearly clean samples in the loss of a network that predicts the original.
const smallestNoise = .2

// Loss returns the mean squared error of the UNet's own output, for originals and noise [B, In, H, W]. If the UNet
// predicts the original, the error has the weight 1/max(1-a_t, 0.2). Apart from a factor a_t, this is the weight of the
// same error in the noise, but without its growth for nearly clean samples.
func (m Model) Loss(scope *model.Scope, original, noise, timestep, context *graph.Node) *graph.Node {
	signal, rest := m.shares(timestep, original)
	output := UNet(scope, m.UNet, m.Noisy(original, noise, timestep), timestep, context)
	switch m.Schedule.Prediction {
	case schedule.Original:
		weight := graph.MaxScalar(graph.Square(rest), smallestNoise)
		return graph.ReduceAllMean(graph.Div(graph.Square(graph.Sub(output, original)), weight))
	case schedule.Velocity:
		velocity := graph.Sub(graph.Mul(signal, noise), graph.Mul(rest, original))
		return graph.ReduceAllMean(graph.Square(graph.Sub(output, velocity)))
	}
	return graph.ReduceAllMean(graph.Square(graph.Sub(output, noise)))
}
