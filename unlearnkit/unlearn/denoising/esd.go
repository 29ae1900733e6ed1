package denoising

import (
	"strings"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

// ESDX returns Erased Stable Diffusion (Gandikota et al., 2023) of cross-attention, in the release whose weights
// "Unlearning or Concealment?" loads. The model's prediction for the concept c moves to where the frozen model's
// guidance leads away from c,
//
//	‖e(x, t, c) - [e°(x, t, "") - eta (e°(x, t, c) - e°(x, t, ""))]‖²,
//
// for partly denoised samples x of the current model.
func ESDX() Method {
	return esd("esd-x", false, diffusion.CrossAttention)
}

// ESDU returns [ESDX] for all parameters outside cross-attention, the timestep's embedding and the output.
func ESDU() Method {
	return esd("esd-u", false, diffusion.Unconditional)
}

// NewerESDX returns [ESDX] in its authors' later release: the frozen model draws the samples, and the rate is higher.
func NewerESDX() Method {
	return esd("esd-x-newer", true, diffusion.CrossAttention)
}

// NewerESDU returns [NewerESDX] for all linear and convolution layers outside cross-attention. The timestep's embedding
// and the output are included.
func NewerESDU() Method {
	return esd("esd-u-newer", true, layersExceptCrossAttention)
}

func layersExceptCrossAttention(path string) bool {
	return !diffusion.CrossAttention(path) && !strings.Contains(path, "norm")
}

// esd trains a group of the UNet's tensors on samples that the model, or the frozen model, draws.
func esd(name string, frozen bool, group diffusion.Group) Method {
	return Method{
		Entry: catalogue.Denoising.Entry(name), Reference: true,
		Phases: func(p *unlearn.Plan) ([]Phase, error) {
			drawn, err := trajectories(p, Prompt)
			if err != nil {
				return nil, err
			}
			drawn.Frozen = frozen
			eta := p.Value("eta")
			return []Phase{{
				Streams: []string{Trajectories}, Drawn: []Drawn{drawn}, Batch: p.Whole("batch"),
				Loss:      func(m Models, b unlearn.Batch) *graph.Node { return leadAway(m, b, eta) },
				Optimizer: optim.Optimizer{Rule: optim.Adam{}, Select: selectUNet(group)},
				Rate:      optim.Constant(p.Value("rate")),
			}}, nil
		},
	}
}

func leadAway(m Models, b unlearn.Batch, eta float64) *graph.Node {
	sample, timestep, prompt := b.Of(Trajectories, Sample), b.Of(Trajectories, Timestep), b.Of(Trajectories, Prompt)
	without := m.Reference.Noise(sample, timestep, b.Of(Trajectories, Empty))
	with := m.Reference.Noise(sample, timestep, prompt)
	away := graph.Sub(without, graph.MulScalar(graph.Sub(with, without), eta))
	return m.Policy.NoiseError(m.Policy.Noise(sample, timestep, prompt), away, timestep)
}

// selectUNet returns a function that is 1 for a group of the UNet's tensors and 0 for all others.
func selectUNet(group diffusion.Group) func(path string) float64 {
	return func(path string) float64 {
		within, is := strings.CutPrefix(path, unetPart+"/")
		if !is {
			return 0
		}
		return group.Select(within)
	}
}
