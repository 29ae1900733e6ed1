package stat

import (
	"fmt"
	"math"
	"testing"
)

func TestKS2_EqualsScipy(t *testing.T) {
	for i, c := range rankFixture(t, "ks_scipy.json")["twoSample"] {
		r := KS2(c.X, c.Y, c.options()...)
		name := fmt.Sprintf("case %d (%d+%d, %s, %s)", i, len(c.X), len(c.Y), c.Alternative, c.Method)
		closeTo(t, name+" statistic", r.Statistic, c.Statistic, 1e-14)
		closeTo(t, name+" p", r.P, c.P, rankTolerance)
		bothWays := KS2(c.X, c.Y, Less).Statistic == KS2(c.X, c.Y, Greater).Statistic // in scipy rounding decides
		if r.Sign != c.Sign && !bothWays {
			t.Errorf("%s: sign %d, want %d", name, r.Sign, c.Sign)
		}
		if got := distanceAt(c.X, c.Y, r.Location) * float64(r.Sign); math.Abs(got-r.Statistic) > 1e-14 {
			t.Errorf("%s: distance at location %g is %g, statistic %g", name, r.Location, got, r.Statistic)
		}
	}
}

// distanceAt returns F1(z) − F2(z), computed by counting.
func distanceAt(x, y []float64, z float64) float64 {
	share := func(values []float64) float64 {
		n := 0
		for _, v := range values {
			if v <= z {
				n++
			}
		}
		return float64(n) / float64(len(values))
	}
	return share(x) - share(y)
}

func TestKS2_EqualsRWithTies(t *testing.T) {
	for i, c := range rankFixture(t, "ks_r.json")["twoSample"] {
		r := KS2(c.X, c.Y, append(c.options(), TieAware(true))...)
		name := fmt.Sprintf("case %d (%d+%d, %s)", i, len(c.X), len(c.Y), c.Alternative)
		if math.Abs(r.Statistic-c.Statistic) > 1e-14 {
			t.Errorf("%s: statistic %g, want %g", name, r.Statistic, c.Statistic)
		}
		closeTo(t, name+" p", r.P, c.P, rankTolerance)
		if plain := KS2(c.X, c.Y, c.options()...); plain.P < r.P*(1-1e-12) {
			t.Errorf("%s: p %g that ignores ties is smaller than %g that respects them", name, plain.P, r.P)
		}
	}
}

func TestKS2_PrintedDistances(t *testing.T) {
	for _, file := range []string{"ks_scipy.json", "ks_r.json"} {
		for _, c := range rankFixture(t, file)["printed"] {
			closeTo(t, fmt.Sprintf("%s: KS2P(%g, %d, %d, %s)", file, c.D, c.N1, c.N2, c.Alternative),
				KS2P(c.D, c.N1, c.N2, c.options()...), c.P, rankTolerance)
		}
	}
	// SALMUBench, supplementary section 9, prints D = .09 with p = .8154 and D = .17 with p = .1112 for two samples of
	// 100 values.
	closeTo(t, "D = .09", KS2P(.09, 100, 100), .8154147124661313, rankTolerance)
	closeTo(t, "D = .17", KS2P(.17, 100, 100), .11119526053829192, rankTolerance)
}

func TestKS2_ResidueSequences(t *testing.T) {
	x := residueSequence(100, 7919, 104729, 1, 0)
	raised := func(n int, power float64) []float64 {
		return applied(residueSequence(n, 6007, 12345, 1, 0), func(v float64) float64 { return math.Pow(v, power) })
	}
	for _, c := range []struct {
		y    []float64
		d, p float64
	}{
		{raised(100, 1.1), .17, .11119526053829192},
		{raised(80, 1.3), .24, .009980636190264685},
	} {
		r := KS2(x, c.y)
		closeTo(t, "D", r.Statistic, c.d, 1e-14)
		closeTo(t, "p", r.P, c.p, rankTolerance)
	}
	for d, p := range map[float64]float64{
		.003: .9991102968766888, .005: .8389170581952266, .01: .09437793719707244, .0115: .03529627365666754,
		.02: 1.004642722587165e-05,
	} {
		closeTo(t, fmt.Sprintf("D = %g", d), KS2P(d, 30468, 30468), p, rankTolerance)
	}
}

func TestKS1_EqualsScipyAndR(t *testing.T) {
	for i, c := range rankFixture(t, "ks_scipy.json")["oneSample"] {
		r := KS1(c.X, normalCDF, c.options()...)
		name := fmt.Sprintf("case %d (n=%d, %s, %s)", i, len(c.X), c.Alternative, c.Method)
		closeTo(t, name+" statistic", r.Statistic, c.Statistic, 1e-12)
		closeTo(t, name+" p", r.P, c.P, rankTolerance)
		closeTo(t, name+" location", r.Location, c.Location, 0)
		if r.Sign != c.Sign {
			t.Errorf("%s: sign %d, want %d", name, r.Sign, c.Sign)
		}
	}
	uniform := func(x float64) float64 { return x }
	for i, c := range rankFixture(t, "ks_r.json")["oneSample"] {
		r := KS1(c.X, uniform, c.options()...)
		closeTo(t, fmt.Sprintf("R case %d statistic", i), r.Statistic, c.Statistic, 1e-12)
		closeTo(t, fmt.Sprintf("R case %d p", i), r.P, c.P, rankTolerance)
	}
}

func TestKolmogorov_EqualsScipy(t *testing.T) {
	for _, c := range rankFixture(t, "ks_scipy.json")["law"] {
		closeTo(t, fmt.Sprintf("KolmogorovSF(%g, %d)", c.D, c.N), KolmogorovSF(c.D, c.N), c.P, rankTolerance)
		closeTo(t, fmt.Sprintf("SmirnovSF(%g, %d)", c.D, c.N), SmirnovSF(c.D, c.N), c.One, rankTolerance)
	}
}

func TestKolmogorov_RationalArithmetic(t *testing.T) {
	for _, c := range rankFixture(t, "ks_scipy.json")["rational"] {
		closeTo(t, fmt.Sprintf("KolmogorovSF(%g, %d)", c.D, c.N), KolmogorovSF(c.D, c.N), c.P, rankTolerance)
	}
}
