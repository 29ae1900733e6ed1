package metric

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// ProbeFeature selects the features that the association probe computes from an image and a caption.
type ProbeFeature uint8

const (
	CosineFeature  ProbeFeature = iota // cosine of the embeddings, which is one number
	ProductFeature                     // element-wise product of the normalised embeddings
)

// ProbeDraw holds all random choices of an association probe with n pairs. Example i < n is image i with its own
// caption. Example n+i is image i with caption Partner[i]. Models are compared with the same draw.
type ProbeDraw struct {
	Partner []int // permutation of the captions, which may leave some in place
	Split
}

// DrawProbe draws a permutation, and a stratified division of the 2n examples into halves.
func DrawProbe(n int, random *rand.Rand) ProbeDraw {
	labels := make([]bool, 2*n)
	for i := range n {
		labels[i] = true
	}
	return ProbeDraw{Partner: random.Perm(n), Split: StratifiedSplits(labels, 1, .5, random)[0]}
}

// Probe is the result of an association probe.
type Probe struct {
	Accuracy float64  // share of Correct
	Correct  []bool   // whether each test example is classified correctly, in the order of Test
	Test     []int    // indices of the test examples, as in ProbeDraw
	Fit      Logistic // fitted classifier
}

// ACS returns the accuracy of a classifier that distinguishes true from shuffled captions. It is a logistic regression
// ([FitLogistic] with c = 1), fitted on one half of the examples and tested on the other (SALMUBench, Table 5). By
// chance, half of the answers are right. Even for a model that never saw the people the accuracy can be higher, because
// faces and names are correlated.
//
// Special cases are:
//
//	no pairs                      →  Accuracy is NaN
//	a NaN or Inf in a train example  →  Accuracy is NaN, nothing is Correct
//	a NaN or Inf in a test example   →  that answer is not correct
//	a draw for another number of pairs, different dimensions  →  panic
func ACS(images, captions Embeddings, draw ProbeDraw, feature ProbeFeature) Probe {
	n, dim := samePairs(images, captions)
	if len(draw.Partner) != n {
		panic(fmt.Sprintf("metric: a probe drawn for %d pairs, there are %d", len(draw.Partner), n))
	}
	examples := probeExamples{images: images, captions: captions, partner: draw.Partner, feature: feature,
		image: make([]float32, dim), caption: make([]float32, dim)}
	width := examples.width()
	features, labels := make([]float64, len(draw.Train)*width), make([]bool, len(draw.Train))
	for i, e := range draw.Train {
		examples.read(e, features[i*width:(i+1)*width])
		labels[i] = e < n
	}
	p := Probe{Test: draw.Test, Correct: make([]bool, len(draw.Test)), Fit: FitLogistic(features, width, labels, 1)}
	if math.IsNaN(p.Fit.Intercept) {
		p.Accuracy = math.NaN()
		return p
	}
	f := make([]float64, width)
	for i, e := range draw.Test {
		examples.read(e, f)
		p.Correct[i] = finite(f) && p.Fit.Predict(f) == (e < n)
	}
	p.Accuracy = share(p.Correct)
	return p
}

// probeExamples computes features when they are needed. All features together would take 250 MB at 512 dimensions.
type probeExamples struct {
	images, captions Embeddings
	partner          []int
	feature          ProbeFeature
	image, caption   []float32
}

func (p probeExamples) width() int {
	if p.feature == ProductFeature {
		return len(p.image)
	}
	return 1
}

func (p probeExamples) read(example int, dst []float64) {
	image, caption := example, example
	if n := len(p.partner); example >= n {
		image, caption = example-n, p.partner[example-n]
	}
	p.images.Row(image, p.image)
	p.captions.Row(caption, p.caption)
	if p.feature == CosineFeature {
		dst[0] = cosine(p.image, p.caption)
		return
	}
	Normalise(p.image)
	Normalise(p.caption)
	for k, v := range p.image {
		dst[k] = float64(v) * float64(p.caption[k])
	}
}
