package train

import (
	"image"
	"runtime"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/discriminator"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

// channels is the number of a picture's channels: red, green and blue.
const channels = discriminator.Channels

// planes writes the colours of a picture to dst as concatenated planes, with values from -1 to 1.
func planes(picture *image.NRGBA, dst []float32) {
	size := picture.Rect.Dx() * picture.Rect.Dy()
	for i := range size {
		for c := range channels {
			dst[c*size+i] = float32(picture.Pix[4*i+c])/127.5 - 1
		}
	}
}

// rendered draws the pictures of a split from their descriptions. If encode is not nil, it is applied to each picture.
func rendered(world *concept.World, split concept.Split,
	encode func(picture []float32) []float32) discriminator.Pictures {
	pictures, size := world.Pictures(split), world.Spec().ImageSize
	m := discriminator.Pictures{Each: channels * size * size}
	m.Values = make([]float32, len(pictures)*m.Each)
	var workers sync.WaitGroup
	for worker := range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := worker; i < len(pictures); i += runtime.GOMAXPROCS(0) {
				one := m.Values[i*m.Each : (i+1)*m.Each]
				planes(world.Image(pictures[i]), one)
				if encode != nil {
					copy(one, encode(one))
				}
			}
		})
	}
	workers.Wait()
	return m
}

// latents returns the transform from pictures to the latents that a network draws.
func latents(n concealment.Network) diffusion.Haar {
	return diffusion.Haar{Levels: n.Halvings, Low: n.Low, Detail: n.Detail}
}

// tokens returns the concatenated token IDs of prompts.
func tokens(prompts ...string) ([]int32, error) {
	var ids []int32
	for _, prompt := range prompts {
		more, err := concept.Tokens(prompt)
		if err != nil {
			return nil, err
		}
		ids = append(ids, more...)
	}
	return ids, nil
}
