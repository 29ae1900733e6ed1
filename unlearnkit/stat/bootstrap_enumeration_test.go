package stat

import (
	"math"
	"slices"
	"testing"
)

// eachResample calls visit with every sequence of size numbers in [0, n).
func eachResample(n, size int, visit func(rows []int)) {
	rows := make([]int, size)
	var fill func(i int)
	fill = func(i int) {
		if i == size {
			visit(rows)
			return
		}
		for rows[i] = 0; rows[i] < n; rows[i]++ {
			fill(i + 1)
		}
	}
	fill(0)
}

// distributionAgrees checks that the shares of the distinct resampled values are within five standard errors of their
// probabilities.
func distributionAgrees(t *testing.T, r BootstrapResult, probability map[float64]float64) {
	t.Helper()
	n := float64(len(r.Distribution))
	seen := map[float64]float64{}
	for _, v := range r.Distribution {
		seen[v]++
	}
	for v := range seen {
		if _, possible := probability[v]; !possible {
			t.Errorf("resampled value %v is not possible", v)
		}
	}
	for v, p := range probability {
		if got := seen[v] / n; math.Abs(got-p) > 5*math.Sqrt(p*(1-p)/n) {
			t.Errorf("share of %v = %v, want %v", v, got, p)
		}
	}
}

// The values have few bits, so their sums are exact and do not depend on the order of the drawn rows.
func TestBootstrap_AllResamples(t *testing.T) {
	for _, x := range [][]float64{{1, 4}, {1, 2, 4, 8}, {-3, 0, .5, 16, 5}, {1, 1, 2, 5, 9, 32}} {
		sum := func(rows []int) float64 {
			s := 0.
			for _, i := range rows {
				s += x[i]
			}
			return s
		}
		want, all := map[float64]float64{}, []float64{}
		eachResample(len(x), len(x), func(rows []int) {
			all = append(all, sum(rows))
		})
		for _, v := range all {
			want[v] += 1 / float64(len(all))
		}
		r := Bootstrap(len(x), sum, Percentile, Resamples(200000))
		distributionAgrees(t, r, want)
		slices.Sort(all)
		if got := bootQuantile(all, .025); len(x) > 4 && math.Abs(r.Lo-got) > 1 {
			t.Errorf("n=%d: Lo = %v, quantile of all resamples %v", len(x), r.Lo, got)
		}
		m := momentsOf(all, 1)
		near(t, "SE", r.SE/math.Sqrt(m.squares/float64(len(all))), 1, .01)
		near(t, "bias", r.Bias, m.mean-r.Estimate, 6*r.SE/math.Sqrt(200000))
	}
}

func TestStrata_KeepSizes(t *testing.T) {
	x := []float64{1, 100, 2, 200, 4}
	strata := Strata{7, 3, 7, 3, 7} // the strata are 1, 2, 4 and 100, 200
	want := map[float64]float64{}
	eachResample(3, 3, func(low []int) {
		eachResample(2, 2, func(high []int) {
			sum := 0.
			for _, i := range low {
				sum += x[2*i]
			}
			for _, i := range high {
				sum += x[2*i+1]
			}
			want[sum] += 1. / (27 * 4)
		})
	})
	distributionAgrees(t, Bootstrap(len(x), func(rows []int) float64 {
		sum := 0.
		for _, i := range rows {
			sum += x[i]
		}
		return sum
	}, strata, Percentile, Resamples(100000)), want)
}

// The worlds are a = {1}, {2, 4} and b = {8}, {16}, {32}. A resample draws two worlds, and from each as many identities
// as it has.
func TestSubclusters_BothLevels(t *testing.T) {
	x := []float64{8, 1, 2, 16, 4, 32}
	worlds, identities := Clusters{1, 0, 0, 1, 0, 1}, Subclusters{0, 0, 1, 1, 1, 2}
	sums := [][]float64{{1, 6}, {8, 16, 32}}
	within := [2]map[float64]float64{{}, {}}
	for w, s := range sums {
		eachResample(len(s), len(s), func(drawn []int) {
			total := 0.
			for _, i := range drawn {
				total += s[i]
			}
			within[w][total] += math.Pow(float64(len(s)), -float64(len(s)))
		})
	}
	want := map[float64]float64{}
	for _, first := range within {
		for a, p := range first {
			for _, second := range within {
				for b, q := range second {
					want[a+b] += p * q / 4
				}
			}
		}
	}
	distributionAgrees(t, Bootstrap(len(x), func(rows []int) float64 {
		sum := 0.
		for _, i := range rows {
			sum += x[i]
		}
		return sum
	}, identities, worlds, Percentile, Resamples(100000)), want)
}

func TestIndices_Uniform(t *testing.T) {
	var s chunkStream
	for _, size := range []int{1, 2, 3, 7, 1000} {
		s.reset(uint64(size), 0)
		draws := make([]int32, 200001)
		s.fill(draws, 5, 5+size)
		counts := make([]float64, size)
		for _, d := range draws {
			counts[d-5]++
		}
		expected, chi2 := float64(len(draws))/float64(size), 0.
		for _, c := range counts {
			chi2 += (c - expected) * (c - expected) / expected
		}
		if df := float64(size - 1); math.Abs(chi2-df) > 5*math.Sqrt(2*df) {
			t.Errorf("size %d: chi-squared = %v with %v degrees of freedom", size, chi2, df)
		}
	}
}
