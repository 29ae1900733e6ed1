package profile

import (
	_ "embed"
	"encoding/binary"
	"image"
	"math"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
)

// dimensions is the length of an embedding.
const dimensions = 24

// embedding is a vector computed from a picture. Pictures of the same person have similar embeddings.
type embedding [dimensions]float32

// recogniser maps descriptions of pictures to embeddings. It subtracts the overall mean and projects onto the
// directions in which people differ most, relative to the differences between pictures of one person (linear
// discriminant analysis). TestRecogniser_Weights computes the directions from people who are in no world.
type recogniser struct {
	Directions [dimensions][persona.Description]float32
	Mean       [dimensions]float32
}

//go:embed recogniser.weights
var recogniserWeights []byte

// theRecogniser decodes the embedded weights: little-endian, direction after direction, then the mean.
var theRecogniser = sync.OnceValue(func() *recogniser {
	r := &recogniser{}
	if _, err := binary.Decode(recogniserWeights, binary.LittleEndian, r); err != nil {
		panic("profile: the weights of the recogniser: " + err.Error())
	}
	return r
})

func embed(picture *image.NRGBA) embedding {
	return theRecogniser().embed(persona.Describe(picture))
}

// embed returns the embedding of a described picture. The conversions to float32 prevent fused multiply-add, so that
// all platforms keep the same pictures.
func (r *recogniser) embed(description []float32) embedding {
	var e embedding
	for i := range e {
		direction := r.Directions[i][:len(description)]
		var even, odd float32
		for j := 0; j+1 < len(description); j += 2 {
			even += float32(direction[j] * description[j])
			odd += float32(direction[j+1] * description[j+1])
		}
		e[i] = even + odd - r.Mean[i]
	}
	return e
}

func (e *embedding) add(other embedding) {
	for i, v := range other {
		e[i] += v
	}
}

func (e *embedding) cosine(other embedding) float64 {
	var product, own, its float64
	for i, v := range other {
		product += float64(float64(e[i]) * float64(v))
		own += float64(float64(e[i]) * float64(e[i]))
		its += float64(float64(v) * float64(v))
	}
	return product / math.Sqrt(float64(own*its))
}
