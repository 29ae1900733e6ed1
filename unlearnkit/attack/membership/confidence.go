package membership

import "math"

// Floor is the smallest loss that single precision tells from 0, 2⁻²⁴. What was computed as 0 was at most so large, and
// the confidence of nothing would be infinite.
const Floor = 1. / (1 << 24)

// LogitConfidence is the logit log(p/(1−p)) of the confidence p = exp(−loss) in the true label, on which losses of
// shadow models are nearly normal (Carlini et al. 2022, §IV-C): −log(exp(loss) − 1), without overflow for large losses
// and without cancellation for small ones. It is NaN for negative losses, which no probability has, and +Inf for 0.
func LogitConfidence(loss float64) float64 {
	switch {
	case loss < 0:
		return math.NaN()
	case loss > 1: // here expm1 could overflow
		return -loss - math.Log1p(-math.Exp(-loss))
	}
	return -math.Log(math.Expm1(loss))
}
