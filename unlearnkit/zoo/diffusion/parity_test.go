package diffusion_test

import (
	"path/filepath"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

var unets = []string{"unet", "pipeline/unet"}

func squaredError(a, b *graph.Node) *graph.Node {
	return graph.ReduceAllMean(graph.Square(graph.Sub(a, b)))
}

func TestUNet_EqualsDiffusers(t *testing.T) {
	for _, name := range unets {
		inBothPrecisions(t, name, func(f fixture, tolerance func(float64) float64) {
			c := load(f, name, diffusion.ParseUNetConfig)
			in := append(f.floats("sample", "encoder_hidden_states"), f.reference.Tensor("timestep", dtypes.Int32))
			outputs := f.run(func(scope *model.Scope, in []*graph.Node) []*graph.Node {
				return []*graph.Node{diffusion.UNet(scope, c, in[0], in[2], in[1])}
			}, in...)
			f.reference.Compare("output", outputs[0], tolerance(1e-4), 0)
		})
	}
}

// In bfloat16, PyTorch's own output differs from its float64 output by .017 and .018, relative to the largest number.
// Here, the difference is up to .026 with the Go backend and up to .04 with XLA without optimizations, because each
// device adds in another order.
func TestUNet_BFloat16Equal(t *testing.T) {
	for _, name := range unets {
		f := newFixture(t, filepath.Join("testdata", name, "reference.safetensors"), dtypes.BFloat16)
		c := load(f, name, diffusion.ParseUNetConfig)
		single := func(name string) any { return f.reference.Tensor(name, dtypes.Float32) }
		in := []any{single("sample"), single("encoder_hidden_states"), f.reference.Tensor("timestep", dtypes.Int32)}
		outputs := f.run(func(scope *model.Scope, in []*graph.Node) []*graph.Node {
			return []*graph.Node{diffusion.UNet(scope, c, in[0], in[2], in[1])}
		}, in...)
		f.reference.Compare("output", outputs[0], .06, 0)
	}
}

func TestUNet_LearningEqualsDiffusers(t *testing.T) {
	for _, name := range unets {
		inBothPrecisions(t, name, func(f fixture, tolerance func(float64) float64) {
			f.skipSlow()
			c := load(f, name, diffusion.ParseUNetConfig)
			loss := func(scope *model.Scope, in []*graph.Node) *graph.Node {
				return squaredError(diffusion.UNet(scope, c, in[0], in[3], in[1]), in[2])
			}
			in := append(f.floats("sample", "encoder_hidden_states", "target"),
				f.reference.Tensor("timestep", dtypes.Int32))
			f.compareLearning(loss, tolerance(1e-3), name == "unet", in...)
		})
	}
}

func TestVAE_EqualsDiffusers(t *testing.T) {
	inBothPrecisions(t, "pipeline/vae", func(f fixture, tolerance func(float64) float64) {
		c := load(f, "pipeline/vae", diffusion.ParseVAEConfig)
		outputs := f.run(func(scope *model.Scope, in []*graph.Node) []*graph.Node {
			mean, logVariance := diffusion.Encode(scope, c, in[0])
			latent := diffusion.SampleLatent(mean, logVariance, in[1])
			return []*graph.Node{mean, logVariance, latent, diffusion.Decode(scope, c, latent),
				diffusion.Decode(scope, c, mean)}
		}, f.floats("sample", "noise")...)
		for i, name := range []string{"mean", "logvar", "latent", "output", "reconstruction"} {
			f.reference.Compare(name, outputs[i], tolerance(1e-4), 0)
		}
	})
}

func TestVAE_LearningEqualsDiffusers(t *testing.T) {
	inBothPrecisions(t, "pipeline/vae", func(f fixture, tolerance func(float64) float64) {
		f.skipSlow()
		c := load(f, "pipeline/vae", diffusion.ParseVAEConfig)
		loss := func(scope *model.Scope, in []*graph.Node) *graph.Node {
			mean, logVariance := diffusion.Encode(scope, c, in[0])
			decoded := diffusion.Decode(scope, c, diffusion.SampleLatent(mean, logVariance, in[1]))
			prior := graph.ReduceAllMean(graph.Sub(graph.Add(graph.Square(mean), graph.Exp(logVariance)), logVariance))
			return graph.Add(squaredError(decoded, in[0]), graph.MulScalar(prior, .01))
		}
		f.compareLearning(loss, tolerance(1e-3), true, f.floats("sample", "noise")...)
	})
}
