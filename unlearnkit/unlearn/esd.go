package unlearn

import (
	"strings"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

// ESDX is Erased Stable Diffusion (Gandikota et al., 2023) of cross-attention, in the release whose weights "Unlearning
// or Concealment?" loads. The model's prediction for the concept c goes to where the frozen model's leads away from c,
//
//	‖e(x, t, c) - [e°(x, t, "") - eta (e°(x, t, c) - e°(x, t, ""))]‖²,
//
// for samples x that the model itself, as it is, has begun to draw.
func ESDX() Method {
	return esd("esd-x", "ESD-x", 1e-5, oldRelease, false, diffusion.CrossAttention)
}

// ESDU is [ESDX] with all parameters but those of cross-attention, of the timestep's embedding and of the output.
func ESDU() Method {
	return esd("esd-u", "ESD-u", 1e-5, oldRelease, false, diffusion.Unconditional)
}

// NewerESDX is [ESDX] as its authors released it later: the frozen model draws the samples, and the rate is higher.
func NewerESDX() Method {
	return esd("esd-x-newer", "ESD-x (newer release)", 5e-5, newRelease, true, diffusion.CrossAttention)
}

// NewerESDU is [NewerESDX] with all linear and convolution layers but those of cross-attention, the timestep's
// embedding and the output among them.
func NewerESDU() Method {
	return esd("esd-u-newer", "ESD-u (newer release)", 5e-5, newRelease, true, layersBesideCrossAttention)
}

func layersBesideCrossAttention(path string) bool {
	return !diffusion.CrossAttention(path) && !strings.Contains(path, "norm")
}

const (
	oldRelease = "official code, older release"
	newRelease = "official code, newer release"
)

func esd(name, title string, peak float64, release string, frozen bool, group diffusion.Group) Method {
	return Method{
		Name: name, Title: title, Version: 1, Source: "Gandikota et al., ICCV 2023; " + release, Reference: true,
		Settings: append([]Setting{{"rate", peak, release}, {"batch", 1, release}, {"eta", 1, release}}, pool...),
		Phases: func(p Plan) []Phase {
			forgetTexts(p, Prompt, Empty)
			drawn, eta := trajectories(p, Prompt), p.Value("eta")
			drawn.Frozen = frozen
			return []Phase{{
				Streams: []string{Trajectories}, Drawn: []Drawn{drawn}, Batch: p.batch(),
				Loss:      func(m Models, b Batch) *graph.Node { return leadAway(m, b, eta) },
				Optimizer: optim.Optimizer{Rule: optim.Adam{}, Select: ofUNet(group)},
				Rate:      optim.Constant(p.Value("rate")),
			}}
		},
	}
}

func leadAway(m Models, b Batch, eta float64) *graph.Node {
	sample, timestep, prompt := b.Of(Trajectories, Sample), b.Of(Trajectories, Timestep), b.Of(Trajectories, Prompt)
	without := m.Reference.Noise(sample, timestep, b.Of(Trajectories, Empty))
	with := m.Reference.Noise(sample, timestep, prompt)
	away := graph.Sub(without, graph.MulScalar(graph.Sub(with, without), eta))
	return m.Policy.NoiseError(m.Policy.Noise(sample, timestep, prompt), away, timestep)
}

// ofUNet selects a group of the UNet's tensors.
func ofUNet(group diffusion.Group) func(path string) float64 {
	return func(path string) float64 {
		within, is := strings.CutPrefix(path, unetPart+"/")
		if !is {
			return 0
		}
		return group.Select(within)
	}
}
