package stat

// BootstrapMean returns an interval for the mean of x. It takes the options of [Bootstrap].
//
// With [Clusters] the mean of a resample is the mean over all rows of the drawn clusters. For [Studentised] intervals,
// the jackknife then estimates the standard error of a ratio. Without clusters it equals s/√n.
func BootstrapMean(x []float64, opts ...Option) BootstrapResult {
	return bootRatio(x, nil, opts)
}

// BootstrapProportion returns an interval for the share of true outcomes, such as an accuracy. It equals
// [BootstrapMean] of zeros and ones.
func BootstrapProportion(outcomes []bool, opts ...Option) BootstrapResult {
	x := make([]float64, len(outcomes))
	for i, o := range outcomes {
		if o {
			x[i] = 1
		}
	}
	return bootRatio(x, nil, opts)
}

// BootstrapPaired returns an interval for the mean of the paired differences x − y. Pairs stay together in every
// resample. It panics if the lengths differ.
func BootstrapPaired(x, y []float64, opts ...Option) BootstrapResult {
	return bootRatio(differences(x, y, nil), nil, opts)
}

// BootstrapRatio returns an interval for Σx/Σy, the ratio of the means of paired values. It panics if the lengths
// differ.
func BootstrapRatio(x, y []float64, opts ...Option) BootstrapResult {
	mustMatch(len(x), len(y))
	return bootRatio(x, y, opts)
}

// BootstrapMeanDifference returns an interval for mean(x) − mean(y) of two independent samples, each resampled
// separately. [Strata], [Clusters] and [Subclusters] hold the labels of x followed by the labels of y. A label that
// occurs in both samples denotes two clusters.
func BootstrapMeanDifference(x, y []float64, opts ...Option) BootstrapResult {
	s := bootResolve(opts)
	values := append(append(make([]float64, 0, len(x)+len(y)), x...), y...)
	s.samples = make([]int, len(values))
	for i := range y {
		s.samples[len(x)+i] = 1
	}
	design := newBootDesign(len(values), s)
	if design.first == 0 {
		design = &bootDesign{}
	}
	return s.runSums(design, values, nil)
}

func bootRatio(x, y []float64, opts []Option) BootstrapResult {
	s := bootResolve(opts)
	return s.runSums(newBootDesign(len(x), s), x, y)
}

// runSums bootstraps Σx/Σy over the rows, where a nil y means ones. For two samples it bootstraps the difference of
// their ratios.
func (s bootSettings) runSums(design *bootDesign, x, y []float64) BootstrapResult {
	sums := &bootSums{upper: x, lower: y, first: design.first}
	if design.rows == nil {
		return s.run(design, sums)
	}
	sums.upper = make([]float64, design.unitCount())
	if y != nil || design.units != nil {
		sums.lower = make([]float64, design.unitCount())
	}
	var rows []int
	for u := range sums.upper {
		rows = design.appendRows(rows[:0], u)
		for _, row := range rows {
			sums.upper[u] += x[row]
			if y != nil {
				sums.lower[u] += y[row]
			}
		}
		if y == nil && sums.lower != nil {
			sums.lower[u] = float64(len(rows))
		}
	}
	return s.run(design, sums)
}

// bootSums is a [bootStatistic]: a ratio of sums over units, or the difference of two ratios. It needs only two sums
// per unit.
type bootSums struct {
	upper []float64 // Σx of each unit
	lower []float64 // Σy of each unit; nil if each is 1
	first int       // number of drawn clusters in the first of two samples; 0 for one sample
}

func (b *bootSums) fresh() bootStatistic { return b }

func (b *bootSums) value(d *bootDraw) float64 {
	split := b.split(d)
	value := b.ratio(d.units[split:])
	if split > 0 {
		return b.ratio(d.units[:split]) - value
	}
	return value
}

// split returns how many drawn units belong to the first sample.
func (b *bootSums) split(d *bootDraw) int {
	if b.first == 0 {
		return 0
	}
	start, _ := d.span(b.first)
	return start
}

func (b *bootSums) ratio(units []int32) float64 {
	upper, lower := b.sum(units)
	return upper / lower
}

// sum returns Σx and Σy over the given units.
func (b *bootSums) sum(units []int32) (upper, lower float64) {
	upper = bootGather(b.upper, units)
	if b.lower == nil {
		return upper, float64(len(units))
	}
	return upper, bootGather(b.lower, units)
}

// bootGather returns the sum of x over the given units. Four partial sums let the processor overlap additions.
func bootGather(x []float64, units []int32) float64 {
	var s0, s1, s2, s3 float64
	for ; len(units) >= 4; units = units[4:] {
		s0 += x[units[0]]
		s1 += x[units[1]]
		s2 += x[units[2]]
		s3 += x[units[3]]
	}
	for _, u := range units {
		s0 += x[u]
	}
	return (s0 + s1) + (s2 + s3)
}

func (b *bootSums) leaveOneOut(dst []float64, d *bootDraw) {
	if b.first == 0 {
		b.leaveOneOutOf(dst, d, 0)
		return
	}
	split := b.split(d)
	first, second := b.ratio(d.units[:split]), b.ratio(d.units[split:])
	b.leaveOneOutOf(dst[:b.first], d, 0)
	b.leaveOneOutOf(dst[b.first:], d, b.first)
	for i := range dst {
		if i < b.first {
			dst[i] -= second
		} else {
			dst[i] = first - dst[i]
		}
	}
}

// leaveOneOutOf stores the leave-one-out ratios of one sample, whose drawn clusters are from to from+len(dst)-1.
func (b *bootSums) leaveOneOutOf(dst []float64, d *bootDraw, from int) {
	start, _ := d.span(from)
	_, end := d.span(from + len(dst) - 1)
	upper, lower := b.sum(d.units[start:end])
	for i := range dst {
		start, end := d.span(from + i)
		outUpper, outLower := b.sum(d.units[start:end])
		dst[i] = (upper - outUpper) / (lower - outLower)
	}
}

func (b *bootSums) spread(d *bootDraw, jackknife []float64) float64 {
	return bootJackknifeError(b, d, jackknife)
}
