package certify

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Comparison is the difference between two rows of a table in one column.
type Comparison struct {
	Row           string   `json:"row"`
	Levels        []string `json:"-"` // levels of Row, as in [Cell]
	Column        string   `json:"column"`
	Against       string   `json:"against"`
	AgainstLevels []string `json:"-"`
	Estimate      float64  `json:"estimate"` // value of Row minus value of Against
	Lo            float64  `json:"lo"`
	Hi            float64  `json:"hi"`
	N             int      `json:"n"`     // number of outcomes of Row
	Seeds         int      `json:"seeds"` // number of repetitions that both rows have
	P             float64  `json:"p"`
	PAdjusted     float64  `json:"p_adjusted"` // P corrected by Holm's method, see [AdjustComparisons]
	Basis         Basis    `json:"basis"`
	Guest         bool     `json:"guest,omitempty"` // Row shows an imported model
}

// MarshalJSON writes NaN and infinities as null.
func (c Comparison) MarshalJSON() ([]byte, error) {
	type plain Comparison
	return withoutNaN(plain(c), map[string]float64{"estimate": c.Estimate, "lo": c.Lo, "hi": c.Hi, "p": c.P,
		"p_adjusted": c.PAdjusted})
}

// Differs reports whether the rows differ after the correction.
func (c Comparison) Differs() bool { return c.PAdjusted < alpha }

// Compare estimates the difference of two means. It pairs outcomes of the repetitions and units that both means share.
func Compare(value, against Outcomes) Comparison {
	cell := Certify(value, against, 0)
	return Comparison{Estimate: cell.Difference, Lo: cell.DifferenceLo, Hi: cell.DifferenceHi, N: cell.N,
		Seeds: cell.Seeds, P: cell.DifferenceP, PAdjusted: math.NaN(), Basis: cell.Basis}
}

// AdjustComparisons fills the adjusted p-values by Holm's method, over all comparisons of the study's rows. Each row of
// an imported model is corrected by itself, so that imported models do not change the numbers of other rows.
// Comparisons without a p-value are left out.
func AdjustComparisons(all []Comparison) {
	families := map[string][]int{}
	for i, c := range all {
		family := "" // the study's own rows
		if c.Guest {
			family = c.Row
		}
		families[family] = append(families[family], i)
	}
	for _, of := range families {
		tests := holm(len(of), func(k int) float64 { return all[of[k]].P }, func(k int, p float64) { all[of[k]].PAdjusted = p })
		for _, i := range of {
			all[i].Basis.Tests = tests
		}
	}
}

// ComparisonTable tabulates comparisons with the given number of decimals. The caller sets the title and the header of
// the row names.
func ComparisonTable(all []Comparison, decimals int) *report.Table {
	t := &report.Table{}
	var bases []Basis
	for i, c := range all {
		if i == 0 || c.Row != all[i-1].Row {
			t.Rows = append(t.Rows, report.Row{Name: c.Row, Levels: c.Levels})
		}
		if c.Row == all[0].Row {
			t.Columns = append(t.Columns, report.Column{Name: c.Column})
		}
		text := "–"
		if !math.IsNaN(c.Estimate) {
			text = fmt.Sprintf("%+.*f", decimals, c.Estimate)
			if c.Differs() {
				text += "*"
			}
		}
		if !math.IsNaN(c.Lo) {
			text += fmt.Sprintf("\n[%+.*f, %+.*f]", decimals, c.Lo, decimals, c.Hi)
			bases = append(bases, c.Basis)
		}
		last := &t.Rows[len(t.Rows)-1]
		cell := report.Number(text, c.Estimate)
		if !math.IsNaN(c.Lo) {
			cell.Range = &report.Range{Lo: c.Lo, Hi: c.Hi}
		}
		last.Cells = append(last.Cells, cell)
	}
	if len(bases) > 0 {
		t.Note = "Differences with intervals of 95 %. A star: the rows differ. " + Describe(bases) + "."
	}
	return t
}
