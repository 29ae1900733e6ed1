package unslu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Against compares every other row of a table with the row called name, which is a complete row name or only a model.
func (r *Results) Against(number, name string) (*study.Comparisons, error) {
	parts, err := r.guestParts(number)
	if err != nil {
		return nil, err
	}
	all, err := table.Compare(parts, number, name)
	if err != nil {
		return nil, err
	}
	_, method := apart(all[0].AgainstLevels)
	return &study.Comparisons{Title: fmt.Sprintf("Table %s, each row less %s (%s)", number, method, r.Preset.Name),
		Corners: []string{"Method"}, Digits: 3, All: all}, nil
}
