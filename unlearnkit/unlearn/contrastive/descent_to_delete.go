package contrastive

import (
	"math"
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// DescentToDelete is perturbed gradient descent (Neel, Roth and Sharifi-Malvajerdi, 2021, Theorem 3.1): descent on the
// retain sample, then Gaussian noise on every parameter.
//
// The paper says only that noise is added. Noise of a harmless size alone changes nothing that is measured, and the
// printed row stands beside that of Finetuning after one pass: so that pass comes first.
func DescentToDelete() Method {
	return Method{
		Entry: catalogue.Contrastive.Entry("descent-to-delete"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			sigma := DeletionNoise(p.Value("examples"), p.Value("strength"))
			noise := Phase{Name: "noise", Perturb: func(_ string, values []float64, random *rand.Rand) {
				for i := range values {
					values[i] += sigma * random.NormFloat64()
				}
			}}
			return []Phase{finetune(p), noise}, nil
		},
	}
}

// DeletionNoise is the deviation of the noise after one iteration of descent on n examples, for a loss made strongly
// convex by a weight decay of the given strength: with m = strength, L = 1 + strength, M = 4 - strength, γ = (M - m)/(M
// + m), ε = 5 and δ = 1/n²,
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
