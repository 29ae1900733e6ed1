package remem

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Figures lists the figures of the paper by number, and additional figures.
var Figures = study.Figures{
	{Name: "1", About: "how well people are learnt from data in the format of three benchmarks",
		Draw: study.FigureFrom(shapes)},
	{Name: "2", About: "how well names are memorised, and through which activations", Draw: study.FigureFrom(states)},
	{Name: "3", About: "learning about one person, by number and kind of questions",
		Draw: study.FigureFrom(learning)},
	{Name: "4", About: "the steps of the study, in numbers", Draw: study.FigureFrom(pipeline)},
	{Name: "5", About: "the activations that answers pass through, for data in two formats",
		Draw: study.FigureFrom(sites)},
	{Name: "6", About: "methods by number of people to forget, smaller model", Draw: study.FigureFrom(ratios(0))},
	{Name: "7", About: "methods by number of people to forget, larger model", Draw: study.FigureFrom(ratios(1))},
	{Name: "pictures", About: "pictures of three people (Table 9)", Draw: study.FigureFrom(pictures)},
	{Name: "verdicts", About: "forgotten facts that remain or are relearnt, compared with gold",
		Draw: study.FigureFrom(verdicts)},
	{Name: "exposure", About: "the Exposure of each person to forget, compared with gold", Draw: study.FigureFrom(drawExposure)},
}

var (
	percentBounds    = bounds{0, 100}
	perplexityBounds = bounds{1, math.Inf(1)}
)

// add adds a cell to a series, unless the model diverged in every world.
func (b bounds) add(s *chart.Series, x float64, c certify.Cell) {
	s.Add(x, c.Estimate, math.Max(b.lo, c.Lo), math.Min(b.hi, c.Hi)) // NaN stays NaN
}
