package nn_test

import (
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

func TestALinearLayersGradientIsThatOfDifferences(t *testing.T) {
	devicetest.Gradients(t, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{nn.Linear(scope.At("fc"), x[0], 3, true)}
	}, []int{2, 5, 4})
}
