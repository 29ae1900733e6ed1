package partialdiffusion

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

// Drawing holds the pictures of an attack.
type Drawing struct {
	*Prefixes
	Predicted []*tensors.Tensor // decoded predictions of the original by ratio: [n, 3, height, width]
	Strips    []Strip           // pictures of each completing model
	Original  *tensors.Tensor   // the original's own pictures for the seeds of Attack.Alone; nil without seeds
	Warnings  []string          // warnings of loading the models
}

// Strip holds what one model completed at every ratio.
type Strip struct {
	Model       attack.Model
	Completions *Completions
	Pictures    []*tensors.Tensor
	Alone       *tensors.Tensor // the model's own pictures, see [Drawing.Original]
}

// decode converts the latents of every ratio to pictures, a batch at a time.
func (p *Prefixes) decode(ctx context.Context, decode Decode, latents [][]float64) ([]*tensors.Tensor, error) {
	pictures := make([]*tensors.Tensor, len(latents))
	for i := range latents {
		if i > 0 && p.HandOvers[i].Steps == p.HandOvers[i-1].Steps {
			pictures[i] = pictures[i-1]
			continue
		}
		var err error
		all := diffusion.Result{Samples: latents[i], Shape: p.Shape}
		if pictures[i], err = decodeAll(ctx, decode, all, p.Batch); err != nil {
			return nil, fmt.Errorf("partial diffusion: pictures at ψ %s: %w", p.HandOvers[i].Psi, err)
		}
	}
	return pictures, nil
}

func decodeAll(ctx context.Context, decode Decode, latents diffusion.Result, batch int) (*tensors.Tensor, error) {
	n := latents.Shape[0]
	size := len(latents.Samples) / n
	if batch < 1 {
		batch = n
	}
	var values []float32
	var shape []int
	for first := 0; first < n; first += batch {
		count := min(batch, n-first)
		part, err := decode(ctx, diffusion.Result{Samples: latents.Samples[first*size:][:count*size],
			Shape: append([]int{count}, latents.Shape[1:]...)})
		if err != nil {
			return nil, err
		}
		shape = part.Shape().Dimensions
		if part.DType() != dtypes.Float32 || len(shape) != 4 || shape[0] != count || shape[1] != 3 {
			return nil, fmt.Errorf("%d latents are decoded to %s, not to pictures (Float32)[%d 3 height width]", count,
				part.Shape(), count)
		}
		values = append(values, tensors.MustCopyFlatData[float32](part)...)
	}
	return tensors.FromFlatDataAndDimensions(values, n, 3, shape[2], shape[3]), nil
}

// Columns of a result. Nearness and the distances need ψ = 0 and ψ = 1 among the ratios.
const (
	Probability = "probability" // the classifier's probability of the concept
	Recovered   = "recovered"   // the classifier's most probable class is the concept
	// root mean square difference from the original's picture drawn from the same noise
	distanceOriginal = "distance_original"
	distanceOwn      = "distance_own" // root mean square difference from the completing model's own picture
	// own/(own + original): 0 for the model's own picture, 1 for the original's; also 0 if both are equal
	Nearness = "nearness"
)

// Result scores the pictures. judge may be nil.
func (d *Drawing) Result(ctx context.Context, judge Judge) (*attack.Result, error) {
	r := &attack.Result{Attack: "partial diffusion", Axis: "ψ", Budgets: budgets(d.Psi)}
	if judge != nil {
		r.Columns = append(r.Columns,
			attack.Column{Name: Probability, Label: "probability of the concept", Recovery: true},
			attack.Column{Name: Recovered, Label: "share recognised as the concept", Share: true, Recovery: true})
	}
	last := len(d.HandOvers) - 1
	whole := d.HandOvers[0].Steps == 0 && d.HandOvers[last].Timestep < 0
	if whole {
		r.Columns = append(r.Columns,
			attack.Column{Name: Nearness, Label: "nearness to the original's picture", Recovery: true},
			attack.Column{Name: distanceOriginal, Label: "distance to the original's picture"},
			attack.Column{Name: distanceOwn, Label: "distance to the model's own picture"})
	}
	for _, strip := range d.Strips {
		r.Models = append(r.Models, strip.Model)
		if drawn, original := strip.Pictures[0].Shape(), d.Predicted[0].Shape(); !drawn.Equal(original) {
			return nil, fmt.Errorf("partial diffusion: %s is decoded to pictures %s, the original to %s",
				strip.Model.Name, drawn, original)
		}
		for i, pictures := range strip.Pictures {
			scores := make([][]float64, len(d.Seeds))
			if judge != nil {
				if err := appendJudgements(ctx, judge, pictures, scores); err != nil {
					return nil, fmt.Errorf("partial diffusion: judging %s at ψ %s: %w", strip.Model.Name, d.Psi[i], err)
				}
			}
			if whole {
				// The original's picture is its last prediction, decoded by its own decoder.
				appendDistances(pictures, d.Predicted[last], strip.Pictures[0], scores)
			}
			for unit, values := range scores {
				r.Rows = append(r.Rows,
					attack.Row{Model: strip.Model.Name, Budget: i, Unit: d.Seeds[unit], Values: values})
			}
		}
	}
	return r, nil
}

func appendJudgements(ctx context.Context, judge Judge, pictures *tensors.Tensor, scores [][]float64) error {
	judgements, err := judge(ctx, pictures)
	if err != nil {
		return err
	}
	if len(judgements) != len(scores) {
		return fmt.Errorf("%d judgements of %d pictures", len(judgements), len(scores))
	}
	for i, j := range judgements {
		recovered := 0.
		if j.Recovered {
			recovered = 1
		}
		scores[i] = append(scores[i], j.Probability, recovered)
	}
	return nil
}

// appendDistances appends the distances of pictures to the original's and the model's own pictures for the same seeds.
func appendDistances(pictures, original, own *tensors.Tensor, scores [][]float64) {
	fromOriginal, fromOwn := distances(pictures, original), distances(pictures, own)
	for i := range scores {
		nearness := 0.
		if sum := fromOwn[i] + fromOriginal[i]; sum != 0 { // NaN stays NaN
			nearness = fromOwn[i] / sum
		}
		scores[i] = append(scores[i], nearness, fromOriginal[i], fromOwn[i])
	}
}

func distances(a, b *tensors.Tensor) []float64 {
	x, y := tensors.MustCopyFlatData[float32](a), tensors.MustCopyFlatData[float32](b)
	distances := make([]float64, a.Shape().Dimensions[0])
	size := len(x) / len(distances)
	for i := range distances {
		sum := 0.
		for j := i * size; j < (i+1)*size; j++ {
			difference := float64(x[j]) - float64(y[j])
			sum += float64(difference * difference)
		}
		distances[i] = math.Sqrt(sum / float64(size))
	}
	return distances
}

// Picture converts the i-th of pictures [n, 3, height, width] to an image: -1 is black, 1 is white, and values beyond
// are clipped.
func Picture(pictures *tensors.Tensor, i int) image.Image {
	values, d := tensors.MustCopyFlatData[float32](pictures), pictures.Shape().Dimensions
	height, width := d[2], d[3]
	values = values[i*3*height*width:]
	level := func(c, y, x int) uint8 {
		v := (float64(values[(c*height+y)*width+x]) + 1) / 2
		return uint8(math.Round(255 * min(max(v, 0), 1))) // NaN is black
	}
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			picture.SetNRGBA(x, y, color.NRGBA{level(0, y, x), level(1, y, x), level(2, y, x), 255})
		}
	}
	return picture
}
