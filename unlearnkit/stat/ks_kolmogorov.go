package stat

import (
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// KolmogorovSF returns P(D ≥ d) for the two-sided Kolmogorov-Smirnov statistic of n values drawn from the continuous
// distribution that they are compared with. It is the distribution for n values and not the limit, computed as in
// Simard and L'Ecuyer (2011) and scipy.stats.kstwo:
//
//	nd ≤ 1, nd ≥ n − 1, d ≥ ½  closed forms (Ruben and Gambino 1982)
//	n ≤ 140                    nd² ≤ 0.754693: Durbin's matrix; ≤ 4: Pomeranz' recursion; beyond: twice SmirnovSF
//	n > 140                    nd² ≥ 370: 0; ≥ 2.2: twice SmirnovSF; below: Durbin's matrix if n ≤ 10⁵ and
//	                           n d^{3/2} ≤ 1.4, otherwise the expansion of Pelz and Good (1976)
//
// Special cases are:
//
//	nd ≤ ½        →  1
//	d ≥ 1         →  0
//	NaN or n < 1  →  NaN
func KolmogorovSF(d float64, n int) float64 {
	if math.IsNaN(d) || n < 1 {
		return math.NaN()
	}
	size := float64(n)
	t := size * d
	q := t * d
	var p float64
	switch {
	case d >= 1:
		p = 0
	case t <= .5:
		p = 1
	case t <= 1:
		p = 1 - math.Sqrt(2*math.Pi*size)*vectorstate.Exp(stirlingError(size)+size*(math.Log(2*t-1)-1))
	case t >= size-1:
		p = 2 * vectorstate.Pow(1-d, size)
	case d >= .5:
		p = 2 * SmirnovSF(d, n)
	case n <= 140 && q <= .754693:
		p = 1 - durbinCDF(d, n)
	case n <= 140 && q <= 4:
		p = 1 - pomeranzCDF(d, n)
	case n > 140 && q >= 370:
		p = 0
	case n <= 140 || q >= 2.2:
		p = 2 * SmirnovSF(d, n)
	case n <= 100_000 && size*vectorstate.Pow(d, 1.5) <= 1.4:
		p = 1 - durbinCDF(d, n)
	default:
		p = 1 - pelzGoodCDF(d, n)
	}
	return min(max(p, 0), 1)
}

// durbinCDF returns P(D < d) as the middle element of n!/nⁿ Hⁿ (Durbin 1968, in the form of Marsaglia, Tsang and Wang
// 2003).
//
// No row of H sums to more than e, and n!/nⁿ = sqrt(2πn) e⁻ⁿ up to Stirling's error. The matrix is divided by e, so
// that no power can overflow.
func durbinCDF(d float64, n int) float64 {
	t := float64(n) * d
	k := int(math.Ceil(t))
	order := 2*k - 1
	power := durbinMatrix(order, float64(k)-t)
	var product []float64
	spare := make([]float64, order*order)
	for left := n; ; left >>= 1 {
		if left&1 == 1 {
			if product == nil {
				product = append([]float64(nil), power...)
			} else {
				durbinMultiply(spare, product, power, order)
				product, spare = spare, product
			}
		}
		if left == 1 {
			break
		}
		durbinMultiply(spare, power, power, order)
		power, spare = spare, power
	}
	return product[(k-1)*order+k-1] * math.Sqrt(2*math.Pi*float64(n)) * vectorstate.Exp(stirlingError(float64(n)))
}

// durbinMatrix returns H/e for order 2k − 1 and h = k − nd: 1/(i−j+1)! on and below the first superdiagonal, corrected
// in the first column and the last row.
func durbinMatrix(order int, h float64) []float64 {
	inverse := make([]float64, order+1) // 1/j!
	inverse[0] = 1
	for j := 1; j <= order; j++ {
		inverse[j] = inverse[j-1] / float64(j)
	}
	m := make([]float64, order*order)
	for i := range order {
		for j := 0; j <= min(i+1, order-1); j++ {
			m[i*order+j] = inverse[i-j+1]
		}
	}
	hPower := h
	for i := range order {
		m[i*order] -= hPower * inverse[i+1]
		m[order*order-1-i] -= hPower * inverse[i+1]
		hPower *= h
	}
	if h > .5 {
		m[(order-1)*order] += vectorstate.Pow(2*h-1, float64(order)) * inverse[order]
	}
	for i := range m {
		m[i] /= math.E
	}
	return m
}

// durbinMultiply stores in dst the product of two square matrices.
func durbinMultiply(dst, a, b []float64, order int) {
	clear(dst)
	for i := range order {
		row := dst[i*order : (i+1)*order]
		for k, f := range a[i*order : (i+1)*order] {
			if f == 0 {
				continue
			}
			for j, v := range b[k*order : (k+1)*order] {
				row[j] += f * v
			}
		}
	}
}

// pelzGoodCDF returns the expansion K₀(z) + K₁(z)/√n + K₂(z)/n + K₃(z)/n^{3/2} of P(D ≤ d), z = d√n (Pelz and Good
// 1976, eqs. (10) and (11)).
func pelzGoodCDF(d float64, n int) float64 {
	const terms = 40
	pi2 := math.Pi * math.Pi
	root := math.Sqrt(float64(n))
	z := d * root
	z2 := z * z
	z4, z6, z8 := z2*z2, z2*z2*z2, z2*z2*z2*z2
	var k0, k1, k2, k3, k2Even, k3Even float64
	for k := terms; k >= 1; k-- {
		odd := float64(2*k - 1)
		u := pi2 * odd * odd / 4
		e := vectorstate.Exp(-u / (2 * z2))
		k0 += e
		k1 += (u - z2) * e
		k2 += (6*z6 + 2*z4 + (2*z4-5*z2)*u + (1-2*z2)*u*u) * e
		k3 += (-30*z6 - 90*z8 + (135*z4-96*z6)*u + (212*z4-60*z2)*u*u + (5-30*z2)*u*u*u) * e

		even := float64(k) * float64(k)
		f := vectorstate.Exp(-even * pi2 / (2 * z2))
		k2Even += even * f
		k3Even += (3*z2 - pi2*even) * even * f
	}
	k1 /= 6 * z4
	k2 = k2/(72*z6*z) - pi2*k2Even/(36*z2*z)
	k3 = k3/(6480*z8*z2) + pi2*k3Even/(216*z6)
	return math.Sqrt(2*math.Pi) * (k0/z + (k1+(k2+k3/root)/root)/root)
}

// kolmogorovLimitSF returns the limit of P(D√n ≥ z) for n → ∞, by the faster of its two series.
func kolmogorovLimitSF(z float64) float64 {
	switch {
	case z <= 0:
		return 1
	case z < 1:
		sum := 0.
		for odd := 1.; odd < 12; odd += 2 {
			sum += vectorstate.Exp(-odd * odd * math.Pi * math.Pi / (8 * z * z))
		}
		return 1 - math.Sqrt(2*math.Pi)/z*sum
	}
	sum := 0.
	for k := 6.; k >= 1; k-- {
		sum = vectorstate.Exp(-2*k*k*z*z) - sum
	}
	return 2 * sum
}
