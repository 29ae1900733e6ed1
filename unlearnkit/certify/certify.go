package certify

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
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
	// P is of the paper's own test against its own target, on the examples of all worlds; PAdjusted is Holm's over the
	// table.
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
		"estimate": c.Estimate, "lo": c.Lo, "hi": c.Hi, "target": c.Target, "margin": c.Margin, "p": c.P,
		"p_adjusted": c.PAdjusted, "tost_p": c.TOSTP,
	})
}

// Sample is the outcomes of one world: of the model that is judged and of its target, example by example.
type Sample struct {
	Values, Targets []float64
	Cluster         []int // examples of one cluster depend on each other; negative ones stand alone
}

// Worlds says how many worlds there are: "1 world", "5 worlds".
func Worlds(n int) string {
	if n == 1 {
		return "1 world"
	}
	return fmt.Sprintf("%d worlds", n)
}

// Replicates is how many times a certificate resamples.
const Replicates = 2000

// Certify gives the mean over worlds with its 95 % interval, the verdict, and the equivalence with the target. Worlds
// are drawn again with replacement, then within each its clusters: rows of one person are not independent, and neither
// are methods run once on one world. The interval is widened for how few worlds there are. Root and name decide the
// random numbers.
//
// The equivalence is tested by two one-sided paired t tests on the means of worlds, or of clusters where there is one
// world.
//
// Special cases are:
//
//	a world without examples has no part
//	no examples, or NaN among them  →  all numbers NaN, Unresolved
//	margin 0                        →  TOSTP is NaN, never Matched
func Certify(samples []Sample, margin float64, root uint64, name string) Cell {
	cell := Cell{Margin: margin, Verdict: Unresolved}
	var worlds []clustered
	for _, s := range samples {
		if len(s.Values) > 0 {
			worlds = append(worlds, cluster(s))
			cell.N += len(s.Values)
		}
	}
	cell.Seeds = len(worlds)
	values, targets := means(worlds)
	differences := minus(values, targets)
	estimate, difference := mean(values), mean(differences)
	if math.IsNaN(estimate + difference) {
		nan := math.NaN()
		cell.Estimate, cell.Lo, cell.Hi, cell.Target, cell.TOSTP, cell.P, cell.PAdjusted = nan, nan, nan, nan, nan, nan,
			nan
		return cell
	}
	cell.Estimate, cell.Target = estimate, mean(targets)
	drawn, drawnDifferences := resample(worlds, rand.NewChaCha8(seed.Key(root, "certify", name)))
	cell.Lo, cell.Hi = uncertaintyOf(drawn, varianceOfMean(values), len(worlds)).interval(estimate, drawn)
	low, high := uncertaintyOf(drawnDifferences, varianceOfMean(differences), len(worlds)).interval(difference,
		drawnDifferences)
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
type clustered []sums

type sums struct {
	cluster               int
	values, targets, rows float64
}

// cluster sums a world up. The order of its rows does not matter.
func cluster(s Sample) clustered {
	var c clustered
	place := map[int]int{}
	for i, of := range s.Cluster {
		at, known := place[of]
		if !known || of < 0 {
			at = len(c)
			place[of] = at
			c = append(c, sums{cluster: of})
		}
		c[at].values += s.Values[i]
		c[at].targets += s.Targets[i]
		c[at].rows++
	}
	slices.SortFunc(c, func(a, b sums) int {
		return cmp.Or(cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.values, b.values),
			cmp.Compare(a.targets, b.targets))
	})
	return c
}

// resample draws the mean over worlds, and its difference from the target, again and again.
func resample(worlds []clustered, source *rand.ChaCha8) (values, differences []float64) {
	values, differences = make([]float64, Replicates), make([]float64, Replicates)
	for r := range values {
		for range worlds {
			total := worlds[below(len(worlds), source.Uint64()>>32)].draw(source)
			values[r] += total.values / total.rows
			differences[r] += (total.values - total.targets) / total.rows
		}
		values[r] /= float64(len(worlds))
		differences[r] /= float64(len(worlds))
	}
	return values, differences
}

// draw sums as many clusters up as there are, each drawn anew.
func (c clustered) draw(source *rand.ChaCha8) (total sums) {
	for range len(c) / 2 {
		both := source.Uint64()
		total.add(&c[below(len(c), both>>32)])
		total.add(&c[below(len(c), both&math.MaxUint32)])
	}
	if len(c)%2 == 1 {
		total.add(&c[below(len(c), source.Uint64()>>32)])
	}
	return total
}

// below makes a place among n of 32 random bits. Places differ in chance by less than n in 2³².
func below(n int, bits uint64) int { return int(bits * uint64(n) >> 32) }

func (s *sums) add(other *sums) {
	s.values += other.values
	s.targets += other.targets
	s.rows += other.rows
}

// means are those of each world as it is.
func means(worlds []clustered) (values, targets []float64) {
	for _, world := range worlds {
		var total sums
		for i := range world {
			total.add(&world[i])
		}
		values, targets = append(values, total.values/total.rows), append(targets, total.targets/total.rows)
	}
	return values, targets
}

func equivalence(worlds []clustered, margin float64) float64 {
	values, targets := means(worlds)
	if len(worlds) == 1 {
		values, targets = nil, nil
		for _, c := range worlds[0] {
			values, targets = append(values, c.values/c.rows), append(targets, c.targets/c.rows)
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
