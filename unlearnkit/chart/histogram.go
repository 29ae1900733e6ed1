package chart

import (
	"fmt"
	"math"
	"slices"
)

// Histogram shows the distribution of one to three samples, which may overlap, and their means.
type Histogram struct {
	Title    string    `json:"title"`
	Caption  string    `json:"caption,omitempty"`
	X        Axis      `json:"x"` // axis of values; a fixed range must contain all of them
	Samples  []Sample  `json:"samples"`
	Bins     int       `json:"bins,omitempty"`     // 0 means the square root of the largest sample's size, at most 40
	Expected *Expected `json:"expected,omitempty"` // expected fraction in each bin under a hypothesis
	HideMean bool      `json:"hide_mean,omitempty"`
}

// Sample is a named list of values.
type Sample struct {
	Name   string    `json:"name"`
	Values []float64 `json:"values"`
}

// Expected is the fraction of values that is expected in each bin, with the range due to sampling.
type Expected struct {
	Name  string  `json:"name"`
	Share float64 `json:"share"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
}

// Figure returns the chart as a figure.
func (h Histogram) Figure() (*Figure, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	return newFigure("Histogram", h.Title, h.Caption, h, h), nil
}

func (h Histogram) check() error {
	const most = 3 // more overlapping outlines could not be distinguished
	if err := filled("histogram", len(h.Samples)); err != nil {
		return err
	}
	if len(h.Samples) > most {
		return fmt.Errorf("histogram: %d samples over each other; give at most %d, or panels", len(h.Samples), most)
	}
	if h.Bins < 0 || h.Bins > 200 {
		return fmt.Errorf("histogram: %d bins; use 1 to 200, or 0 for a choice by the sample's size", h.Bins)
	}
	if h.X.Log {
		return fmt.Errorf("histogram: bins are of equal width; take logarithms before")
	}
	for _, s := range h.Samples {
		where := fmt.Sprintf("histogram: sample %q", s.Name)
		if err := firstError(filled(where, len(s.Values)), finite(where, s.Values...),
			h.X.check("histogram: x", s.Values)); err != nil {
			return err
		}
		if lo, hi := slices.Min(s.Values), slices.Max(s.Values); h.X.Fixed() && (lo < h.X.Min || hi > h.X.Max) {
			return fmt.Errorf("%s: values from %g to %g on an axis from %g to %g; widen the axis", where, lo, hi,
				h.X.Min, h.X.Max)
		}
	}
	if e := h.Expected; e != nil {
		return firstError(finite("histogram: expected share", e.Share, e.Lo, e.Hi),
			ordered("histogram: expected share", e.Lo, e.Hi))
	}
	return nil
}

// Edges returns the bin edges, which all samples share.
func (h Histogram) Edges() []float64 {
	lo, hi, largest := math.Inf(1), math.Inf(-1), 0
	for _, s := range h.Samples {
		lo, hi, largest = min(lo, slices.Min(s.Values)), max(hi, slices.Max(s.Values)), max(largest, len(s.Values))
	}
	if h.X.Fixed() {
		lo, hi = h.X.Min, h.X.Max
	}
	if lo == hi {
		lo, hi = lo-.5, hi+.5
	}
	lo, hi = widened(lo, hi)
	bins := h.Bins
	if bins == 0 {
		bins = min(40, max(5, int(math.Sqrt(float64(largest)))))
	}
	edges := make([]float64, bins+1)
	for i := range edges {
		edges[i] = lo + (hi-lo)*float64(i)/float64(bins)
	}
	return edges
}
