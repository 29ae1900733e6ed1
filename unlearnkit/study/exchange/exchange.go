// Package exchange writes study results in two formats of other projects: records of Every Eval Ever, and results for
// model pages on Hugging Face.
package exchange

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// A Table is a table of a study, with the version and the time that its records report.
type Table struct {
	Study   *study.Study
	Results study.Results
	Number  string
	Preset  string
	Cells   []certify.Cell // all rows of the table, or a part of them
	Version string         // version of the program
	Time    time.Time      // creation time of the records

	Dataset string // benchmark on Hugging Face, as OWNER/NAME
	Page    string // address of a page that shows the confidence intervals; "" for none
}

// model is a row of the table with its cells.
type model struct {
	name  string
	cells []certify.Cell
}

// models returns the rows of the table. It skips cells without a value or without outcomes, and rows that have no other
// cells.
func (t Table) models() (all []model) {
	for _, c := range t.Cells {
		if math.IsNaN(c.Estimate) || c.N == 0 {
			continue
		}
		at := slices.IndexFunc(all, func(m model) bool { return m.name == c.Row })
		if at < 0 {
			at = len(all)
			all = append(all, model{name: c.Row})
		}
		all[at].cells = append(all[at].cells, c)
	}
	return all
}

// metric returns the study's metric of a column.
func (t Table) metric(column string) study.Metric {
	for _, m := range t.Study.Columns {
		if m.Name == column {
			return m
		}
	}
	return study.Metric{Name: column, Better: report.Nearest}
}

// title returns the table's title, such as "salmu, table 5, preset mini".
func (t Table) title() string {
	return fmt.Sprintf("%s, table %s, preset %s", t.Study.Paper, t.Number, t.Preset)
}

// better returns which values of a metric are better, in words.
func better(m study.Metric, c certify.Cell) string {
	switch {
	case m.Better == report.Higher:
		return "higher"
	case m.Better == report.Lower:
		return "lower"
	case !math.IsNaN(c.Target) && c.Verdict != "":
		return "nearest to the target"
	}
	return "none"
}

// details returns the numbers of a cell that the formats have no fields for.
func details(c certify.Cell) map[string]string {
	all := map[string]string{"repetitions": strconv.Itoa(c.Seeds)}
	add := func(name string, v float64) {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			all[name] = strconv.FormatFloat(v, 'g', -1, 64)
		}
	}
	if c.Verdict != "" {
		all["verdict"] = string(c.Verdict)
		add("target", c.Target)
		add("margin", c.Margin)
		add("difference", c.Difference)
		add("difference_lower", c.DifferenceLo)
		add("difference_upper", c.DifferenceHi)
		add("difference_p_value", c.DifferenceP)
		add("difference_p_value_holm", c.DifferenceAdjusted)
		add("equivalence_p_value", c.TOSTP)
	}
	if c.Printed != "" {
		all["printed_in_the_paper"] = c.Printed
	}
	if c.Warning != "" {
		all["warning"] = c.Warning
	}
	var keys []string
	for _, run := range c.From {
		keys = append(keys, run.Key)
	}
	if len(keys) > 0 {
		all["runs"] = strings.Join(keys, " ")
	}
	return all
}

// slug converts text to lower-case letters, digits, dots and hyphens, for paths and identifiers.
func slug(text string) string {
	var out strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '.':
			out.WriteRune(r)
		case out.Len() > 0 && !strings.HasSuffix(out.String(), "-"):
			out.WriteByte('-')
		}
	}
	return strings.Trim(out.String(), "-.")
}

// folders returns a folder name for each model. Models with equal slugs get numbered folders.
func folders(models []model) []string {
	names, count := make([]string, len(models)), map[string]int{}
	for i, m := range models {
		name := slug(m.name)
		if count[name]++; count[name] > 1 {
			name += "-" + strconv.Itoa(count[name])
		}
		names[i] = name
	}
	return names
}
