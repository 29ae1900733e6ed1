package metric

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// FIDScore is a squared Fréchet distance and its two parts.
type FIDScore struct {
	Distance    float64 // Means + Covariances, the number reported as FID
	Means       float64 // |μ₁ − μ₂|²
	Covariances float64 // tr(Σ₁ + Σ₂ − 2(Σ₁Σ₂)^½)
}

// FrechetDistance returns the squared Fréchet distance between two normal distributions,
//
//	|μ₁ − μ₂|² + tr Σ₁ + tr Σ₂ − 2 tr (Σ₁^½ Σ₂ Σ₁^½)^½.
//
// The last trace is the sum of the singular values of F₁F₂ᵀ for any factors Σ = FᵀF. The factors come from symmetric
// eigen-decompositions, so that no root of a non-symmetric matrix is needed. The result is therefore never complex, and
// covariances need not have full rank.
//
// Special cases are:
//
//	shapes that do not agree, no dimensions        →  error
//	a value that is NaN or infinite                →  error
//	Σ with an eigenvalue below zero by more than rounding  →  error
func FrechetDistance(mean1 []float64, cov1 mat.Symmetric, mean2 []float64, cov2 mat.Symmetric) (FIDScore, error) {
	d := len(mean1)
	if d == 0 || len(mean2) != d || cov1.SymmetricDim() != d || cov2.SymmetricDim() != d {
		return FIDScore{}, fmt.Errorf("FID: means of %d and %d, covariances of %d and %d dimensions",
			d, len(mean2), cov1.SymmetricDim(), cov2.SymmetricDim())
	}
	f1, err := spectralFactor(cov1)
	if err != nil {
		return FIDScore{}, err
	}
	f2, err := spectralFactor(cov2)
	if err != nil {
		return FIDScore{}, err
	}
	return frechet(mean1, f1, mean2, f2)
}

// spectralFactor returns F = Λ^½Vᵀ, for which FᵀF = cov.
func spectralFactor(cov mat.Symmetric) (*mat.Dense, error) {
	if norm := mat.Norm(cov, 1); math.IsNaN(norm) || math.IsInf(norm, 0) {
		return nil, fmt.Errorf("FID: covariance of norm %v", norm)
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(cov, true) {
		return nil, fmt.Errorf("FID: no eigenvalues found for a covariance of %d dimensions", cov.SymmetricDim())
	}
	values := eigen.Values(nil)
	largest := values[len(values)-1]
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	factor := mat.DenseCopyOf(vectors.T())
	for i, v := range values {
		if v < -1e-8*max(largest, 0) || largest < 0 {
			return nil, fmt.Errorf("FID: covariance has the eigenvalue %g, want none below zero", v)
		}
		floats.Scale(math.Sqrt(max(v, 0)), factor.RawRowView(i))
	}
	return factor, nil
}

// frechet returns the squared distance, given the means and the factors F of the covariances FᵀF.
func frechet(mean1 []float64, f1 *mat.Dense, mean2 []float64, f2 *mat.Dense) (FIDScore, error) {
	var s FIDScore
	for i := range mean1 {
		s.Means += (mean1[i] - mean2[i]) * (mean1[i] - mean2[i])
	}
	if math.IsNaN(s.Means) || math.IsInf(s.Means, 0) {
		return FIDScore{}, fmt.Errorf("FID: means are %v apart", s.Means)
	}
	var product mat.Dense
	product.Mul(f1, f2.T())
	var svd mat.SVD
	if !svd.Factorize(&product, mat.SVDNone) {
		return FIDScore{}, fmt.Errorf("FID: no singular values found for %d dimensions", len(mean1))
	}
	cross := floats.Sum(svd.Values(nil))
	// ‖F₁‖² + ‖F₂‖² − 2‖F₁F₂ᵀ‖_* is never negative except for rounding.
	norm1, norm2 := mat.Norm(f1, 2), mat.Norm(f2, 2)
	s.Covariances = max(norm1*norm1+norm2*norm2-2*cross, 0)
	s.Distance = s.Means + s.Covariances
	return s, nil
}

// FID returns the Fréchet distance between the rows of x and of y. It treats both as samples of normal distributions
// with the samples' means and unbiased covariances. If the rows are Inception features, it is the Fréchet Inception
// Distance (Heusel et al., 2017).
//
// There may be fewer rows than columns. The covariances are used in factored form, as centred rows over √(n−1). A QR
// decomposition reduces the factors to at most as many rows as columns. The estimate is biased upwards, most if there
// are few rows per column, so that two samples of one distribution do not have the distance 0. [KIDUnbiased] has no
// bias.
//
// Special cases are:
//
//	fewer than two rows, different widths   →  error
//	a feature is NaN or infinite            →  error
func FID(x, y mat.Matrix) (FIDScore, error) {
	m, d := x.Dims()
	n, e := y.Dims()
	if d != e || m < 2 || n < 2 {
		return FIDScore{}, fmt.Errorf("FID: %d×%d and %d×%d features, want at least 2 rows of equal width", m, d, n, e)
	}
	mean1, f1 := sampleFactor(x)
	mean2, f2 := sampleFactor(y)
	return frechet(mean1, f1, mean2, f2)
}

// sampleFactor returns the mean of the rows of x and a factor F of their unbiased covariance FᵀF.
func sampleFactor(x mat.Matrix) ([]float64, *mat.Dense) {
	n, d := x.Dims()
	centred := mat.DenseCopyOf(x)
	mean := make([]float64, d)
	for i := range n {
		floats.AddScaled(mean, 1/float64(n), centred.RawRowView(i))
	}
	for i := range n {
		floats.Sub(centred.RawRowView(i), mean)
	}
	centred.Scale(1/math.Sqrt(float64(n-1)), centred)
	if n <= d {
		return mean, centred
	}
	var qr mat.QR
	qr.Factorize(centred)
	var r mat.Dense
	qr.RTo(&r)
	return mean, mat.DenseCopyOf(r.Slice(0, d, 0, d))
}
