package resnet_test

import (
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

func TestTraining_Processors(t *testing.T) {
	d := devicetest.Open(t)
	c := resnet.Small(2)
	paritytest.Endure(t, func(steps int) ([]float64, error) {
		store := model.NewStore()
		nn.Seed(store.RootScope(), 1)
		optimizer := optim.Optimizer{Rule: optim.SGD{Momentum: 0.9}}
		step, err := d.Compile("train", store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
			losses := resnet.FullTriplet(scope, c, x[0], x[1], graph.InsertAxes(x[2], 1), x[3], 1)
			optimizer.Minimize(scope, losses.Total, graph.Const(losses.Total.Graph(), 0.01))
			return []*graph.Node{losses.Total}
		})
		if err != nil {
			return nil, err
		}
		defer step.Close()
		anchors, labels := pictures(4, 16), tensors.FromFlatDataAndDimensions([]int32{0, 1, 1, 0}, 4)
		var losses []float64
		for range steps {
			outputs, err := step.Run(t.Context(), anchors, anchors, anchors, labels)
			if err != nil {
				return nil, err
			}
			losses = append(losses, paritytest.Values(outputs[0])...)
		}
		if last := losses[steps-1]; !(last < losses[0]) {
			t.Errorf("the loss went from %g to %g", losses[0], last)
		}
		return losses, nil
	})
}
