package metric

import (
	"fmt"
	"math"
)

// Exposure returns the score of ReMem eq. (1) for a true answer with the given rank among a number of candidates,
//
//	(|A| − rank)/(|A| − 1) · 100.
//
// It is 100 if no candidate has a lower perplexity, 0 if all others have, and 50 on average for a model without any
// knowledge.
//
// Special cases are:
//
//	candidates = 1             →  NaN, nothing to rank against
//	rank outside [1, candidates]  →  panic
func Exposure(rank, candidates int) float64 {
	if rank < 1 || rank > candidates {
		panic(fmt.Sprintf("metric: exposure of rank %d among %d candidates", rank, candidates))
	}
	if candidates == 1 {
		return math.NaN()
	}
	return float64(candidates-rank) / float64(candidates-1) * 100
}

// ExposureRank holds the rank of the true answer among all candidates, sorted by ascending perplexity.
type ExposureRank struct {
	Rank int // 1 plus the number of candidates with a strictly lower perplexity
	// number of other candidates with the same perplexity; Rank + Ties is the worst possible rank
	Ties       int
	Candidates int     // number of candidates, |A|
	Exposure   float64 // computed by [Exposure]; NaN for a single candidate
}

// RankExposure ranks the candidate at index truth among all candidates by perplexity. Candidates with equal
// perplexities all get the best of their ranks. A model that gives every answer the same probability therefore has
// Exposure 100, and all other candidates are Ties.
//
// Special cases are:
//
//	a perplexity is NaN          →  error, it has no rank
//	truth is out of range        →  panic
func RankExposure(perplexities []float64, truth int) (ExposureRank, error) {
	r := ExposureRank{Rank: 1, Candidates: len(perplexities)}
	own := perplexities[truth]
	for i, p := range perplexities {
		switch {
		case math.IsNaN(p):
			return ExposureRank{}, fmt.Errorf("exposure: perplexity of candidate %d is NaN", i)
		case p < own:
			r.Rank++
		case p == own && i != truth:
			r.Ties++
		}
	}
	r.Exposure = Exposure(r.Rank, r.Candidates)
	return r, nil
}

// ExposureItem is an attribute of a person in the forget set. The candidates are all distinct true values of the
// attribute in the whole data set. Each candidate has the log-probabilities of its tokens after the prefix ("The job of
// the person in the image is").
type ExposureItem struct {
	Identity, Attribute string
	Truth               int         // index of the person's own value
	LogProbs            [][]float64 // log-probability of each token, for each candidate
}

// Rank ranks the item's true value by [RankExposure] with the [Perplexity] of each candidate. It returns an error if a
// candidate has no tokens.
func (item ExposureItem) Rank() (ExposureRank, error) {
	if item.Truth < 0 || item.Truth >= len(item.LogProbs) {
		return ExposureRank{}, fmt.Errorf("exposure of %s, %s: true value is candidate %d of %d",
			item.Identity, item.Attribute, item.Truth, len(item.LogProbs))
	}
	perplexities := make([]float64, len(item.LogProbs))
	for i, l := range item.LogProbs {
		perplexities[i] = Perplexity(l)
	}
	r, err := RankExposure(perplexities, item.Truth)
	if err != nil {
		return r, fmt.Errorf("%s, %s: %w", item.Identity, item.Attribute, err)
	}
	return r, nil
}

// ExposureSummary holds the Exposure of a whole forget set.
type ExposureSummary struct {
	Mean    float64        // mean over items with at least two candidates; NaN if none exist
	N       int            // number of items in Mean
	Skipped int            // number of items with a single candidate
	Ranks   []ExposureRank // rank for each item, in the given order
}

// MeanExposure returns the Exposure of ReMem Table 2: the mean of [Exposure] over all people and attributes. It skips
// attributes with a single distinct value in the whole data set, because they carry no information.
func MeanExposure(items []ExposureItem) (ExposureSummary, error) {
	s := ExposureSummary{Ranks: make([]ExposureRank, len(items))}
	sum := 0.0
	for i, item := range items {
		r, err := item.Rank()
		if err != nil {
			return ExposureSummary{}, err
		}
		s.Ranks[i] = r
		if r.Candidates == 1 {
			s.Skipped++
			continue
		}
		s.N++
		sum += r.Exposure
	}
	s.Mean = sum / float64(s.N)
	return s, nil
}
