package concealment

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// A Column is a score that tables show for each row. It is a function, because the concept that a picture should show
// depends on the row's prompt.
type Column func(row *AttackScores) study.Metric

// Families of units. All trainings share the noises of attacks, the pictures of the gate, and the prompts. The gate is
// a fixed set of prompts that tests whether a model can draw.
var (
	noises   = certify.Family{Name: "noises", Crossed: true}
	ownNoise = certify.Family{Name: "noises of what a model draws alone", Crossed: true}
	pictures = certify.Family{Name: "pictures of the gate", Crossed: true}
	prompts  = certify.Family{Name: "prompts", Crossed: true}
)

// reading is an interpretation of the paper's scores: which pictures, which classifier, and which ratios they use.
type reading struct {
	protocol   Protocol
	classifier int
	grid       psiGrid
}

// change returns the column with its metric changed.
func (c Column) change(change func(m *study.Metric)) Column {
	return func(row *AttackScores) study.Metric {
		m := c(row)
		change(&m)
		return m
	}
}

// asShare returns the column with its outcomes marked as shares.
func asShare(c Column) Column { return c.change(func(m *study.Metric) { m.Share = true }) }

// besideGold returns the column with the margin within which a score counts as equal to gold's.
func besideGold(c Column) Column { return c.change(func(m *study.Metric) { m.Margin.Absolute = .05 }) }

// of returns the metric of the first row. Without rows, it returns the metric of an empty row.
func (c Column) of(rows ...*AttackScores) study.Metric {
	if len(rows) == 0 {
		return c(&AttackScores{})
	}
	return c(rows[0])
}

func (c Column) name() string { return c.of().Name }

func oneIf(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// ofPictures returns a metric with one outcome per noise: the weighted mean of a score over a grid of ratios. The score
// is computed from columns of the pictures' file.
func (p Preset) ofPictures(name, how string, protocol Protocol, grid psiGrid, score func(v []float64) float64,
	columns ...string) study.Metric {
	grid = grid.ifComplete(p.Attack.Psi)
	return study.Metric{Name: name, Family: noises, By: []string{"psi", "number"}, Rows: atRatios(protocol, grid),
		Score: study.Outcomes(how, func(rows study.Rows) (all []study.Outcome) {
			var values [][]float64
			for _, column := range columns {
				values = append(values, rows.Numbers(column))
			}
			psi, numbers, place, v := rows.Words("psi"), rows.Numbers("number"), map[float64]int{},
				make([]float64, len(columns))
			for i, number := range numbers {
				at, met := place[number]
				if !met {
					at = len(all)
					place[number] = at
					all = append(all, study.Outcome{Unit: int(number)})
				}
				for k := range v {
					v[k] = values[k][i]
				}
				all[at].Value += grid.weights[slices.Index(grid.Psi, psi[i])] * score(v)
			}
			return all
		}, columns...)}
}

// atRatios returns the conditions that keep the rows of an attack at the ratios of a grid.
func atRatios(protocol Protocol, grid psiGrid) []study.Condition {
	return []study.Condition{study.Among("protocol", protocol), study.Among("psi", grid.Psi...)}
}

// kids returns a column computed by of from two KIDs, averaged over the grid: to the original's pictures (0) and to the
// unlearned model's (1). from lists which of them are read.
func (p Preset) kids(name, how string, protocol Protocol, grid psiGrid, of func(from [2]float64) float64, from ...int,
) Column {
	grid = grid.ifComplete(p.Attack.Psi)
	models := study.Condition{Column: "unlearned"}
	for _, model := range from {
		models.Numbers = append(models.Numbers, float64(model))
	}
	return always(study.Metric{Name: name, Family: noises, File: distancesFile, By: []string{"psi"},
		Rows: append(atRatios(protocol, grid), models),
		Score: study.Outcomes(how, func(rows study.Rows) []study.Outcome {
			psi, unlearned, means := rows.Words("psi"), rows.Numbers("unlearned"), [2]float64{}
			for i, kid := range rows.Numbers("kid") {
				means[int(unlearned[i])] += grid.weights[slices.Index(grid.Psi, psi[i])] * kid
			}
			return once(of(means), len(psi) > 0)
		}, "kid")})
}

// always returns a column that has the same metric in all rows.
func always(m study.Metric) Column { return func(*AttackScores) study.Metric { return m } }

// once returns the outcome of a score that has a single value per attack, or nil if the value is not known.
func once(value float64, known bool) []study.Outcome {
	if !known {
		return nil
	}
	return []study.Outcome{{Unit: -1, Value: value}}
}

func (v reading) name() string {
	name := fmt.Sprintf("%s, %s", v.protocol, Classifiers[v.classifier])
	if v.grid.Name != "" {
		name += ", " + v.grid.Name
	}
	return name
}

// column returns a column with a score of the classifier's outcomes. The formatting verbs in how are replaced by the
// names of the outcomes' columns.
func (v reading) column(p Preset, name, how string, score func(v []float64) float64, outcomes ...string) Column {
	var named []any
	columns := make([]string, len(outcomes))
	for i, outcome := range outcomes {
		columns[i] = Classifiers[v.classifier] + "_" + outcome
		named = append(named, columns[i])
	}
	if how != "" {
		how = fmt.Sprintf(how, named...)
	}
	return always(p.ofPictures(name, how, v.protocol, v.grid, score, columns...))
}

func first(v []float64) float64 { return v[0] }

// difference returns the quantity d of the paper's code: the absolute difference between the dissimilarity to the
// original's pictures and the dissimilarity to the unlearned model's pictures.
func difference(v []float64) float64 { return math.Abs(v[0] - v[1]) }
