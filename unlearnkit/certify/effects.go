package certify

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// shareEffects returns the claims with one effect for all that are about the same effect: claims that declare the same
// effect, and claims that compute the same quantities from equal outcomes, whatever their bounds and directions.
func shareEffects(p *Panel, claims []Claim) []Claim {
	claims = slices.Clone(claims)
	first := make([]int, len(claims)) // smallest index of a claim about the same effect
	met := map[string]int{}
	alike := p.alike()
	for i, c := range claims {
		first[i] = i
		for _, key := range []string{c.Effect, p.tested(c, alike)} {
			if key == "" {
				continue
			}
			if at, there := met[key]; there {
				merge(first, first[at], first[i])
			} else {
				met[key] = i
			}
		}
	}
	members := map[int]int{}
	for _, at := range first {
		members[at]++
	}
	for i, at := range first {
		if members[at] > 1 {
			claims[i].Effect = cmp.Or(claims[at].Effect, claims[at].Name)
		}
	}
	return claims
}

// merge joins two groups of claims under the smaller index.
func merge(first []int, a, b int) {
	for i, at := range first {
		if at == max(a, b) {
			first[i] = min(a, b)
		}
	}
}

// alike numbers the means of the panel; means with equal outcomes share a number. Outcomes that are all the same, such
// as pictures none of which shows a concept, may be equal by chance and count as different.
func (p *Panel) alike() map[*Outcomes]int {
	number := map[*Outcomes]int{}
	for i := range p.means {
		own := &p.means[i]
		number[own] = i
		if at := slices.IndexFunc(p.means[:i], func(o Outcomes) bool { return o.equal(own) }); at >= 0 && own.varied() {
			number[own] = at
		}
	}
	return number
}

// varied reports whether the outcomes differ from each other.
func (o *Outcomes) varied() bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range o.samples {
		low, high = min(low, s.low), max(high, s.high)
	}
	return low < high
}

// equal reports whether two means have the same outcomes.
func (o *Outcomes) equal(other *Outcomes) bool {
	return o.noun == other.noun && o.once == other.once && o.family == other.family &&
		slices.EqualFunc(o.samples, other.samples, func(a, b unitSums) bool {
			return a.sum == b.sum && slices.Equal(a.units, b.units) && slices.Equal(a.sums, b.sums) &&
				slices.Equal(a.counts, b.counts)
		})
}

// tested describes the quantities that a claim tests, as directions in the space of the panel's means: without their
// bounds, signs and scales. It returns "" if nothing is tested.
func (p *Panel) tested(c Claim, alike map[*Outcomes]int) string {
	if c.Null != nil {
		return fmt.Sprint("null ", c.Null.Test, c.Null.Each)
	}
	var quantities []string
	for _, condition := range c.Of {
		_, parts, _ := p.gradient(condition.Of)
		slopes := map[int]float64{}
		for _, k := range parts {
			slopes[alike[k.Outcomes]] += k.slope
		}
		quantities = append(quantities, direction(slopes))
	}
	slices.Sort(quantities)
	return strings.Join(slices.Compact(quantities), "; ")
}

// direction formats the slopes of a quantity, divided by the slope of the first mean on which it depends.
func direction(slopes map[int]float64) string {
	const negligible = 1e-6
	var places []int
	for place, slope := range slopes {
		if math.Abs(slope) > negligible {
			places = append(places, place)
		}
	}
	slices.Sort(places)
	var text []string
	for _, place := range places {
		text = append(text, fmt.Sprintf("%d × %.4f", place, slopes[place]/slopes[places[0]]))
	}
	return strings.Join(text, " + ")
}
