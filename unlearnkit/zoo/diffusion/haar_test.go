package diffusion_test

import (
	"math"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

func picture(channels, height, width int) []float32 {
	random := seed.Stream(1, "picture")
	values := make([]float32, channels*height*width)
	for i := range values {
		values[i] = float32(random.NormFloat64())
	}
	return values
}

func TestHaar_RoundTrip(t *testing.T) {
	for levels := 1; levels <= 2; levels++ {
		h := diffusion.Haar{Levels: levels, Low: .7, Detail: 1.5}
		want := picture(3, 8, 12)
		given := slices.Clone(want)
		latent := h.Encode(given, 3, 8, 12)
		before := slices.Clone(latent)
		got := h.Decode(latent, 3, 8, 12)
		if !slices.Equal(given, want) || !slices.Equal(latent, before) {
			t.Errorf("%d levels: the input was changed", levels)
		}
		for i := range want {
			if math.Abs(float64(got[i]-want[i])) > 1e-5 {
				t.Fatalf("%d levels: value %d is %g, was %g", levels, i, got[i], want[i])
			}
		}
	}
}

func TestHaar_Energy(t *testing.T) {
	given := picture(3, 8, 8)
	var want, got float64
	for _, x := range given {
		want += float64(x) * float64(x)
	}
	for _, x := range (diffusion.Haar{Levels: 1, Low: 1, Detail: 1}).Encode(given, 3, 8, 8) {
		got += float64(x) * float64(x)
	}
	if math.Abs(got-want) > 1e-4 {
		t.Errorf("energy %g, want %g", got, want)
	}
}

// The values follow from the definition: the bands are halves of sums and differences of four pixels, and the lowest
// band of two levels has the additional factor 0.55.
func TestHaar_Square(t *testing.T) {
	one := diffusion.Haar{Levels: 1, Low: 2, Detail: 3}
	if got, want := one.Encode([]float32{1, 2, 3, 5}, 1, 2, 2),
		[]float32{11, -4.5, -7.5, 1.5}; !slices.Equal(got, want) {
		t.Errorf("bands %v, want %v", got, want)
	}
	// Only the mean of a flat 4×4 picture is not zero. Each of the two levels doubles it, and the scale multiplies it
	// by 2 · 0.55.
	two := diffusion.Haar{Levels: 2, Low: 2, Detail: 3}
	got := two.Encode(slices.Repeat([]float32{1}, 16), 1, 4, 4)
	if math.Abs(float64(got[0])-4.4) > 1e-6 || slices.IndexFunc(got[1:], func(x float32) bool { return x != 0 }) >= 0 {
		t.Errorf("bands %v", got)
	}
	if one.Channels(3) != 12 || two.Channels(3) != 48 {
		t.Errorf("3 channels become %d and %d", one.Channels(3), two.Channels(3))
	}
}
