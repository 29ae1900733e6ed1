package unslu

import (
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/unslu"
)

// Drawings are the figures of the paper, and of its printed numbers.
var Drawings = plots.Drawings{
	{Name: "1", About: "Negative Gradient over learning rates", Draw: plots.From(rates)},
	{Name: "gum", About: "the printed GUM against its formula under two readings of utility",
		Printed: func() (*plots.Figure, error) {
			values, err := audit.GUMValues()
			if err != nil {
				return nil, err
			}
			return GUM(values, Rounding)
		}},
}

func rates(r *unslu.Results) (*plots.Figure, error) {
	curves := r.Curves()
	if len(curves) == 0 {
		return nil, &bench.Lacks{Preset: r.Preset.Name, Why: "has nothing of figure 1 of unslu"}
	}
	return Rates(curves, r.Seeds())
}
