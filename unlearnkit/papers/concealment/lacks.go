package concealment

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// noPromptOf returns the error that the preset has no prompt of a figure or table; it lists those that the preset
// has.
func (r *Results) noPromptOf(what string, shown []string) error {
	why := fmt.Sprintf("has no prompt of %s; it has %s", what, strings.Join(shown, ", "))
	return &study.Lacks{Preset: r.Preset.Name, Why: why}
}

// noTable returns the error that the preset has no prompt of a table.
func (r *Results) noTable(number string) error {
	var shown []string
	for _, other := range TableNumbers {
		if len(r.rowsOf(other)) > 0 {
			shown = append(shown, other)
		}
	}
	return r.noPromptOf("table "+number, shown)
}
