package optim

import (
	"fmt"
	"strings"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"
)

// averages is the kind of optimizer state that holds the moving averages.
const averages = "average"

// copyOf returns an initializer that copies the current value of variable.
func copyOf(variable *model.Variable) model.VariableInitializer {
	return func(g *graph.Graph, _ shapes.Shape) *graph.Node { return graph.MulScalar(variable.NodeValue(g), 1) }
}

// SwapAverage exchanges the values of the variables in store with their moving averages. Call it before using the
// averaged model, and again before training continues.
func (o Optimizer) SwapAverage(store *model.Store) error {
	root := o.scope() + "/" + averages
	kept := sortedVariables(store.Scope(root))
	if len(kept) == 0 {
		return fmt.Errorf("swap averages: the store has none below %s, train with Optimizer.Average set first", root)
	}
	for _, average := range kept {
		path := strings.TrimPrefix(average.Path(), root)
		variable := store.GetVariable(path)
		if variable == nil || !variable.HasValue() || !average.HasValue() {
			return fmt.Errorf("swap averages: %s and its average do not both have values", path)
		}
	}
	for _, average := range kept {
		variable := store.GetVariable(strings.TrimPrefix(average.Path(), root))
		value, mean := variable.MustValue(), average.MustValue()
		if err := variable.SetValuePreservingOld(mean); err != nil {
			return err
		}
		if err := average.SetValuePreservingOld(value); err != nil {
			return err
		}
	}
	return nil
}

// Averaged calls f while the store holds the moving averages, if the optimizer computes them.
func (o Optimizer) Averaged(store *model.Store, f func() error) error {
	if o.Average == 0 {
		return f()
	}
	if err := o.SwapAverage(store); err != nil {
		return err
	}
	err := f()
	if back := o.SwapAverage(store); err == nil {
		err = back
	}
	return err
}
