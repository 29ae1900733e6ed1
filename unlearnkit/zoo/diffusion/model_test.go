package diffusion_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

func ExampleModel() {
	m := diffusion.StableDiffusion()
	fmt.Println(len(m.UNet.Levels), "levels,", m.UNet.Levels[3].Channels, "channels at the lowest")
	fmt.Println(diffusion.CrossAttention("mid_block/attentions/0/transformer_blocks/0/attn2/to_k/weight"))
	// Output:
	// 4 levels, 1280 channels at the lowest
	// true
}

// parameters counts the parameters and the tensors of a UNet in a group.
func parameters(t *testing.T, trace func(*model.Store) error, group diffusion.Group) (count, tensors int) {
	t.Helper()
	store := model.NewStore()
	if err := trace(store); err != nil {
		t.Fatal(err)
	}
	for variable := range store.IterVariables() {
		if group(strings.TrimPrefix(variable.Path(), "/")) {
			count += variable.Shape().Size()
			tensors++
		}
	}
	return count, tensors
}

func TestModels_Parameters(t *testing.T) {
	d := devicetest.Open(t)
	unet := func(store *model.Store) error { return diffusion.StableDiffusionUNet().Trace(d, store) }
	vae := func(store *model.Store) error { return diffusion.StableDiffusionVAE().Trace(d, store) }
	tests := []struct {
		name           string
		trace          func(*model.Store) error
		group          diffusion.Group
		count, tensors int
	}{
		{"UNet", unet, diffusion.Everything, 859520964, 686},
		{"VAE", vae, diffusion.Everything, 83653863, 248},
		{"cross-attention", unet, diffusion.CrossAttention, 43962560, 80},
		{"keys and values", unet, diffusion.KeysAndValues, 19169280, 32},
		{"ESD-u's group", unet, diffusion.Unconditional, 813495680, 686 - 80 - 4 - 4},
		{"self-attention", unet, diffusion.SelfAttention, 0, 80},
	}
	for _, test := range tests {
		count, tensors := parameters(t, test.trace, test.group)
		if test.count != 0 && count != test.count || tensors != test.tensors {
			t.Errorf("%s: %d parameters in %d tensors, want %d in %d", test.name, count, tensors, test.count,
				test.tensors)
		}
	}
}

func TestGroup_CrossAttention(t *testing.T) {
	group := diffusion.Group(diffusion.CrossAttention)
	if group.Select("a/attn2/to_q/weight") != 1 || group.Select("a/attn1/to_q/weight") != 0 {
		t.Error("the factors on the rate are not 1 within and 0 outside")
	}
}

// normals returns a tensor of standard normal numbers of type float64.
func normals(stream string, dimensions ...int) *tensors.Tensor {
	values := make([]float64, shapes.Make(dtypes.Float64, dimensions...).Size())
	nn.Normal(1)(values, seed.Stream(1, stream))
	return tensors.FromFlatDataAndDimensions(values, dimensions...)
}

// The model predicts noise, no matter what the network predicts.
func TestModel_PredictsNoise(t *testing.T) {
	for _, prediction := range []schedule.Prediction{schedule.Epsilon, schedule.Velocity, schedule.Original} {
		m, store := tiny(1, prediction)
		nn.SetType(store.RootScope(), dtypes.Float64)
		f := fixture{T: t, device: devicetest.Open(t), store: store}
		original, noise, times := normals("original", 2, 3, 4, 4), normals("noise", 2, 3, 4, 4), []int32{3, 812}
		outputs := f.run(func(scope *model.Scope, in []*graph.Node) []*graph.Node {
			sample := m.Noisy(in[0], in[1], in[2])
			return []*graph.Node{sample, diffusion.UNet(scope, m.UNet, sample, in[2], in[3]),
				m.Noise(scope, sample, in[2], in[3]), m.Loss(scope, in[0], in[1], in[2], in[3])}
		}, original, noise, times, normals("context", 2, 2, 5))
		process, err := schedule.New(m.Schedule)
		if err != nil {
			t.Fatal(err)
		}
		var loss float64
		x, e := paritytest.Values(original), paritytest.Values(noise)
		for b, time := range times {
			a := process.SignalShare(int(time))
			for i := b * 48; i < (b+1)*48; i++ {
				sample, output, got := paritytest.Values(outputs[0])[i], paritytest.Values(outputs[1])[i],
					paritytest.Values(outputs[2])[i]
				if want := math.Sqrt(a)*x[i] + math.Sqrt(1-a)*e[i]; math.Abs(sample-want) > 1e-12 {
					t.Fatalf("noisy sample %g, want %g", sample, want)
				}
				want, squared := output, (output-e[i])*(output-e[i])
				switch prediction {
				case schedule.Original:
					want, squared = (sample-math.Sqrt(a)*output)/math.Sqrt(1-a),
						(output-x[i])*(output-x[i])/max(1-a, .2)
				case schedule.Velocity:
					v := math.Sqrt(a)*e[i] - math.Sqrt(1-a)*x[i]
					want, squared = math.Sqrt(1-a)*sample+math.Sqrt(a)*output, (output-v)*(output-v)
				}
				if math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
					t.Fatalf("%s: noise %g, want %g", prediction, got, want)
				}
				loss += squared / 96
			}
		}
		if got := paritytest.Values(outputs[3])[0]; math.Abs(got-loss) > 1e-9*loss {
			t.Errorf("%s: loss %g, want %g", prediction, got, loss)
		}
	}
}

