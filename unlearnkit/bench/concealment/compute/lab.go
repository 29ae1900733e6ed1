// Package compute makes the raw scores of the study of "Unlearning or Concealment?": it trains the original and gold models and the judge of their pictures, runs the methods, and attacks what they made.
package compute

import (
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

// Lab computes the stages of the study on one device. Its methods may run side by side.
type Lab struct {
	open func() (*device.Device, error)
}

// NewLab is a lab on a device, which is opened when something is computed.
func NewLab(open func() (*device.Device, error)) *Lab { return &Lab{open: sync.OnceValues(open)} }

// device is what computes; the artifact that is being made notes it.
func (l *Lab) device(w *store.Work) (*device.Device, error) {
	d, err := l.open()
	if err != nil {
		return nil, err
	}
	w.MadeBy(d.Name(), device.SIMD())
	return d, nil
}

func open(w concealment.World) (*concept.World, error) { return concept.New(w.Spec) }
