package certify

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// layoutOf describes simulated data. Each repetition has some units, and each unit has some rows. ofRepetition and unit
// are the standard deviations between repetitions and between units. The standard deviation between rows of a unit is
// 1.
type layoutOf struct {
	name               string
	crossed            bool
	units, rows        int
	ofRepetition, unit float64
}

var layouts = []layoutOf{
	{"nested, repetitions differ", false, 20, 2, 0.5, 0.1},
	{"nested, units differ", false, 20, 2, 0.05, 1},
	{"nested, both", false, 20, 2, 0.3, 1},
	{"crossed, repetitions differ", true, 79, 1, 0.5, 0.1},
	{"crossed, units differ", true, 79, 1, 0.05, 1},
	{"crossed, both", true, 79, 1, 0.2, 1.5},
	{"crossed, neither", true, 79, 1, 0, 0},
	{"crossed, both, 12 units", true, 12, 1, 0.4, 1},
	{"crossed, repetitions differ by 1", true, 79, 1, 1, 0},
	{"crossed, both, by 1 and 1.5", true, 79, 1, 1, 1.5},
	{"nested, repetitions differ by 1", false, 20, 2, 1, 0.1},
	{"crossed, repetitions differ by 1.5", true, 79, 1, 1.5, 0},
}

// quantityOf is a quantity whose true value is known.
type quantityOf struct {
	name     string
	level    float64 // constant that is added to every simulated row
	share    float64 // share of rows that are 1; the others are 0. If it is 0, rows stay continuous.
	less     float64 // share in the unrepeated sample; 0 if it equals share
	beside   bool    // subtract the mean of an unrepeated sample, in which crossed units are the same
	quotient bool    // divide by the mean of other simulated data
	others   int     // subtract the mean of this many further repetitions, in which crossed units are the same
}

var quantities = []quantityOf{
	{name: "mean"},
	{name: "difference from what was made once", beside: true},
	{name: "ratio", level: 5, quotient: true},
	{name: "share of .01", share: 0.01},
	{name: "share of .05", share: 0.05},
	{name: "share of .2", share: 0.2},
	{name: "share of .5", share: 0.5},
	{name: "share of .95", share: 0.95},
	{name: "difference from 3 others", others: 3},
	{name: "difference of shares from 3 others", share: 0.3, others: 3},
	{name: "difference of shares of .01", share: 0.01, beside: true},
	{name: "difference of shares of .05", share: 0.05, beside: true},
	{name: "difference of shares of .3", share: 0.3, beside: true},
	{name: "difference of shares, .10 - .02", share: 0.1, less: .02, beside: true},
	{name: "difference of shares, .22 - .02", share: 0.22, less: .02, beside: true},
	{name: "difference of shares, .30 - .10", share: 0.3, less: .1, beside: true},
}

// draw simulates the repetitions, an unrepeated sample without a repetition effect, and q.others further repetitions.
// If units are crossed, all samples have the same unit effects.
func (l layoutOf) draw(q quantityOf, repetitions int, random *rand.Rand) (samples []Sample, once Sample,
	others []Sample) {
	shift := func(share, ofRepetition float64) float64 {
		if share == 0 {
			return q.level
		}
		variance := 1 + ofRepetition*ofRepetition + l.unit*l.unit
		return distuv.UnitNormal.Quantile(share) * math.Sqrt(variance)
	}
	outcome := func(value float64) float64 {
		switch {
		case q.share == 0:
			return value
		case value > 0:
			return 1
		}
		return 0
	}
	units := make([]float64, l.units)
	anew := func() {
		for u := range units {
			units[u] = l.unit * random.NormFloat64()
		}
	}
	sample := func(ofRepetition float64, level float64) (s Sample) {
		for u, unit := range units {
			for range l.rows {
				s.Values = append(s.Values, outcome(level+ofRepetition+unit+random.NormFloat64()))
				s.Units = append(s.Units, u)
			}
		}
		return s
	}
	anew()
	once = sample(0, shift(cmp.Or(q.less, q.share), 0))
	for range repetitions {
		if !l.crossed {
			anew()
		}
		samples = append(samples, sample(l.ofRepetition*random.NormFloat64(), shift(q.share, l.ofRepetition)))
	}
	for range q.others {
		if !l.crossed {
			anew()
		}
		others = append(others, sample(l.ofRepetition*random.NormFloat64(), shift(q.share, l.ofRepetition)))
	}
	return samples, once, others
}

