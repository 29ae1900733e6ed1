package exposure

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Summary is the mean Exposure of several secrets.
type Summary struct {
	Mean float64 `json:"mean"` // mean over the items with at least two candidates; NaN without items
	// Lo and Hi are the 95 % interval of package certify for a mean of numbers from 0 to 100, over the groups of items.
	// They show how much the mean would vary with other secrets of the same kind. They are NaN for a single group.
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
	Basis string  `json:"basis"` // evidence for the interval
	// P is the one-sided p-value of the null hypothesis that secrets are random candidates.
	P       float64    `json:"p"`
	Chance  float64    `json:"chance"`  // mean Exposure of random candidates: 50 without ties
	N       int        `json:"n"`       // number of items in the mean
	Groups  int        `json:"groups"`  // number of groups of these items
	Skipped int        `json:"skipped"` // number of items with a single candidate
	Items   []*Ranking `json:"items"`
}

// Summarize averages rankings. Each must have a truth.
func Summarize(rankings []*Ranking) (*Summary, error) {
	items := make([]metric.ExposureItem, len(rankings))
	for i, r := range rankings {
		if r.Truth == nil {
			return nil, fmt.Errorf("item %d, %.60q: the true candidate is unknown; give the truth", i+1, r.Prefix)
		}
		items[i] = r.item
	}
	mean, err := metric.MeanExposure(items)
	if err != nil {
		return nil, err
	}
	nan := math.NaN()
	s := &Summary{Mean: mean.Mean, Lo: nan, Hi: nan, P: nan, N: mean.N, Skipped: mean.Skipped, Items: rankings}
	var sample, chance certify.Sample
	units, family := map[string]int{}, certify.Family{Name: "secrets"}
	for i, r := range rankings {
		if r.Truth.Candidates < 2 {
			continue
		}
		name := r.Group
		if name == "" {
			name = fmt.Sprint("\x00", i)
		} else {
			family.Name = "groups"
		}
		if _, met := units[name]; !met {
			units[name] = len(units)
		}
		sample.Units, chance.Units = append(sample.Units, units[name]), append(chance.Units, units[name])
		sample.Values = append(sample.Values, r.Truth.Exposure/100)
		chance.Values = append(chance.Values, r.Truth.ChanceExposure/100)
	}
	s.Groups, s.Chance = len(units), 0
	for _, value := range chance.Values {
		s.Chance += 100 * value / float64(len(chance.Values))
	}
	if len(units) < 2 {
		s.Basis = "one secret has no interval"
		return s, nil
	}
	panel := &certify.Panel{}
	panel.Add("exposure", certify.Once(family, sample).Share())
	estimate := panel.Estimate(certify.Mean("exposure"))
	s.Lo, s.Hi, s.Basis = 100*estimate.Lo, 100*estimate.Hi, estimate.Basis.String()
	s.P = estimate.AtMost(s.Chance / 100)
	return s, nil
}

// MarshalJSON writes NaN as null.
func (s Summary) MarshalJSON() ([]byte, error) {
	type plain Summary
	return json.Marshal(struct {
		plain
		Mean *float64 `json:"mean"`
		Lo   *float64 `json:"lo"`
		Hi   *float64 `json:"hi"`
		P    *float64 `json:"p"`
	}{plain(s), report.Defined(s.Mean), report.Defined(s.Lo), report.Defined(s.Hi), report.Defined(s.P)})
}
