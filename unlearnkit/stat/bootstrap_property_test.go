package stat

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var (
	// Multiples of 1/8, so that unequal values differ by much more than rounding.
	bootValues = rapid.SliceOfN(rapid.Map(rapid.IntRange(-800, 800), func(i int) float64 {
		return float64(i) / 8
	}), 2, 40)
	bootKind = rapid.SampledFrom([]IntervalKind{BCa, Percentile, Basic, Studentised})
	few      = Resamples(199)
)

// bootSame fails the test unless two results agree, with a tolerance relative to the size of the data.
func bootSame(t *rapid.T, got, want BootstrapResult, scale float64) {
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-6, 1e-9*scale), cmpopts.EquateNaNs()); diff != "" {
		t.Fatalf("results differ (-want +got):\n%s", diff)
	}
}

// spread reports whether the values vary so much that rounding has no effect.
func spread(x []float64) bool { return slices.Max(x)-slices.Min(x) > .1 }

func TestBootstrapMean_ShiftAndScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := bootValues.Filter(spread).Draw(t, "x")
		kind := bootKind.Draw(t, "kind")
		scale, shift := rapid.Float64Range(.01, 100).Draw(t, "scale"), rapid.Float64Range(-1000, 1000).Draw(t, "shift")
		r := BootstrapMean(x, kind, few)
		got := BootstrapMean(applied(x, func(v float64) float64 { return scale*v + shift }), kind, few)
		for _, p := range [][2]float64{{got.Estimate, r.Estimate}, {got.Lo, r.Lo}, {got.Hi, r.Hi}} {
			want := scale*p[1] + shift
			if math.IsNaN(p[0]) != math.IsNaN(want) || math.Abs(p[0]-want) > 1e-6*(scale*100+1000) {
				t.Fatalf("moved %v, want %v", p[0], want)
			}
		}
	})
}

func TestBootstrap_SwappedPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := bootValues.Filter(spread).Draw(t, "x")
		y := make([]float64, len(x))
		kind := bootKind.Draw(t, "kind")
		r, s := BootstrapPaired(x, y, kind, few), BootstrapPaired(y, x, kind, few)
		s.Estimate, s.Bias, s.Lo, s.Hi = -s.Estimate, -s.Bias, -s.Hi, -s.Lo
		s.BiasCorrection, s.Acceleration = -s.BiasCorrection, -s.Acceleration
		s.Distribution = applied(s.Distribution, func(v float64) float64 { return -v })
		slices.Sort(s.Distribution)
		bootSame(t, s, r, 100)
	})
}

func TestBootstrap_SwappedSamples(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y := bootValues.Filter(spread).Draw(t, "x"), bootValues.Filter(spread).Draw(t, "y")
		r, s := BootstrapMeanDifference(x, y, few), BootstrapMeanDifference(y, x, few)
		if r.Estimate != -s.Estimate || math.Abs(r.Acceleration+s.Acceleration) > 1e-9 {
			t.Fatalf("estimates %v, %v, accelerations %v, %v", r.Estimate, s.Estimate, r.Acceleration, s.Acceleration)
		}
	})
}

func TestClusters_OneRow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := bootValues.Draw(t, "x")
		kind := bootKind.Draw(t, "kind")
		labels := make([]int, len(x))
		for i := range labels {
			labels[i] = 3 * i
		}
		rows := BootstrapMean(x, kind, few)
		bootSame(t, BootstrapMean(x, kind, few, Clusters(labels)), rows, 100)
		bootSame(t, BootstrapMean(x, kind, few, Subclusters(labels)), rows, 100)
		bootSame(t, BootstrapMean(x, kind, few, Strata(make([]int, len(x)))), rows, 100)
	})
}

