package persona

import (
	_ "embed"
	"encoding/binary"
	"image"
	"math"
	"sync"
)

// The filter is a small network that classifies pictures and has never seen the people of a world. Its inputs are
// colours and edges, and it has 48 hidden units and outputs for four questions. It was trained on other people with
// known labels; see TestFilter_Weights. It is the same for all worlds, like the zero-shot classifier in the paper.
const (
	colourGrid = 8
	edgeGrid   = 4
	directions = 8
	colours    = colourGrid * colourGrid * 3
	inputs     = colours + edgeGrid*edgeGrid*directions
	hidden     = 48
	outputs    = 2 + 2 + 2 + MaxGroups
)

// question is a property that the filter predicts.
type question int

const (
	askDistorted question = iota
	askCrowded
	askGender
	askGroup
	questions
)

// answers holds the number of possible answers by question.
var answers = [questions]int{2, 2, 2, MaxGroups}

func (t Truth) answer(q question) int {
	switch q {
	case askDistorted:
		return fromBool(t.Distorted)
	case askCrowded:
		return fromBool(t.Crowded)
	case askGender:
		return int(t.Gender)
	}
	return t.Group
}

func fromBool(b bool) int {
	if b {
		return 1
	}
	return 0
}

// classifier is the filter's network. The last weight of each unit is the bias.
type classifier struct {
	First  [hidden][inputs + 1]float32
	Second [outputs][hidden + 1]float32
}

//go:embed filter.weights
var filterWeights []byte

// theFilter decodes the embedded weights: little-endian, first layer first.
var theFilter = sync.OnceValue(func() *classifier {
	c := &classifier{}
	if _, err := binary.Decode(filterWeights, binary.LittleEndian, c); err != nil {
		panic("persona: the weights of the filter: " + err.Error())
	}
	return c
})

// answer returns the most likely answer to each question. The group is one of the first groups, as many as the world
// has.
func (c *classifier) answer(picture *image.NRGBA, groups int) (guess [questions]int) {
	var x [inputs]float32
	describe(picture, &x)
	scores := c.scores(&x)
	first := 0
	for q := range questions {
		count := answers[q]
		if q == askGroup {
			count = groups
		}
		for a := range count {
			if scores[first+a] > scores[first+guess[q]] {
				guess[q] = a
			}
		}
		first += answers[q]
	}
	return guess
}

func (c *classifier) scores(x *[inputs]float32) (scores [outputs]float32) {
	var h [hidden]float32
	for i := range h {
		h[i] = max(0, dot(c.First[i][:inputs], x[:])+c.First[i][inputs])
	}
	for o := range scores {
		scores[o] = dot(c.Second[o][:hidden], h[:]) + c.Second[o][hidden]
	}
	return scores
}

// dot returns the inner product of a and b, summed in four parts. The conversions to float32 prevent fused
// multiply-add, so that all platforms generate the same world.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += float32(a[i] * b[i])
		s1 += float32(a[i+1] * b[i+1])
		s2 += float32(a[i+2] * b[i+2])
		s3 += float32(a[i+3] * b[i+3])
	}
	for ; i < len(a); i++ {
		s0 += float32(a[i] * b[i])
	}
	return s0 + s1 + s2 + s3
}

// describe computes the network's inputs: mean colours in an 8 × 8 grid, and square roots of summed edges in 8
// directions in a 4 × 4 grid.
func describe(picture *image.NRGBA, x *[inputs]float32) {
	*x = [inputs]float32{}
	size := picture.Rect.Dx()
	gray := make([]int, size*size)
	for y := range size {
		for column := range size {
			pixel := picture.Pix[y*picture.Stride+4*column:]
			gray[y*size+column] = int(pixel[0]) + int(pixel[1]) + int(pixel[2])
			cell := 3 * (y*colourGrid/size*colourGrid + column*colourGrid/size)
			for channel := range 3 {
				x[cell+channel] += float32(pixel[channel])
			}
		}
	}
	perCell := float32(size*size) / (colourGrid * colourGrid) * 64
	for i := range colours {
		x[i] = x[i]/perCell - 2
	}
	edges := x[colours:]
	for y := 1; y < size-1; y++ {
		for column := 1; column < size-1; column++ {
			at := y*size + column
			dx, dy := gray[at+1]-gray[at-1], gray[at+size]-gray[at-size]
			ax, ay := max(dx, -dx), max(dy, -dy)
			direction := fromBool(dx > 0) | fromBool(dy > 0)<<1 | fromBool(ax > ay)<<2
			edges[(y*edgeGrid/size*edgeGrid+column*edgeGrid/size)*directions+direction] += float32(ax + ay)
		}
	}
	// A larger picture spreads an edge over more pixels, so the sums are divided by a cell's pixel count.
	perEdge := float32(size*size) / (edgeGrid * edgeGrid) * 16
	for i := range edges {
		edges[i] = float32(math.Sqrt(float64(edges[i] / perEdge)))
	}
}

// Description is the number of values that Describe returns.
const Description = inputs

// Describe returns the filter's inputs for a square picture: mean colours and edges in the cells of two grids. They are
// rounded the same way on all processors.
func Describe(picture *image.NRGBA) []float32 {
	var x [inputs]float32
	describe(picture, &x)
	return x[:]
}
