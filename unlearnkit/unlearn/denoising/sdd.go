package denoising

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

// SDD is safe self-distillation (Kim et al., 2023): the model's prediction for a concept c goes to what the same model
// predicts without a text,
//
//	‖e(x, t, c) - e(x, t, "")‖²,
//
// where the second term has no gradient, for samples x that its moving average has begun to draw of all concepts
// joined. The average is what the method leaves.
//
// A sample that is to be stopped before the first step is noise. The released code draws it to the end, because its
// loop is left only after a step, and takes its timestep for a noisy one all the same.
func SDD() Method {
	return Method{
		Entry: catalogue.Denoising.Entry("sdd"),
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			drawn, err := trajectories(p, Joined)
			if err != nil {
				return nil, err
			}
			return []Phase{{
				Streams: []string{Trajectories}, Drawn: []Drawn{drawn}, Batch: p.Whole("batch"), Loss: distil,
				Rate: optim.Constant(p.Value("rate")),
				Optimizer: optim.Optimizer{
					Rule: optim.AdamW{WeightDecay: p.Value("decay")}, ClipNorm: p.Value("clip"),
					Average: p.Value("average"), Select: ofUNet(diffusion.CrossAttention),
				},
			}}, nil
		},
	}
}

func distil(m Models, b unlearn.Batch) *graph.Node {
	sample, timestep := b.Of(Trajectories, Sample), b.Of(Trajectories, Timestep)
	without := graph.StopGradient(m.Policy.Noise(sample, timestep, b.Of(Trajectories, Empty)))
	return m.Policy.NoiseError(m.Policy.Noise(sample, timestep, b.Of(Trajectories, Prompt)), without, timestep)
}
