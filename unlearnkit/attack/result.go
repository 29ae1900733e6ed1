package attack

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Role is the role of a model in an attack.
type Role string

const (
	Unlearned Role = "unlearned"
	Gold      Role = "gold" // trained without the data that the other models forget
)

// Model is an attacked model.
type Model struct {
	Name     string `json:"name"`
	Role     Role   `json:"role"`
	Retained Share  `json:"retained"` // accuracy on the data to retain
}

// Share is a count of successes. A Share with Of = 0 was not measured.
type Share struct {
	Right int `json:"right"`
	Of    int `json:"of"`
}

// Measured reports whether Of is positive.
func (s Share) Measured() bool { return s.Of > 0 }

// Column describes a score that every row has.
type Column struct {
	Name     string `json:"name"`
	Label    string `json:"label"`
	Share    bool   `json:"share,omitempty"`    // values are 0 and 1, and their mean is a share
	Recovery bool   `json:"recovery,omitempty"` // the score increases with recovery, so it is compared with gold's
}

// Row is the result for one unit, usually a seed, of one model at one budget.
type Row struct {
	Model  string    // name of the model
	Budget int       // index of the budget
	Unit   uint64    // number of the unit, the same at every budget and in every model
	Values []float64 // scores, one per column; NaN if missing
}

// Result is the result of an attack.
type Result struct {
	Attack  string
	Axis    string
	Budgets []Budget
	Models  []Model
	Columns []Column
	Rows    []Row
}

// first returns the first model with a role.
func (r *Result) first(role Role) (Model, bool) {
	for _, m := range r.Models {
		if m.Role == role {
			return m, true
		}
	}
	return Model{}, false
}

// Lacks lists what is missing to interpret the recovery, a sentence each.
func (r *Result) Lacks() []string {
	lacks := []string{}
	if _, ok := r.first(Gold); !ok {
		lacks = append(lacks, "there is no gold model: the attack itself may have caused the recovery")
	}
	for _, m := range r.Models {
		if !m.Retained.Measured() {
			lacks = append(lacks, fmt.Sprintf("the retained accuracy of %s was not measured: a destroyed model also "+
				"has a flat curve", m.Name))
		}
	}
	return lacks
}

// WriteParquet writes the raw rows: model, budget, unit, and a column for each score.
func (r *Result) WriteParquet(path string) error {
	columns := []safefile.Column{{Name: "model", Texts: []string{}}, {Name: "budget", Values: []float64{}},
		{Name: "unit", Values: []float64{}}}
	for _, c := range r.Columns {
		columns = append(columns, safefile.Column{Name: c.Name, Values: []float64{}})
	}
	for _, row := range r.Rows {
		columns[0].Texts = append(columns[0].Texts, row.Model)
		columns[1].Values = append(columns[1].Values, r.Budgets[row.Budget].Value)
		columns[2].Values = append(columns[2].Values, float64(row.Unit))
		for i, value := range row.Values {
			columns[3+i].Values = append(columns[3+i].Values, value)
		}
	}
	return safefile.WriteParquet(path, columns)
}
