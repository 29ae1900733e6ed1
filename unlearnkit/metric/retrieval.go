package metric

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Retrieval holds the ranks of the images' own captions in a gallery.
type Retrieval struct {
	Ranks   []int   // rank of each image's own caption; 1 is best, 0 means undefined
	MRR     float64 // mean reciprocal rank, which SALMUBench calls RetFail
	RAt1    float64 // share of images whose own caption is first
	Gallery int     // number of captions in the gallery
}

// RetFail ranks, for each image i, its own caption among the gallery by cosine similarity s:
//
//	rank_i  = 1 + #{g in gallery : s(x_i, g) > s(x_i, c_i)}
//	RetFail = 1/n Σ 1/rank_i
//
// (SALMUBench, Table 5; §10 tests the ranks.) Because the inequality is strict, the gallery may contain the image's own
// caption, and equal captions do not worsen the rank. RetFail normalises the rows.
//
// RetFail computes the image-by-gallery matrix in blocks, on all processors. Apart from the input, it needs memory for
// the gallery and less than a megabyte per processor. The result does not depend on the number of processors.
//
// Special cases are:
//
//	no images                →  MRR and RAt1 are NaN
//	an empty gallery         →  every rank is 1
//	a zero vector            →  its cosine with everything is 0
//	a NaN or Inf in an image, its caption or the gallery  →  the rank is 0; MRR and RAt1 are NaN
//	different numbers of images and captions, or dimensions  →  panic
func RetFail(images, own, gallery Embeddings) Retrieval {
	n, _ := samePairs(images, own)
	dim := sameDim(images, own, gallery)
	captions := pack(gallery)
	ranks := make([]int, n)
	inBlocks(n, func() func(from, to int) {
		image, caption := newPacked(imageRows, dim), newPacked(imageRows, dim)
		buffer := make([]float32, imageRows*captionRows)
		ownScores := make([]float32, imageRows)
		return func(from, to int) {
			image.fill(images, from, to-from)
			caption.fill(own, from, to-from)
			for i := range image.rows {
				products(image.slice(i, i+1), caption.slice(i, i+1), ownScores[i:])
				ranks[from+i] = rank(ownScores[i], nil, 1)
			}
			eachProduct(image, captions, buffer, func(i, _ int, scores []float32) {
				ranks[from+i] = rank(ownScores[i], scores, ranks[from+i])
			})
		}
	})
	return retrievalOf(ranks, captions.rows)
}

// Ranks returns the ranks of [RetFail] from precomputed scores. own[i] is the score of query i and its own item, and
// gallery[i] holds its scores with the other items.
func Ranks[F float32 | float64](own []F, gallery [][]F) []int {
	if len(own) != len(gallery) {
		panic(fmt.Sprintf("metric: %d own scores with %d rows of gallery scores", len(own), len(gallery)))
	}
	ranks := make([]int, len(own))
	for i, s := range own {
		ranks[i] = rank(s, gallery[i], 1)
	}
	return ranks
}

// MeanReciprocalRank returns 1/n Σ 1/rank_i.
//
// Special cases are:
//
//	no ranks        →  NaN
//	a rank below 1  →  NaN
func MeanReciprocalRank(ranks []int) float64 {
	var sum float64
	for _, r := range ranks {
		if r < 1 {
			return math.NaN()
		}
		sum += 1 / float64(r)
	}
	return sum / float64(len(ranks))
}

// DrawGallery draws rows from forget and from retain without replacement: as many as each from both, or all rows of a
// smaller split. SALMUBench draws 1,000 from both, once for all models. A row may be any number that identifies a
// caption.
func DrawGallery(forget, retain []int, each int, random *rand.Rand) (fromForget, fromRetain []int) {
	draw := func(rows []int) []int {
		drawn := make([]int, min(each, len(rows)))
		for i, j := range random.Perm(len(rows))[:len(drawn)] {
			drawn[i] = rows[j]
		}
		return drawn
	}
	fromForget = draw(forget)
	return fromForget, draw(retain)
}

// rank returns soFar plus the number of scores above own. It returns 0 if a score is NaN.
func rank[F float32 | float64](own F, scores []F, soFar int) int {
	if soFar == 0 || own != own {
		return 0
	}
	for _, s := range scores {
		if s > own {
			soFar++
		} else if s != s {
			return 0
		}
	}
	return soFar
}

func retrievalOf(ranks []int, gallery int) Retrieval {
	r := Retrieval{Ranks: ranks, MRR: MeanReciprocalRank(ranks), Gallery: gallery}
	var first int
	for _, rank := range ranks {
		if rank == 1 {
			first++
		}
	}
	r.RAt1 = float64(first) / float64(len(ranks))
	if math.IsNaN(r.MRR) {
		r.RAt1 = math.NaN()
	}
	return r
}
