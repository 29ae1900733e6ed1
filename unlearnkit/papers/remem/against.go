package remem

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Against compares every other row of a table with the row called name, which is a complete row name or only a model.
// Imported models are compared in the worlds that the user has imported.
func (r *Results) Against(number, name string) (*study.Comparisons, error) {
	parts, err := r.parts(number)
	if err != nil {
		return nil, err
	}
	all, err := table.Compare(parts, number, name)
	if number == methodsTable {
		all = append(all, r.guestsAgainst(name)...)
	}
	if err != nil && len(all) == 0 {
		return nil, err
	}
	return &study.Comparisons{Title: fmt.Sprintf("Table %s, each row less %s (%s)", number, name, r.Preset.Name),
		Corners: []string{"Size", "Model"}, Digits: 2, All: all}, nil
}

// guestsAgainst compares each imported model with the row of its size that is called name. If name is an imported model,
// it compares all rows of the size with that model.
func (r *Results) guestsAgainst(name string) (all []certify.Comparison) {
	for size := range r.Preset.Sizes {
		r.guests(size, func(_, beside *Results) {
			p := beside.lay(0, methodColumns(), beside.methodLines(0, 0)...)
			p.Rows[len(p.Rows)-1].Guest = true
			compared, err := table.Compare([]part{p}, methodsTable, name)
			if err != nil {
				return // name is a complete row name of another size
			}
			for _, c := range compared {
				if c.Guest || c.Against == p.Rows[len(p.Rows)-1].Name {
					all = append(all, c)
				}
			}
		})
	}
	return all
}
