package study

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Panel holds means that are resampled together, so that whatever is computed from several of them has a p-value that respects what their examples share: worlds are drawn again with replacement, and within
// each the members of every family, such as its people. A person drawn twice counts twice in all means that the person is part of.
type Panel struct {
	places map[string]int
	means  [][]members // by mean and world
	sizes  []map[string]int
}

// members are the sums of a mean in one world by member of a family.
type members struct {
	family       string
	member       []int
	sums, counts []float64
}

// Add takes a mean: the outcomes of each world, by members of a family, which are numbered from 0. Negative members stand alone, each a member of a family of its own.
func (p *Panel) Add(name, family string, worlds []Sample) {
	if p.places == nil {
		p.places = map[string]int{}
	}
	if _, known := p.places[name]; known {
		panic(fmt.Sprintf("study: the panel has %q already", name))
	}
	for len(p.sizes) < len(worlds) {
		p.sizes = append(p.sizes, map[string]int{})
	}
	var mean []members
	for w, s := range worlds {
		mean = append(mean, gathered(family, s))
		for _, m := range mean[w].member {
			p.sizes[w][family] = max(p.sizes[w][family], m+1)
		}
	}
	p.places[name] = len(p.means)
	p.means = append(p.means, mean)
}

func gathered(family string, s Sample) members {
	m := members{family: family}
	place := map[int]int{}
	for i, value := range s.Values {
		who := s.Cluster[i]
		if who < 0 {
			who = i
		}
		at, known := place[who]
		if !known {
			at = len(m.member)
			place[who] = at
			m.member, m.sums, m.counts = append(m.member, who), append(m.sums, 0), append(m.counts, 0)
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

// panelReplicates bounds p-values from below at 1/10000.
const panelReplicates = 9999

// Resample gives the distribution of each quantity.
func (p *Panel) Resample(root uint64, quantities []Quantity) []Tail {
	tails := make([]Tail, len(quantities))
	values := make([][]float64, len(quantities))
	whole := p.drawing(nil, nil)
	for i, q := range quantities {
		tails[i].Value = q(whole)
	}
	atMost, atLeast := make([]int, len(quantities)), make([]int, len(quantities))
	for r := range panelReplicates {
		worlds, weights := p.draw(root, r)
		drawn := p.drawing(worlds, weights)
		for i, q := range quantities {
			value := q(drawn)
			values[i] = append(values[i], value)
			if !(value > 0) {
				atMost[i]++
			}
			if !(value < 0) {
				atLeast[i]++
			}
		}
	}
	for i := range tails {
		tails[i].Lo, tails[i].Hi = middle95(values[i])
		tails[i].Above = float64(1+atMost[i]) / float64(1+panelReplicates)
		tails[i].Below = float64(1+atLeast[i]) / float64(1+panelReplicates)
	}
	return tails
}

// draw draws worlds, and for each place how often every member of every family counts.
func (p *Panel) draw(root uint64, replicate int) (worlds []int, weights []map[string][]float64) {
	random := seed.Stream(root, "panel", replicate)
	for range p.sizes {
		world := random.IntN(len(p.sizes))
		worlds = append(worlds, world)
		weight := map[string][]float64{}
		for _, family := range sortedKeys(p.sizes[world]) {
			size := p.sizes[world][family]
			weight[family] = make([]float64, size)
			for range size {
				weight[family][random.IntN(size)]++
			}
		}
		weights = append(weights, weight)
	}
	return worlds, weights
}

// drawing gives the means of what was drawn, each computed once; nil is everything as it is.
func (p *Panel) drawing(worlds []int, weights []map[string][]float64) Means {
	known := make([]float64, len(p.means))
	for i := range known {
		known[i] = math.NaN()
	}
	return func(name string) float64 {
		at, there := p.places[name]
		if !there {
			panic(fmt.Sprintf("study: the panel has no %q", name))
		}
		if math.IsNaN(known[at]) {
			known[at] = over(p.means[at], worlds, weights)
		}
		return known[at]
	}
}

// over is the mean over worlds of the means within.
func over(mean []members, worlds []int, weights []map[string][]float64) float64 {
	total, n := 0.0, 0
	if worlds == nil {
		for _, m := range mean {
			total, n = total+m.mean(nil), n+1
		}
	}
	for i, world := range worlds {
		total, n = total+mean[world].mean(weights[i][mean[world].family]), n+1
	}
	return total / float64(n)
}

func (m members) mean(weights []float64) float64 {
	sum, count := 0.0, 0.0
	for i, who := range m.member {
		weight := 1.0
		if weights != nil {
			weight = weights[who]
		}
		sum, count = sum+weight*m.sums[i], count+weight*m.counts[i]
	}
	return sum / count
}
