package concealment

import (
	"fmt"
	"strings"
)

// NotShown says that a preset has no prompt that a table or figure shows.
type NotShown struct {
	Preset string
	What   string   // "figure 5", "table 3"
	Shown  []string // the numbers of those that it has
}

func (e *NotShown) Error() string {
	return fmt.Sprintf("the preset %s has no prompt of %s; it has %s", e.Preset, e.What, strings.Join(e.Shown, ", "))
}

// noTable is the error of a table that the preset has no prompt of.
func (r *Results) noTable(number string) error {
	var shown []string
	for _, other := range TableNumbers {
		if len(r.rowsOf(other)) > 0 {
			shown = append(shown, other)
		}
	}
	return &NotShown{r.Preset.Name, "table " + number, shown}
}
