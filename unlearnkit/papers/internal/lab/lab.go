// Package lab holds code that the labs of all studies share: devices, methods by name and version, runs with scores at
// their budgets, and model folders. A lab is the part of a study that trains and judges models.
package lab

import (
	"fmt"
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Lab holds a device and the unlearning methods of a modality.
type Lab[V any] struct {
	Guests guest.Models // imported models of users

	open    func() (*device.Device, error)
	methods []unlearn.Method[V]
}

// New returns a lab with the methods of the papers and the caller's own methods. The device is opened when it is first
// needed.
func New[V any](open func() (*device.Device, error), papers, own []unlearn.Method[V]) *Lab[V] {
	return &Lab[V]{open: sync.OnceValues(open), methods: slices.Concat(papers, own)}
}

// Device returns the device and records it in the artifact that is being written.
func (l *Lab[V]) Device(w *store.Work) (*device.Device, error) {
	d, err := l.open()
	if err != nil {
		return nil, err
	}
	w.MadeBy(d.Name(), d.Instructions())
	return d, nil
}

// Method returns the method called name. It returns an error if the method's version differs from the version in the
// run's spec, because results of an old and a new method could otherwise be confused.
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
		err = fmt.Errorf("method %s has version %d here, but the run has version %d: plan the study with the "+
			"method's own entry", name, m.Version, version)
	}
	return m, err
}
