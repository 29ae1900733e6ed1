package unslu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Figures lists the figures of the paper, and figures that are drawn from its printed numbers.
var Figures = study.Figures{
	{Name: "1", About: "Negative Gradient over learning rates", Draw: study.FigureFrom(rates)},
	{Name: "table1", About: "Table 1 as printed and here: FSC", Draw: study.FigureFrom(resultsOf("1"))},
	{Name: "table2", About: "Table 2 as printed and here: SLURP* and ITALIC", Draw: study.FigureFrom(resultsOf("2"))},
	{Name: "table3", About: "Table 3 as printed and here: SpeechMASSIVE", Draw: study.FigureFrom(resultsOf("3"))},
	{Name: "gum", About: "the printed GUM against its formula under two readings of utility",
		Printed: func() (*chart.Figure, error) {
			values, err := audit.GUMValues()
			if err != nil {
				return nil, err
			}
			return GUMFigure(values, Rounding)
		}},
}

func rates(r *Results) (*chart.Figure, error) {
	curves := r.Curves()
	if len(curves) == 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has nothing of figure 1 of unslu"}
	}
	return RatesFigure(r.Preset.Rates.Benchmark, curves, r.triedRates(), r.Seeds())
}

// resultsOf returns a function that draws a table of results.
func resultsOf(number string) func(r *Results) (*chart.Figure, error) {
	return func(r *Results) (*chart.Figure, error) {
		cells, err := r.Cells(number)
		if err != nil {
			return nil, err
		}
		if len(cells) == 0 {
			return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has nothing of table " + number + " of unslu"}
		}
		return ResultsFigure(number, cells, r.Seeds())
	}
}
