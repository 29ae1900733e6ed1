package study

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/internal/excerpt"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Story summarizes the results of a study in plain words. The page and the paper's document begin with it.
//
// Scale, Found and the text of a [Point] are templates of package text/template, so that each number comes from the
// results. Their functions are
//
//	{{cell TABLE ROW COLUMN OPTION...}}     a number of a table of the results; see [excerpt.Show] for the options
//	{{certified TABLE ROW COLUMN OPTION...}}
//	                                        a number of a certified table, with its interval
//	{{printed ITEM ROW COLUMN}}             a number as the paper prints it, such as ITEM "table5"
//	{{own OPTION...}}                       the quantity of the point's claim
//	{{p}}                                   the p-values of the point's claim before and after correction
//	{{count TABLE COLUMN TEXT IN...}}       how many rows have the text in the column and all IN in their names
//	{{names TABLE COLUMN TEXT IN...}}       the last levels of their names
//	{{rows TABLE}}                          how many rows a table has
//	{{least TABLE COLUMN IN OPTION...}}     the least number of a column, in rows with IN in their names; most
//	{{panel TITLE ROW OPTION...}}           the value that a panel of the chart shows for a row
//	{{marks TITLE}}                         how many rows the panel has
//	{{between TITLE WHERE}}                 the least and the largest value of the panel, "here" or in the "paper"
type Story struct {
	Title          string // the paper's full title
	Authors, Venue string
	Link           string // arXiv, DOI or anthology
	Version        string // which version of the paper the study follows, if there are several
	Asks           string // the paper's question
	Quote, Place   string // the paper's own answer, and its place
	Scale          []Size
	Found          string // what the results here show
	Brackets       string // what the intervals in square brackets are
	Points         []Point
	Contradictions []Contradiction
	Chart          func(r Results) []Panel
	Board          Start
}

// Size compares the size of something here with its size in the paper.
type Size struct{ What, Here, Paper string }

// Point states a claim of the paper in plain words. The claim's verdict decides whether it holds here.
type Point struct {
	Claim string // name of the claim
	Says  string // what the paper says
	Text  string // what was measured
}

// Contradiction describes numbers of the paper that contradict each other.
type Contradiction struct {
	Checks []string // checks of the audit that find it
	Says   string
}

// Start is the table and the column that a leaderboard shows first.
type Start struct{ Table, Column string }

// Panel is a chart of one quantity, here and in the paper.
type Panel struct {
	Title string
	About string // how to read it
	Rows  []Mark
}

// Mark is a row of a panel. Missing numbers are NaN.
type Mark struct {
	Name          string
	Reference     bool // a model that methods are compared with
	Guest         bool // a model trained outside the program, which no sentence counts
	Here, Lo, Hi  float64
	Paper         float64
	HereT, PaperT string // the numbers as printed
}

// Told is a story with the numbers of some results.
type Told struct {
	*Story
	Found  string
	Sizes  []Size
	Points []ToldPoint
	Panels []Panel
	// Problems are the errors of templates whose sentences are left out, because the results lack a number.
	Problems []error
}

// ToldPoint is a point with its verdict.
type ToldPoint struct {
	Point
	Judged  certify.Judged
	Verdict string
}

// Tell fills in the numbers of results, whose claims are judged.
func (s *Study) Tell(r Results, judged []certify.Judged) *Told {
	t := &teller{Study: s, results: r, claims: judged, tables: map[string]*report.Table{}}
	told := &Told{Story: &s.Story}
	if s.Story.Chart != nil {
		told.Panels = s.Story.Chart(r)
		t.panels = told.Panels
	}
	told.Found = t.expand(s.Story.Found)
	for _, size := range s.Story.Scale {
		told.Sizes = append(told.Sizes, Size{size.What, t.expand(size.Here), t.expand(size.Paper)})
	}
	for _, p := range s.Story.Points {
		at := slices.IndexFunc(t.claims, func(j certify.Judged) bool { return j.Claim == p.Claim })
		if at < 0 {
			continue
		}
		t.point = t.claims[at]
		p.Text = t.expand(p.Text)
		told.Points = append(told.Points, ToldPoint{p, t.claims[at], VerdictOf(t.claims[at])})
	}
	told.Problems = t.problems
	return told
}

