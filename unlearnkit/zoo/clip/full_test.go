package clip_test

import (
	"math"
	"testing"
	"time"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// The full model runs on the Go backend with less than 6 GiB.
func TestFull_Memory(t *testing.T) {
	paritytest.Slow(t, "ViT-B-16, ten seconds and 2 GiB")
	d, err := device.Open("go")
	if err != nil {
		t.Fatal(err)
	}
	config, store := clip.ViTB16(), model.NewStore()
	nn.Seed(store.RootScope(), 1)
	pixels, ids := make([]float32, 2*3*224*224), make([]int32, 2*77)
	for i := range pixels {
		pixels[i] = float32(math.Sin(float64(i) / 50))
	}
	for i := range ids {
		ids[i] = int32(i * 317 % 49408)
	}
	start := time.Now()
	outputs, err := config.Run(d, store, map[string]*tensors.Tensor{
		"pixel_values": tensors.FromFlatDataAndDimensions(pixels, 2, 3, 224, 224),
		"input_ids":    tensors.FromFlatDataAndDimensions(ids, 2, 77)})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"image_embeds", "text_embeds"} {
		square := 0.0
		for _, value := range paritytest.Values(outputs[name]) {
			square += value * value
		}
		if !(math.Abs(square-2) < 1e-4) {
			t.Errorf("two of %s have the squared lengths %g together, want 2", name, square)
		}
	}
	peak := float64(paritytest.PeakMemory()) / (1 << 30)
	t.Logf("two images and texts with first values and compilation in %s, peak memory %.2f GiB",
		time.Since(start).Round(time.Millisecond), peak)
	if peak > 6 {
		t.Errorf("the peak memory is %.2f GiB, want less than 6", peak)
	}
}
