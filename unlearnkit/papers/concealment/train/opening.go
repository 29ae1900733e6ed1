package train

import (
	"context"
	"fmt"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
)

// opening is what the original does in an attack: it is the same whoever completes it.
type opening struct {
	of       string // what it is determined by
	alone    []float32
	prefixes *partialdiffusion.Prefixes
}

// openings keeps the latest of them, tens of megabytes each: the attacks on several models with one prompt stand
// together in a study, and a third of their work is this.
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

// open lets the original, whose values the artist has, draw its set and begin with the pictures.
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
