package causal

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Name returns the row's token, with a star if it belongs to the subject.
func (r Row) Name() string {
	if r.Part == SubjectPart {
		return r.Token + " *"
	}
	return r.Token
}

// rounding is the share of the clean probability below which an effect is a rounding error of single precision.
const rounding = 1e-5

// resolution is the share of the clean probability to which effects are printed, well above rounding.
const resolution = 1e-3

// Table lists for each row the largest effect of each kind of activation and its layer, counted from 0, or a dash if no
// layer has an effect. The maps hold the other layers. A skipped trace has no rows; the note has the reason.
func (t *Trace) Table() *report.Table {
	table := &report.Table{
		Title:  fmt.Sprintf("Layers that carry %.40q from %.40q, compared with %.40q", t.Answer, t.Subject, t.Substitute),
		Corner: "token", Columns: []report.Column{{Name: "part", Words: true}},
		Note: t.note(),
	}
	for _, m := range t.Maps {
		table.Columns = append(table.Columns, report.Column{Name: m.Site + "/layer"},
			report.Column{Name: m.Site + "/IE"}, report.Column{Name: m.Site + "/of TE"})
	}
	if t.Skipped != "" {
		return table
	}
	decimals := int(math.Ceil(-math.Log10(resolution * t.Clean)))
	for i, row := range t.Rows {
		cells := []report.Cell{report.Word(string(row.Part))}
		for _, m := range t.Maps {
			best := 0
			for layer, effect := range m.Effects[i] {
				if effect > m.Effects[i][best] {
					best = layer
				}
			}
			effect, share := m.Effects[i][best], m.Shares[i][best]
			if effect < rounding*t.Clean {
				cells = append(cells, report.Word("–"), report.Word("–"), report.Word("–"))
				continue
			}
			cells = append(cells, report.Number(fmt.Sprint(best), float64(best)),
				report.Number(fmt.Sprintf("%.*f", decimals, effect), effect),
				report.Number(fmt.Sprintf("%.2f", share), share))
		}
		table.Rows = append(table.Rows, report.Row{Name: row.Name(), Cells: cells})
	}
	return table
}

func (t *Trace) note() string {
	if t.Skipped != "" {
		return t.Skipped
	}
	layers := "one layer is restored at a time"
	if t.Window > 1 {
		layers = fmt.Sprintf("%d layers are restored at a time", t.Window)
	}
	return fmt.Sprintf("P(answer) is %.3g clean and %.3g corrupted, TE %.3g; %s. A star marks the subject.", t.Clean,
		t.Corrupted, t.Total, layers)
}
