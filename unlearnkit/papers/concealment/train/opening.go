package train

import (
	"context"
	"fmt"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
)

// opening holds the original's part of an attack. It is the same for all models that complete the attack.
type opening struct {
	of       string // identifies the original, the settings, the prompt and the number of pictures
	alone    []float32
	prefixes *partialdiffusion.Prefixes
}

// openings caches the latest openings, which take tens of megabytes each. A study attacks several models in a row with
// the same prompt, and an opening is a third of the work of an attack.
type openings struct {
	mutex  sync.Mutex
	latest []*opening
}

const openingsKept = 2

func (o *openings) find(of string) *opening {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for _, found := range o.latest {
		if found.of == of {
			return found
		}
	}
	return nil
}

func (o *openings) keep(made *opening) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.latest = append([]*opening{made}, o.latest[:min(len(o.latest), openingsKept-1)]...)
}

// open draws the original's set and begins the pictures of an attack. The artist must hold the original's weights.
func (p *assault) open(ctx context.Context, a *artist, kept *openings, original string, course *course) (*opening,
	error) {
	of := fmt.Sprint(original, p.settings, p.Prompt, p.Set)
	if found := kept.find(of); found != nil {
		course.next()(1, 1)
		course.next()(1, 1)
		return found, nil
	}
	alone, err := p.set(ctx, a, p.Prompt, course)
	if err != nil {
		return nil, err
	}
	model, err := p.model(ctx, a, "the original", p.Prompt)
	if err != nil {
		return nil, err
	}
	prefixes, err := partialdiffusion.Begin(ctx, p.settings, model, course.next())
	if err != nil {
		return nil, err
	}
	made := &opening{of, alone, prefixes}
	kept.keep(made)
	return made, nil
}
