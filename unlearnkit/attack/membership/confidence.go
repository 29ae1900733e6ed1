package membership

import "math"

// lossFloor is the smallest loss that single precision distinguishes from 0, 2⁻²⁴. A loss computed as 0 is at most
// lossFloor; without a floor its confidence would be infinite.
const lossFloor = 1. / (1 << 24)

// LogitConfidence returns the logit log(p/(1−p)) of the confidence p = exp(−loss) in the true label. On this scale the
// losses of shadow models are nearly normal (Carlini et al. 2022, §IV-C). It is computed as −log(exp(loss) − 1),
// without overflow for large losses and without cancellation for small ones. It is NaN for negative losses, which no
// probability has, and +Inf for 0.
func LogitConfidence(loss float64) float64 {
	switch {
	case loss < 0:
		return math.NaN()
	case loss > 1: // expm1 could overflow
		return -loss - math.Log1p(-math.Exp(-loss))
	}
	return -math.Log(math.Expm1(loss))
}
