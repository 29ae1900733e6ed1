package partialdiffusion

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// Every picture is decoded from the latent of its model, ratio and seed.
func TestDrawing_Latents(t *testing.T) {
	a := &Attack{Settings: settings(t, schedule.DDIM, 0),
		Original: source(tiny(t, "original", 1, nil), "", attack.Share{}), Targets: []Source{
			source(tiny(t, "erased", 2, nil), attack.Unlearned, attack.Share{}),
		}}
	a.Batch = 2
	d, err := a.Draw(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, hand := range d.HandOvers {
		for _, pair := range []struct {
			latents  []float64
			pictures *tensors.Tensor
		}{{hand.Predicted, d.Predicted[i]}, {d.Strips[0].Completions.Latents[i], d.Strips[0].Pictures[i]}} {
			want := make([]float32, len(pair.latents))
			for j, value := range pair.latents {
				want[j] = float32(value / 3)
			}
			if !slices.Equal(tensors.MustCopyFlatData[float32](pair.pictures), want) {
				t.Errorf("ψ %s: a picture is that of another latent", hand.Psi)
			}
		}
	}
}

func TestAppendDistances_NotFinite(t *testing.T) {
	one := func(x float32) *tensors.Tensor {
		return tensors.FromFlatDataAndDimensions([]float32{x, x, x}, 1, 3, 1, 1)
	}
	for _, test := range []struct {
		picture, original, own float32
		want                   string
	}{{.5, .5, .5, "[0 0 0]"}, {.5, 0, 1, "[0.5 0.5 0.5]"}, {0, 0, 1, "[1 0 1]"},
		{float32(math.NaN()), 0, 1, "[NaN NaN NaN]"}} {
		scores := make([][]float64, 1)
		appendDistances(one(test.picture), one(test.original), one(test.own), scores)
		if fmt.Sprint(scores[0]) != test.want {
			t.Errorf("%+v: %v", test, scores[0])
		}
	}
}

func TestPicture_Clipped(t *testing.T) {
	// Two pictures of 1×2; the second is red and beyond white, then black and a middle grey.
	values := []float32{0, 0, 0, 0, 0, 0, 1.5, 0, -1, 0, -2, 0}
	picture := Picture(tensors.FromFlatDataAndDimensions(values, 2, 3, 1, 2), 1)
	if picture.Bounds().Dx() != 2 || picture.At(0, 0) != (color.NRGBA{255, 0, 0, 255}) ||
		picture.At(1, 0) != (color.NRGBA{128, 128, 128, 255}) {
		t.Errorf("got %v %v, want picture.Bounds().Dx() 2, picture.At(0, 0) %v, picture.At(1, 0) %v",
			picture.At(0, 0), picture.At(1, 0), (color.NRGBA{255, 0, 0, 255}), (color.NRGBA{128, 128, 128, 255}))
	}
}

// Decoders and judges that return the wrong number of results are named.
func TestDrawing_Miscount(t *testing.T) {
	m := tiny(t, "m", 1, nil)
	bad := source(m, attack.Unlearned, attack.Share{})
	bad.Open = func(context.Context) (*Opened, error) {
		return &Opened{Model: m, Decode: func(_ context.Context, latents diffusion.Result) (*tensors.Tensor, error) {
			return tensors.FromFlatDataAndDimensions(make([]float32, 4), 1, 4), nil
		}}, nil
	}
	failing := source(m, attack.Unlearned, attack.Share{})
	failing.Open = func(context.Context) (*Opened, error) { return nil, fmt.Errorf("no weights") }
	good := source(m, attack.Unlearned, attack.Share{})
	fewer := func(context.Context, *tensors.Tensor) ([]Judgement, error) { return nil, nil }
	large := source(m, attack.Unlearned, attack.Share{})
	large.Open = func(context.Context) (*Opened, error) {
		return &Opened{Model: m, Decode: func(_ context.Context, latents diffusion.Result) (*tensors.Tensor, error) {
			return tensors.FromFlatDataAndDimensions(make([]float32, latents.Shape[0]*3*8*8), latents.Shape[0], 3, 8,
				8), nil
		}}, nil
	}
	for want, a := range map[string]*Attack{
		"is decoded to pictures":                {Original: good, Targets: []Source{large}},
		"not to pictures":                       {Original: good, Targets: []Source{bad}},
		"no weights":                            {Original: good, Targets: []Source{failing}},
		"0 judgements of 3":                     {Original: good, Targets: []Source{good}, Judge: fewer},
		"not to pictures (Float32)[3 3 height ": {Original: bad},
	} {
		a.Settings = settings(t, schedule.DDIM, 0)
		if _, err := a.Run(t.Context(), nil); err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}
