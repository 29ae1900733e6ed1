package exposure

import (
	"fmt"
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Table tabulates the candidates with their ranks.
func (r *Ranking) Table() *report.Table { return r.table(r.Candidates) }

// Top tabulates the n most likely candidates and the true one, or all candidates if n is 0.
func (r *Ranking) Top(n int) *report.Table {
	if n == 0 {
		return r.Table()
	}
	var shown []Candidate
	for i, c := range r.Candidates {
		if i < n || c.True {
			shown = append(shown, c)
		}
	}
	t := r.table(shown)
	if len(shown) < len(r.Candidates) {
		t.Note = strings.TrimSpace(fmt.Sprintf("%d of %d candidates are shown. %s", len(shown), len(r.Candidates),
			t.Note))
	}
	return t
}

func (r *Ranking) table(shown []Candidate) *report.Table {
	t := &report.Table{
		Title: fmt.Sprintf("Candidates after %.80q", r.Prefix), Corner: "rank",
		Columns: []report.Column{{Name: "candidate", Words: true}, {Name: "perplexity"}, {Name: "Exposure"},
			{Name: "inverse"}, {Name: fmt.Sprintf("Min-%d %%", minKPercent)}, {Name: "tokens"}},
	}
	exposure := exposureFormat(len(r.Candidates))
	for _, c := range shown {
		name := c.Text
		if c.True {
			name += " (true)"
		}
		t.Rows = append(t.Rows, report.Row{Name: fmt.Sprint(c.Rank), Cells: []report.Cell{report.Word(name),
			cell("%.4g", c.Perplexity), cell(exposure, c.Exposure), cell("%.4f", c.InversePerplexity),
			cell("%.4f", c.MinK), cell("%.0f", float64(c.Tokens))}})
	}
	if r.Truth != nil {
		t.Note = r.Truth.String()
	}
	return t
}

// String compares the rank with chance.
func (t Truth) String() string {
	if t.Candidates < 2 {
		return fmt.Sprintf("%.60q is the only candidate: there is nothing to rank it against.", t.Text)
	}
	format := "%.60q has rank %d of %d, Exposure " + exposureFormat(t.Candidates) + "; chance gives %.1f, and a rank " +
		"at least as good with probability %.3g."
	note := fmt.Sprintf(format, t.Text, t.Rank, t.Candidates, t.Exposure, t.ChanceExposure, t.Chance)
	if t.Ties > 0 {
		note += fmt.Sprintf(" It shares its rank with %d.", t.Ties)
	}
	return note
}

// exposureFormat returns a format with enough digits to distinguish neighbouring ranks.
func exposureFormat(candidates int) string {
	digits := 1
	for step := 100 / math.Max(1, float64(candidates-1)); step < .1; step *= 10 {
		digits++
	}
	return fmt.Sprintf("%%.%df", digits)
}

// Table tabulates every secret's rank. The note has the mean.
func (s *Summary) Table() *report.Table {
	t := &report.Table{
		Title: fmt.Sprintf("Exposure of %d secrets", len(s.Items)), Corner: "item",
		Columns: []report.Column{{Name: "prefix", Words: true}, {Name: "truth", Words: true}, {Name: "rank"},
			{Name: "perplexity"}, {Name: "Exposure"}, {Name: "by chance"}},
		Note: s.note(),
	}
	for i, r := range s.Items {
		perplexity := math.NaN()
		for _, c := range r.Candidates {
			if c.True {
				perplexity = c.Perplexity
			}
		}
		t.Rows = append(t.Rows, report.Row{Name: fmt.Sprint(i + 1), Cells: []report.Cell{
			report.Word(fmt.Sprintf("%.60s", r.Prefix)), report.Word(r.Truth.Text),
			report.Number(fmt.Sprintf("%d of %d", r.Truth.Rank, r.Truth.Candidates), float64(r.Truth.Rank)),
			cell("%.4g", perplexity), cell(exposureFormat(r.Truth.Candidates), r.Truth.Exposure),
			cell("%.3g", r.Truth.Chance)}})
	}
	return t
}

// note describes the uncertainty of the mean.
func (s *Summary) note() string {
	if s.N == 0 {
		return "Every secret has a single candidate: there is nothing to rank them against."
	}
	note := fmt.Sprintf("Mean Exposure %.1f", s.Mean)
	if math.IsNaN(s.Lo) {
		note += " of one secret, or of secrets of one group, which has no interval"
	} else {
		note += fmt.Sprintf(" [%.1f, %.1f], 95 %% by %s; p = %.3g against chance", s.Lo, s.Hi, s.Basis, s.P)
	}
	note += fmt.Sprintf(", which gives %.1f. By chance: the probability of a rank at least as good.", s.Chance)
	if s.Skipped > 0 {
		note += fmt.Sprintf(" %d secrets with a single candidate are left out.", s.Skipped)
	}
	return note
}

// cell formats a number, or a dash for NaN.
func cell(format string, value float64) report.Cell {
	if math.IsNaN(value) {
		return report.Word("–")
	}
	return report.Number(fmt.Sprintf(format, value), value)
}
