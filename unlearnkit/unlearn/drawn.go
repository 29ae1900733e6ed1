package unlearn

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
)

// Drawn is a stream whose rows are drawn at the beginning of each pass, by a model or at random.
type Drawn[V any] struct {
	Name    string // name of one of the phase's Streams
	Rows    int    // rows per pass, as many as in the phase's first stream unless they are drawn once
	Columns []string
	// Frozen makes the frozen model draw the rows, instead of the current model.
	Frozen bool
	// Once makes the first pass draw the rows for all passes.
	Once bool
	// Open prepares a model for drawing, with its current values.
	Open func(model V) (Drawer, error)
}

// Drawer draws the rows of a stream.
type Drawer interface {
	// Draw returns the columns of a pass. Its random numbers must depend only on root and pass.
	Draw(ctx context.Context, root uint64, pass int) ([]*tensors.Tensor, error)
	Close()
}

// findDrawn returns the phase's drawn stream with the name, if there is one.
func (p Phase[V]) findDrawn(name string) (Drawn[V], bool) {
	for _, d := range p.Drawn {
		if d.Name == name {
			return d, true
		}
	}
	return Drawn[V]{}, false
}

// checkDrawn returns an error if the stream cannot be drawn.
func (j Job[V]) checkDrawn(phase Phase[V], d Drawn[V]) error {
	switch {
	case !slices.Contains(phase.Streams, d.Name) || d.Open == nil || len(d.Columns) == 0:
		return errors.New("it needs Open and Columns, and its Name among the Streams")
	case j.Task.Streams[d.Name] != nil:
		return errors.New("the task has a stream of that name")
	case d.Frozen && !j.Method.Reference:
		return errors.New("the frozen model is to draw, but Method.Reference is not set")
	case !d.Once && d.Rows != j.rows(phase, phase.Streams[0]):
		return fmt.Errorf("%d rows a pass, but the stream %q has %d", d.Rows, phase.Streams[0],
			j.rows(phase, phase.Streams[0]))
	}
	return nil
}

// drawnStream is a drawn stream of a run. Its rows are stored below the state of the phase's optimizer, so that every
// checkpoint contains the rows of its pass. They cannot be drawn again, because the model that drew them has changed.
type drawnStream[V any] struct {
	of        Drawn[V]
	job       Job[V]
	optimizer optim.Optimizer
	ctx       context.Context // context of the run
	root      uint64
	drawer    Drawer // drawer of the rows; nil before the first pass
}

func (d *drawnStream[V]) Rows() int         { return d.of.Rows }
func (d *drawnStream[V]) Columns() []string { return d.of.Columns }

// Batch returns some of the drawn rows.
func (d *drawnStream[V]) Batch(rows []int) ([]*tensors.Tensor, error) {
	var columns []*tensors.Tensor
	for _, name := range d.of.Columns {
		whole, err := d.job.Store.GetVariable(d.path("column", name)).Value()
		if err != nil {
			return nil, err
		}
		picked, err := Pick(whole, rows)
		if err != nil {
			return nil, err
		}
		columns = append(columns, picked)
	}
	return columns, nil
}

// prepare draws the rows of a pass unless they are in the store.
func (d *drawnStream[V]) prepare(pass, step int) error {
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
	if d.of.Frozen || step == 0 { // before the first step the average equals the policy
		err = draw()
	} else {
		err = d.optimizer.Averaged(d.job.Store, draw)
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

func (d *drawnStream[V]) draw(pass int) ([]*tensors.Tensor, error) {
	if d.drawer == nil {
		weights := Weights{d.job.Store.RootScope().At(Policy), false}
		if d.of.Frozen {
			weights = Weights{d.job.Store.RootScope().At(Reference), true}
		}
		var err error
		if d.drawer, err = d.of.Open(d.job.Task.View(weights)); err != nil {
			return nil, err
		}
	}
	var columns []*tensors.Tensor
	err := device.Try(fmt.Sprintf("pass %d is drawn", pass+1), func() (err error) {
		columns, err = d.drawer.Draw(d.ctx, d.root, pass)
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

// path returns the store path of a part of the drawn rows.
func (d *drawnStream[V]) path(parts ...string) string {
	return "/" + strings.Join(append([]string{d.optimizer.Scope, "drawn", d.of.Name}, parts...), "/")
}

func (d *drawnStream[V]) keep(value *tensors.Tensor, parts ...string) error {
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

func (d *drawnStream[V]) close() {
	if d.drawer != nil {
		d.drawer.Close()
	}
}
