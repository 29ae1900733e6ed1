package lab

import (
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

// Corpora open each corpus once. The zero value has none open.
type Corpora[C any] struct {
	mu     sync.Mutex
	opened map[store.Key]C
}

// Of is the corpus of a spec, which open opens where nobody has asked for it before. One that fails is opened again.
func (c *Corpora[C]) Of(spec any, open func() (C, error)) (C, error) {
	var none C
	key, err := store.KeyOf(store.Stage{Name: "corpus"}, spec)
	if err != nil {
		return none, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if there, known := c.opened[key]; known {
		return there, nil
	}
	opened, err := open()
	if err != nil {
		return none, err
	}
	if c.opened == nil {
		c.opened = map[store.Key]C{}
	}
	c.opened[key] = opened
	return opened, nil
}
