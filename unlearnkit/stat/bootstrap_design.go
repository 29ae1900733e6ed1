package stat

import (
	"cmp"
	"slices"
)

// A bootDesign describes what is drawn: strata contain clusters, clusters contain units, and units contain rows. Each
// is numbered so that the members of a group have consecutive numbers. Without subclusters each cluster is one unit.
// Without clusters each unit is one row.
type bootDesign struct {
	n        int
	strata   []int // end of each stratum, in clusters
	clusters []int // end of each cluster, in units; nil if cluster i is unit i
	units    []int // end of each unit, in rows; nil if each unit is one row
	rows     []int // row numbers in the order of the units; nil for 0, 1, 2, …
	first    int   // number of clusters in the first of two samples; 0 for one sample
}

// A bootDraw is one resample: the drawn units in the order of the strata.
type bootDraw struct {
	units    []int32
	clusters []int // end of each drawn cluster, in drawn units; nil if each is one unit
	strata   []int // end of each stratum, in drawn clusters
}

// newBootDesign sorts n rows by stratum, cluster and unit.
func newBootDesign(n int, s bootSettings) *bootDesign {
	labels := [][]int{s.samples, s.strata, s.clusters, s.subclusters}
	for _, l := range labels {
		if l != nil {
			mustMatch(len(l), n)
		}
	}
	d := &bootDesign{n: n}
	if s.samples == nil && s.strata == nil && s.clusters == nil {
		d.strata = []int{n}
		return d
	}
	d.rows = make([]int, n)
	for i := range d.rows {
		d.rows[i] = i
	}
	slices.SortStableFunc(d.rows, func(a, b int) int {
		for _, l := range labels {
			if l != nil && l[a] != l[b] {
				return cmp.Compare(l[a], l[b])
			}
		}
		return 0
	})
	d.divide(s)
	return d
}

// divide finds the ends of strata, clusters and units in the sorted rows.
func (d *bootDesign) divide(s bootSettings) {
	differ := func(labels []int, i int) bool {
		return i == d.n || labels != nil && labels[d.rows[i]] != labels[d.rows[i-1]]
	}
	clusters := 0
	for i := 1; i <= d.n; i++ {
		stratumEnds := differ(s.samples, i) || differ(s.strata, i)
		clusterEnds := stratumEnds || s.clusters == nil || differ(s.clusters, i)
		if s.clusters != nil && (clusterEnds || differ(s.subclusters, i)) {
			d.units = append(d.units, i)
		}
		if clusterEnds {
			clusters++
		}
		if clusterEnds && s.subclusters != nil {
			d.clusters = append(d.clusters, len(d.units))
		}
		if stratumEnds {
			d.strata = append(d.strata, clusters)
		}
		if differ(s.samples, i) && i < d.n {
			d.first = clusters
		}
	}
}

// size returns the number of clusters.
func (d *bootDesign) size() int {
	if len(d.strata) == 0 {
		return 0
	}
	return d.strata[len(d.strata)-1]
}

func (d *bootDesign) unitCount() int {
	if d.clusters == nil {
		return d.size()
	}
	return d.clusters[len(d.clusters)-1]
}

// smallestSample returns the number of clusters in the smaller sample.
func (d *bootDesign) smallestSample() int {
	if d.first == 0 {
		return d.size()
	}
	return min(d.first, d.size()-d.first)
}

// appendRows appends the rows of unit u to dst.
func (d *bootDesign) appendRows(dst []int, u int) []int {
	switch {
	case d.units != nil:
		start, end := bootSpan(d.units, u)
		return append(dst, d.rows[start:end]...)
	case d.rows != nil:
		return append(dst, d.rows[u])
	}
	return append(dst, u)
}

// bootSpan returns the bounds of part i of a sequence divided at ends.
func bootSpan(ends []int, i int) (start, end int) {
	if i > 0 {
		start = ends[i-1]
	}
	return start, ends[i]
}

// span returns the range of the drawn units that belong to the i-th drawn cluster.
func (d *bootDraw) span(i int) (start, end int) {
	if d.clusters == nil {
		return i, i + 1
	}
	return bootSpan(d.clusters, i)
}

// everyUnitOnce returns a draw that equals the original data.
func (d *bootDesign) everyUnitOnce() *bootDraw {
	draw := &bootDraw{units: make([]int32, d.unitCount()), clusters: d.clusters, strata: d.strata}
	for i := range draw.units {
		draw.units[i] = int32(i)
	}
	return draw
}

// newDraw allocates a draw for [bootDesign.draw] to fill.
func (d *bootDesign) newDraw() *bootDraw {
	draw := &bootDraw{units: make([]int32, d.unitCount()), strata: d.strata}
	if d.clusters != nil {
		draw.clusters = make([]int, d.size())
	}
	return draw
}

// draw fills dst with a random resample.
func (d *bootDesign) draw(dst *bootDraw, stream *chunkStream) {
	if d.clusters == nil {
		for s := range d.strata {
			start, end := bootSpan(d.strata, s)
			stream.fill(dst.units[start:end], start, end)
		}
		return
	}
	dst.units = dst.units[:0]
	for s := range d.strata {
		start, end := bootSpan(d.strata, s)
		for i := start; i < end; i++ {
			first, last := bootSpan(d.clusters, stream.between(start, end))
			drawn := len(dst.units)
			dst.units = slices.Grow(dst.units, last-first)[:drawn+last-first]
			stream.fill(dst.units[drawn:], first, last)
			dst.clusters[i] = len(dst.units)
		}
	}
}
