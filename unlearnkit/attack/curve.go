package attack

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// Estimate is a number with its 95 % interval. The limits are NaN if there are too few units.
type Estimate struct {
	Value, Lo, Hi float64
}

// Point is the recovery at a budget.
type Point struct {
	Budget Budget
	Estimate
	N int // number of units
}

// Curve is the recovery of one model over the budgets.
type Curve struct {
	Model  Model
	Column Column
	Axis   string
	Points []Point
	// Area is the area under the curve by the trapezoidal rule, divided by the range of the budgets: a mean recovery.
	// Its interval is over the areas of single units. It is NaN for a single budget.
	Area Estimate
}

// Curve computes a model's curve of a column. Intervals are Wilson's for shares, and BCa bootstrap intervals over units
// otherwise.
func (r *Result) Curve(model, column string) (Curve, error) {
	m := slices.IndexFunc(r.Models, func(m Model) bool { return m.Name == model })
	c := slices.IndexFunc(r.Columns, func(c Column) bool { return c.Name == column })
	if m < 0 || c < 0 {
		return Curve{}, fmt.Errorf("attack: there is no model %q with a column %q", model, column)
	}
	values, err := r.byBudget(model, c)
	if err != nil {
		return Curve{}, err
	}
	curve := Curve{Model: r.Models[m], Column: r.Columns[c], Axis: r.Axis}
	for i, budget := range r.Budgets {
		curve.Points = append(curve.Points, Point{budget, estimate(values[i], curve.Column.Share), len(values[i])})
	}
	curve.Area = mean(areas(r.Budgets, values))
	return curve, nil
}

// byBudget returns the values of a model's units at each budget, with the units in the same order at all budgets.
func (r *Result) byBudget(model string, column int) ([][]float64, error) {
	places := map[uint64]int{}
	values := make([][]float64, len(r.Budgets))
	for _, row := range r.Rows {
		if row.Model != model {
			continue
		}
		if _, met := places[row.Unit]; !met {
			places[row.Unit] = len(places)
		}
		if place := places[row.Unit]; place != len(values[row.Budget]) {
			return nil, fmt.Errorf("attack: %s: unit %d at %s %s is out of order or there twice", model, row.Unit,
				r.Axis, r.Budgets[row.Budget].Text)
		}
		values[row.Budget] = append(values[row.Budget], row.Values[column])
	}
	for i := range values {
		if len(values[i]) != len(places) || len(places) == 0 {
			return nil, fmt.Errorf("attack: %s has %d units at %s %s, %d in all", model, len(values[i]), r.Axis,
				r.Budgets[i].Text, len(places))
		}
	}
	return values, nil
}

func estimate(values []float64, share bool) Estimate {
	if !share {
		return mean(values)
	}
	right := 0
	for _, value := range values {
		switch value {
		case 1:
			right++
		case 0:
		default:
			return Estimate{math.NaN(), math.NaN(), math.NaN()}
		}
	}
	return Share{right, len(values)}.Estimate()
}

// Estimate returns the share with Wilson's interval, or NaN if it was not measured.
func (s Share) Estimate() Estimate {
	e := stat.Wilson(s.Right, s.Of)
	return Estimate{e.Value, e.Lo, e.Hi}
}

// mean returns the mean over units with a bootstrap interval. If all values of two or more units are equal, both limits
// equal the mean.
func mean(values []float64) Estimate {
	b := stat.BootstrapMean(values)
	if len(values) > 1 && slices.Min(values) == slices.Max(values) {
		return Estimate{b.Estimate, b.Estimate, b.Estimate}
	}
	return Estimate{b.Estimate, b.Lo, b.Hi}
}

// areas returns the areas under the curves of single units.
func areas(budgets []Budget, values [][]float64) []float64 {
	areas := make([]float64, len(values[0]))
	last := len(budgets) - 1
	for i := range last {
		width := (budgets[i+1].Value - budgets[i].Value) / (budgets[last].Value - budgets[0].Value)
		for unit := range areas {
			areas[unit] += float64(width * (values[i][unit] + values[i+1][unit]) / 2)
		}
	}
	if last == 0 {
		for unit := range areas {
			areas[unit] = math.NaN()
		}
	}
	return areas
}

// Passing holds the budgets at which a model's recovery exceeds gold's. Beyond them, recovery comes from the model's
// remaining knowledge.
type Passing struct {
	Separated float64 // first budget at which the model's interval is above gold's, or NaN
	Crossing  float64 // first budget at which the curve rises above gold's, interpolated linearly, or NaN
}

// Passes compares a curve with gold's curve of the same column and budgets.
func (c Curve) Passes(gold Curve) Passing {
	if len(c.Points) != len(gold.Points) || c.Column != gold.Column {
		panic(fmt.Sprintf("attack: the curves of %s and %s are not comparable", c.Model.Name, gold.Model.Name))
	}
	p := Passing{math.NaN(), math.NaN()}
	gap := make([]float64, len(c.Points))
	at := make([]float64, len(c.Points))
	for i, point := range c.Points {
		at[i], gap[i] = point.Budget.Value, point.Value-gold.Points[i].Value
		if math.IsNaN(p.Separated) && point.Lo > gold.Points[i].Hi {
			p.Separated = at[i]
		}
	}
	p.Crossing = rises(at, gap)
	return p
}

// Reaches returns the budget at which the curve first rises above a level, interpolated linearly, or NaN. For gold's
// curve it is the budget from which recovery proves nothing.
func (c Curve) Reaches(level float64) float64 {
	var at, over []float64
	for _, point := range c.Points {
		at, over = append(at, point.Budget.Value), append(over, point.Value-level)
	}
	return rises(at, over)
}

// rises returns where y first rises above zero.
func rises(x, y []float64) float64 {
	for i := range y {
		switch {
		case !(y[i] > 0):
		case i == 0:
			return x[0]
		default:
			return x[i-1] + float64((x[i]-x[i-1])*-y[i-1]/(y[i]-y[i-1]))
		}
	}
	return math.NaN()
}
