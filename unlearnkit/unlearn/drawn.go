package unlearn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
)

// Drawn is a stream whose rows a denoising model draws at the beginning of each pass.
type Drawn struct {
	Name    string // among the phase's Streams
	Rows    int    // of a pass, as many as the phase's first stream has unless they are drawn once
	Columns []string
	// Frozen says that the frozen model draws the rows, not the model as it is by then.
	Frozen bool
	// Once says that the first pass draws the rows for all passes.
	Once bool
	// Draw returns the columns of a pass. Root and pass name its random numbers, of which it has no others.
	Draw func(ctx context.Context, sampler Sampler, root uint64, pass int) ([]*tensors.Tensor, error)
}

// drawn is the phase's stream of that name, if the phase draws it.
func (p Phase) drawn(name string) (Drawn, bool) {
	for _, d := range p.Drawn {
		if d.Name == name {
			return d, true
		}
	}
	return Drawn{}, false
}

// checkDrawn tells what keeps a stream from being drawn.
func (j Job) checkDrawn(phase Phase, d Drawn) error {
	_, denoising := j.Task.(Denoising)
	switch {
	case !denoising:
		return fmt.Errorf("a %T has no model that draws", j.Task)
	case !slices.Contains(phase.Streams, d.Name) || d.Draw == nil || len(d.Columns) == 0:
		return errors.New("it needs Draw and Columns, and its Name among the Streams")
	case j.Task.Stream(d.Name) != nil:
		return errors.New("the task has a stream of that name")
	case d.Frozen && !j.Method.Reference:
		return errors.New("the frozen model is to draw, but Method.Reference is not set")
	case !d.Once && d.Rows != j.rows(phase, phase.Streams[0]):
		return fmt.Errorf("%d rows a pass, of which the stream %q has %d", d.Rows, phase.Streams[0],
			j.rows(phase, phase.Streams[0]))
	}
	return nil
}

// drawing is a drawn stream of a run. Its rows stand in the store, below what the phase's optimizer remembers, so that
// every checkpoint has the rows of the pass to which it belongs: they cannot be drawn again, because the model that
// drew them has changed.
type drawing struct {
	of        Drawn
	job       Job
	optimizer optim.Optimizer
	ctx       context.Context // of the run
	root      uint64
	sampler   Sampler // nil before the first pass
}

func (d *drawing) Rows() int         { return d.of.Rows }
func (d *drawing) Columns() []string { return d.of.Columns }

// Batch takes rows from those that are drawn.
func (d *drawing) Batch(rows []int) ([]*tensors.Tensor, error) {
	var columns []*tensors.Tensor
	for _, name := range d.of.Columns {
		whole, err := d.job.Store.GetVariable(d.path("column", name)).Value()
		if err != nil {
			return nil, err
		}
		picked, err := pick(whole, rows)
		if err != nil {
			return nil, err
		}
		columns = append(columns, picked)
	}
	return columns, nil
}

// prepare draws the rows of a pass unless they are there.
func (d *drawing) prepare(pass, step int) error {
	if d.of.Once {
		pass = 0
	}
	if kept := d.job.Store.GetVariable(d.path("pass")); kept != nil &&
		tensors.ToScalar[int64](kept.MustValue()) == int64(pass) {
		return nil
	}
	var columns []*tensors.Tensor
	draw := func() (err error) {
		columns, err = d.draw(pass)
		return err
	}
	var err error
	if d.of.Frozen || step == 0 { // before the first step the average is the policy
		err = draw()
	} else {
		err = d.job.averaged(d.optimizer, draw)
	}
	if err != nil {
		return err
	}
	for i, name := range d.of.Columns {
		if err := d.keep(columns[i], "column", name); err != nil {
			return err
		}
	}
	return d.keep(tensors.FromScalar(int64(pass)), "pass")
}

func (d *drawing) draw(pass int) ([]*tensors.Tensor, error) {
	if d.sampler == nil {
		scope := d.job.Store.RootScope().At(Policy)
		if d.of.Frozen {
			scope = d.job.Store.RootScope().At(reference)
		}
		var err error
		if d.sampler, err = d.job.Task.(Denoising).Sampler(scope); err != nil {
			return nil, err
		}
	}
	var columns []*tensors.Tensor
	err := device.Try(fmt.Sprintf("pass %d is drawn", pass+1), func() (err error) {
		columns, err = d.of.Draw(d.ctx, d.sampler, d.root, pass)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(columns) != len(d.of.Columns) {
		return nil, fmt.Errorf("%d columns are drawn, not %s", len(columns), strings.Join(d.of.Columns, ", "))
	}
	for i, column := range columns {
		if shape := column.Shape(); shape.Rank() == 0 || shape.Dimensions[0] != d.of.Rows {
			return nil, fmt.Errorf("column %s: the shape %v is drawn for %d rows", d.of.Columns[i], shape, d.of.Rows)
		}
	}
	return columns, nil
}

// path is where a part of what is drawn stands in the store.
func (d *drawing) path(parts ...string) string {
	return "/" + strings.Join(append([]string{d.optimizer.Scope, "drawn", d.of.Name}, parts...), "/")
}

func (d *drawing) keep(value *tensors.Tensor, parts ...string) error {
	path := d.path(parts...)
	if variable := d.job.Store.GetVariable(path); variable != nil {
		return variable.SetValue(value)
	}
	variable, err := d.job.Store.CreateVariable(path, value)
	if err == nil {
		variable.SetTrainable(false)
	}
	return err
}

func (d *drawing) close() {
	if d.sampler != nil {
		d.sampler.Close()
	}
}

// pick returns some rows of a tensor, in their order.
func pick(whole *tensors.Tensor, rows []int) (*tensors.Tensor, error) {
	dimensions := slices.Clone(whole.Shape().Dimensions)
	count := dimensions[0]
	dimensions[0] = len(rows)
	picked := tensors.FromShape(shapes.Make(whole.DType(), dimensions...))
	var inner error
	err := whole.ConstBytes(func(from []byte) {
		width := len(from) / count
		inner = picked.MutableBytes(func(to []byte) {
			for i, row := range rows {
				copy(to[i*width:(i+1)*width], from[row*width:])
			}
		})
	})
	return picked, errors.Join(err, inner)
}