// Main returns the names of the claims that the story is about.
func (s *Story) Main() (names []string) {
	for _, p := range s.Points {
		names = append(names, p.Claim)
	}
	return names
}

// teller executes the templates of a story.
type teller struct {
	*Study
	results  Results
	claims   []certify.Judged
	point    certify.Judged // the claim of the point whose text is expanded
	panels   []Panel
	tables   map[string]*report.Table
	problems []error
}

// expand returns the text of a template, or no text if the results lack a number.
func (t *teller) expand(text string) string {
	parsed, err := template.New(t.Paper).Funcs(template.FuncMap{"cell": t.cell, "certified": t.certified,
		"printed": t.printed, "own": t.own, "p": t.p, "count": t.count, "names": t.names, "marks": t.marks,
		"between": t.between, "rows": t.rows, "least": t.extreme(-1), "most": t.extreme(1), "panel": t.panel}).Parse(text)
	var out strings.Builder
	if err == nil {
		err = parsed.Execute(&out, nil)
	}
	if err != nil {
		t.problems = append(t.problems, err)
		return ""
	}
	return out.String()
}

// table returns a table of the results.
func (t *teller) table(name string) (table *report.Table, err error) {
	if known := t.tables[name]; known != nil {
		return known, nil
	}
	if table, err = t.results.Table(name, false); err == nil {
		t.tables[name] = table
	}
	return table, err
}

// column returns the names of a table's rows and the texts of one of its columns.
func (t *teller) column(table, column string) (names, texts []string, err error) {
	shown, err := t.table(table)
	if err != nil {
		return nil, nil, err
	}
	var columns []string
	for _, c := range shown.Columns {
		columns = append(columns, c.Name)
	}
	at, err := excerpt.Pick("column", column, columns)
	if err != nil {
		return nil, nil, err
	}
	for _, row := range shown.Rows {
		if row.Guest {
			continue // the story is about the paper's methods
		}
		names, texts = append(names, row.Name), append(texts, row.Cells[at].Text)
	}
	return names, texts, nil
}

func (t *teller) cell(table, row, column string, options ...string) (string, error) {
	names, texts, err := t.column(table, column)
	if err != nil {
		return "", err
	}
	at, err := excerpt.Pick("row", row, names)
	if err != nil {
		return "", err
	}
	return excerpt.Show(texts[at], options...)
}

func (t *teller) certified(table, row, column string, options ...string) (string, error) {
	cells, err := t.results.Cells(table)
	if err != nil {
		return "", err
	}
	cells = slices.DeleteFunc(slices.Clone(cells), func(c certify.Cell) bool { return c.Column != column })
	var names []string
	for _, c := range cells {
		names = append(names, c.Row)
	}
	at, err := excerpt.Pick("row", row, names)
	if err != nil {
		return "", err
	}
	c := cells[at]
	return excerpt.Show(fmt.Sprintf("%g [%g, %g]", c.Estimate, c.Lo, c.Hi), options...)
}

func (t *teller) count(table, column, text string, in ...string) (int, error) {
	all, err := t.having(table, column, text, in)
	return len(all), err
}

func (t *teller) names(table, column, text string, in ...string) (string, error) {
	all, err := t.having(table, column, text, in)
	switch n := len(all); n {
	case 0:
		return "none", err
	case 1:
		return all[0], nil
	default:
		return strings.Join(all[:n-1], ", ") + " and " + all[n-1], nil
	}
}

// having returns the last levels of the names of rows that have a text in a column and some words in their names.
func (t *teller) having(table, column, text string, in []string) (all []string, err error) {
	names, texts, err := t.column(table, column)
	for i, name := range names {
		lacks := func(word string) bool { return !strings.Contains(name, word) }
		if texts[i] == text && !slices.ContainsFunc(in, lacks) {
			all = append(all, name[strings.LastIndex(name, "/")+1:])
		}
	}
	return all, err
}

func (t *teller) rows(table string) (int, error) {
	shown, err := t.table(table)
	if err != nil {
		return 0, err
	}
	return len(slices.DeleteFunc(slices.Clone(shown.Rows), func(row report.Row) bool { return row.Guest })), nil
}

