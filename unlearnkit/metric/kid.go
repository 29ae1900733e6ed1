package metric

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// KIDKernel returns the kernel of the Kernel Inception Distance between features of dimension d,
//
//	k(x, y) = (x·y/d + 1)³.
func KIDKernel(x, y []float64) float64 {
	v := floats.Dot(x, y)/float64(len(x)) + 1
	return v * v * v
}

// KIDUnbiased returns the unbiased squared maximum mean discrepancy between the rows of x (m) and of y (n),
//
//	Σ_{i≠j} k(x_i,x_j)/(m(m−1)) + Σ_{i≠j} k(y_i,y_j)/(n(n−1)) − 2 Σ k(x_i,y_j)/(mn),
//
// with [KIDKernel] (Bińkowski et al., "Demystifying MMD GANs", 2018). As an unbiased estimate, it is negative about
// half the time if all rows have the same distribution.
//
// Special cases are:
//
//	a feature is NaN                 →  NaN
//	fewer than two rows              →  error
//	different numbers of columns     →  error
func KIDUnbiased(x, y mat.Matrix) (float64, error) {
	rx, ry, err := kidRows(x, y)
	if err != nil {
		return math.NaN(), err
	}
	return meanWithin(rx) + meanWithin(ry) - 2*meanBetween(rx, ry), nil
}

// meanWithin returns the mean of the kernel over all pairs of different rows.
func meanWithin(rows [][]float64) float64 {
	sum := 0.0
	for i, x := range rows {
		row := 0.0
		for _, y := range rows[:i] {
			row += KIDKernel(x, y)
		}
		sum += row
	}
	n := float64(len(rows))
	return 2 * sum / (n * (n - 1))
}

// meanBetween returns the mean of the kernel over all pairs of a row of xs and a row of ys.
func meanBetween(xs, ys [][]float64) float64 {
	sum := 0.0
	for _, x := range xs {
		row := 0.0
		for _, y := range ys {
			row += KIDKernel(x, y)
		}
		sum += row
	}
	return sum / float64(len(xs)) / float64(len(ys))
}

// kidRows checks the shapes of both matrices and returns their rows.
func kidRows(x, y mat.Matrix) (rx, ry [][]float64, err error) {
	m, d := x.Dims()
	n, e := y.Dims()
	switch {
	case d != e:
		return nil, nil, fmt.Errorf("KID: features of %d and %d columns", d, e)
	case m < 2 || n < 2:
		return nil, nil, fmt.Errorf("KID: %d and %d rows, want at least 2 of each", m, n)
	}
	return rowsOf(x), rowsOf(y), nil
}

func rowsOf(x mat.Matrix) [][]float64 {
	n, _ := x.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = mat.Row(nil, i, x)
	}
	return rows
}

// KIDSampling selects the random subsets that [KID] averages over.
type KIDSampling struct {
	// rows per subset and side; 0 means all rows of the smaller side, so that nothing is random if both sides are equal
	// in size
	Size    int
	Subsets int    // number of subsets; 0 means 100
	Seed    uint64 // equal seeds draw equal subsets
}

// KIDScore is a Kernel Inception Distance, averaged over subsets.
type KIDScore struct {
	Mean float64
	// standard error of Mean over the subsets; because subsets overlap, it reflects the choice of subsets but not the
	// choice of images
	StandardError float64
	Values        []float64 // value of each subset
	Size          int       // number of rows per subset
}

// KID returns the Kernel Inception Distance as it is usually reported. This is the variant kid_std. It is the mean of
// [KIDUnbiased] over random subsets of equal size, drawn without replacement and separately from the rows of x and of
// y. The kernel is evaluated once for all pairs of rows, which takes 8(m² + n² + mn) bytes.
//
// Special cases are the same as for [KIDUnbiased], and
//
//	a subset larger than either side  →  error
func KID(x, y mat.Matrix, s KIDSampling) (KIDScore, error) {
	m, _ := x.Dims()
	n, _ := y.Dims()
	if s.Size == 0 {
		s.Size = min(m, n)
	}
	if s.Subsets == 0 {
		s.Subsets = 100
	}
	if s.Size < 2 || s.Size > min(m, n) || s.Subsets < 0 {
		return KIDScore{}, fmt.Errorf("KID: %d subsets of %d out of %d and %d rows", s.Subsets, s.Size, m, n)
	}
	random := rand.New(rand.NewPCG(s.Seed, 0x4b4944)) // "KID": a stream for this purpose
	ofX, ofY := make([][]int, s.Subsets), make([][]int, s.Subsets)
	for i := range s.Subsets {
		ofX[i] = random.Perm(m)[:s.Size]
		ofY[i] = random.Perm(n)[:s.Size]
	}
	return KIDOverSubsets(x, y, ofX, ofY)
}

// KIDOverSubsets returns [KID] for given subsets. Value i compares the rows ofX[i] of x with the rows ofY[i] of y.
func KIDOverSubsets(x, y mat.Matrix, ofX, ofY [][]int) (KIDScore, error) {
	rx, ry, err := kidRows(x, y)
	if err != nil {
		return KIDScore{}, err
	}
	if len(ofX) == 0 || len(ofX) != len(ofY) {
		return KIDScore{}, fmt.Errorf("KID: %d subsets of one side and %d of the other", len(ofX), len(ofY))
	}
	score := KIDScore{Values: make([]float64, len(ofX)), Size: len(ofX[0])}
	xx, yy, xy := kernelTable(rx, rx), kernelTable(ry, ry), kernelTable(rx, ry)
	for s := range ofX {
		if len(ofX[s]) != score.Size || len(ofY[s]) != score.Size || score.Size < 2 {
			return KIDScore{}, fmt.Errorf("KID: subset %d has %d and %d rows, want %d and at least 2", s, len(ofX[s]),
				len(ofY[s]), score.Size)
		}
		score.Values[s] = discrepancy(xx, yy, xy, ofX[s], ofY[s])
	}
	var deviation float64
	score.Mean, deviation = stat.MeanStdDev(score.Values, nil)
	score.StandardError = stat.StdErr(deviation, float64(len(ofX)))
	return score, nil
}

// kernelTable returns k(x_i, y_j) for all rows. One table serves many subsets.
func kernelTable(xs, ys [][]float64) [][]float64 {
	table := make([][]float64, len(xs))
	for i, x := range xs {
		table[i] = make([]float64, len(ys))
		for j, y := range ys {
			table[i][j] = KIDKernel(x, y)
		}
	}
	return table
}

// discrepancy returns the unbiased squared discrepancy between two subsets of equal size.
func discrepancy(xx, yy, xy [][]float64, ofX, ofY []int) float64 {
	within, between := 0.0, 0.0
	for a := range ofX {
		for b := range ofX {
			if a != b {
				within += xx[ofX[a]][ofX[b]] + yy[ofY[a]][ofY[b]]
			}
			between += xy[ofX[a]][ofY[b]]
		}
	}
	m := float64(len(ofX))
	return within/(m*(m-1)) - 2*between/(m*m)
}
