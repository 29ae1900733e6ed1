package certify

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Panel holds means that are resampled together, so that whatever is computed from several of them has a p-value that
// respects what their examples share: worlds are drawn again with replacement, and within each the members of every
// family, such as its people. A person drawn twice counts twice in all means that the person is part of.
type Panel struct {
	places   map[string]int
	means    [][]members // by mean and world
	families map[string]int
	met      [][]map[int]int // by world and family: the place of each member
}

// members are the sums of a mean in one world by member of a family.
type members struct {
	family       int
	places       []int
	sums, counts []float64
}

// Add takes a mean: the outcomes of each world, by members of a family. Members have the same number in all means. A
// negative one stands alone; in all means of the family it is the same in the same place.
func (p *Panel) Add(name, family string, worlds []Sample) {
	if p.places == nil {
		p.places, p.families, p.met = map[string]int{}, map[string]int{}, make([][]map[int]int, len(worlds))
	}
	if p.Has(name) {
		panic(fmt.Sprintf("certify: the panel has %q already", name))
	}
	if len(worlds) != len(p.met) {
		panic(fmt.Sprintf("certify: %q has %d worlds in a panel of %d", name, len(worlds), len(p.met)))
	}
	if _, known := p.families[family]; !known {
		p.families[family] = len(p.families)
		for w := range p.met {
			p.met[w] = append(p.met[w], map[int]int{})
		}
	}
	var mean []members
	for w, s := range worlds {
		mean = append(mean, gather(s, p.families[family], p.met[w][p.families[family]]))
	}
	p.places[name] = len(p.means)
	p.means = append(p.means, mean)
}

// gather sums a world up by members, whose places in the family it finds or gives.
func gather(s Sample, family int, met map[int]int) members {
	m := members{family: family}
	within := map[int]int{}
	for i, value := range s.Values {
		who := s.Cluster[i]
		if who < 0 {
			who = -1 - i
		}
		if _, known := met[who]; !known {
			met[who] = len(met)
		}
		at, known := within[who]
		if !known {
			at = len(m.places)
			within[who] = at
			m.places, m.sums, m.counts = append(m.places, met[who]), append(m.sums, 0), append(m.counts, 0)
		}
		m.sums[at] += value
		m.counts[at]++
	}
	return m
}

// Has tells whether the panel has a mean.
func (p *Panel) Has(name string) bool { _, known := p.places[name]; return known }

// Means gives a mean by its name.
type Means func(name string) float64

// Quantity is computed from means.
type Quantity func(Means) float64

// Tail is where zero lies in the distribution of a quantity.
type Tail struct {
	Value        float64 // from the examples as they are
	Lo, Hi       float64 // of 95 %
	Above, Below float64 // p-values against "it is at most zero" and "it is at least zero"
}

// panelReplicates bounds two-sided p-values from below at 1/10000: so many draws tell no more.
const panelReplicates = 9999

// Resample gives the distribution of each quantity. What is not a number gives a tail of NaN.
func (p *Panel) Resample(root uint64, quantities []Quantity) []Tail {
	replicates := make([][]float64, len(quantities))
	d := p.drawing()
	for r := range panelReplicates {
		d.draw(seed.Stream(root, "panel", r))
		for i, q := range quantities {
			if value := q(d.mean); !math.IsNaN(value) {
				replicates[i] = append(replicates[i], value)
			}
		}
	}
	tails := make([]Tail, len(quantities))
	for i, q := range quantities {
		d.whole(-1)
		tails[i] = tail(q(d.mean), replicates[i], p.between(q, d), len(p.met))
	}
	return tails
}

func tail(value float64, replicates []float64, between float64, worlds int) Tail {
	t := Tail{value, math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	if math.IsNaN(value) || len(replicates) == 0 {
		return t
	}
	u := uncertaintyOf(replicates, between, worlds)
	t.Lo, t.Hi = u.interval(value, replicates)
	const least = 0.5 / (1 + panelReplicates)
	t.Above, t.Below = max(least, u.above(value)), max(least, u.above(-value))
	return t
}

// between is the jackknife's variance of a quantity: from what it is without each of the worlds.
func (p *Panel) between(q Quantity, d *drawing) float64 {
	n := len(p.met)
	if n < 2 {
		return 0
	}
	var without []float64
	for world := range n {
		d.whole(world)
		without = append(without, q(d.mean))
	}
	return varianceOfMean(without) * float64(n-1) * float64(n-1)
}
