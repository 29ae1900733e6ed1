package metric

import (
	"fmt"
	"math"
)

// ZeroShot is the result of a zero-shot classification. Its slices have one element per image.
type ZeroShot struct {
	Accuracy    float64 // share of Correct
	Correct     []bool  // whether the prediction is the true class
	Predictions []int   // index of the predicted class; −1 if a similarity is NaN
}

// ClassEmbeddings returns one embedding per class, computed from prompts with the class name in several templates. It
// is the mean of the prompts' normalised embeddings, normalised again. Row k·templates + j of prompts is class k in
// template j.
//
// Special cases are:
//
//	templates < 1, or not a divisor of the number of rows  →  panic
//	prompts of a class that cancel out                     →  a zero row, which has cosine 0 with every image
func ClassEmbeddings(prompts Embeddings, templates int) Matrix {
	rows, dim := prompts.Dims()
	if templates < 1 || rows%templates != 0 {
		panic(fmt.Sprintf("metric: %d prompts are not in %d templates a class", rows, templates))
	}
	classes := Matrix{Dim: dim, Data: make([]float32, rows/templates*dim)}
	prompt, sum := make([]float32, dim), make([]float64, dim)
	for k := range rows / templates {
		clear(sum)
		for j := range templates {
			prompts.Row(k*templates+j, prompt)
			Normalise(prompt)
			for d, v := range prompt {
				sum[d] += float64(v)
			}
		}
		class := classes.Data[k*dim : (k+1)*dim]
		for d, v := range sum {
			class[d] = float32(v / float64(templates))
		}
		Normalise(class)
	}
	return classes
}

// ClassifyZeroShot predicts for each image the class of the largest cosine,
//
//	argmax_k v(x_i)·t(k),
//
// or the first of several equal ones, and compares it with truth. Two columns of SALMUBench's Table 5 are this
// accuracy. For IdZSC, the classes are the names of entirely forgotten people. For GenKnow, they are ImageNet's classes
// in 80 templates ([ClassEmbeddings]).
//
// Special cases are:
//
//	no images                   →  Accuracy is NaN
//	no classes, or a cosine of the image is NaN  →  the prediction is −1, not correct
//	different numbers of images and truths, different dimensions, or a truth that is not a class  →  panic
func ClassifyZeroShot(images, classes Embeddings, truth []int) ZeroShot {
	n, _ := images.Dims()
	if len(truth) != n {
		panic(fmt.Sprintf("metric: %d images have %d true classes", n, len(truth)))
	}
	dim := sameDim(images, classes)
	labels := pack(classes)
	z := ZeroShot{Correct: make([]bool, n), Predictions: make([]int, n)}
	for i, k := range truth {
		if k < 0 || k >= max(1, labels.rows) {
			panic(fmt.Sprintf("metric: image %d is of class %d, there are %d", i, k, labels.rows))
		}
	}
	inBlocks(n, func() func(from, to int) {
		image, buffer := newPacked(imageRows, dim), make([]float32, imageRows*captionRows)
		best := make([]largest, imageRows)
		return func(from, to int) {
			image.fill(images, from, to-from)
			for i := range best {
				best[i] = largest{index: -1, value: float32(math.Inf(-1))}
			}
			eachProduct(image, labels, buffer, func(i, first int, cosines []float32) { best[i].update(first, cosines) })
			for i := range image.rows {
				z.Predictions[from+i] = best[i].index
				z.Correct[from+i] = best[i].index == truth[from+i]
			}
		}
	})
	z.Accuracy = share(z.Correct)
	return z
}

// largest tracks the index of the largest value so far. The index is −1 after a NaN.
type largest struct {
	index int
	value float32
}

func (l *largest) update(first int, values []float32) {
	for j, v := range values {
		switch {
		case v > l.value:
			l.index, l.value = first+j, v
		case v != v:
			l.index, l.value = -1, float32(math.Inf(1))
			return
		}
	}
}
