package train

import (
	"fmt"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// pool keeps expensive values for reuse: networks with their compiled graphs, into which other weights are loaded. A
// value that is taken from the pool belongs to one run until it is returned.
type pool[T any] struct {
	mutex sync.Mutex
	free  map[string][]T
}

func (p *pool[T]) take(kind string) (kept T, found bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	free := p.free[kind]
	if len(free) == 0 {
		return kept, false
	}
	p.free[kind] = free[:len(free)-1]
	return free[len(free)-1], true
}

func (p *pool[T]) give(kind string, kept T) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.free == nil {
		p.free = map[string][]T{}
	}
	p.free[kind] = append(p.free[kind], kept)
}

// withArtist calls use with an artist that holds the weights of a model's artifact. If use fails, the artist is not
// reused, because a failed graph may destroy weights.
func (l *Lab) withArtist(d *device.Device, of *store.Artifact, use func(a *artist) error) error {
	found, err := readFolder(of.Dir)
	if err != nil {
		return err
	}
	kind := fmt.Sprint(found)
	a, kept := l.artists.take(kind)
	if !kept {
		p, err := fresh(d, found.Network, found.Image, 0)
		if err == nil {
			p.Batch = l.atOnce
			a, err = p.artist()
		}
		if err != nil {
			return err
		}
	}
	if err = a.load(of.Dir); err == nil {
		err = use(a)
	}
	if err != nil {
		a.close()
		a.store.Finalize()
		return err
	}
	l.artists.give(kind, a)
	return nil
}

// withJudge calls use with a judge for pictures of a given size.
func (l *Lab) withJudge(d *device.Device, of *store.Artifact, image int, use func(j *judge) error) error {
	config, err := readJudge(of.Dir)
	if err != nil {
		return err
	}
	kind := fmt.Sprint(config, image)
	j, kept := l.judges.take(kind)
	if !kept {
		network, err := newResidual(d, config, image, 0)
		if err != nil {
			return err
		}
		j = &judge{Network: network}
	}
	if err = j.load(of.Dir); err == nil {
		err = use(j)
	}
	if err != nil {
		j.close()
		return err
	}
	l.judges.give(kind, j)
	return nil
}

// judged calls use with an artist for a model and with a judge for its pictures.
func (l *Lab) judged(model, by *store.Artifact, w *store.Work, use func(a *artist, j *judge) error) error {
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	return l.withArtist(d, model, func(a *artist) error {
		return l.withJudge(d, by, a.image, func(j *judge) error { return use(a, j) })
	})
}
