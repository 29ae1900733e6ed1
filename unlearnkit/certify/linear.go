package certify

import (
	"math"
	"slices"
)

// linear is a quantity after linearisation. It holds the terms that every repetition and every unit adds.
type linear struct {
	value, scale float64
	varies, once bool             // the quantity depends on at least one mean, and on one that is not repeated
	share        *Outcomes        // the mean, if the quantity is exactly one share
	apart        *shareDifference // set if the quantity is a difference of shares, see [shareDifferenceOf]
	resampled    *source          // replaces the linear variance, see [Panel.resampled]; nil if it does not apply
	repeats      []*repeat        // empty if nothing is repeated
	families     []*crossing
	// extra variance from means with almost no observed variance, below and above the estimate
	lower, upper []source
}

// repeat holds the terms of one kind of repetition. Different kinds are independent, for example the trainings of a
// method and the trainings of its reference model.
type repeat struct {
	noun    Repetitions
	adds    []float64 // term of each repetition
	rounded float64   // minimum of the variance of adds, because means are rounded to steps
}

// variance returns the variance between repetitions, including their interaction with units.
func (r *repeat) variance() float64 {
	if n := len(r.adds); n > 1 {
		return max(r.rounded, variance(r.adds)) / float64(n)
	}
	return 0
}

// source is a part of the variance.
type source struct {
	variance, freedom float64
	repetitions       int // number of repetitions that vary; 0 if units do
}

// crossing holds the terms of the units of a family.
type crossing struct {
	Family
	units    int                         // largest number of units that a mean has
	place    map[int]int                 // index of each unit whose terms are added, see [crossing.add]
	total    []float64                   // sum of the unit's terms, by index in place
	patterns []uint64                    // bit set of the means in which the unit has outcomes, by index in place
	cells    map[Repetitions][][]float64 // terms by kind of repetition, repetition, and index in place
}

// linearise expands a quantity to first order around its means.
func linearise(value float64, parts []part) *linear {
	l := &linear{value: value}
	for i, k := range parts {
		l.scale = max(l.scale, math.Abs(k.slope*k.value))
		if k.slope == 0 {
			continue
		}
		l.varies, l.once = true, l.once || k.once
		if k.share && len(parts) == 1 && k.value == l.value && math.Abs(k.slope-1) < 1e-6 {
			l.share = k.Outcomes
		}
		if !k.once {
			group := l.repeat(k.noun, len(k.samples))
			for r := range k.samples {
				group.adds[r] += k.slope * k.samples[r].mean()
			}
			group.rounded += k.slope * k.slope * k.step * k.step / 12
		}
		l.family(k.family).add(k, uint64(1)<<(i%64))
		if n := float64(k.units()); k.flat() && n > 0 {
			// half-width of Wilson's interval for n equal outcomes, all 0 or all whole
			const z = 1.959963984540054
			deviation := k.slope * k.whole() * z / (n + z*z)
			unseen := source{variance: deviation * deviation, freedom: max(1, n-1)}
			if (k.slope > 0) == (k.value < k.whole()/2) {
				l.upper = append(l.upper, unseen)
			} else {
				l.lower = append(l.lower, unseen)
			}
		}
	}
	return l
}

func (l *linear) repeat(noun Repetitions, count int) *repeat {
	at := slices.IndexFunc(l.repeats, func(r *repeat) bool { return r.noun == noun })
	if at < 0 {
		at = len(l.repeats)
		l.repeats = append(l.repeats, &repeat{noun: noun, adds: make([]float64, count)})
	}
	return l.repeats[at]
}

func (l *linear) family(f Family) *crossing {
	at := slices.IndexFunc(l.families, func(c *crossing) bool { return c.Family == f })
	if at < 0 {
		at = len(l.families)
		l.families = append(l.families, &crossing{Family: f, place: map[int]int{},
			cells: map[Repetitions][][]float64{}})
	}
	return l.families[at]
}

// add adds the terms of a mean's outcomes. It skips means with fewer than two units, and nested units of several
// repetitions, whose terms are part of the repetitions' terms.
func (c *crossing) add(k part, pattern uint64) {
	n := k.units()
	c.units = max(c.units, n)
	repetitions := len(k.samples)
	if !k.once && repetitions > 1 && !c.Crossed || n < 2 {
		return
	}
	// n/(n-1) removes the bias of a variance around a mean of n values.
	weight := k.slope * math.Sqrt(float64(n)/float64(n-1)) / float64(repetitions)
	for r := range k.samples {
		s := &k.samples[r]
		mean := s.mean()
		for i, unit := range s.units {
			at, met := c.place[unit]
			if !met {
				at = len(c.total)
				c.place[unit] = at
				c.total, c.patterns = append(c.total, 0), append(c.patterns, 0)
			}
			adds := weight * (s.sums[i] - mean*s.counts[i]) / s.count
			c.total[at] += adds
			c.patterns[at] |= pattern
			if !k.once {
				c.cell(k.noun, r, at, adds)
			}
		}
	}
}

func (c *crossing) cell(noun Repetitions, repetition, at int, adds float64) {
	cells := c.cells[noun]
	for len(cells) <= repetition {
		cells = append(cells, nil)
	}
	for len(cells[repetition]) <= at {
		cells[repetition] = append(cells[repetition], 0)
	}
	cells[repetition][at] += adds
	c.cells[noun] = cells
}