// try simulates data once and returns the estimate and the true value.
func (l layoutOf) try(q quantityOf, repetitions int, random *rand.Rand) (e Estimate, truth float64) {
	family := Family{"units", l.crossed}
	samples, once, others := l.draw(q, repetitions, random)
	as := func(o Outcomes) Outcomes {
		if q.share > 0 {
			return o.Share()
		}
		return o
	}
	panel := &Panel{}
	panel.Add("own", as(Repeated(Repetitions{"world", "worlds"}, family, samples)))
	quantity, truth := Mean("own"), q.level+q.share
	switch {
	case q.beside:
		panel.Add("once", as(Once(family, once)))
		quantity, truth = Difference(quantity, Mean("once")), 0
		if q.less > 0 {
			truth = q.share - q.less
		}
	case q.others > 0:
		panel.Add("others", as(Repeated(Repetitions{"other", "others"}, family, others)))
		quantity, truth = Difference(quantity, Mean("others")), 0
	case q.quotient:
		others, _, _ := l.draw(q, repetitions, random)
		panel.Add("others", Repeated(Repetitions{"world", "worlds"}, family, others))
		quantity, truth = func(m Means) float64 { return m("own") / m("others") }, 1
	}
	return panel.Estimate(quantity), truth
}

// levels are the significance levels of the simulated tests: .05 uncorrected, and corrected for ten or a hundred tests.
var levels = []float64{.05, .005, .0005}

// tried counts the intervals that contain the true value. For each level, it also counts the tests that find the
// estimate significantly larger or smaller than the true value.
type tried struct {
	n, held    int
	more, less [3]int
}

func (c *tried) add(e Estimate, truth float64) {
	c.n++
	if e.Lo <= truth && truth <= e.Hi {
		c.held++
	}
	for i, p := 0, e.TwoSided(truth); i < len(levels); i++ {
		switch {
		case p < levels[i] && e.Value < truth:
			c.less[i]++
		case p < levels[i]:
			c.more[i]++
		}
	}
}

func (c *tried) share(n int) float64 { return float64(n) / float64(c.n) }

// least is the smallest acceptable share of intervals that contain the true value, for each setting.
const least = 0.82

// repetitionsTried returns the number of simulations and the numbers of repetitions to simulate. With UNLEARNLAB_SLOW=1
// the tests simulate more and write the tables in testdata.
func repetitionsTried() (simulations int, all []int, slow bool) {
	if os.Getenv("UNLEARNLAB_SLOW") == "1" {
		return 2000, []int{3, 5, 6, 10, 12}, true
	}
	return 60, []int{5}, false
}

