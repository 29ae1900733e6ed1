// Package discriminator trains a classifier that predicts which of two models drew a picture, for the scores of
// "Unlearning or Concealment?". It starts from a pretrained residual network. It trains only the last layer, as in the
// paper's text, or all layers with a triplet loss, as in its code.
package discriminator

import (
	"context"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// Channels is the number of colour channels of a picture: red, green and blue.
const Channels = 3

// Network is a residual network for pictures of a size.
type Network struct {
	Device *device.Device
	Config resnet.Config
	Edge   int // edge of a picture in pixels
	Store  *model.Store
	Within string // scope of the network's variables
	AtOnce int    // batch size; the last batch is padded with zeros
}

// New returns a network with initial values.
func New(d *device.Device, c resnet.Config, edge int, within string, atOnce int, seed uint64) (*Network, error) {
	n := &Network{d, c, edge, model.NewStore(), within, atOnce}
	nn.Seed(n.Scope(), seed)
	_, err := d.Trace("initialise a residual network", n.Store, func(_ *model.Scope, in []*graph.Node) []*graph.Node {
		return []*graph.Node{resnet.Forward(n.Scope(), c, in[0], resnet.Mode{}).Logits}
	}, shapes.Make(dtypes.Float32, 1, Channels, edge, edge))
	return n, err
}

// Scope returns the scope of the network's variables.
func (n *Network) Scope() *model.Scope { return n.Store.Scope("/" + n.Within) }

// each returns the number of values of a picture.
func (n *Network) each() int { return Channels * n.Edge * n.Edge }

// Through runs concatenated pictures through a program, which is compiled at the first call. It returns each output,
// concatenated over all pictures.
func (n *Network) Through(ctx context.Context, program **device.Program, stage string, pictures []float32,
	build func(images *graph.Node) []*graph.Node) ([][]float32, error) {
	if *program == nil {
		compiled, err := n.Device.Compile(stage, n.Store, func(_ *model.Scope, in []*graph.Node) []*graph.Node {
			return build(in[0])
		})
		if err != nil {
			return nil, err
		}
		*program = compiled
	}
	var all [][]float32
	one := n.each()
	for begin := 0; begin < len(pictures)/one; begin += n.AtOnce {
		batch := make([]float32, n.AtOnce*one)
		count := copy(batch, pictures[begin*one:]) / one
		outputs, err := (*program).Run(ctx,
			tensors.FromFlatDataAndDimensions(batch, n.AtOnce, Channels, n.Edge, n.Edge))
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = make([][]float32, len(outputs))
		}
		for i, output := range outputs {
			values := tensors.MustCopyFlatData[float32](output)
			all[i] = append(all[i], values[:count*len(values)/n.AtOnce]...)
		}
	}
	return all, nil
}

// Pictures holds concatenated pictures as a network reads them.
type Pictures struct {
	Values []float32
	Each   int // number of values of a picture
}

// Rows returns some of the pictures, concatenated.
func (p Pictures) Rows(rows []int) []float32 {
	values := make([]float32, 0, len(rows)*p.Each)
	for _, row := range rows {
		values = append(values, p.Values[row*p.Each:(row+1)*p.Each]...)
	}
	return values
}
