package stat

import "math/rand/v2"

// normals returns n random normal values with variance 1.
func normals(stream *rand.Rand, n int, mean float64) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = stream.NormFloat64() + mean
	}
	return v
}

// seededNormals returns n random normal values from the stream with a seed.
func seededNormals(seed uint64, n int, mean float64) []float64 {
	return normals(rand.New(rand.NewPCG(seed, 1)), n, mean)
}

// residueSequence returns scale·q(n, m, k) + offset with q(n, m, k)_j = ((jm + k) mod 10007) / 10007.
func residueSequence(n, m, k int, scale, offset float64) []float64 {
	v := make([]float64, n)
	for j := range v {
		v[j] = float64(scale*(float64(((j+1)*m+k)%10007)/10007)) + offset
	}
	return v
}

// applied returns the slice of f(v) for all values v.
func applied(x []float64, f func(float64) float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = f(v)
	}
	return y
}
