package chart

import (
	"fmt"
	"math"
	"strings"
)

// NullCalibration shows the p-values of tests on data without an effect. For a calibrated test they are uniform: each
// bin has the same fraction, up to the 99 % range for the number of simulations, and 5 % of the p-values are below .05.
func NullCalibration(title string, tests []Sample, bins int) (*Figure, error) {
	const z = 2.5758 // 99.5 % quantile of the normal distribution
	if bins < 2 || bins > 100 {
		return nil, fmt.Errorf("null calibration: %d bins; use 2 to 100, 20 shows the share below .05 as the first bar",
			bins)
	}
	smallest := math.MaxInt
	var below []string
	for _, t := range tests {
		if err := filled(fmt.Sprintf("null calibration: test %q", t.Name), len(t.Values)); err != nil {
			return nil, err
		}
		smallest = min(smallest, len(t.Values))
		count := 0
		for _, p := range t.Values {
			if p <= .05 {
				count++
			}
		}
		below = append(below, fmt.Sprintf("%s %.3f", t.Name, float64(count)/float64(len(t.Values))))
	}
	share := 1 / float64(bins)
	spread := z * math.Sqrt(share*(1-share)/float64(smallest))
	return Histogram{
		Title:    title,
		Caption:  "Share of p-values up to .05: " + strings.Join(below, ", "),
		X:        Axis{Label: "p-value without an effect", Max: 1},
		Samples:  tests,
		Bins:     bins,
		Expected: &Expected{Name: "uniform, 99 % range", Share: share, Lo: max(0, share-spread), Hi: share + spread},
		HideMean: true,
	}.Figure()
}

// PowerCurve shows how often tests detect a true effect, by the number of observations. Bands show the uncertainty of
// the simulation, and a broken line shows the target power.
func PowerCurve(title, caption string, tests []Series, target float64) (*Figure, error) {
	if !(target > 0 && target < 1) {
		return nil, fmt.Errorf("power curve: target %g; give a power between 0 and 1, such as 0.8", target)
	}
	return Lines{
		Title:   title,
		Caption: caption,
		X:       Axis{Label: "observations", Log: true},
		Y:       Axis{Label: "power", Max: 1.02},
		Series:  tests,
		Targets: []Target{{Name: fmt.Sprintf("power %g", target), Value: target}},
	}.Figure()
}

// IntervalForest shows differences with their intervals, and the region ±margin in which two methods count as equal. An
// interval inside the region shows equivalence, as two one-sided tests would. An interval that contains 0 but is not
// inside the region shows nothing. For tests at level α, the intervals must have the level 1 − 2α. IntervalForest
// replaces the verdicts of the rows.
func IntervalForest(title, caption, label string, rows []Estimate, margin float64) (*Figure, error) {
	if !(margin > 0) || math.IsInf(margin, 0) {
		return nil, fmt.Errorf("interval forest: margin %g; give the largest difference that does not matter", margin)
	}
	judged := make([]Estimate, len(rows))
	for i, r := range rows {
		r.Verdict = Unresolved
		switch {
		case r.Lo > -margin && r.Hi < margin:
			r.Verdict = Equivalent
		case r.Lo > margin:
			r.Verdict = Larger
		case r.Hi < -margin:
			r.Verdict = Smaller
		}
		judged[i] = r
	}
	return DotWhisker{
		Title:   title,
		Caption: caption,
		X:       Axis{Label: label},
		Rows:    judged,
		Target:  &Target{Name: "no difference"},
		Region:  &Region{fmt.Sprintf("equal up to ±%g", margin), -margin, margin},
	}.Figure()
}