// The slow run writes testdata/coverage.txt.
func TestCoverage_Stated(t *testing.T) {
	simulations, all, slow := repetitionsTried()
	var table strings.Builder
	fmt.Fprintf(&table, "Shares of %d simulations in which the interval of 95 %% holds the truth, and in which the\n"+
		"test rejects it at .05, .005 and .0005. The standard errors of shares as stated are .0049, .0016 and "+
		".0005.\n\n",
		simulations)
	fmt.Fprintf(&table, "%-36s %-34s %4s %7s %7s %7s %7s\n", "quantity", "layout", "n", "holds", ".05", ".005", ".0005")
	for _, q := range quantities {
		for _, l := range layouts {
			for _, repetitions := range all {
				c := &tried{}
				for i := range simulations {
					c.add(l.try(q, repetitions, seed.Stream(1, q.name, l.name, repetitions, i)))
				}
				rejects := func(i int) float64 { return c.share(c.more[i] + c.less[i]) }
				fmt.Fprintf(&table, "%-36s %-34s %4d %7.3f %7.3f %7.4f %7.4f\n", q.name, l.name, repetitions,
					c.share(c.held), rejects(0), rejects(1), rejects(2))
				if c.share(c.held) < least-0.3*math.Sqrt(1/float64(simulations)) {
					t.Errorf("%s, %s, %d repetitions: %.3f of the intervals hold the truth, want %.2f", q.name, l.name,
						repetitions, c.share(c.held), least)
				}
			}
		}
	}
	if slow {
		write(t, "coverage.txt", table.String())
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join("testdata", name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// ofBorder lists layouts with the standard deviations between trainings and between noises found in the concealment
// study, and with larger ones.
var ofBorder = bordering(
	[2]float64{.2, 1.5}, [2]float64{.35, 1}, [2]float64{.5, 1.5}, [2]float64{.5, 0}, [2]float64{.7, 1.5},
	[2]float64{.7, 0}, [2]float64{1, 1.5}, [2]float64{1, 1}, [2]float64{1, 0}, [2]float64{1.5, 1.5},
	[2]float64{1.5, 1}, [2]float64{1.5, 0})

// bordering returns layouts of 79 noises for pairs of standard deviations, between trainings and between noises.
func bordering(deviations ...[2]float64) (layouts []layoutOf) {
	for _, d := range deviations {
		name := fmt.Sprintf("trainings %s, noises %s", decimal(d[0]), decimal(d[1]))
		layouts = append(layouts, layoutOf{name, true, 79, 1, d[0], d[1]})
	}
	return layouts
}

// decimal formats a number without the zero before its point.
func decimal(x float64) string {
	if text, found := strings.CutPrefix(fmt.Sprint(x), "0."); found {
		return "." + text
	}
	return fmt.Sprint(x)
}

// The method shows a concept exactly .2 more often than gold, the largest difference that counts as erased. At this
// border the verdicts "erased" and "not erased" are both errors. The slow run writes testdata/border.txt.
func TestCoverage_Border(t *testing.T) {
	simulations, all, slow := repetitionsTried()
	if slow {
		simulations, all = 20000, []int{5, 6, 10, 12}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "A method shows a concept in .21 of pictures and gold in .01. Shares of %d simulations (%d if "+
		"trainings differ at\nleast as much as noises) in which it is called erased, and not erased, at the levels .05, "+
		".005 and .0005: each should\nbe half of that at most.\n\n", simulations, simulations/4)
	fmt.Fprintf(&table, "%-30s %4s %8s %8s %8s %8s %8s %8s\n", "standard deviations", "n", ".05", ".005", ".0005",
		".05", ".005", ".0005")
	q := quantityOf{share: .21, less: .01, beside: true}
	for _, l := range ofBorder {
		for _, repetitions := range all {
			c, safe := &tried{}, l.unit > l.ofRepetition
			tries := simulations
			if !safe {
				tries /= 4
			}
			for i := range tries {
				c.add(l.try(q, repetitions, seed.Stream(1, "border", l.name, repetitions, i)))
			}
			fmt.Fprintf(&table, "%-30s %4d", l.name, repetitions)
			for _, counts := range [][3]int{c.less, c.more} {
				for i, n := range counts {
					fmt.Fprintf(&table, " %8.5f", c.share(n))
					error := math.Sqrt(levels[i] / 2 / float64(simulations))
					if safe && c.share(n) > levels[i]/2+4*error {
						t.Errorf("%s, %d repetitions: wrong in %.5f at %v", l.name, repetitions, c.share(n), levels[i])
					}
				}
			}
			table.WriteString("\n")
		}
	}
	if slow {
		write(t, "border.txt", table.String())
	}
}
