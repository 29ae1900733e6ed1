package catalogue

import "math"

// DeletionNoise returns the deviation of the noise after one iteration of descent on n examples, for a loss made
// strongly convex by a weight decay of the given strength. With m = strength, L = 1 + strength, M = 4 - strength, γ =
// (M - m)/(M + m), ε = 5 and δ = 1/n²,
//
//	σ = 4√2·L·γ / (m·n·(1 - γ)·(√(ln(1/δ) + ε) - √ln(1/δ)))
func DeletionNoise(n, strength float64) float64 {
	m, lipschitz, smooth := strength, 1+strength, 4-strength
	gamma := (smooth - m) / (smooth + m)
	const epsilon = 5
	inverse := 2 * math.Log(n) // ln(1/δ)
	gap := math.Sqrt(inverse+epsilon) - math.Sqrt(inverse)
	return 4 * math.Sqrt2 * lipschitz * gamma / (m * n * (1 - gamma) * gap)
}
