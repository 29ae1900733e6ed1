package unlearn

import (
	"fmt"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// feed hands the rows of a phase to its steps. Which rows a step gets depends on its number alone.
type feed struct {
	streams []Stream
	phase   Phase
	perPass int
	root    uint64
	orders  map[int]order // the last order of each stream
}

type order struct {
	pass int
	rows []int
}

func newFeed(task Task, phase Phase, perPass int, root uint64) *feed {
	f := &feed{phase: phase, perPass: perPass, root: root, orders: map[int]order{}}
	for _, name := range phase.Streams {
		f.streams = append(f.streams, task.Stream(name))
	}
	return f
}

// batch returns a permutation of the batch, then the columns of every stream.
func (f *feed) batch(step int) (train.Batch, error) {
	pass, within := step/f.perPass, step%f.perPass
	length := f.streams[0].Rows()
	begin := within * f.phase.Batch
	count := min(f.phase.Batch, length-begin)
	permutation := make([]int32, count)
	for i, to := range seed.Stream(f.root, "within", "step", step).Perm(count) {
		permutation[i] = int32(to)
	}
	batch := train.Batch{Inputs: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(permutation, count)}, Examples: count * len(f.streams)}
	for i, stream := range f.streams {
		columns, err := stream.Batch(f.rows(i, pass*length+begin, count))
		if err != nil {
			return train.Batch{}, fmt.Errorf("stream %s: %w", f.phase.Streams[i], err)
		}
		batch.Inputs = append(batch.Inputs, columns...)
	}
	return batch, nil
}

// rows are those at the places from begin on of a stream that is walked through again and again, each time in another order.
func (f *feed) rows(stream, begin, count int) []int {
	length := f.streams[stream].Rows()
	rows := make([]int, count)
	for i := range rows {
		pass, place := (begin+i)/length, (begin+i)%length
		current, known := f.orders[stream]
		if !known || current.pass != pass {
			current = order{pass, seed.Stream(f.root, "order", f.phase.Streams[stream], "pass", pass).Perm(length)}
			f.orders[stream] = current
		}
		rows[i] = current.rows[place]
	}
	return rows
}

// open names what batch has laid out, within a graph.
func (f *feed) open(inputs []*graph.Node) Batch {
	b := Batch{columns: map[[2]string]*graph.Node{}, permutation: inputs[0]}
	next := 1
	for i, stream := range f.streams {
		for _, column := range stream.Columns() {
			b.columns[[2]string{f.phase.Streams[i], column}] = inputs[next]
			next++
		}
	}
	return b
}
