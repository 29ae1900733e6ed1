package exposure

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// minKPercent is the percentage of least likely tokens in a candidate's Min-k % probability.
const minKPercent = 10

// Ranking lists an item's candidates by ascending perplexity.
type Ranking struct {
	Prefix     string      `json:"prefix"`
	Group      string      `json:"group,omitempty"`
	Candidates []Candidate `json:"candidates"`
	Truth      *Truth      `json:"truth"` // rank of the true candidate; nil if it is unknown
	Warnings   []string    `json:"warnings"`

	item metric.ExposureItem
}

// Candidate is a possible value of a secret.
type Candidate struct {
	Text              string  `json:"text"`
	True              bool    `json:"true"`
	Tokens            int     `json:"tokens"`
	Perplexity        float64 `json:"perplexity"`
	InversePerplexity float64 `json:"inverse_perplexity"`
	MinK              float64 `json:"min_k"`    // mean probability of the least likely tokens
	Rank              int     `json:"rank"`     // 1 + the number of candidates with a lower perplexity
	Exposure          float64 `json:"exposure"` // Exposure if this were the secret; NaN for a single candidate
}

// Truth is the rank of the true candidate.
type Truth struct {
	Text       string  `json:"text"`
	Rank       int     `json:"rank"` // best rank among candidates with the same perplexity
	Ties       int     `json:"ties"` // number of other candidates with the same perplexity
	Candidates int     `json:"candidates"`
	Exposure   float64 `json:"exposure"` // NaN for a single candidate
	// ChanceExposure is the mean Exposure of a secret drawn from the candidates: 50, or more with ties.
	ChanceExposure float64 `json:"chance_exposure"`
	// Chance is the probability that a secret drawn from the candidates has a rank at least as good: the share of
	// candidates whose perplexity is at most the truth's. Without ties it is rank/candidates. It is exact.
	Chance float64 `json:"chance"`
}

// rank sorts candidates by their tokens' log-probabilities. Equal candidates keep their order.
func rank(item Item, list []string, logProbs [][]float64) (*Ranking, error) {
	truth := slices.Index(list, strings.TrimSpace(item.Truth))
	r := &Ranking{Prefix: item.Prefix, Group: item.Group, Warnings: []string{}, item: metricItem(item, truth, logProbs)}
	perplexities := make([]float64, len(list))
	for i, text := range list {
		c := Candidate{Text: text, True: i == truth, Tokens: len(logProbs[i]),
			Perplexity:        metric.Perplexity(logProbs[i]),
			InversePerplexity: metric.InversePerplexity(logProbs[i]), MinK: metric.MinK(logProbs[i], minKPercent)}
		if math.IsNaN(c.Perplexity) {
			return nil, fmt.Errorf("candidate %.60q after %.60q: the model's probability of it is not a number; look "+
				"for NaN in the model's tensors", text, item.Prefix)
		}
		perplexities[i], r.Candidates = c.Perplexity, append(r.Candidates, c)
	}
	slices.SortStableFunc(r.Candidates, func(a, b Candidate) int {
		switch {
		case a.Perplexity < b.Perplexity:
			return -1
		case a.Perplexity > b.Perplexity:
			return 1
		}
		return 0
	})
	total := 0.0
	for i := range r.Candidates {
		c := &r.Candidates[i]
		c.Rank = i + 1
		if i > 0 && c.Perplexity == r.Candidates[i-1].Perplexity {
			c.Rank = r.Candidates[i-1].Rank
		}
		c.Exposure = metric.Exposure(c.Rank, len(list))
		total += c.Exposure
	}
	if truth < 0 {
		return r, nil
	}
	place, err := metric.RankExposure(perplexities, truth)
	if err != nil {
		return nil, err
	}
	r.Truth = &Truth{Text: list[truth], Rank: place.Rank, Ties: place.Ties, Candidates: place.Candidates,
		Exposure: place.Exposure, ChanceExposure: total / float64(len(list)),
		Chance: float64(place.Rank+place.Ties) / float64(len(list))}
	return r, nil
}

func (r *Ranking) warnf(format string, args ...any) {
	r.Warnings = append(r.Warnings, fmt.Sprintf(format, args...))
}

// MarshalJSON writes NaN as null.
func (c Candidate) MarshalJSON() ([]byte, error) {
	type plain Candidate
	return json.Marshal(struct {
		plain
		Perplexity *float64 `json:"perplexity"`
		Exposure   *float64 `json:"exposure"`
	}{plain(c), report.Defined(c.Perplexity), report.Defined(c.Exposure)})
}

// MarshalJSON writes NaN as null.
func (t Truth) MarshalJSON() ([]byte, error) {
	type plain Truth
	return json.Marshal(struct {
		plain
		Exposure       *float64 `json:"exposure"`
		ChanceExposure *float64 `json:"chance_exposure"`
	}{plain(t), report.Defined(t.Exposure), report.Defined(t.ChanceExposure)})
}
