package certify

import (
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

// layoutOf is what is simulated: repetitions of units of rows, with the standard deviations of what repetitions and
// units differ by. Rows have one.
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
}

// quantityOf is something whose truth is known, and how it is simulated: level is added to every row.
type quantityOf struct {
	name     string
	level    float64
	share    float64 // rows are 1 above zero and 0 below, so that they are 1 as often; 0 for rows as they are
	beside   bool    // less the same of what was made once, which shares the units if they are crossed
	quotient bool    // over other rows of the same units
	others   int     // less the same of what was repeated so often by itself, as beside is of what was made once
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
}

// draw makes the outcomes of repetitions, of what was made once, and of what was repeated by itself on the same units
// if they are crossed.
func (l layoutOf) draw(q quantityOf, repetitions int, random *rand.Rand) (samples []Sample, once Sample,
	others []Sample) {
	shift := func(ofRepetition float64) float64 {
		if q.share == 0 {
			return q.level
		}
		variance := 1 + ofRepetition*ofRepetition + l.unit*l.unit
		return distuv.UnitNormal.Quantile(q.share) * math.Sqrt(variance)
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
	once = sample(0, shift(0))
	for range repetitions {
		if !l.crossed {
			anew()
		}
		samples = append(samples, sample(l.ofRepetition*random.NormFloat64(), shift(l.ofRepetition)))
	}
	for range q.others {
		if !l.crossed {
			anew()
		}
		others = append(others, sample(l.ofRepetition*random.NormFloat64(), shift(l.ofRepetition)))
	}
	return samples, once, others
}

// try simulates once: whether the interval holds the truth, and whether the test rejects it.
func (l layoutOf) try(q quantityOf, repetitions int, random *rand.Rand) (held, rejected bool) {
	family := Family{"units", l.crossed}
	samples, once, others := l.draw(q, repetitions, random)
	own := Repeated(Repetitions{"world", "worlds"}, family, samples)
	if q.share > 0 {
		own = own.Share()
	}
	panel := &Panel{}
	panel.Add("own", own)
	quantity, truth := Mean("own"), q.level+q.share
	switch {
	case q.beside:
		panel.Add("once", Once(family, once))
		quantity, truth = Difference(quantity, Mean("once")), 0
	case q.others > 0:
		panel.Add("others", Repeated(Repetitions{"other", "others"}, family, others))
		quantity, truth = Difference(quantity, Mean("others")), 0
	case q.quotient:
		others, _, _ := l.draw(q, repetitions, random)
		panel.Add("others", Repeated(Repetitions{"world", "worlds"}, family, others))
		quantity, truth = func(m Means) float64 { return m("own") / m("others") }, 1
	}
	e := panel.Estimate(quantity)
	return e.Lo <= truth && truth <= e.Hi, e.TwoSided(truth) < 0.05
}

// least is how many intervals hold the truth in the worst of the settings.
const least = 0.92

// The slow run writes the table that testdata/coverage.txt is.
func TestIntervalsHoldTheTruthAsOftenAsTheySay(t *testing.T) {
	simulations, all := 60, []int{5}
	slow := os.Getenv("UNLEARNLAB_SLOW") == "1"
	if slow {
		simulations, all = 2000, []int{3, 5, 10}
	}
	var table strings.Builder
	fmt.Fprintf(&table, "Shares of %d simulations in which the interval of 95 %% holds the truth, and in which the\n"+
		"test rejects it at .05. The standard error of either is .0049.\n\n", simulations)
	fmt.Fprintf(&table, "%-36s %-30s %4s %7s %7s\n", "quantity", "layout", "n", "holds", "rejects")
	for _, q := range quantities {
		for _, l := range layouts {
			for _, repetitions := range all {
				held, rejected := 0, 0
				for i := range simulations {
					in, out := l.try(q, repetitions, seed.Stream(1, q.name, l.name, repetitions, i))
					if in {
						held++
					}
					if out {
						rejected++
					}
				}
				share := func(n int) float64 { return float64(n) / float64(simulations) }
				fmt.Fprintf(&table, "%-36s %-30s %4d %7.3f %7.3f\n", q.name, l.name, repetitions, share(held),
					share(rejected))
				if share(held) < least-0.3*math.Sqrt(1/float64(simulations)) {
					t.Errorf("%s, %s, %d repetitions: %.3f of the intervals hold the truth, want %.2f", q.name, l.name,
						repetitions, share(held), least)
				}
			}
		}
	}
	if slow {
		if err := os.WriteFile(filepath.Join("testdata", "coverage.txt"), []byte(table.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
