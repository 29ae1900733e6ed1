package stat

import "math"

// bootFunction is a [bootStatistic] computed by a function of row numbers.
type bootFunction struct {
	statistic     func(rows []int) float64
	standardError StandardError
	design        *bootDesign
	rows          []int // reused memory for the rows of a draw
}

func (f *bootFunction) fresh() bootStatistic {
	c := *f
	c.rows = nil
	return &c
}

func (f *bootFunction) value(d *bootDraw) float64 {
	return f.statistic(f.gather(d.units, nil))
}

// gather returns the rows of all units in before and after.
func (f *bootFunction) gather(before, after []int32) []int {
	f.rows = f.rows[:0]
	for _, u := range before {
		f.rows = f.design.appendRows(f.rows, int(u))
	}
	for _, u := range after {
		f.rows = f.design.appendRows(f.rows, int(u))
	}
	return f.rows
}

func (f *bootFunction) leaveOneOut(dst []float64, d *bootDraw) {
	for i := range dst {
		start, end := d.span(i)
		dst[i] = f.statistic(f.gather(d.units[:start], d.units[end:]))
	}
}

func (f *bootFunction) spread(d *bootDraw, jackknife []float64) float64 {
	if f.standardError != nil {
		return f.standardError(f.gather(d.units, nil))
	}
	return bootJackknifeError(f, d, jackknife)
}

// bootJackknifeError returns the standard error by the jackknife, the root of Σₛ (nₛ−1)/nₛ Σᵢ (θ₍ᵢ₎ − mean of stratum
// s)².
func bootJackknifeError(statistic bootStatistic, d *bootDraw, jackknife []float64) float64 {
	statistic.leaveOneOut(jackknife, d)
	variance := 0.
	for s := range d.strata {
		start, end := bootSpan(d.strata, s)
		if end-start < 2 {
			continue
		}
		n := float64(end - start)
		m := momentsOf(jackknife[start:end], 1)
		if rounding := 1e-15 * m.mean; m.squares > n*rounding*rounding { // equal rows must give a variance of exactly 0
			variance += m.squares * (n - 1) / n
		}
	}
	return math.Sqrt(variance)
}
