package stat

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestKolmogorov_PomeranzAndDurbin(t *testing.T) {
	for _, n := range []int{4, 9, 30, 77, 140} {
		// Multiples of 1/(4n) make nd an integer or a multiple of ½ or ¼, where the rows of the recursion change.
		for quarters := 5; quarters < 2*n; quarters += 1 + n/10 {
			d := float64(quarters) / float64(4*n)
			closeTo(t, fmt.Sprintf("P(D < %g) of %d", d, n), pomeranzCDF(d, n), durbinCDF(d, n), 1e-11)
		}
	}
}

func TestKolmogorov_PelzAndGood(t *testing.T) {
	for _, n := range []int{141, 1000, 5000} {
		for _, z := range []float64{.4, .7, 1, 1.3} {
			d := z / math.Sqrt(float64(n))
			// The first term that the expansion leaves out is of order 1/n².
			if got, want := pelzGoodCDF(d, n), durbinCDF(d, n); math.Abs(got-want) > .05/float64(n*n) {
				t.Errorf("P(D < %g) of %d = %.15g, by Durbin's matrix %.15g", d, n, got, want)
			}
		}
	}
}

// The law falls with the distance, and is at most twice the one-sided law.
func TestKolmogorov_Bounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 400).Draw(t, "n")
		d := rapid.Float64Range(0, 1).Draw(t, "d")
		further := d + rapid.Float64Range(0, .1).Draw(t, "step")
		p, one := KolmogorovSF(d, n), SmirnovSF(d, n)
		// Pelz and Good's expansion has an error of .05/n² for n > 140, which bounds the jump between regimes.
		const slack = 3e-6
		if q := KolmogorovSF(further, n); q > p+slack {
			t.Fatalf("P(D ≥ %g) = %g but P(D ≥ %g) = %g for n = %d", d, p, further, q, n)
		}
		if p > 2*one*(1+1e-9)+slack || p < one*(1-1e-9)-slack {
			t.Fatalf("two-sided %g, one-sided %g at d = %g, n = %d", p, one, d, n)
		}
	})
}

func TestKolmogorov_Limit(t *testing.T) {
	const n = 1_000_000
	for _, z := range []float64{.3, .5, .999, 1, 1.3} {
		got, want := KolmogorovSF(z/1000, n), kolmogorovLimitSF(z)
		if math.Abs(got-want) > 1e-3 { // the law for n values is shifted by about 1/(6√n) times its density
			t.Errorf("P(D√n ≥ %g) = %g, limit %g", z, got, want)
		}
	}
	// The two series must agree where one replaces the other.
	closeTo(t, "limit just below 1", kolmogorovLimitSF(math.Nextafter(1, 0)), kolmogorovLimitSF(1), 1e-14)
}