// The small model learns to reproduce a batch of pictures.
func TestSmall_Learns(t *testing.T) {
	devicetest.Watch(t, 15*60e9)
	m := diffusion.Small()
	store := model.NewStore()
	nn.Seed(store.RootScope(), 1)
	d := devicetest.Open(t)
	optimizer := optim.Optimizer{Rule: optim.SGD{Momentum: .9}, ClipNorm: 1}
	step, err := d.Compile("train", store, func(scope *model.Scope, in []*graph.Node) []*graph.Node {
		context := diffusion.TextTable(scope.At("text"), in[3], 24, 7, m.UNet.Context)
		loss := m.Loss(scope.At("unet"), in[0], in[1], in[2], context)
		optimizer.Minimize(scope.At("unet"), loss, graph.Const(loss.Graph(), .1))
		return []*graph.Node{loss}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer step.Close()
	picture := make([]float32, 3*32*32)
	for i := range picture {
		picture[i] = float32(math.Sin(float64(i%32) / 5))
	}
	latent := diffusion.SmallLatents().Encode(picture, 3, 32, 32)
	originals := tensors.FromFlatDataAndDimensions(slices.Concat(latent, latent), 2, 12, 16, 16)
	ids := tensors.FromFlatDataAndDimensions([]int32{1, 5, 0, 0, 0, 0, 0, 23, 2, 0, 0, 0, 0, 0}, 2, 7)
	var losses []float64
	noise, times := m.Draw(3, 0, dtypes.Float32, 2, 16, 16)
	for range 6 {
		outputs, err := step.Run(t.Context(), originals, noise, times, ids)
		if err != nil {
			t.Fatal(err)
		}
		losses = append(losses, paritytest.Values(outputs[0])[0])
	}
	// The last convolution is initially zero, so the first loss is that of a zero prediction.
	if first, last := losses[0], losses[5]; !(last < first/2) {
		t.Errorf("the loss goes from %g to %g: %v", first, last, losses)
	}
	count := 0
	for variable := range store.Scope("/unet").IterVariables() {
		count += variable.Shape().Size()
	}
	if count != 2_433_356 { // the parity tests compare their places with diffusers
		t.Errorf("%d parameters", count)
	}
}

func TestDraw_Steps(t *testing.T) {
	m := diffusion.Small()
	noise, times := m.Draw(1, 4, dtypes.Float32, 300, 2, 2)
	again, timesAgain := m.Draw(1, 4, dtypes.Float64, 300, 2, 2)
	other, timesOther := m.Draw(1, 5, dtypes.Float64, 300, 2, 2)
	if relative(paritytest.Values(noise), paritytest.Values(again)) > 1e-7 ||
		!slices.Equal(tensors.MustCopyFlatData[int32](times), tensors.MustCopyFlatData[int32](timesAgain)) {
		t.Error("a step drawn twice differs")
	}
	if slices.Equal(paritytest.Values(again), paritytest.Values(other)) ||
		slices.Equal(tensors.MustCopyFlatData[int32](times), tensors.MustCopyFlatData[int32](timesOther)) {
		t.Error("two steps draw the same")
	}
	var mean, square float64
	for _, x := range paritytest.Values(noise) {
		mean, square = mean+x/14400, square+x*x/14400
	}
	if math.Abs(mean) > .05 || math.Abs(square-1) > .06 {
		t.Errorf("noise of mean %g and square %g", mean, square)
	}
	drawn := tensors.MustCopyFlatData[int32](times)
	if low, high := slices.Min(drawn), slices.Max(drawn); low < 0 || low > 30 || high > 999 || high < 970 {
		t.Errorf("timesteps from %d to %d", low, high)
	}
}

func TestDropPrompts(t *testing.T) {
	prompts := make([][]int32, 2000)
	for i := range prompts {
		prompts[i] = []int32{1}
	}
	diffusion.DropPrompts(prompts, []int32{0}, .1, seed.Stream(1, "drop"))
	dropped := 0
	for _, prompt := range prompts {
		if prompt[0] == 0 {
			dropped++
		}
	}
	if dropped < 150 || dropped > 250 {
		t.Errorf("%d of 2000 prompts dropped, about 200 expected", dropped)
	}
}
