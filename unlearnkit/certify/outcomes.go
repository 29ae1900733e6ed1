package certify

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Family is a kind of units that outcomes belong to: people, noises, prompts. Outcomes of one unit depend on each
// other.
type Family struct {
	Name    string
	Crossed bool // all repetitions have the same units; where it is false, each has its own
}

// layout is how the units lie to the repetitions, in a word.
func (f Family) layout() string {
	if f.Crossed {
		return crossed
	}
	return nested
}

// Sample is the outcomes of one repetition.
type Sample struct {
	Values []float64
	Units  []int // the unit of each outcome; a negative one stands alone
}

// Outcomes are what a mean is taken of: the mean over repetitions of the means within.
type Outcomes struct {
	family  Family
	noun    Repetitions
	once    bool
	share   bool
	percent bool
	step    float64    // see [Outcomes.Step]
	samples []gathered // by repetition; a single one of what was made once
}

// gathered is a sample summed up by units.
type gathered struct {
	units        []int
	sums, counts []float64
	sum, count   float64
	squares      float64 // sum of the squares of the values
	low, high    float64 // of the values
}

// Repeated are the outcomes of each repetition. One without values has no part in a cell, and makes a mean of a panel
// not a number.
func Repeated(noun Repetitions, family Family, samples []Sample) Outcomes {
	o := Outcomes{family: family, noun: noun}
	for _, s := range samples {
		o.samples = append(o.samples, gather(s))
	}
	return o
}

// Once are the outcomes of what was made once and stands beside all repetitions. Its units are those of the same
// numbers in the repetitions, if the family is crossed or there is one repetition.
func Once(family Family, sample Sample) Outcomes {
	return Outcomes{family: family, once: true, samples: []gathered{gather(sample)}}
}

// Share says that the outcomes lie from 0 to 1, so that an interval of their mean ends there too.
func (o Outcomes) Share() Outcomes {
	o.share = true
	return o
}

// Percent says that the outcomes lie from 0 to 100; it is [Outcomes.Share] in other numbers.
func (o Outcomes) Percent() Outcomes {
	o.share, o.percent = true, true
	return o
}

// Step says that the mean of a repetition is told no finer than in steps of some size, as the share of right answers to
// 14 questions is in fourteenths. Repetitions that show the same may then differ by a part of a step, which none would
// show: their variance counts as that of rounding to a step at least.
func (o Outcomes) Step(size float64) Outcomes {
	o.step = size
	return o
}

// whole is the largest that an outcome can be which is a share, or may be one.
func (o *Outcomes) whole() float64 {
	if o.percent {
		return 100
	}
	return 1
}

// gather sums a sample up by units, in their order.
func gather(s Sample) gathered {
	if len(s.Units) != len(s.Values) {
		panic(fmt.Sprintf("certify: %d outcomes of %d units", len(s.Values), len(s.Units)))
	}
	g := gathered{low: math.Inf(1), high: math.Inf(-1)}
	order, units := make([]int, len(s.Values)), make([]int, len(s.Values))
	for row, unit := range s.Units {
		if order[row], units[row] = row, unit; unit < 0 {
			units[row] = -1 - row
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(units[a]-units[b], a-b) })
	for _, row := range order {
		last := len(g.units) - 1
		if last < 0 || g.units[last] != units[row] {
			g.units, g.sums, g.counts = append(g.units, units[row]), append(g.sums, 0), append(g.counts, 0)
			last++
		}
		value := s.Values[row]
		g.sums[last] += value
		g.counts[last]++
		g.sum, g.count, g.squares = g.sum+value, g.count+1, g.squares+value*value
		g.low, g.high = min(g.low, value), max(g.high, value)
	}
	return g
}

// mean is NaN of nothing.
func (g *gathered) mean() float64 { return g.sum / g.count }

// value is the mean over repetitions of the means within.
func (o *Outcomes) value() float64 {
	total := 0.0
	for i := range o.samples {
		total += o.samples[i].mean()
	}
	return total / float64(len(o.samples))
}

// count is how many outcomes there are.
func (o *Outcomes) count() int {
	n := 0.0
	for i := range o.samples {
		n += o.samples[i].count
	}
	return int(n)
}

// independent returns the most independent outcomes of 0 or the whole that there may be: as many as there are outcomes,
// and any number where they lie between.
func (o *Outcomes) independent() float64 {
	for i := range o.samples {
		if s := &o.samples[i]; math.Abs(s.squares-o.whole()*s.sum) > rounding*o.whole()*s.sum {
			return math.Inf(1)
		}
	}
	return float64(o.count())
}

// units is how many units the outcomes have.
func (o *Outcomes) units() int {
	if !o.family.Crossed || len(o.samples) == 1 {
		n := 0
		for i := range o.samples {
			n += len(o.samples[i].units)
		}
		return n
	}
	met := map[int]bool{}
	for i := range o.samples {
		for _, unit := range o.samples[i].units {
			met[unit] = true
		}
	}
	return len(met)
}

// few is how many units, or a tenth of them, have to show something else before they tell how much units differ.
const few = 3

// flat tells whether all outcomes are 0 but for a few units, or all are whole: the variance that is left says less of
// the mean than how many units there are.
func (o *Outcomes) flat() bool {
	none, all := map[int]bool{}, map[int]bool{} // units that show something else
	whole := o.whole()
	for i := range o.samples {
		s := &o.samples[i]
		if s.low < -rounding*whole || s.high > (1+rounding)*whole {
			return false
		}
		for at, unit := range s.units {
			if !o.family.Crossed {
				unit = i<<32 + at // every repetition has its own
			}
			if s.sums[at] > rounding*whole*s.counts[at] {
				none[unit] = true
			}
			if s.sums[at] < (1-rounding)*whole*s.counts[at] {
				all[unit] = true
			}
			if len(none) >= few && len(all) >= few {
				return false
			}
		}
	}
	nearly := func(others int) bool { return others < few && 10*others <= o.units() }
	return nearly(len(none)) || nearly(len(all))
}

// without leaves the repetitions out in which one of two has no outcomes.
func without(a, b Outcomes) (Outcomes, Outcomes) {
	if a.once || b.once || a.noun != b.noun {
		return a.complete(a), b.complete(b)
	}
	return a.complete(b), b.complete(a)
}

// complete are the repetitions in which both have outcomes.
func (o Outcomes) complete(other Outcomes) Outcomes {
	kept := o
	kept.samples = nil
	for i, s := range o.samples {
		if s.count > 0 && other.samples[i].count > 0 {
			kept.samples = append(kept.samples, s)
		}
	}
	return kept
}

// Complete tells whether there are outcomes in every repetition.
func (o Outcomes) Complete() bool {
	return len(o.samples) > 0 && !slices.ContainsFunc(o.samples, func(s gathered) bool { return s.count == 0 })
}
