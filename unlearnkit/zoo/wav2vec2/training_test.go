package wav2vec2_test

import (
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

func TestTraining_Processors(t *testing.T) {
	d := devicetest.Open(t)
	for name, c := range map[string]wav2vec2.Config{"group": wav2vec2.SmallGroup(), "layer": wav2vec2.SmallLayer()} {
		const rows, samples = 4, 1000
		c.NumLabels, c.ActivationDropout, c.MaskFeatureProb = 5, 0.1, 0.1
		sites := c.Sites(rows, samples)
		t.Run(name, func(t *testing.T) {
			paritytest.Endure(t, func(steps int) ([]float64, error) {
				store := model.NewStore()
				nn.Seed(store.RootScope(), 1)
				optimizer := optim.Optimizer{Rule: optim.AdamW{WeightDecay: 0.01}, ClipNorm: 1}
				step, err := d.Compile("train", store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
					logits := wav2vec2.Forward(scope, c,
						wav2vec2.Input{Values: x[0], Noise: wav2vec2.Named(sites, x[1:])}).Logits
					loss := graph.ReduceAllMean(graph.Square(graph.AddScalar(logits, -1)))
					optimizer.Minimize(scope, loss, graph.Const(loss.Graph(), 1e-3))
					return []*graph.Node{loss}
				})
				if err != nil {
					return nil, err
				}
				defer step.Close()
				var losses []float64
				for i := range steps {
					inputs := []any{sound(rows, samples)}
					for _, noise := range c.Draw(seed.Stream(2, i), rows, samples, nil) {
						inputs = append(inputs, noise)
					}
					var outputs []*tensors.Tensor
					if outputs, err = step.Run(t.Context(), inputs...); err != nil {
						return nil, err
					}
					losses = append(losses, paritytest.Values(outputs[0])...)
				}
				if last := losses[steps-1]; !(last < losses[0]) {
					t.Errorf("the loss went from %g to %g", losses[0], last)
				}
				return losses, nil
			})
		})
	}
}
