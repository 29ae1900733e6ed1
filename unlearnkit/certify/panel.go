package certify

import (
	"fmt"
	"math"
)

// Panel holds means by their names, of which quantities are computed. What is computed from several of them has a
// p-value that respects what their outcomes share.
type Panel struct {
	places      map[string]int
	means       []Outcomes
	repetitions map[Repetitions]int
}

// Add takes a mean. All that are repeated in the same way, by the name of that, are so as often, and the first
// repetition of one is that of another. What is repeated under another name is independent of them.
func (p *Panel) Add(name string, o Outcomes) {
	if p.places == nil {
		p.places = map[string]int{}
	}
	if p.Has(name) {
		panic(fmt.Sprintf("certify: the panel has %q already", name))
	}
	if !o.once {
		if n, there := p.repetitions[o.noun]; there && len(o.samples) != n {
			panic(fmt.Sprintf("certify: %q has %d repetitions in a panel of %d", name, len(o.samples), n))
		}
		if p.repetitions == nil {
			p.repetitions = map[Repetitions]int{}
		}
		p.repetitions[o.noun] = len(o.samples)
	}
	p.places[name] = len(p.means)
	p.means = append(p.means, o)
}

// Has tells whether the panel has a mean.
func (p *Panel) Has(name string) bool { _, known := p.places[name]; return known }

// Means gives a mean by its name.
type Means func(name string) float64

// Quantity is computed from means.
type Quantity func(Means) float64

// mean is the place of a mean.
func (p *Panel) mean(name string) int {
	at, there := p.places[name]
	if !there {
		panic(fmt.Sprintf("certify: the panel has no %q", name))
	}
	return at
}

// Estimate gives a quantity with its interval and tests.
func (p *Panel) Estimate(q Quantity) Estimate {
	value, parts := p.parts(q)
	l := linearised(value, parts)
	l.apart = apartOf(value, parts)
	e := l.estimate()
	e.Each = p.each(q, parts)
	return e
}

// agree returns how many repetitions have a quantity on the same side of zero as all together, and how many there are.
func (p *Panel) agree(q Quantity) (agree, of int) {
	value, parts := p.parts(q)
	return Estimate{Value: value, Each: p.each(q, parts)}.Agree(0)
}

// each returns a quantity by each repetition alone, of the kind of which there are most. Other means are as they are.
func (p *Panel) each(q Quantity, parts []part) (values []float64) {
	var noun Repetitions
	most := 1
	for _, k := range parts {
		if n := len(k.samples); !k.once && n > most {
			noun, most = k.noun, n
		}
	}
	if most == 1 {
		return nil
	}
	for repetition := range most {
		values = append(values, q(func(name string) float64 {
			o := &p.means[p.mean(name)]
			if !o.once && o.noun == noun {
				return o.samples[repetition].mean()
			}
			return o.value()
		}))
	}
	return values
}

// part is what a mean has to do with a quantity: how fast the quantity changes with it.
type part struct {
	*Outcomes
	value, slope float64
}

// parts are the means that a quantity asks for, in the order in which it does, with the slopes by central differences.
func (p *Panel) parts(q Quantity) (value float64, parts []part) {
	place := map[string]int{}
	value = q(func(name string) float64 {
		at, asked := place[name]
		if !asked {
			o := &p.means[p.mean(name)]
			at = len(parts)
			place[name], parts = at, append(parts, part{Outcomes: o, value: o.value()})
		}
		return parts[at].value
	})
	const step = 1e-6
	for i := range parts {
		h := step * max(1, math.Abs(parts[i].value))
		at := func(shift float64) float64 {
			return q(func(name string) float64 {
				if place[name] == i {
					return parts[i].value + shift
				}
				return parts[place[name]].value
			})
		}
		parts[i].slope = (at(h) - at(-h)) / (2 * h)
	}
	return value, parts
}
