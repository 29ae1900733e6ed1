package contrastive

import (
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// DescentToDelete returns perturbed gradient descent (Neel, Roth and Sharifi-Malvajerdi, 2021, Theorem 3.1): descent on
// the retain sample, then Gaussian noise on every parameter.
//
// The paper mentions only the noise. Noise that is small enough to be harmless changes no metric by itself. The printed
// row equals the row of Finetuning after one pass, so this pass comes first.
func DescentToDelete() Method {
	return Method{
		Entry: catalogue.Contrastive.Entry("descent-to-delete"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			sigma := catalogue.DeletionNoise(p.Value("examples"), p.Value("strength"))
			noise := Phase{Name: "noise", Perturb: func(_ string, values []float64, random *rand.Rand) {
				for i := range values {
					values[i] += sigma * random.NormFloat64()
				}
			}}
			return []Phase{finetune(p), noise}, nil
		},
	}
}
