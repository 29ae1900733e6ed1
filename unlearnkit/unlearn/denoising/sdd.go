package denoising

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

// SDD returns safe self-distillation (Kim et al., 2023): the model's prediction for a concept c moves to its own
// prediction without a text,
//
//	‖e(x, t, c) - e(x, t, "")‖²,
//
// where the second term has no gradient. The samples x are partly denoised by the model's moving average, for all
// concepts joined. The average is the method's result.
//
// A sample that stops before the first step is noise. In this case the released code draws the picture to the end,
// because its loop ends only after a step, and still assigns it the timestep of a noisy sample.
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
					Average: p.Value("average"), Select: selectUNet(diffusion.CrossAttention),
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
