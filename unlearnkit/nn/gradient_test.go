package nn_test

import (
	"testing"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
)

func TestGradients_EqualDifferences(t *testing.T) {
	for _, l := range layers {
		t.Run(l.name, func(t *testing.T) {
			devicetest.Gradients(t, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
				return []*graph.Node{l.build(scope.At("layer"), x)}
			}, l.inputs...)
		})
	}
}
