package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Against compares every other row of a table with the row called name, on the examples that both rows have. The name
// is complete, such as "DELETE/5x", or only a method, such as "DELETE"; each row is then compared with the method at
// its own budget. Case does not matter. P-values are adjusted over the study's own comparisons, and separately for each
// imported model.
func (r *Results) Against(number, name string) (*study.Comparisons, error) {
	rows, metrics, err := r.rowsOf(number)
	if err != nil {
		return nil, err
	}
	if number == "5" {
		rows = append(rows, r.guestRows()...)
	}
	found, err := table.AgainstNamed(rows, study.Columns(metrics, r.references()), number, name)
	if err != nil {
		return nil, err
	}
	found.Title, found.Corners = fmt.Sprintf("%s (%s)", found.Title, r.Preset.Name), []string{"Method"}
	return found, nil
}
