package certify

import (
	"math"
	"slices"
)

// linear is a linearised quantity: what every repetition and every unit adds to it.
type linear struct {
	value, scale float64
	varies       bool      // with a mean
	share        *Outcomes // that it is a mean of, if it is just that
	apart        *apart    // if it is a difference of shares that are repeated by themselves
	repeats      []*repeat // none where nothing of it is repeated
	families     []*crossing
	// of means that show next to no variance: by what the quantity may be lower than it seems, or higher
	lower, upper []source
}

// repeat is what the repetitions of a kind add to a quantity. Those of different kinds have nothing to do with each
// other: the trainings of a method, and those of a model that stands beside it.
type repeat struct {
	noun    Repetitions
	adds    []float64 // of each repetition
	rounded float64   // the least variance of them, by the steps in which means are told
}

// of is the variance by what the repetitions differ by, with what they do together with units.
func (r *repeat) of() float64 {
	if n := len(r.adds); n > 1 {
		return max(r.rounded, variance(r.adds)) / float64(n)
	}
	return 0
}

// source is a part of the variance.
type source struct{ variance, freedom float64 }

// crossing is what the units of a family add to a quantity.
type crossing struct {
	Family
	units    int                         // of the mean that has most
	place    map[int]int                 // of units that others could stand in the place of, beside the repetitions
	total    []float64                   // by place
	patterns []uint64                    // by place: of which means the unit has outcomes
	cells    map[Repetitions][][]float64 // by kind of repetition, repetition and place
}

// linearised is a quantity, linearised at its means.
func linearised(value float64, parts []part) *linear {
	l := &linear{value: value}
	for i, k := range parts {
		l.scale = max(l.scale, math.Abs(k.slope*k.value))
		if k.slope == 0 {
			continue
		}
		l.varies = true
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
			// what Wilson's interval leaves to a share of which n units have shown nothing else
			const z = 1.959963984540054
			deviation := k.slope * k.whole() * z / (n + z*z)
			unseen := source{deviation * deviation, max(1, n-1)}
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

// add takes what the outcomes of a mean add. Nested units of several repetitions do so within those.
func (c *crossing) add(k part, pattern uint64) {
	n := k.units()
	c.units = max(c.units, n)
	repetitions := len(k.samples)
	if !k.once && repetitions > 1 && !c.Crossed || n < 2 {
		return
	}
	// n/(n-1) takes the bias from a variance about a mean of n.
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

// variance is that of the units, with the degrees of freedom of Welch (1947): units that are part of the same means
// make a sample.
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

// both is the variance of what repetitions and units do together, which is part of that of either.
func (c *crossing) both(noun Repetitions) float64 {
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

// sources are the parts of the variance: of what repetitions differ by beyond what they do together with units, and of
// the units of each family. There are none where nothing could have been otherwise.
func (l *linear) sources() []source {
	var ofUnits, ofRepetitions, both, beyond, most float64
	alone := make([]float64, len(l.repeats))
	for i, r := range l.repeats {
		together := 0.0
		for _, c := range l.families {
			if len(c.total) >= 2 {
				together += c.both(r.noun)
			}
		}
		alone[i] = max(0, r.of()-together)
		ofRepetitions, both, beyond = ofRepetitions+r.of(), both+together, beyond+alone[i]
	}
	var all []source
	for _, c := range l.families {
		if len(c.total) < 2 {
			continue
		}
		v, freedom := c.variance()
		ofUnits, most = ofUnits+v, max(most, v)
		all = append(all, source{v, freedom})
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
			part = left * r.of() / max(ofRepetitions, math.SmallestNonzeroFloat64)
		}
		all = append(all, source{part, float64(len(r.adds) - 1)})
	}
	return all
}

// ofRepetitions is the variance by what repetitions differ by, with what they do together with units.
func (l *linear) ofRepetitions() float64 {
	sum := 0.0
	for _, r := range l.repeats {
		sum += r.of()
	}
	return sum
}

// mostFreedom returns the most degrees of freedom that a test may have: one less than there are repetitions, of the
// kind of which there are most, and any number where nothing is repeated. What repetitions differ by may by chance be
// estimated as next to nothing; the degrees of freedom would then be those of the units, of which there are many.
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

// counted are the degrees of freedom of a share's variance by Satterthwaite (1946): all that repetitions differ by
// counts as known from so few, and only what the variance is beyond that as known from the units. How much of it units
// explain is a difference of two estimates, which few repetitions may by chance make next to nothing.
func (l *linear) counted(all []source, shown spread) float64 {
	if len(l.repeats) != 1 || len(l.repeats[0].adds) < 2 || len(all) != 2 || shown.deviation == 0 {
		return shown.freedom // there is one source
	}
	whole, ofRepetitions := shown.deviation*shown.deviation, l.ofRepetitions()
	rest, units, repetitions := max(0, whole-ofRepetitions), all[0], all[1]
	return whole * whole / (ofRepetitions*ofRepetitions/repetitions.freedom + rest*rest/units.freedom)
}

// basis names what the quantity rests on.
func (l *linear) basis(freedom float64) Basis {
	b := Basis{Test: studentTest, DF: freedom}
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
