package metric

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// KIDRepeated returns [KIDUnbiased] between the rows of x and a sample in which every row is y,
//
//	mean_{i≠j} k(x_i,x_j) + k(y,y) − 2 mean_i k(x_i,y).
//
// A sample of equal rows has no variance. The value is therefore y's distance from x plus a term that a real set of
// images would not have.
//
// Special cases are the same as for [KIDUnbiased].
func KIDRepeated(x mat.Matrix, y []float64) (float64, error) {
	if len(y) == 0 {
		return math.NaN(), errors.New("KID: the repeated row is empty")
	}
	s, err := KIDCode(x, mat.NewDense(1, len(y), y))
	if err != nil {
		return math.NaN(), err
	}
	return s.Mean, nil
}

// KIDCodeScore holds the results of the variant kid_code.
type KIDCodeScore struct {
	Mean  float64   // mean of Grown: the columns KID-O and KID-U in Unlearning or Concealment, Tables 1-3
	Grown []float64 // value at each ratio, with pools that are never emptied
	Reset []float64 // value at each ratio if the code emptied its pools, by [KIDRepeated]
}

// KIDCode returns the Kernel Inception Distance as the paper's code computes it. For the image p_j of each partial
// diffusion ratio, a row of p in the order of evaluation, the n rows of x are added to one pool and n copies of p_j to
// another. The distance is the mean over random subsets of n rows. The pools are not emptied between ratios: at the
// j-th ratio they hold every row of x j times and n copies of each of p_1 … p_j.
//
// Grown holds the expectation over the subsets. For an unbiased estimate it equals the value on the whole pools,
//
//	(j² S_xx − j D_x)/(jn(jn−1)) + (n² S_pp − n D_p)/(jn(jn−1)) − 2 S_xp/(jn),
//
// where S are the sums of the kernel over all pairs of distinct images in the pools, and D the sums over an image and
// itself. At the first ratio the subset is the whole pool and the value is exact.
//
// The code also wraps negative pixels around when it casts them to bytes. KIDCode does not reproduce this, because it
// begins with features.
func KIDCode(x, p mat.Matrix) (KIDCodeScore, error) {
	n, d := x.Dims()
	ratios, e := p.Dims()
	if d != e || n < 2 || ratios < 1 {
		return KIDCodeScore{}, fmt.Errorf("KID: %d×%d features and %d×%d repeated ones, want at least 2 and 1 rows "+
			"of equal width", n, d, ratios, e)
	}
	xs, ps := rowsOf(x), rowsOf(p)
	within := meanWithin(xs)
	own := 0.0 // mean of k(x_i, x_i)
	for _, row := range xs {
		own += KIDKernel(row, row) / float64(n)
	}
	s := KIDCodeScore{Grown: make([]float64, ratios), Reset: make([]float64, ratios)}
	var all, same, between float64 // sums over p_1 … p_j of k(p_a,p_b), of k(p_a,p_a), and of mean_i k(x_i,p_a)
	for j, image := range ps {
		self, cross := KIDKernel(image, image), meanBetween(xs, ps[j:j+1])
		s.Reset[j] = within + self - 2*cross
		for _, earlier := range ps[:j] {
			all += 2 * KIDKernel(image, earlier)
		}
		all += self
		same += self
		between += cross
		copies, size := float64(j+1), float64(n)
		pool := copies * size
		poolX := (copies*(size-1)*within + (copies-1)*own) / (pool - 1)
		poolP := (size*all - same) / (copies * (pool - 1))
		s.Grown[j] = poolX + poolP - 2*between/copies
	}
	s.Mean = stat.Mean(s.Grown, nil)
	return s, nil
}