// variance returns the variance over units with Welch's (1947) degrees of freedom. Units that occur in the same means
// form one sample.
func (c *crossing) variance() (v, freedom float64) {
	of, count := map[uint64]float64{}, map[uint64]float64{}
	var patterns []uint64
	for at, adds := range c.total {
		pattern := c.patterns[at]
		if count[pattern] == 0 {
			patterns = append(patterns, pattern)
		}
		of[pattern] += adds * adds
		count[pattern]++
		v += adds * adds
	}
	squares := 0.0
	for _, pattern := range patterns {
		squares += of[pattern] * of[pattern] / max(1, count[pattern]-1)
	}
	if v == 0 {
		return 0, float64(len(c.total) - 1)
	}
	return v, v * v / squares
}

// interactionVariance returns the variance of the interaction of repetitions and units. This variance is part of the
// variance over repetitions and of the variance over units.
func (c *crossing) interactionVariance(noun Repetitions) float64 {
	all := c.cells[noun]
	repetitions := float64(len(all))
	if repetitions < 2 {
		return 0
	}
	sum := 0.0
	for at := range c.total {
		mean := 0.0
		for _, cells := range all {
			if at < len(cells) {
				mean += cells[at] / repetitions
			}
		}
		for _, cells := range all {
			adds := 0.0
			if at < len(cells) {
				adds = cells[at]
			}
			sum += (adds - mean) * (adds - mean)
		}
	}
	return sum * repetitions / (repetitions - 1)
}

// sources returns the parts of the variance: one part per family for its units, and one part per kind of repetition for
// the remaining variance. It returns nil if nothing is sampled.
func (l *linear) sources() []source {
	if l.resampled != nil {
		return []source{*l.resampled}
	}
	var ofUnits, ofRepetitions, both, beyond, most float64
	alone := make([]float64, len(l.repeats))
	for i, r := range l.repeats {
		together := 0.0
		for _, c := range l.families {
			if len(c.total) >= 2 {
				together += c.interactionVariance(r.noun)
			}
		}
		alone[i] = max(0, r.variance()-together)
		ofRepetitions, both, beyond = ofRepetitions+r.variance(), both+together, beyond+alone[i]
	}
	var all []source
	for _, c := range l.families {
		if len(c.total) < 2 {
			continue
		}
		v, freedom := c.variance()
		ofUnits, most = ofUnits+v, max(most, v)
		all = append(all, source{variance: v, freedom: freedom})
	}
	whole := max(ofRepetitions+ofUnits-both, ofRepetitions, most)
	left := min(whole, beyond)
	if len(all) == 0 {
		left = whole
	}
	for i := range all {
		if ofUnits > 0 {
			all[i].variance *= (whole - left) / ofUnits
		}
	}
	for i, r := range l.repeats {
		if len(r.adds) < 2 {
			continue
		}
		part := left
		if len(l.repeats) > 1 && beyond > 0 {
			part = left * alone[i] / beyond
		} else if len(l.repeats) > 1 {
			part = left * r.variance() / max(ofRepetitions, math.SmallestNonzeroFloat64)
		}
		all = append(all, source{part, float64(len(r.adds) - 1), len(r.adds)})
	}
	return all
}

// ofRepetitions returns the variance between repetitions, including their interaction with units.
func (l *linear) ofRepetitions() float64 {
	sum := 0.0
	for _, r := range l.repeats {
		sum += r.variance()
	}
	return sum
}

// mostFreedom returns the largest degrees of freedom that a test may have: the number of repetitions of the most
// frequent kind minus one, or +Inf without repetitions. The variance between repetitions may by chance be estimated as
// almost zero. Without this limit the degrees of freedom would then be as large as the number of units.
func (l *linear) mostFreedom() float64 {
	most := 0
	for _, r := range l.repeats {
		most = max(most, len(r.adds)-1)
	}
	if most == 0 {
		return math.Inf(1)
	}
	return float64(most)
}

// satterthwaite returns the degrees of freedom of a share's variance by Satterthwaite (1946). All variance between
// repetitions counts as estimated from the repetitions, and only the rest as estimated from the units. The part that
// units explain is a difference of two estimates, and chance may make it almost zero.
func (l *linear) satterthwaite(all []source, shown spread) float64 {
	if len(l.repeats) != 1 || len(l.repeats[0].adds) < 2 || len(all) != 2 || shown.deviation == 0 {
		return shown.freedom // the variance has a single source
	}
	whole, ofRepetitions := shown.deviation*shown.deviation, l.ofRepetitions()
	rest, units, repetitions := max(0, whole-ofRepetitions), all[0], all[1]
	return whole * whole / (ofRepetitions*ofRepetitions/repetitions.freedom + rest*rest/units.freedom)
}

// basis returns the test, the units and the degrees of freedom of the quantity.
func (l *linear) basis(freedom float64) Basis {
	b := Basis{Test: studentTest, DF: freedom, Once: l.once}
	for _, r := range l.repeats {
		name := r.noun.Plural
		if len(r.adds) == 1 {
			name = r.noun.Singular
		}
		b.Units = append(b.Units, Unit{name, len(r.adds), repeated})
	}
	for _, c := range l.families {
		if n := max(c.units, len(c.total)); n > 1 {
			b.Units = append(b.Units, Unit{c.Name, n, c.layout()})
		}
	}
	return b
}
