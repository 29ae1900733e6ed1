package study

import (
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// Verdict is where a value stands beside the gold model's.
type Verdict string

const (
	Matched        Verdict = "matched"         // the interval of the difference lies within the margin
	UnderForgotten Verdict = "under-forgotten" // it lies above zero
	OverForgotten  Verdict = "over-forgotten"  // it lies below zero
	Unresolved     Verdict = "unresolved"      // it is too wide to say
)

// Cell is a certified cell of a table.
type Cell struct {
	Row      string  `json:"row"`
	Column   string  `json:"column"`
	Estimate float64 `json:"estimate"`
	Lo       float64 `json:"lo"`
	Hi       float64 `json:"hi"`
	N        int     `json:"n"`     // examples
	Seeds    int     `json:"seeds"` // worlds
	Target   float64 `json:"target"`
	Margin   float64 `json:"margin"`
	// P is of the paper's own test against its own target, on the examples of all worlds; PAdjusted is Holm's over the table.
	P         float64 `json:"p"`
	PAdjusted float64 `json:"p_adjusted"`
	TOSTP     float64 `json:"tost_p"` // of equivalence with the target within the margin
	Verdict   Verdict `json:"verdict"`
	Printed   string  `json:"printed"` // what the paper has
	Warning   string  `json:"warning,omitempty"`
}

// MarshalJSON writes what is not a number as null.
func (c Cell) MarshalJSON() ([]byte, error) {
	type plain Cell
	return withoutNaN(plain(c), map[string]float64{
		"estimate": c.Estimate, "lo": c.Lo, "hi": c.Hi, "target": c.Target, "margin": c.Margin, "p": c.P, "p_adjusted": c.PAdjusted, "tost_p": c.TOSTP,
	})
}

// Sample is the outcomes of one world: of the model that is judged and of its target, example by example.
type Sample struct {
	Values, Targets []float64
	Cluster         []int // examples of one cluster depend on each other; negative ones stand alone
}

// Replicates is how many times a certificate resamples.
const Replicates = 2000

// Certify gives the mean over worlds with its 95 % interval, the verdict, and the equivalence with the target. Worlds are drawn again with replacement, then within each its clusters: rows of one person are not
// independent, and neither are methods run once on one world. Root and name decide the random numbers.
//
// The equivalence is tested by two one-sided paired t tests on the means of worlds, or of clusters where there is one world.
func Certify(samples []Sample, margin float64, root uint64, name string) Cell {
	worlds := make([]clustered, len(samples))
	cell := Cell{Seeds: len(samples), Margin: margin}
	for i, s := range samples {
		worlds[i] = cluster(s)
		cell.N += len(s.Values)
	}
	if cell.N == 0 {
		nan := math.NaN()
		cell.Estimate, cell.Lo, cell.Hi, cell.Target, cell.TOSTP, cell.P, cell.PAdjusted, cell.Verdict = nan, nan, nan, nan, nan, nan, nan, Unresolved
		return cell
	}
	cell.Estimate, cell.Target = both(worlds, nil, nil)
	random := seed.Stream(root, "certify", name)
	values, differences := make([]float64, Replicates), make([]float64, Replicates)
	for r := range Replicates {
		drawn := make([]int, len(worlds))
		for i := range drawn {
			drawn[i] = random.IntN(len(worlds))
		}
		value, target := both(worlds, drawn, random.IntN)
		values[r], differences[r] = value, value-target
	}
	cell.Lo, cell.Hi = middle95(values)
	low, high := middle95(differences)
	cell.Verdict = judge(low, high, margin)
	cell.TOSTP = equivalence(worlds, margin)
	return cell
}

func judge(low, high, margin float64) Verdict {
	switch {
	case low > -margin && high < margin:
		return Matched
	case low > 0:
		return UnderForgotten
	case high < 0:
		return OverForgotten
	}
	return Unresolved
}

// clustered is a world as sums by cluster.
type clustered struct{ values, targets, counts []float64 }

func cluster(s Sample) clustered {
	var c clustered
	place := map[int]int{}
	for i := range s.Values {
		at, known := place[s.Cluster[i]]
		if !known || s.Cluster[i] < 0 {
			at = len(c.counts)
			place[s.Cluster[i]] = at
			c.values, c.targets, c.counts = append(c.values, 0), append(c.targets, 0), append(c.counts, 0)
		}
		c.values[at] += s.Values[i]
		c.targets[at] += s.Targets[i]
		c.counts[at]++
	}
	return c
}

// both are the means over worlds: of all as they are, or of those drawn with their clusters drawn by choose.
func both(worlds []clustered, drawn []int, choose func(n int) int) (value, target float64) {
	if drawn == nil {
		for _, w := range worlds {
			v, t := w.means(nil)
			value, target = value+v, target+t
		}
		return value / float64(len(worlds)), target / float64(len(worlds))
	}
	for _, i := range drawn {
		v, t := worlds[i].means(choose)
		value, target = value+v, target+t
	}
	return value / float64(len(drawn)), target / float64(len(drawn))
}

func (c clustered) means(choose func(n int) int) (value, target float64) {
	count := 0.0
	for i := range c.counts {
		if choose != nil {
			i = choose(len(c.counts))
		}
		value, target, count = value+c.values[i], target+c.targets[i], count+c.counts[i]
	}
	return value / count, target / count
}

// middle95 sorts values and returns the borders of their middle 95 %.
func middle95(values []float64) (lo, hi float64) {
	slices.Sort(values)
	at := func(q float64) float64 {
		place := q * float64(len(values)-1)
		below := int(place)
		if below+1 == len(values) {
			return values[below]
		}
		return values[below] + (place-float64(below))*(values[below+1]-values[below])
	}
	return at(0.025), at(0.975)
}

func equivalence(worlds []clustered, margin float64) float64 {
	var values, targets []float64
	if len(worlds) > 1 {
		for _, w := range worlds {
			v, t := w.means(nil)
			values, targets = append(values, v), append(targets, t)
		}
	} else {
		for i, count := range worlds[0].counts {
			values, targets = append(values, worlds[0].values[i]/count), append(targets, worlds[0].targets[i]/count)
		}
	}
	if len(values) < 2 || !(margin > 0) {
		return math.NaN()
	}
	return stat.TOSTPaired(values, targets, -margin, margin).P
}

// Adjust fills the adjusted p-values of a table by Holm's method. Cells without a p-value have no part in it.
func Adjust(cells []Cell) {
	var p []float64
	var of []int
	for i, cell := range cells {
		cells[i].PAdjusted = math.NaN()
		if !math.IsNaN(cell.P) {
			p, of = append(p, cell.P), append(of, i)
		}
	}
	for i, adjusted := range stat.Holm(make([]float64, len(p)), p) {
		cells[of[i]].PAdjusted = adjusted
	}
}
