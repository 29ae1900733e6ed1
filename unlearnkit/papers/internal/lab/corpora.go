package lab

import (
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Corpora caches the most recently used corpora, so that runs with the same corpus open it once. The zero value is an
// empty cache.
type Corpora[C any] struct {
	mu     sync.Mutex
	opened []openCorpus[C] // open corpora, the most recently used last
}

// mostCorpora is the size of the cache. Each corpus can take half a gigabyte, and a study with several worlds has
// dozens.
const mostCorpora = 3

type openCorpus[C any] struct {
	key store.Key
	of  C
}

// Of returns the corpus of a spec from the cache. If it is not cached, Of opens it. Failures are not cached.
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
