package stat

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// rankSmallSample returns n random values. Coarse values are small integers, so that ties and zeros are common.
func rankSmallSample(rng *rand.Rand, n int, coarse bool) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
		if coarse {
			x[i] = float64(rng.IntN(4))
		}
	}
	return x
}

// rankEnumeratedP returns the p-value of a statistic, given all its equally likely values.
func rankEnumeratedP(outcomes []float64, seen float64, a Alternative) float64 {
	const slack = 1e-9
	var less, greater int
	for _, o := range outcomes {
		if o <= seen+slack {
			less++
		}
		if o >= seen-slack {
			greater++
		}
	}
	n := float64(len(outcomes))
	switch a {
	case Less:
		return float64(less) / n
	case Greater:
		return float64(greater) / n
	}
	return min(2*float64(min(less, greater))/n, 1)
}

// rankSplits calls visit with every choice of n1 of n positions, as a bit mask.
func rankSplits(n, n1 int, visit func(mask uint)) {
	for mask := range uint(1) << n {
		if bits.OnesCount(mask) == n1 {
			visit(mask)
		}
	}
}

// rankDivide puts the values whose bit is set in mask into x, and the others into y.
func rankDivide(values []float64, mask uint) (x, y []float64) {
	for i, v := range values {
		if mask>>i&1 == 1 {
			x = append(x, v)
		} else {
			y = append(y, v)
		}
	}
	return x, y
}

func TestWilcoxon_AllSignFlips(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 1; n <= 10; n++ {
		for _, coarse := range []bool{false, true} {
			d := rankSmallSample(rng, n, coarse)
			for i := range d {
				d[i] *= float64(1 - 2*rng.IntN(2))
			}
			for _, zeros := range []ZeroMethod{DropZeros, PrattZeros, SplitZeros} {
				var outcomes []float64
				for mask := range uint(1) << n {
					flipped := make([]float64, n)
					for i, v := range d {
						flipped[i] = math.Abs(v) * float64(2*int(mask>>i&1)-1)
					}
					outcomes = append(outcomes, WilcoxonDifferences(flipped, zeros, Asymptotic).RPlus)
				}
				for _, a := range []Alternative{TwoSided, Less, Greater} {
					r := WilcoxonDifferences(d, zeros, Exact, a)
					closeTo(t, fmt.Sprintf("n=%d, %v, %v, d=%v", n, zeros, a, d), r.P,
						rankEnumeratedP(outcomes, r.RPlus, a), 1e-12)
				}
			}
		}
	}
}

func TestMannWhitney_AllSplits(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for n := 2; n <= 10; n++ {
		for n1 := 1; n1 < n; n1++ {
			for _, coarse := range []bool{false, true} {
				pooled := rankSmallSample(rng, n, coarse)
				var outcomes []float64
				rankSplits(n, n1, func(mask uint) {
					x, y := rankDivide(pooled, mask)
					outcomes = append(outcomes, rankPairsWon(x, y))
				})
				x, y := pooled[:n1], pooled[n1:]
				for _, a := range []Alternative{TwoSided, Less, Greater} {
					r := MannWhitney(x, y, Exact, a)
					closeTo(t, fmt.Sprintf("x=%v, y=%v, %v", x, y, a), r.P,
						rankEnumeratedP(outcomes, rankPairsWon(x, y), a), 1e-12)
				}
			}
		}
	}
}

// rankPairsWon returns U1, computed by its definition.
func rankPairsWon(x, y []float64) (u float64) {
	for _, a := range x {
		for _, b := range y {
			switch {
			case a > b:
				u++
			case a == b:
				u += .5
			}
		}
	}
	return u
}

func TestKS2_AllSplitsWithTies(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for n := 2; n <= 10; n++ {
		for n1 := 1; n1 < n; n1++ {
			for _, coarse := range []bool{false, true} {
				pooled := rankSmallSample(rng, n, coarse)
				for _, a := range []Alternative{TwoSided, Less, Greater} {
					var outcomes []float64
					rankSplits(n, n1, func(mask uint) {
						x, y := rankDivide(pooled, mask)
						outcomes = append(outcomes, KS2(x, y, a, Asymptotic).Statistic)
					})
					r := KS2(pooled[:n1], pooled[n1:], a, Exact, TieAware(true))
					closeTo(t, fmt.Sprintf("%v of which %d, %v", pooled, n1, a), r.P,
						rankEnumeratedP(outcomes, r.Statistic, Greater), 1e-12)
				}
			}
		}
	}
}

func TestFriedman_AllReorderings(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, size := range [][2]int{{2, 5}, {3, 2}, {3, 5}, {4, 3}} {
		for _, coarse := range []bool{false, true} {
			k, n := size[0], size[1]
			columns := make([][]float64, k)
			for j := range columns {
				columns[j] = rankSmallSample(rng, n, coarse)
			}
			orders := friedmanOrders(k)
			var outcomes []float64
			var reorder func(row int, table [][]float64)
			reorder = func(row int, table [][]float64) {
				if row == n {
					outcomes = append(outcomes, Friedman(table).Statistic)
					return
				}
				for _, order := range orders {
					for j, from := range order {
						table[j][row] = columns[from][row]
					}
					reorder(row+1, table)
				}
			}
			table := make([][]float64, k)
			for j := range table {
				table[j] = make([]float64, n)
			}
			reorder(0, table)
			r := Friedman(columns, Exact)
			closeTo(t, fmt.Sprintf("%v", columns), r.P, rankEnumeratedP(outcomes, r.Statistic, Greater), 1e-12)
		}
	}
}

// TestRankSumMass_RelativeAccuracy counts partitions using only additions, which cannot cancel.
func TestRankSumMass_RelativeAccuracy(t *testing.T) {
	for _, size := range [][2]int{{1, 9}, {8, 200}, {40, 60}, {70, 70}} {
		n, m := size[0], size[1]
		length := n*m/2 + 1
		got := make([]float64, length)
		rankSumMass(got, n, m)

		// ways[i][u] counts the orders of i values of one sample and j of the other for which U = u. The largest value
		// either belongs to the other sample, or it exceeds all j values of the other sample.
		ways := make([][]float64, n+1)
		for i := range ways {
			ways[i] = make([]float64, length)
			ways[i][0] = 1
		}
		for j := 1; j <= m; j++ {
			for i := 1; i <= n; i++ {
				for u := j; u < length; u++ {
					ways[i][u] += ways[i-1][u-j]
				}
			}
		}
		all := 1.
		for i := 1; i <= n; i++ {
			all *= float64(m+i) / float64(i)
		}
		for u, count := range ways[n] {
			closeTo(t, fmt.Sprintf("P(U = %d), sizes %d and %d", u, n, m), got[u], count/all, 1e-11)
		}
	}
}
