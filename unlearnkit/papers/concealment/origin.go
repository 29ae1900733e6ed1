package concealment

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Origin returns the runs and rows that a cell of a table was computed from. Cells of Table 4 are figure numbers.
func (r *Results) Origin(number, name, column string) (*study.Origin, error) {
	origin := &study.Origin{Study: Study, Preset: r.Preset.Name, Store: r.store,
		How: "the number of the figure in which the paper shows the prompt"}
	if number == "4" {
		return origin, nil
	}
	columns, rows := r.Preset.Columns(), r.rowsOf(number)
	at := slices.IndexFunc(columns, func(c Column) bool { return c.name() == column })
	of := slices.IndexFunc(rows, func(row *AttackScores) bool { return row.Prompt.Paper == name })
	if at >= 0 && of < 0 {
		for _, row := range slices.Concat(r.guestRows(number)...) {
			if row.name() == name {
				origin.How = "of each model " + columns[at](row.AttackScores).How() + ", then the mean of the models"
				origin.Readings = row.of.readings(columns[at], row.AttackScores)
				return origin, nil
			}
		}
	}
	if at < 0 || of < 0 {
		return nil, fmt.Errorf("table %s has no %s of %s", number, column, name)
	}
	origin.How = "of each model " + columns[at](rows[of]).How() + ", then the mean of the models"
	origin.Readings = r.readings(columns[at], rows[of])
	origin.Samples = func() []study.Sample { return r.samples(columns[at], rows[of]) }
	return origin, nil
}