// extreme returns the function least (sign -1) or most (sign 1).
func (t *teller) extreme(sign float64) func(table, column, in string, options ...string) (string, error) {
	return func(table, column, in string, options ...string) (string, error) {
		names, texts, err := t.column(table, column)
		if err != nil {
			return "", err
		}
		best, text := math.Inf(-1), ""
		for i, name := range names {
			value, err := strconv.ParseFloat(excerpt.Number.FindString(texts[i]), 64)
			if err == nil && strings.Contains(name, in) && sign*value > best {
				best, text = sign*value, texts[i]
			}
		}
		return excerpt.Show(text, options...)
	}
}

func (t *teller) own(options ...string) (string, error) {
	return excerpt.Show(quantityCell(t.point).Text, options...)
}

func (t *teller) p() (string, error) {
	alone, err := excerpt.Show(pText(t.point, t.point.P), "p")
	if err != nil {
		return "", err
	}
	return alone + " before the correction for many tests, " + pText(t.point, t.point.PAdjusted) + " after it", nil
}

// chart returns a panel.
func (t *teller) chart(title string) (Panel, error) {
	at := slices.IndexFunc(t.panels, func(p Panel) bool { return p.Title == title })
	if at < 0 {
		return Panel{}, fmt.Errorf("the chart has no panel %q", title)
	}
	return t.panels[at], nil
}

func (t *teller) panel(title, row string, options ...string) (string, error) {
	p, err := t.chart(title)
	if err != nil {
		return "", err
	}
	var names []string
	for _, m := range p.Rows {
		names = append(names, m.Name)
	}
	at, err := excerpt.Pick("row", row, names)
	if err != nil {
		return "", err
	}
	return excerpt.Show(p.Rows[at].HereT, options...)
}

func (t *teller) marks(title string) (int, error) {
	p, err := t.chart(title)
	n := 0
	for _, m := range p.Rows {
		if !m.Guest {
			n++
		}
	}
	return n, err
}

func (t *teller) between(title, where string) (string, error) {
	p, err := t.chart(title)
	var all []float64
	for _, m := range p.Rows {
		value := map[string]float64{"here": m.Here, "paper": m.Paper}[where]
		if !math.IsNaN(value) && !m.Guest {
			all = append(all, value)
		}
	}
	if err != nil || len(all) == 0 {
		return "", fmt.Errorf("the panel %q has no values of %s: %v", title, where, err)
	}
	return fmt.Sprintf("%.2f to %.2f", slices.Min(all), slices.Max(all)), nil
}

func (t *teller) printed(item, row, column string) (string, error) {
	cells, err := papers.Open(t.Paper, item)
	for _, c := range cells {
		if c.Row == row && c.Column == column {
			return c.Value, nil
		}
	}
	if err != nil {
		return "", err
	}
	return "", fmt.Errorf("%s has no %q in row %q", item, column, row)
}

// MarkOf returns a certified cell as a mark. The digits are those after the decimal point.
func MarkOf(name string, c certify.Cell, digits int) Mark {
	m := NewMark(name, c.Estimate, c.Lo, c.Hi, digits)
	m.Guest = c.Guest
	return m.Printed(c.Printed)
}

// NewMark returns a mark of an estimate with its interval and without a printed number.
func NewMark(name string, value, lo, hi float64, digits int) Mark {
	m := Mark{Name: name, Here: value, Lo: lo, Hi: hi, Paper: math.NaN()}
	switch {
	case math.IsNaN(value):
	case math.IsNaN(lo):
		m.HereT = fmt.Sprintf("%.*f", digits, value)
	default:
		m.HereT = fmt.Sprintf("%.*f [%.*f, %.*f]", digits, value, digits, lo, digits, hi)
	}
	return m
}

// Printed returns the mark with the number that the paper prints; "" means none.
func (m Mark) Printed(text string) Mark {
	if value, err := strconv.ParseFloat(text, 64); err == nil {
		m.Paper, m.PaperT = value, text
	}
	return m
}

// AsReference returns the mark of a model that methods are compared with.
func (m Mark) AsReference() Mark {
	m.Reference = true
	return m
}

// ChartOf adapts a function that charts results of a study's own type to [Story].
func ChartOf[R Results](chart func(r R) []Panel) func(Results) []Panel {
	return func(r Results) []Panel { return chart(r.(R)) }
}
