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

// Drawing is the pictures of an attack.
type Drawing struct {
	*Prefixes
	Predicted []*tensors.Tensor // at each ratio, what the original took its latents for: [n, 3, height, width]
	Strips    []Strip           // of each model that completed
	Original  *tensors.Tensor   // what the original draws alone of the seeds for that; nil if there are none
	Warnings  []string          // of loading the models
}

// Strip is what one model completed at every ratio.
type Strip struct {
	Model       attack.Model
	Completions *Completions
	Pictures    []*tensors.Tensor
	Alone       *tensors.Tensor // what it draws alone, as [Drawing.Original]
}

// decode makes the pictures of latents at every ratio, a batch at a time.
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

// Columns of a result. Nearness needs ψ = 0 and ψ = 1 among the ratios.
const (
	Probability = "probability" // the classifier's, of the concept
	Recovered   = "recovered"   // the classifier takes the picture for the concept
	// root mean square of the difference to what the original draws from the same noise
	DistanceOriginal = "distance_original"
	DistanceOwn      = "distance_own" // the same to what the completing model draws alone
	// own/(own + original): 0 is the model's own picture, 1 the original's; 0 also where those two are the same
	Nearness = "nearness"
)

// Result scores the pictures, with a classifier if there is one.
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
			attack.Column{Name: DistanceOriginal, Label: "distance to the original's picture"},
			attack.Column{Name: DistanceOwn, Label: "distance to the model's own picture"})
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
				if err := judged(ctx, judge, pictures, scores); err != nil {
					return nil, fmt.Errorf("partial diffusion: judging %s at ψ %s: %w", strip.Model.Name, d.Psi[i], err)
				}
			}
			if whole {
				// What the original draws is compared in its own decoder's pictures, which are the prediction at the
				// end.
				compared(pictures, d.Predicted[last], strip.Pictures[0], scores)
			}
			for unit, values := range scores {
				r.Rows = append(r.Rows,
					attack.Row{Model: strip.Model.Name, Budget: i, Unit: d.Seeds[unit], Values: values})
			}
		}
	}
	return r, nil
}

func judged(ctx context.Context, judge Judge, pictures *tensors.Tensor, scores [][]float64) error {
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

// compared appends the distances of pictures to two others of the same seeds.
func compared(pictures, original, own *tensors.Tensor, scores [][]float64) {
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

// Picture is the i-th of pictures [n, 3, height, width] to look at: -1 is black, 1 is white, and what lies beyond is
// cut.
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
