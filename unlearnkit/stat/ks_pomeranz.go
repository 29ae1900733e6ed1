package stat

import "math"

// pomeranzRow is one row of the recursion: the abscissa A, and the columns with non-zero values.
type pomeranzRow struct {
	a        float64
	from, to int // columns max(1, ⌊A − nd⌋ + 2) … min(n + 1, ⌈A + nd⌉)
}

// pomeranzCDF returns P(D ≤ d) by Pomeranz' (1974) recursion as in Simard and L'Ecuyer (2011, eq. (4)): V₁,₁ = 1,
//
//	V_{i,j} = Σ_{k ≤ j} V_{i−1,k} ((A_i − A_{i−1})/n)^{j−k}/(j−k)!,   P = n! V_{2n+2,n+1},
//
// with A₁ = 0, A₂ = g = min(f, 1 − f) for the fraction f of nd, A₃ = 1 − g, A_i = A_{i−2} + 1 and A_{2n+2} = n. The
// factors of n! are applied in every second row, which avoids underflow.
func pomeranzCDF(d float64, n int) float64 {
	t := float64(n) * d
	last := pomeranzRowAt(1, t, n)
	v, next := make([]float64, n+2), make([]float64, n+2)
	v[1] = 1
	last.from, last.to = 1, 1
	weights := make([]float64, n+2)
	for i := 2; i <= 2*n+2; i++ {
		row := pomeranzRowAt(i, t, n)
		step := (row.a - last.a) / float64(n)
		weights[0] = 1
		for m := 1; m <= row.to-last.from; m++ {
			weights[m] = weights[m-1] * step / float64(m)
		}
		factor := 1.
		if i%2 == 0 && i <= 2*n {
			factor = float64(i / 2)
		}
		for j := row.from; j <= row.to; j++ {
			sum := 0.
			for k := last.from; k <= min(j, last.to); k++ {
				sum += v[k] * weights[j-k]
			}
			next[j] = sum * factor
		}
		v, next, last = next, v, row
	}
	return v[n+1]
}

// pomeranzRowAt returns row i of the recursion. A, A − t and A + t are near integers if t is near a multiple of ½. The
// columns are therefore computed from integer parts and the case of f, and never by rounding sums.
func pomeranzRowAt(i int, t float64, n int) pomeranzRow {
	whole := math.Floor(t)
	f := t - whole
	overHalf := f > .5
	g := min(f, 1-f)
	base, fraction := max(i/2-1, 0), 0. // A = base + fraction; base = n in the last row
	var floorMinus, ceilPlus int        // floor of A − t and ceiling of A + t, minus base and whole
	switch {
	case i == 1 || i == 2*n+2:
		if f > 0 {
			floorMinus, ceilPlus = -1, 1
		}
	case i%2 == 0 && overHalf: // A = base + 1 − f
		fraction, floorMinus, ceilPlus = g, -1, 1
	case i%2 == 0: // A = base + f
		fraction = g
		if f > 0 {
			ceilPlus = 1
		}
	case overHalf: // A = base + f
		fraction, ceilPlus = 1-g, 2
	default: // A = base + 1 − f
		fraction, ceilPlus = 1-g, 1
		if f == 0 {
			floorMinus = 1
		}
	}
	below := int(whole)
	return pomeranzRow{
		a:    float64(base) + fraction,
		from: max(1, base-below+floorMinus+2),
		to:   min(n+1, base+below+ceilPlus),
	}
}
