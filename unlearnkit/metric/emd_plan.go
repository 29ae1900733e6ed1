package metric

import (
	"fmt"
	"math"
	"strings"
)

// MarginalGap describes a row or column of a plan whose sum is wrong.
type MarginalGap struct {
	Source     bool // the sum of a row is wrong; otherwise, of a column
	Index      int
	Have, Want float64
}

// MarginalError lists all wrong row sums and column sums of a plan. Rows come first.
type MarginalError []MarginalGap

// Error describes the wrong sums. It counts positions from 1, as the papers do.
func (e MarginalError) Error() string {
	parts := make([]string, len(e))
	for i, g := range e {
		verb := "receives"
		if g.Source {
			verb = "sends"
		}
		parts[i] = fmt.Sprintf("position %d %s %.6g, want %.6g", g.Index+1, verb, g.Have, g.Want)
	}
	return "transport plan: " + strings.Join(parts, "; ")
}

// CheckPlan returns nil if plan moves the distribution p to q: if it has no negative entries, row sums p and column
// sums q. Sums may differ by 1e-9 of the total mass. For wrong sums it returns a [MarginalError].
//
// The plan printed in the appendix of Unlearning or Concealment, .1 from position 3 to 2 and .3 from 3 to 1, is
// rejected: it results in [.5 .2 .3], not in [.3 .4 .3].
func CheckPlan(plan [][]float64, p, q []float64) error {
	if len(plan) != len(p) {
		return fmt.Errorf("transport plan: %d rows for %d masses", len(plan), len(p))
	}
	sent, received := make([]float64, len(p)), make([]float64, len(q))
	for i, row := range plan {
		if len(row) != len(q) {
			return fmt.Errorf("transport plan: row %d has %d entries for %d masses", i, len(row), len(q))
		}
		for j, mass := range row {
			if !(mass >= 0) || math.IsInf(mass, 0) {
				return fmt.Errorf("transport plan: moves %v from %d to %d, want a finite mass of at least 0", mass, i+1,
					j+1)
			}
			sent[i] += mass
			received[j] += mass
		}
	}
	if err := sameMass(p, q); err != nil {
		return fmt.Errorf("transport plan: %w", err)
	}
	var gaps MarginalError
	gaps = gaps.compare(true, sent, p)
	gaps = gaps.compare(false, received, q)
	if gaps != nil {
		return gaps
	}
	return nil
}

func (e MarginalError) compare(source bool, have, want []float64) MarginalError {
	total := 0.0
	for _, w := range want {
		total += w
	}
	for i := range want {
		if math.Abs(have[i]-want[i]) > massTolerance*total {
			e = append(e, MarginalGap{Source: source, Index: i, Have: have[i], Want: want[i]})
		}
	}
	return e
}

// PlanCost returns Σ cost_ij plan_ij. It panics if the shapes differ.
func PlanCost(plan, cost [][]float64) float64 {
	if len(plan) != len(cost) {
		panic("metric: plan and costs have different shapes")
	}
	sum := 0.0
	for i, row := range plan {
		if len(row) != len(cost[i]) {
			panic("metric: plan and costs have different shapes")
		}
		for j, mass := range row {
			sum += mass * cost[i][j]
		}
	}
	return sum
}
