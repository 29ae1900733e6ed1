package certify

import (
	"fmt"
	"math"
)

// Panel holds named means from which quantities are computed. The p-value of a quantity of several means accounts for
// the outcomes that the means share.
type Panel struct {
	// Looks is how many times claims are decided while repetitions are added: p-values are multiplied by it, and
	// intervals of claims are as much surer. 0 counts as 1.
	Looks int

	places      map[string]int
	means       []Outcomes
	repetitions map[Repetitions]int
}

// Add adds a mean. Means with the same [Repetitions] must have the same number of repetitions, and equal indices denote
// the same repetition. Means with different Repetitions are independent.
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

// Has reports whether the panel has a mean with this name.
func (p *Panel) Has(name string) bool { _, known := p.places[name]; return known }

// Means returns the mean with a name.
type Means func(name string) float64

// Quantity computes a number from means.
type Quantity func(Means) float64

// mean returns the index of the mean with a name.
func (p *Panel) mean(name string) int {
	at, there := p.places[name]
	if !there {
		panic(fmt.Sprintf("certify: the panel has no %q", name))
	}
	return at
}

// Estimate computes a quantity with its interval and tests.
func (p *Panel) Estimate(q Quantity) Estimate {
	value, parts := p.parts(q)
	l := linearise(value, parts)
	l.resampled = p.resampled(q, value, parts)
	l.apart = shareDifferenceOf(value, parts)
	e := l.estimate()
	e.Each = p.each(q, parts)
	return e
}

// agree returns the number of repetitions in which the quantity is on the estimate's side of zero, and the number of
// all repetitions.
func (p *Panel) agree(q Quantity) (agree, of int) {
	value, parts := p.parts(q)
	return Estimate{Value: value, Each: p.each(q, parts)}.Agree(0)
}

// each computes the quantity for each repetition of the most frequent kind. The other means keep their overall value.
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

// part is a mean that a quantity depends on, with the derivative of the quantity with respect to the mean.
type part struct {
	*Outcomes
	value, slope float64
	name         string
	bound        bool // the derivative is zero, so that slope is the steepest within the mean's interval
}

// parts returns the means that a quantity reads, with the slopes that its uncertainty depends on.
func (p *Panel) parts(q Quantity) (value float64, parts []part) {
	value, parts, at := p.gradient(q)
	for i := range parts {
		if parts[i].slope == 0 {
			parts[i].bound, parts[i].slope = true, steepest(value, parts[i], func(shift float64) float64 { return at(i, shift) })
		}
	}
	return value, parts
}

// gradient returns the means that a quantity reads, in the order of reading, with the derivatives by central
// differences. at computes the quantity with one mean shifted.
func (p *Panel) gradient(q Quantity) (value float64, parts []part, at func(i int, shift float64) float64) {
	place := map[string]int{}
	value = q(func(name string) float64 {
		at, asked := place[name]
		if !asked {
			o := &p.means[p.mean(name)]
			at = len(parts)
			place[name], parts = at, append(parts, part{Outcomes: o, value: o.value(), name: name})
		}
		return parts[at].value
	})
	at = func(i int, shift float64) float64 {
		return q(func(name string) float64 {
			if place[name] == i {
				return parts[i].value + shift
			}
			return parts[place[name]].value
		})
	}
	const step = 1e-6
	for i := range parts {
		h := step * max(1, math.Abs(parts[i].value))
		parts[i].slope = (at(i, h) - at(i, -h)) / (2 * h)
	}
	return value, parts, at
}

// steepest returns the steepest slope of a quantity from a mean to the ends of the mean's interval. It replaces the
// derivative where that is zero, at a bound of the quantity or at an extremum: there the quantity would seem to be
// certain however uncertain the mean is.
func steepest(value float64, k part, at func(shift float64) float64) (slope float64) {
	k.slope = 1
	e := linearise(k.value, []part{k}).estimate()
	for _, end := range []float64{e.Lo, e.Hi} {
		if s := (at(end-k.value) - value) / (end - k.value); math.Abs(s) > math.Abs(slope) {
			slope = s
		}
	}
	return slope
}
