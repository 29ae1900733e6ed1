package lab

import (
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Corpora keep the corpora that were asked for last, so that the runs of one open it once. The zero value has none
// open.
type Corpora[C any] struct {
	mu     sync.Mutex
	opened []openCorpus[C] // that asked for last stands last
}

// mostCorpora is how many are kept: each can take half a gigabyte, and there are dozens in a study of several worlds.
const mostCorpora = 3

type openCorpus[C any] struct {
	key store.Key
	of  C
}

// Of is the corpus of a spec, which open opens where it is not kept. One that fails is opened again.
func (c *Corpora[C]) Of(spec any, open func() (C, error)) (C, error) {
	var none C
	key, err := store.KeyOf(store.Stage{Name: "corpus"}, spec)
	if err != nil {
		return none, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.opened, func(o openCorpus[C]) bool { return o.key == key })
	if at >= 0 {
		there := c.opened[at]
		c.opened = append(slices.Delete(c.opened, at, at+1), there)
		return there.of, nil
	}
	opened, err := open()
	if err != nil {
		return none, err
	}
	if len(c.opened) == mostCorpora {
		c.opened = slices.Delete(c.opened, 0, 1)
	}
	c.opened = append(c.opened, openCorpus[C]{key, opened})
	return opened, nil
}
