package llava

import (
	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
)

// memory is a decoder's key-value cache. It holds the keys, rotated by their positions, and the values of the places
// that the layers have read. Each is [B, room, KeyValueHeads·HeadWidth]. In each row, the places in use come first.
//
// Rows are filled from the left whatever their lengths, so a place's index is its position. New places of a row are
// written with a mask, because not all devices can update a slice whose place is known only at run time.
type memory struct{ keys, values []*graph.Node }

// memoryOf returns a memory with nodes in the order of [memory.nodes].
func (c Decoder) memoryOf(nodes []*graph.Node) memory {
	return memory{nodes[:c.Layers], nodes[c.Layers : 2*c.Layers]}
}

func (m memory) nodes() []*graph.Node {
	return append(append([]*graph.Node{}, m.keys...), m.values...)
}

// read applies the decoder with tensors below scope to embeddings [B, T, Width] of the first places. It returns the
// hidden states, and a memory with room places of which these are the first.
func (c Decoder) read(scope *model.Scope, embeddings *graph.Node, room int) (hidden *graph.Node, m memory) {
	length := embeddings.Shape().Dimensions[1]
	attention := c.attention()
	attention.Causal = true
	positions := graph.Iota(embeddings.Graph(), shapes.Make(dtypes.Int32, length), 0)
	hidden = c.decode(scope, embeddings, positions, func(_ int, q, k, v *graph.Node) *graph.Node {
		grow := [][2]int{{0, room - length}}
		m.keys, m.values = append(m.keys, nn.Pad(k, grow)), append(m.values, nn.Pad(v, grow))
		return nn.Attention(q, k, v, attention)
	}, nil)
	return hidden, m
}

// extend applies the decoder to embeddings [B, T, Width] of new places. The number of places before them is used, int32
// [B or 1], and m holds these places. A memory with one row serves all rows. extend returns the hidden states, and the
// keys and values of the new places.
func (c Decoder) extend(scope *model.Scope, embeddings, used *graph.Node, m memory) (hidden *graph.Node, added memory) {
	g := embeddings.Graph()
	batch, length := embeddings.Shape().Dimensions[0], embeddings.Shape().Dimensions[1]
	room := m.keys[0].Shape().Dimensions[1]
	used = graph.BroadcastToDims(graph.Reshape(used, -1, 1), batch, 1)
	positions := graph.Add(graph.Iota(g, shapes.Make(dtypes.Int32, batch, length), 1),
		graph.BroadcastToDims(used, batch, length))

	square := shapes.Make(dtypes.Int32, batch, length, length)
	before := graph.LessThan(graph.Iota(g, shapes.Make(dtypes.Int32, batch, room), 1),
		graph.BroadcastToDims(used, batch, room))
	attention := c.attention()
	attention.Mask = graph.Concatenate([]*graph.Node{
		graph.BroadcastToDims(graph.InsertAxes(before, 1), batch, length, room),
		graph.LessOrEqual(graph.Iota(g, square, 2), graph.Iota(g, square, 1)),
	}, 2)
	all := func(old, fresh *graph.Node) *graph.Node {
		return graph.Concatenate([]*graph.Node{graph.BroadcastToDims(old, batch, room, old.Shape().Dimensions[2]),
			fresh}, 1)
	}
	hidden = c.decode(scope, embeddings, positions, func(layer int, q, k, v *graph.Node) *graph.Node {
		added.keys, added.values = append(added.keys, k), append(added.values, v)
		return nn.Attention(q, all(m.keys[layer], k), all(m.values[layer], v), attention)
	}, nil)
	return hidden, added
}

// write stores the keys and values of a new place in each row at index used, int32 [B].
func (m memory) write(added memory, used *graph.Node) memory {
	shape := m.keys[0].Shape().Dimensions
	here := graph.Equal(graph.Iota(used.Graph(), shapes.Make(dtypes.Int32, shape...), 1),
		graph.BroadcastToDims(graph.Reshape(used, -1, 1, 1), shape...))
	put := func(old, fresh []*graph.Node) []*graph.Node {
		next := make([]*graph.Node, len(old))
		for layer := range old {
			next[layer] = graph.Where(here, graph.BroadcastToDims(fresh[layer], shape...), old[layer])
		}
		return next
	}
	return memory{put(m.keys, added.keys), put(m.values, added.values)}
}

// pickPlace returns the state [B, 1, Width] at place at[b] of each row b, from states [B, T, Width].
func pickPlace(states, at *graph.Node) *graph.Node {
	dimensions := states.Shape().Dimensions
	flat := graph.Reshape(states, dimensions[0]*dimensions[1], dimensions[2])
	row := graph.MulScalar(graph.Iota(at.Graph(), shapes.Make(dtypes.Int32, dimensions[0]), 0), dimensions[1])
	return graph.Reshape(graph.Gather(flat, graph.InsertAxes(graph.Add(row, at), -1)), dimensions[0], 1, dimensions[2])
}
