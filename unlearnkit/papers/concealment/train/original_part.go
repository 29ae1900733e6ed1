package train

import (
	"context"
	"fmt"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
)

// originalPart holds the original's part of an attack. It is the same for all models that complete the attack.
type originalPart struct {
	of       string // identifies the original, the settings, the prompt and the number of pictures
	alone    []float32
	prefixes *partialdiffusion.Prefixes
}

// originalParts caches the latest parts, which take tens of megabytes each. A study attacks several models in a row
// with the same prompt, and the original's part is a third of the work of an attack.
type originalParts struct {
	mutex  sync.Mutex
	latest []*originalPart
}

const cachedParts = 2

func (o *originalParts) find(of string) *originalPart {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, found := range o.latest {
		if found.of == of {
			return found
		}
	}
	return nil
}

func (o *originalParts) keep(made *originalPart) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.latest = append([]*originalPart{made}, o.latest[:min(len(o.latest), cachedParts-1)]...)
}

// drawOriginal draws the original's set and begins the pictures of an attack. The artist must hold the original's
// weights.
func (p *attackPlan) drawOriginal(ctx context.Context, a *artist, cache *originalParts, original string,
	parts *partsProgress) (*originalPart, error) {
	of := fmt.Sprint(original, p.settings, p.Prompt, p.Set)
	if found := cache.find(of); found != nil {
		parts.next()(1, 1)
		parts.next()(1, 1)
		return found, nil
	}
	alone, err := p.set(ctx, a, p.Prompt, parts)
	if err != nil {
		return nil, err
	}
	model, err := p.model(ctx, a, "the original", p.Prompt)
	if err != nil {
		return nil, err
	}
	prefixes, err := partialdiffusion.Begin(ctx, p.settings, model, parts.next())
	if err != nil {
		return nil, err
	}
	made := &originalPart{of, alone, prefixes}
	cache.keep(made)
	return made, nil
}
