package stat

import (
	"math"
	"testing"
)

// bootOfFixture computes the interval that a fixture describes from the fixture's data.
func bootOfFixture(statistic string, data [][]float64, opts ...Option) BootstrapResult {
	switch statistic {
	case "difference":
		return BootstrapMeanDifference(data[0], data[1], opts...)
	case "ratio":
		return BootstrapRatio(data[0], data[1], opts...)
	case "variance":
		return Bootstrap(len(data[0]), func(rows []int) float64 {
			v := make([]float64, len(rows))
			for i, row := range rows {
				v[i] = data[0][row]
			}
			return momentsOf(v, 1).squares / float64(len(rows))
		}, opts...)
	}
	return BootstrapMean(data[0], opts...)
}

type bootScipyCase struct {
	Statistic              string
	Data                   [][]float64
	Estimate, Acceleration float64
	Given                  []float64
	GivenSE                float64 `json:"given_se"`
	Intervals              []struct {
		Kind, Alternative string
		Level             float64
		Lo                *float64 `json:"given_lo"`
		Hi                *float64 `json:"given_hi"`
	}
	SE                     float64
	BCa, Percentile, Basic [2]float64
}

var bootKinds = map[string]IntervalKind{"bca": BCa, "percentile": Percentile, "basic": Basic,
	"studentised": Studentised}

func bootScipyCases(t *testing.T) []bootScipyCase {
	var fixture struct{ Cases []bootScipyCase }
	readFixture(t, "bootstrap_scipy.json", &fixture)
	return fixture.Cases
}

func TestIntervals_GivenDistribution(t *testing.T) {
	for _, c := range bootScipyCases(t) {
		measured := bootOfFixture(c.Statistic, c.Data, Resamples(2))
		near(t, c.Statistic+" estimate", measured.Estimate, c.Estimate, 1e-13)
		near(t, c.Statistic+" acceleration", measured.Acceleration, c.Acceleration, 1e-11)
		for _, want := range c.Intervals {
			r := BootstrapResult{
				Estimate: c.Estimate, Kind: bootKinds[want.Kind], Level: want.Level,
				Acceleration: c.Acceleration, Lo: math.NaN(), Hi: math.NaN(),
			}
			r.summarise(append([]float64(nil), c.Given...))
			r.correctBias()
			r.read(alternativeNamed[want.Alternative])
			what := c.Statistic + " " + want.Kind + " " + want.Alternative
			near(t, what+" SE", r.SE, c.GivenSE, 1e-12)
			if want.Lo != nil {
				near(t, what+" Lo", r.Lo, *want.Lo, 1e-11)
			} else if !math.IsInf(r.Lo, -1) {
				t.Errorf("%s Lo = %v, want -Inf", what, r.Lo)
			}
			if want.Hi != nil {
				near(t, what+" Hi", r.Hi, *want.Hi, 1e-11)
			} else if !math.IsInf(r.Hi, 1) {
				t.Errorf("%s Hi = %v, want +Inf", what, r.Hi)
			}
		}
	}
}

// bootAgrees compares r with an interval and a standard error that another program found with 100,000 resamples. With
// that number of nearly normal values, the .025 quantile has a standard error of .0085 standard deviations, and the
// difference of two such quantiles .012.
func bootAgrees(t *testing.T, what string, r BootstrapResult, want [2]float64, se, tolerance float64) {
	t.Helper()
	if math.Abs(r.SE/se-1) > .015 {
		t.Errorf("%s: SE = %v, want %v", what, r.SE, se)
	}
	if math.Abs(r.Lo-want[0]) > tolerance*se || math.Abs(r.Hi-want[1]) > tolerance*se {
		t.Errorf("%s = [%v, %v], want %v within %v", what, r.Lo, r.Hi, want, tolerance*se)
	}
}

// Intervals agree with scipy's within the Monte Carlo error.
func TestIntervals_EqualScipy(t *testing.T) {
	for _, c := range bootScipyCases(t) {
		for kind, want := range map[IntervalKind][2]float64{BCa: c.BCa, Percentile: c.Percentile, Basic: c.Basic} {
			r := bootOfFixture(c.Statistic, c.Data, kind, Resamples(100000))
			bootAgrees(t, c.Statistic+" "+kind.String(), r, want, c.SE, .06)
		}
	}
}

type bootRCase struct {
	X, Y                                []float64
	Label                               []int
	Estimate, SE, Acceleration          float64
	Basic, Studentised, Percentile, BCa [2]float64
}

// Intervals agree with R's boot within the Monte Carlo error.
func TestIntervals_EqualBoot(t *testing.T) {
	var fixture struct {
		Means            []bootRCase
		Strata, Clusters bootRCase
	}
	readFixture(t, "bootstrap_r.json", &fixture)
	many := Resamples(100000)
	for _, c := range fixture.Means {
		bca := BootstrapMean(c.X, many)
		near(t, "acceleration", bca.Acceleration, c.Acceleration, 1e-12)
		bootAgrees(t, "BCa", bca, c.BCa, c.SE, .06)
		bootAgrees(t, "basic", BootstrapMean(c.X, many, Basic), c.Basic, c.SE, .06)
		bootAgrees(t, "percentile", BootstrapMean(c.X, many, Percentile), c.Percentile, c.SE, .06)
		bootAgrees(t, "studentised", BootstrapMean(c.X, many, Studentised), c.Studentised, c.SE, .12)
	}
	s := fixture.Strata
	bootAgrees(t, "strata basic", BootstrapMeanDifference(s.X, s.Y, many, Basic), s.Basic, s.SE, .06)
	bootAgrees(t, "strata percentile", BootstrapMeanDifference(s.X, s.Y, many, Percentile), s.Percentile, s.SE, .06)
	bootAgrees(t, "strata studentised", BootstrapMeanDifference(s.X, s.Y, many, Studentised), s.Studentised, s.SE, .12)

	c := fixture.Clusters
	bca := BootstrapMean(c.X, many, Clusters(c.Label))
	near(t, "clusters estimate", bca.Estimate, c.Estimate, 1e-13)
	near(t, "clusters acceleration", bca.Acceleration, c.Acceleration, 1e-12)
	bootAgrees(t, "clusters BCa", bca, c.BCa, c.SE, .06)
	bootAgrees(t, "clusters percentile", BootstrapMean(c.X, many, Clusters(c.Label), Percentile), c.Percentile, c.SE,
		.06)
}
