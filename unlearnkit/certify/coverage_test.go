package certify

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// hierarchy makes worlds of people of rows whose true mean is 0; the numbers are standard deviations.
type hierarchy struct {
	name                 string
	worlds, people, rows int
	world, person, row   float64
}

func (h hierarchy) samples(random *rand.Rand) []Sample {
	samples := make([]Sample, h.worlds)
	for w := range samples {
		ofWorld := h.world * random.NormFloat64()
		for person := range h.people {
			ofPerson := ofWorld + h.person*random.NormFloat64()
			for range h.rows {
				samples[w].Values = append(samples[w].Values, ofPerson+h.row*random.NormFloat64())
				samples[w].Targets = append(samples[w].Targets, 0)
				samples[w].Cluster = append(samples[w].Cluster, person)
			}
		}
	}
	return samples
}

// simulations is how many a test does: few, unless there is time.
func simulations(few int) int {
	if os.Getenv("UNLEARNLAB_SLOW") == "1" {
		return 2000
	}
	return few
}

// Shares of 95 % intervals that hold the truth, of 2000 simulations (seed 1) with five worlds of 20 people of 4 rows,
// as this test prints them with UNLEARNLAB_SLOW=1:
//
//	                               middle 95 % of the replicates    as certified
//	worlds differ, people do not               82.0                     94.3
//	both alike                                 96.0                     97.5
//	people differ, worlds do not               98.2                     98.8
//	one world, people differ                   94.5                     94.5
//
// Plain intervals of five worlds are too narrow where worlds differ: there are only five of them, and drawing them anew
// shows four fifths of their variance.
func TestIntervalsHoldTheTruthAsOftenAsTheySay(t *testing.T) {
	simulations := simulations(250)
	for _, h := range []hierarchy{
		{"worlds differ, people do not", 5, 20, 4, 1, 0.05, 0.05},
		{"both alike", 5, 20, 4, 1, math.Sqrt(20), 1},
		{"people differ, worlds do not", 5, 20, 4, 0, 1, 1},
		{"one world, people differ", 1, 40, 4, 0, 1, 1},
	} {
		plain, certified := 0, 0
		for i := range simulations {
			samples := h.samples(seed.Stream(1, h.name, i))
			var worlds []clustered
			for _, s := range samples {
				worlds = append(worlds, cluster(s))
			}
			drawn, _ := resample(worlds, rand.NewChaCha8(seed.Key(1, "certify", h.name)))
			if lo, hi := middle95(drawn); lo <= 0 && 0 <= hi {
				plain++
			}
			if cell := Certify(samples, 0, 1, h.name); cell.Lo <= 0 && 0 <= cell.Hi {
				certified++
			}
		}
		share := func(n int) float64 { return 100 * float64(n) / float64(simulations) }
		t.Logf("%-30s %5.1f %5.1f", h.name, share(plain), share(certified))
		if h.world == 1 && h.person == 0.05 && share(plain) > 88 {
			t.Errorf("%s: %.1f %% of the plain intervals hold the truth, so that nothing need widen them", h.name,
				share(plain))
		}
		if share(certified) < 90 {
			t.Errorf("%s: %.1f %% of the intervals hold the truth", h.name, share(certified))
		}
	}
}
