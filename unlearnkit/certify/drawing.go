package certify

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// drawing is what was drawn from a panel, and the means of it that were asked for, each computed once.
type drawing struct {
	panel   *Panel
	worlds  []int
	weights [][][]float64 // by place among the worlds and family: how often each member counts; nil is everybody once
	space   [][][]float64
	known   []float64
}

func (p *Panel) drawing() *drawing {
	d := &drawing{panel: p, known: make([]float64, len(p.means))}
	for range p.met {
		space := make([][]float64, len(p.families))
		for family := range space {
			most := 0
			for w := range p.met {
				most = max(most, len(p.met[w][family]))
			}
			space[family] = make([]float64, most)
		}
		d.space = append(d.space, space)
	}
	return d
}

// whole takes every world but one as it is.
func (d *drawing) whole(without int) {
	d.forget()
	d.worlds, d.weights = d.worlds[:0], nil
	for world := range d.panel.met {
		if world != without {
			d.worlds = append(d.worlds, world)
		}
	}
}

// draw draws worlds, and for each place how often every member of every family counts.
func (d *drawing) draw(random *rand.Rand) {
	d.forget()
	d.worlds, d.weights = d.worlds[:0], d.space
	for place := range d.panel.met {
		world := random.IntN(len(d.panel.met))
		d.worlds = append(d.worlds, world)
		for family, met := range d.panel.met[world] {
			weights := d.weights[place][family]
			clear(weights)
			for range len(met) {
				weights[random.IntN(len(met))]++
			}
		}
	}
}

func (d *drawing) forget() {
	for i := range d.known {
		d.known[i] = math.NaN()
	}
}

// mean is the mean over worlds of the means within.
func (d *drawing) mean(name string) float64 {
	at, there := d.panel.places[name]
	if !there {
		panic(fmt.Sprintf("certify: the panel has no %q", name))
	}
	if !math.IsNaN(d.known[at]) {
		return d.known[at]
	}
	total := 0.0
	for place, world := range d.worlds {
		m := &d.panel.means[at][world]
		var weights []float64
		if d.weights != nil {
			weights = d.weights[place][m.family]
		}
		total += m.mean(weights)
	}
	d.known[at] = total / float64(len(d.worlds))
	return d.known[at]
}

func (m *members) mean(weights []float64) float64 {
	sum, count := 0.0, 0.0
	for i, place := range m.places {
		weight := 1.0
		if weights != nil {
			weight = weights[place]
		}
		sum, count = sum+weight*m.sums[i], count+weight*m.counts[i]
	}
	return sum / count
}
