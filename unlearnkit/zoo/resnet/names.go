package resnet

import (
	"strings"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// Trace declares all tensors of the model in the store, without values.
func (c Config) Trace(d *device.Device, store *model.Store) error {
	_, err := d.Trace("trace resnet", store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{Forward(scope, c, x[0], Mode{}).Logits}
	}, shapes.Make(dtypes.Float32, 1, 3, 32, 32))
	return err
}

// Names returns the names of the model's tensors in files, which are torchvision's.
func (c Config) Names() hf.Names { return hf.Names{Layouts: []hf.Layout{{Name: "torchvision"}}} }

// Counters returns the counters num_batches_tracked that torchvision expects in a file. For each running mean below
// scope, they hold the number of batches that updated it.
func Counters(scope *model.Scope, batches int64) []safefile.TensorData {
	var counters []safefile.TensorData
	for variable := range scope.IterVariables() {
		if path, ok := strings.CutSuffix(variable.Path(), "/running_mean"); ok {
			below := strings.TrimPrefix(strings.TrimPrefix(path, scope.Scope()), "/")
			name := strings.ReplaceAll(below, "/", ".") + ".num_batches_tracked"
			counters = append(counters, safefile.TensorOf(name, nil, []int64{batches}))
		}
	}
	return counters
}
