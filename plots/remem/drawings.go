// Package remem draws the figures of the study of ReMem.
package remem

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Drawings are the figures of the paper, by number, and ours.
var Drawings = plots.Drawings{
	{Name: "1", About: "what is learnt in the shapes of three benchmarks", Draw: plots.From(shapes)},
	{Name: "2", About: "how surely names are remembered, and where answers pass through", Draw: plots.From(states)},
	{Name: "3", About: "what is learnt of one person, by how many questions of which kind", Draw: plots.From(learning)},
	{Name: "4", About: "the steps of the study, in numbers", Draw: plots.From(pipeline)},
	{Name: "5", About: "where answers pass through after two shapes of teaching", Draw: plots.From(sites)},
	{Name: "6", About: "methods over how many are forgotten, the smaller size", Draw: plots.From(ratios(0))},
	{Name: "7", About: "methods over how many are forgotten, the larger size", Draw: plots.From(ratios(1))},
	{Name: "pictures", About: "pictures of three people (Table 9)", Draw: plots.From(pictures)},
	{Name: "verdicts", About: "what methods leave and help brings back, beside gold", Draw: plots.From(verdicts)},
	{Name: "exposure", About: "the Exposure of each forgotten person, beside gold's", Draw: plots.From(exposure)},
}

// lacks is what a preset has not.
func lacks(r *remem.Results, why string) error { return &study.Lacks{Preset: r.Preset.Name, Why: why} }

// place is where a shape is among those of the preset.
func place(r *remem.Results, shape profile.Shape) (at int, there bool) {
	at = slices.IndexFunc(r.Preset.Shapes, func(s profile.Shape) bool { return s.Name == shape.Name })
	return at, at >= 0
}

// compared are the shapes of Figures 1 and 2.
var compared = []profile.Shape{profile.FIUBench, profile.MLLMU, profile.FullShape}

// bounds are between which values a score lies: what an interval says beyond is not drawn.
type bounds struct{ lo, hi float64 }

var (
	percent    = bounds{0, 100}
	perplexity = bounds{1, math.Inf(1)}
)

// add adds a cell to a series, unless the model diverged in every world.
func (b bounds) add(s *plots.Series, x float64, c certify.Cell) {
	s.Add(x, c.Estimate, math.Max(b.lo, c.Lo), math.Min(b.hi, c.Hi)) // NaN stays
}

// bands says what bands are.
func bands(worlds int) string {
	if worlds == 1 {
		return "One world, so there are no bands"
	}
	return fmt.Sprintf("Bands: 95 %% over %s, by Student's t", remem.Worlds.Count(worlds))
}
