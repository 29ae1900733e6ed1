package unlearn

import (
	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
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
	const code = "official code"
	return Method{
		Name: "sdd", Title: "SDD", Version: 1,
		Source: "Kim et al., ICML 2023 workshop on deployable generative models; official code",
		Settings: append([]Setting{
			{"rate", 1e-5, code}, {"batch", 1, code}, {"decay", 1e-4, code}, {"clip", 1, code},
			{"average", 0.999, code},
		}, pool...),
		Phases: func(p Plan) []Phase {
			forgetTexts(p, Prompt, Empty)
			optimizer := adamW(p.Value("decay"))
			optimizer.ClipNorm, optimizer.Average, optimizer.Select = p.Value("clip"), p.Value("average"),
				ofUNet(diffusion.CrossAttention)
			return []Phase{{
				Streams: []string{Trajectories}, Drawn: []Drawn{trajectories(p, Joined)}, Batch: p.batch(),
				Loss: distil, Optimizer: optimizer, Rate: optim.Constant(p.Value("rate")),
			}}
		},
	}
}

func distil(m Models, b Batch) *graph.Node {
	sample, timestep := b.Of(Trajectories, Sample), b.Of(Trajectories, Timestep)
	without := graph.StopGradient(m.Policy.Noise(sample, timestep, b.Of(Trajectories, Empty)))
	return m.Policy.NoiseError(m.Policy.Noise(sample, timestep, b.Of(Trajectories, Prompt)), without, timestep)
}
