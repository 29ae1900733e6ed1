package salmu

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// CostPoint holds the cost of a method on a variant of the models: the general knowledge that it loses in five passes.
type CostPoint struct {
	Parameters int     // number of the model's parameters
	Classes    int     // number of object classes in the data
	Factor     float64 // multiplier of the learning rates
	certify.Cell
}

// CostCurve holds the costs of one method on several variants of the models.
type CostCurve struct {
	Method string
	Points []CostPoint
}

// costs holds the costs of methods on variants of the models. Each variant differs from the preset in one respect.
type Costs struct {
	BySize, ByClasses, ByFactor []CostCurve
	Orders                      []Order
}

// Order compares how a variant and the paper rank the methods after five passes.
type Order struct {
	Variant    string
	Leak, Know stat.KendallResult // correlations with the paper's RetFail and GenKnow
}

// costs computes the costs on all variants and on the preset's own models.
func (r *Results) costs() Costs {
	var c Costs
	add := func(curves []CostCurve, method string, p CostPoint) []CostCurve {
		for i := range curves {
			if curves[i].Method == method {
				curves[i].Points = append(curves[i].Points, p)
				return curves
			}
		}
		return append(curves, CostCurve{method, []CostPoint{p}})
	}
	usual := r.Preset
	for _, v := range usual.Variants {
		sized, broad, slow := v.Size != usual.Size, v.World != usual.World, v.Factor != 1
		for _, m := range v.Methods {
			p := r.cost(v, m)
			if !broad && !slow {
				c.BySize = add(c.BySize, m.Title, p)
			}
			if !sized && !slow {
				c.ByClasses = add(c.ByClasses, m.Title, p)
			}
			if !sized && !broad {
				c.ByFactor = add(c.ByFactor, m.Title, p)
			}
		}
		c.Orders = append(c.Orders, r.variantOrder(v))
	}
	for _, k := range c.ByFactor {
		slices.SortFunc(k.Points, func(a, b CostPoint) int { return cmp.Compare(a.Factor, b.Factor) })
	}
	return c
}

// cost returns the cost of a method on a variant: the share of objects that the model no longer recognises. It is NaN
// if the method diverged.
func (r *Results) cost(v Variant, m Method) CostPoint {
	p := CostPoint{Parameters: v.Size.Parameters(v.World.ImageSize), Classes: v.World.ObjectClasses, Factor: v.Factor}
	var lost certify.Sample
	knows := r.Preset.column("GenKnow")
	if after := r.ofVariant(v.judgedIn(m)...); !after.Lost() {
		now := knows.Outcomes(after, nil)
		for i, before := range knows.Outcomes(r.variantBase(v), nil) {
			lost.Values = append(lost.Values, before.Value-now[i].Value)
			lost.Units = append(lost.Units, before.Unit)
		}
	}
	values := certify.Repeated(Worlds, knows.Family, []certify.Sample{lost})
	p.Cell = certify.Certify(values, values, 0)
	p.Row, p.Column = m.Title, v.Title
	return p
}

// ofVariant returns scores of a variant, which is in the first world.
func (r *Results) ofVariant(labels ...study.Label) *study.Evaluation { return r.set.Find(0, labels...) }

// variantBase returns the scores of a variant's Compromised model.
func (r *Results) variantBase(v Variant) *study.Evaluation {
	return r.ofVariant(partKey.Is(ofVariants), variantKey.Is(v.Title), modelKey.Is(compromised))
}

// variantOrder compares how a variant and the paper rank the methods.
func (r *Results) variantOrder(v Variant) Order {
	var own, paper [2][]float64
	for _, m := range v.Methods {
		after := r.ofVariant(v.judgedIn(m)...)
		if after.Lost() {
			continue
		}
		for k, name := range []string{"RetFail", "GenKnow"} {
			own[k] = append(own[k], r.Preset.column(name).Mean(after, nil))
			paper[k] = append(paper[k], printedValue("table5", rowName(m, variantBudget), name))
		}
	}
	return Order{v.Title, stat.Kendall(own[0], paper[0]), stat.Kendall(own[1], paper[1])}
}

// printedValue returns the value that a table of the paper prints for a row and column.
func printedValue(item, row, column string) float64 {
	cells, err := papers.Open("salmu", item)
	if err != nil {
		panic(err)
	}
	for _, c := range cells {
		if c.Row == row && c.Column == column {
			value, err := strconv.ParseFloat(c.Value, 64)
			if err != nil {
				panic(err)
			}
			return value
		}
	}
	panic(fmt.Sprintf("salmu: %s has no %s of %s", item, column, row))
}
