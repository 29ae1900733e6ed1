// Package lab has what the labs of the studies share: the device, the methods by name and version, runs of methods that
// are judged on their way, and the folders of models.
package lab

import (
	"fmt"
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Lab has a device and the methods of a modality.
type Lab[V any] struct {
	open    func() (*device.Device, error)
	methods []unlearn.Method[V]
}

// New is a lab that knows the methods of the papers and one's own. The device is opened when something is computed.
func New[V any](open func() (*device.Device, error), papers, own []unlearn.Method[V]) *Lab[V] {
	return &Lab[V]{sync.OnceValues(open), slices.Concat(papers, own)}
}

// Device is what computes; the artifact that is being made notes it.
func (l *Lab[V]) Device(w *store.Work) (*device.Device, error) {
	d, err := l.open()
	if err != nil {
		return nil, err
	}
	w.MadeBy(d.Name(), d.Instructions())
	return d, nil
}

// Method is the one that a spec names. Its version must be the spec's, under which the result is kept: what a changed
// method makes must not be found as the result of the former one, nor the other way round.
func (l *Lab[V]) Method(name string, version int) (unlearn.Method[V], error) {
	m, err := unlearn.Find(l.methods, name)
	if err != nil {
		return m, err
	}
	called := 0
	for _, other := range l.methods {
		if other.Name == name {
			called++
		}
	}
	switch {
	case called > 1:
		err = fmt.Errorf("%d methods are called %q: give your own another name", called, name)
	case m.Version != version:
		err = fmt.Errorf("the method %s has the version %d here, but the run is of version %d: lay the study out with "+
			"the method's own entry", name, m.Version, version)
	}
	return m, err
}
