package certify

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Family is a kind of unit that outcomes belong to, such as people, noises or prompts. Outcomes of the same unit depend
// on each other.
type Family struct {
	Name    string
	Crossed bool // all repetitions share the units; if false, each repetition has its own units
}

// layout returns the layout of the units relative to repetitions.
func (f Family) layout() string {
	if f.Crossed {
		return crossed
	}
	return nested
}

// Sample holds the outcomes of one repetition.
type Sample struct {
	Values []float64
	Units  []int // unit of each outcome; an outcome with a negative number is its own unit
}

// Outcomes holds the data of a mean. The mean is an average over repetitions of each repetition's own mean.
type Outcomes struct {
	family  Family
	noun    Repetitions
	once    bool
	share   bool
	percent bool
	step    float64    // resolution of a repetition's mean, see [Outcomes.Step]
	samples []unitSums // sums of each repetition; a single element if nothing is repeated
}

// unitSums holds the sums of a sample for each unit.
type unitSums struct {
	units        []int
	sums, counts []float64
	sum, count   float64
	squares      float64 // sum of the squares of the values
	low, high    float64 // range of the values
}

// Repeated returns the outcomes of several repetitions. Cells leave out repetitions without values. In a panel such
// repetitions make the mean NaN.
func Repeated(noun Repetitions, family Family, samples []Sample) Outcomes {
	o := Outcomes{family: family, noun: noun}
	for _, s := range samples {
		o.samples = append(o.samples, gather(s))
	}
	return o
}

// Once returns outcomes of an unrepeated sample that all repetitions share. If the family is crossed, or there is one
// repetition, equal unit numbers denote the same unit as in the repetitions.
func Once(family Family, sample Sample) Outcomes {
	return Outcomes{family: family, once: true, samples: []unitSums{gather(sample)}}
}

// Share marks the outcomes as numbers from 0 to 1. The interval of their mean is then within 0 and 1, too.
func (o Outcomes) Share() Outcomes {
	o.share = true
	return o
}

// Percent marks the outcomes as numbers from 0 to 100, see [Outcomes.Share].
func (o Outcomes) Percent() Outcomes {
	o.share, o.percent = true, true
	return o
}

// Step sets the resolution of a repetition's mean: the share of right answers to 14 questions, for example, has steps
// of 1/14. Repetitions with equal means may then differ by up to a step, so their variance is at least the variance of
// rounding to a step.
func (o Outcomes) Step(size float64) Outcomes {
	o.step = size
	return o
}

// whole returns the largest possible outcome of a share: 1, or 100 for a percentage.
func (o *Outcomes) whole() float64 {
	if o.percent {
		return 100
	}
	return 1
}

// gather sums a sample by unit. The units are sorted by number.
func gather(s Sample) unitSums {
	if len(s.Units) != len(s.Values) {
		panic(fmt.Sprintf("certify: %d outcomes of %d units", len(s.Values), len(s.Units)))
	}
	g := unitSums{low: math.Inf(1), high: math.Inf(-1)}
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

// mean returns the mean outcome, or NaN without outcomes.
func (g *unitSums) mean() float64 { return g.sum / g.count }

// value returns the mean over repetitions of each repetition's own mean.
func (o *Outcomes) value() float64 {
	total := 0.0
	for i := range o.samples {
		total += o.samples[i].mean()
	}
	return total / float64(len(o.samples))
}

func (o *Outcomes) count() int {
	n := 0.0
	for i := range o.samples {
		n += o.samples[i].count
	}
	return int(n)
}

// independent returns an upper limit on the number of independent outcomes: the number of outcomes if each of them is 0
// or the largest possible number, and +Inf otherwise.
func (o *Outcomes) independent() float64 {
	for i := range o.samples {
		if s := &o.samples[i]; math.Abs(s.squares-o.whole()*s.sum) > rounding*o.whole()*s.sum {
			return math.Inf(1)
		}
	}
	return float64(o.count())
}

// units returns the number of distinct units.
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

// few is the number of deviating units from which the observed variance is trusted. It is also trusted if more than a
// tenth of all units deviate.
const few = 3

// flat reports whether all outcomes are 0, or all are the largest possible number, except for a few units. The observed
// variance then says less about the mean than the number of units does.
func (o *Outcomes) flat() bool {
	none, all := map[int]bool{}, map[int]bool{} // units that are not all 0, units that are not all whole
	whole := o.whole()
	for i := range o.samples {
		s := &o.samples[i]
		if s.low < -rounding*whole || s.high > (1+rounding)*whole {
			return false
		}
		for at, unit := range s.units {
			if !o.family.Crossed {
				unit = i<<32 + at // equal numbers in different repetitions are different units
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

// dropMissing leaves out the repetitions in which a or b has no outcomes. If a and b have different kinds of
// repetitions, each loses only its own empty ones.
func dropMissing(a, b Outcomes) (Outcomes, Outcomes) {
	if a.once || b.once || a.noun != b.noun {
		return a.restrictTo(a), b.restrictTo(b)
	}
	return a.restrictTo(b), b.restrictTo(a)
}

// restrictTo returns the repetitions for which o and other both have outcomes.
func (o Outcomes) restrictTo(other Outcomes) Outcomes {
	kept := o
	kept.samples = nil
	for i, s := range o.samples {
		if s.count > 0 && other.samples[i].count > 0 {
			kept.samples = append(kept.samples, s)
		}
	}
	return kept
}

// Complete reports whether every repetition has outcomes.
func (o Outcomes) Complete() bool {
	return len(o.samples) > 0 && !slices.ContainsFunc(o.samples, func(s unitSums) bool { return s.count == 0 })
}
