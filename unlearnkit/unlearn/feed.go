package unlearn

import (
	"fmt"
	"strings"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/train"
)

// feed supplies the steps of a phase with rows. The rows of a step depend only on root and the step's index.
type feed struct {
	names       []string // stream names
	streams     []Stream
	rows        int // rows of a batch
	perPass     int
	root        uint64
	walks       []*train.Walk           // orders of the rows, one per stream
	stepBatches []int                   // indices of the batches of a pass that become steps; nil for endless streams
	random      []Random                // columns drawn for each step
	rowsOf      map[string]shapes.Shape // the shape of one row of each column
}

// preparedStream is a stream whose rows are drawn for each pass, or computed before the first.
type preparedStream interface {
	Stream
	prepare(pass, step int) error
	close()
}

func newFeed(streams []string, rows, perPass int, root uint64, open func(name string, root uint64) Stream) *feed {
	f := &feed{names: streams, rows: rows, perPass: perPass, root: root, rowsOf: map[string]shapes.Shape{}}
	for _, name := range streams {
		stream := open(name, root)
		f.streams, f.walks = append(f.streams, stream), append(f.walks, train.NewWalk(root, name, stream.Rows()))
	}
	return f
}

// phaseRoot returns the root of the random numbers of a job's phase.
func phaseRoot(job uint64, phase int) uint64 { return seed.Derive(job, "phase", phase) }

// Orders returns the order of a stream's rows in each pass of the first phase of a job with the given seed.
func Orders(job uint64, stream string, rows, passes int) [][]int {
	walk := train.NewWalk(phaseRoot(job, 0), stream, rows)
	orders := make([][]int, passes)
	for pass := range orders {
		orders[pass] = walk.Rows(pass*rows, rows)
	}
	return orders
}

// batch returns a step's inputs: a permutation of its rows, the columns of every stream, and the random columns.
func (f *feed) batch(step int) (train.Batch, error) {
	pass := step / f.perPass
	count := f.count(step)
	permutation := make([]int32, count)
	for i, to := range seed.Stream(f.root, "within", "step", step).Perm(count) {
		permutation[i] = int32(to)
	}
	batch := train.Batch{Inputs: []*tensors.Tensor{tensors.FromFlatDataAndDimensions(permutation, count)},
		Examples: count * len(f.streams)}
	for i, stream := range f.streams {
		if drawn, is := stream.(preparedStream); is {
			if err := drawn.prepare(pass, step); err != nil {
				return train.Batch{}, fmt.Errorf("stream %s: %w", f.names[i], err)
			}
		}
		columns, err := stream.Batch(f.walks[i].Rows(f.begin(i, step), count))
		if err == nil {
			err = f.check(f.names[i], stream.Columns(), columns, count)
		}
		if err != nil {
			return train.Batch{}, fmt.Errorf("stream %s: %w", f.names[i], err)
		}
		batch.Inputs = append(batch.Inputs, columns...)
	}
	for _, random := range f.random {
		columns, err := random.draw(f.root, step, count)
		if err != nil {
			return train.Batch{}, fmt.Errorf("random %s: %w", random.Name, err)
		}
		batch.Inputs = append(batch.Inputs, columns...)
	}
	return batch, nil
}

// close frees the drawn or computed rows.
func (f *feed) close() {
	for _, stream := range f.streams {
		if drawn, is := stream.(preparedStream); is {
			drawn.close()
		}
	}
}

// check returns an error if a stream returned too few columns, or columns whose shapes do not match the number of rows
// or earlier batches.
func (f *feed) check(stream string, names []string, columns []*tensors.Tensor, count int) error {
	if len(columns) != len(names) {
		return fmt.Errorf("a batch of %d columns, not of %s", len(columns), strings.Join(names, ", "))
	}
	for i, column := range columns {
		shape := column.Shape()
		if shape.Rank() == 0 || shape.Dimensions[0] != count {
			return fmt.Errorf("column %s: the shape %v for %d rows", names[i], shape, count)
		}
		row := shapes.Make(shape.DType, shape.Dimensions[1:]...)
		key := stream + "/" + names[i]
		if first, known := f.rowsOf[key]; known && !first.Equal(row) {
			return fmt.Errorf("column %s: rows of the shape %v after rows of %v", names[i], row, first)
		}
		f.rowsOf[key] = row
	}
	return nil
}

// open assigns names to the inputs that batch returns, within a graph.
func (f *feed) open(inputs []*graph.Node) Batch {
	b := Batch{columns: map[string]map[string]*graph.Node{}, permutation: inputs[0]}
	next := 1
	name := func(source string, names []string) {
		columns := map[string]*graph.Node{}
		for _, column := range names {
			columns[column] = inputs[next]
			next++
		}
		b.columns[source] = columns
	}
	for i, stream := range f.streams {
		name(f.names[i], stream.Columns())
	}
	for _, random := range f.random {
		name(random.Name, random.Columns)
	}
	return b
}