func TestBootstrapMean_EqualsGeneral(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := bootValues.Filter(spread).Draw(t, "x")
		n := len(x)
		label := rapid.SliceOfN(rapid.IntRange(0, 5), n, n)
		opts := []Option{bootKind.Draw(t, "kind"), few}
		if rapid.Bool().Draw(t, "clustered") {
			opts = append(opts, Clusters(label.Draw(t, "clusters")))
		}
		if rapid.Bool().Draw(t, "nested") {
			opts = append(opts, Subclusters(label.Draw(t, "subclusters")))
		}
		if rapid.Bool().Draw(t, "stratified") {
			opts = append(opts, Strata(label.Draw(t, "strata")))
		}
		mean := func(rows []int) float64 {
			sum := 0.
			for _, i := range rows {
				sum += x[i]
			}
			return sum / float64(len(rows))
		}
		fast, general := BootstrapMean(x, opts...), Bootstrap(n, mean, opts...)
		// z₀ depends on rounding, which decides which resamples equal the estimate.
		fast.BiasCorrection, general.BiasCorrection = 0, 0
		if fast.Kind == BCa || fast.Kind == Studentised {
			fast.Lo, fast.Hi, general.Lo, general.Hi = 0, 0, 0, 0
			fast.Warnings, general.Warnings = 0, 0
		}
		bootSame(t, fast, general, 100)
	})
}

func TestBootstrapDifference_EqualsGeneral(t *testing.T) {
	x, y := seededNormals(1, 20, 0), seededNormals(2, 31, 1)
	all := append(slices.Clone(x), y...)
	sample := make([]int, len(all))
	for i := range y {
		sample[len(x)+i] = 1
	}
	difference := func(rows []int) float64 {
		var sums, counts [2]float64
		for _, i := range rows {
			sums[sample[i]] += all[i]
			counts[sample[i]]++
		}
		return sums[0]/counts[0] - sums[1]/counts[1]
	}
	for _, kind := range []IntervalKind{BCa, Percentile, Basic, Studentised} {
		fast := BootstrapMeanDifference(x, y, kind, Resamples(999))
		general := Bootstrap(len(all), difference, Strata(sample), kind, Resamples(999))
		if diff := cmp.Diff(general, fast, cmpopts.EquateApprox(1e-9, 1e-12), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%v: results differ (-general +fast):\n%s", kind, diff)
		}
	}
}

func TestBootstrap_Processors(t *testing.T) {
	x, y := seededNormals(1, 50, 0), seededNormals(2, 60, 0)
	run := func(processors int) BootstrapResult {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
		return BootstrapMeanDifference(x, y, Seed(5), Resamples(2000))
	}
	if diff := cmp.Diff(run(1), run(7)); diff != "" {
		t.Errorf("results differ (-1 processor +7 processors):\n%s", diff)
	}
}

func TestSeed_Streams(t *testing.T) {
	x := seededNormals(1, 50, 0)
	a, b := BootstrapMean(x, Seed(1)), BootstrapMean(x, Seed(2))
	if a.Lo == b.Lo || math.Abs(a.Lo-b.Lo) > .2*a.SE {
		t.Errorf("Lo = %v and %v: want different but close", a.Lo, b.Lo)
	}
	if again := BootstrapMean(x, Seed(1)); again.Lo != a.Lo || again.Hi != a.Hi {
		t.Errorf("the same seed gives [%v, %v] and [%v, %v]", a.Lo, a.Hi, again.Lo, again.Hi)
	}
}

func TestBootstrap_StatisticPanics(t *testing.T) {
	defer func() {
		if p := recover(); p != "no" {
			t.Errorf("recovered %v", p)
		}
	}()
	calls := 0
	Bootstrap(20, func([]int) float64 {
		if calls++; calls > 1 {
			panic("no")
		}
		return 1
	})
}

func TestBootstrapProportion_MeanOfZerosAndOnes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		outcomes := rapid.SliceOfN(rapid.Bool(), 2, 40).Draw(t, "outcomes")
		kind := bootKind.Draw(t, "kind")
		x, right := make([]float64, len(outcomes)), 0
		for i, is := range outcomes {
			if is {
				x[i], right = 1, right+1
			}
		}
		got := BootstrapProportion(outcomes, kind, few)
		bootSame(t, got, BootstrapMean(x, kind, few), 1)
		if want := float64(right) / float64(len(outcomes)); math.Abs(got.Estimate-want) > 1e-12 {
			t.Fatalf("got a share of %v, want %v", got.Estimate, want)
		}
	})
}
