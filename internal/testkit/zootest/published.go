package zootest

import (
	"math"
	"math/rand/v2"
	"strings"

	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// Published returns models at the papers' sizes, for measurements of memory and time on a GPU. Weights are random: a
// measurement does not depend on values, and published weights are gigabytes.
func Published() []Model {
	published := []Model{
		contrastive(clip.ViTB16(), 64),
		speech("wav2vec2", labelled(wav2vec2.Base()), 16, 64000),
		denoising(diffusion.StableDiffusionUNet(), 1, 77),
		visionLanguage(llava.LLaVA15_7B(), 1, 620),
	}
	for i := range published {
		published[i].fill = fillFast
	}
	adapted := &published[3]
	adapted.adapter = &nn.LoRA{Rank: 64, Alpha: 128, Targets: llava.Projections}
	adapted.selects = func(path string) float64 {
		if strings.Contains(path, "/lora_") || strings.Contains(path, "projector") {
			return 1
		}
		return 0
	}
	return published
}

// fillFast fills every unset variable below scope: norm weights with ones, all others with small random numbers. The
// layers' own initialisation draws each number separately, which is slow for seven billion numbers.
func fillFast(scope *model.Scope) error {
	for v := range scope.IterVariables() {
		if v.HasValue() {
			continue
		}
		if err := v.SetValue(fast(v.Path(), v.Shape())); err != nil {
			return err
		}
	}
	return nil
}

func fast(path string, shape shapes.Shape) *tensors.Tensor {
	if strings.Contains(path, "norm") && strings.HasSuffix(path, "weight") {
		return tensors.FromFlatDataAndDimensions(ones(shape.Size()), shape.Dimensions...)
	}
	random := rand.NewPCG(seed.Stream(3, "published", path).Uint64(), 1)
	values := make([]float32, shape.Size())
	for i := 0; i < len(values); i += 4 {
		bits := random.Uint64()
		for j := i; j < min(i+4, len(values)); j++ {
			values[j] = .04 * (float32(bits&math.MaxUint16)/math.MaxUint16 - .5)
			bits >>= 16
		}
	}
	return tensors.FromFlatDataAndDimensions(values, shape.Dimensions...)
}

func ones(size int) []float32 {
	values := make([]float32, size)
	for i := range values {
		values[i] = 1
	}
	return values
}
