// Package telling trains a classifier to say which of two models drew a picture, as "Unlearning or Concealment?" does
// for its scores: from a residual network that knows pictures, the last layer alone, as the paper's text says, or all
// of them with a triplet loss, as its code does.
package telling

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

// Channels of a picture: red, green and blue.
const Channels = 3

// Network is a residual network for pictures of a size.
type Network struct {
	Device *device.Device
	Config resnet.Config
	Edge   int // of a picture
	Store  *model.Store
	Within string // the name of the scope where its tensors stand
	AtOnce int    // how many pictures go through it together; the last of them are looked at with others again
}

// New is a network with its first values.
func New(d *device.Device, c resnet.Config, edge int, within string, atOnce int, seed uint64) (*Network, error) {
	n := &Network{d, c, edge, model.NewStore(), within, atOnce}
	nn.Seed(n.Scope(), seed)
	_, err := d.Trace("lay a residual network out", n.Store, func(_ *model.Scope, in []*graph.Node) []*graph.Node {
		return []*graph.Node{resnet.Forward(n.Scope(), c, in[0], resnet.Mode{}).Logits}
	}, shapes.Make(dtypes.Float32, 1, Channels, edge, edge))
	return n, err
}

// Scope is where the network's tensors stand.
func (n *Network) Scope() *model.Scope { return n.Store.Scope("/" + n.Within) }

// each is how many numbers a picture has.
func (n *Network) each() int { return Channels * n.Edge * n.Edge }

// Through leads pictures, whose planes stand one behind the other, through a program, which is compiled at the first
// call, and returns each of its outputs, those of all pictures one behind the other.
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

// Pictures are planes as a network wants them, one picture behind the other.
type Pictures struct {
	Values []float32
	Each   int // numbers of one picture
}

// Rows are some of the pictures.
func (p Pictures) Rows(rows []int) []float32 {
	values := make([]float32, 0, len(rows)*p.Each)
	for _, row := range rows {
		values = append(values, p.Values[row*p.Each:(row+1)*p.Each]...)
	}
	return values
}
