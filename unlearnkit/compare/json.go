package compare

import (
	"encoding/json"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// comparisonFields is a comparison as JSON.
type comparisonFields struct {
	Run            string        `json:"run"`
	Metric         string        `json:"metric"`
	Reading        string        `json:"reading,omitempty"`
	Questions      int           `json:"questions"`
	Groups         int           `json:"groups,omitempty"`
	Mean           *float64      `json:"mean"`
	Reference      *float64      `json:"reference"`
	Difference     *float64      `json:"difference"`
	Lo             *float64      `json:"lo"`
	Hi             *float64      `json:"hi"`
	P              *float64      `json:"p"`
	PAdjusted      *float64      `json:"p_adjusted"`
	Margin         float64       `json:"margin"`
	EquivalenceP   *float64      `json:"equivalence_p"`
	Result         Result        `json:"result"`
	Retained       bool          `json:"retained"`
	OverForgetting bool          `json:"over_forgetting"`
	Basis          certify.Basis `json:"basis"`
	Notes          []string      `json:"notes,omitempty"`
}

// skippedFields is a skipped metric as JSON.
type skippedFields struct {
	Run       string   `json:"run"`
	Metric    string   `json:"metric"`
	Why       string   `json:"why"`
	Value     *float64 `json:"value"`
	Reference *float64 `json:"reference"`
}

// MarshalJSON encodes the report. NaN and infinities become null.
func (r *Report) MarshalJSON() ([]byte, error) {
	comparisons, skipped := []comparisonFields{}, []skippedFields{}
	for _, c := range r.Comparisons {
		comparisons = append(comparisons, comparisonFields{c.Run, c.Metric, c.Reading, c.Questions, c.Groups,
			finite(c.Cell.Estimate), finite(c.Cell.Target), finite(c.Cell.Difference), finite(c.Cell.DifferenceLo),
			finite(c.Cell.DifferenceHi), finite(c.Cell.DifferenceP), finite(c.Cell.DifferenceAdjusted), c.Cell.Margin,
			finite(c.Cell.TOSTP), c.Result, c.Watched, c.Alarm, c.Cell.Basis, c.Notes})
	}
	for _, s := range r.Skipped {
		skipped = append(skipped, skippedFields{s.Run, s.Metric, s.Why, finite(s.Value), finite(s.Against)})
	}
	return json.Marshal(struct {
		Title       string             `json:"title"`
		Note        string             `json:"note"`
		Reference   string             `json:"reference"`
		Runs        []string           `json:"runs"`
		Rows        []comparisonFields `json:"rows"`
		NotCompared []skippedFields    `json:"not_compared"`
	}{unitNote, r.note(), r.Reference, r.Runs, comparisons, skipped})
}

// finite returns a pointer to v, or nil if v is NaN or infinite.
func finite(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}
