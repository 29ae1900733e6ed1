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

// Story summarizes the results of a study in plain words. It begins the web page and the paper's document.
//
// Scale, Found and the text of a [Point] are templates of package text/template, so that each number comes from the
// results. Their functions are
//
//	{{cell TABLE ROW COLUMN OPTION...}}     a number of a table of the results; see [excerpt.Show] for the options
//	{{certified TABLE ROW COLUMN OPTION...}}
//	                                        a number of a certified table, with its interval
//	{{printed ITEM ROW COLUMN}}             a number as the paper prints it, such as ITEM "table5"
//	{{own OPTION...}}                       the number that the point's claim is about
//	{{measured LIMIT OPTION...}}            this number plus the limit that the claim subtracts
//	{{held}}                                the repetitions in which the claim is true, such as 3 of 10 worlds
//	{{p}}                                   the p-values of the point's claim before and after correction
//	{{count TABLE COLUMN TEXT IN...}}       number of rows with the text in the column and all IN in their names
//	{{names TABLE COLUMN TEXT IN...}}       the last parts of these rows' names
//	{{rows TABLE}}                          number of rows of a table
//	{{least TABLE COLUMN IN OPTION...}}     smallest value of a column in rows with IN in their names; also most
//	{{panel TITLE ROW OPTION...}}           the value that a panel of the chart shows for a row
//	{{marks TITLE}}                         number of rows of the panel
//	{{between TITLE WHERE}}                 smallest and largest value of the panel, WHERE is "here" or "paper"
type Story struct {
	Title          string // the paper's full title
	Authors, Venue string
	Link           string // address of the paper: arXiv, DOI or ACL Anthology
	Version        string // which version of the paper the study follows, if there are several
	Asks           string // the question that the paper asks
	Quote, Place   string // the paper's own answer, and where it is printed
	Scale          []Size
	Found          string // template: what the study's results show
	Brackets       string // explains the intervals in square brackets
	Points         []Point
	Contradictions []Contradiction
	Chart          func(r Results) []Panel
	Board          Start
}

// Size compares the size of something in the study with its size in the paper.
type Size struct{ What, Here, Paper string }

// Point states a claim of the paper in plain words. The verdict on the claim decides whether the point holds.
type Point struct {
	Claim string // name of the claim
	Says  string // what the paper says
	Text  string // template: what the study measured
}

// Contradiction describes printed numbers of the paper that contradict each other.
type Contradiction struct {
	Checks []string // names of the audit's checks that find it
	Says   string
}

// Start names the table whose scores a leaderboard shows first. Forgot and Kept are the columns of what was forgotten and
// of what was kept, which it shows together, and Column is the one of its single scores.
type Start struct{ Table, Column, Forgot, Kept string }

// Panel is a chart of one quantity, with the study's values and the paper's.
type Panel struct {
	Title string
	About string // how to read the panel
	Rows  []Mark
}

// Mark is a row of a panel. Unknown numbers are NaN.
type Mark struct {
	Name          string
	Reference     bool // the row is a reference model
	Guest         bool // the row is a user's model, which the sentences do not count
	Here, Lo, Hi  float64
	Paper         float64
	HereT, PaperT string // both values as they are shown
}

// FilledStory is a story filled in with a study's results.
type FilledStory struct {
	*Story
	Found    string
	Brackets string
	Sizes    []Size
	Points   []ToldPoint
	Panels   []Panel
	// Problems holds the errors of templates that are left out because the results lack a number.
	Problems []error
}

// ToldPoint is a point filled in, with the verdict on its claim.
type ToldPoint struct {
	Point
	Judged  certify.Judged
	Verdict string
}

// FillStory fills in a study's story with the numbers of results and the verdicts on their claims.
func (s *Study) FillStory(r Results, judged []certify.Judged) *FilledStory {
	t := &storyFiller{Study: s, results: r, claims: judged, tables: map[string]*report.Table{}}
	told := &FilledStory{Story: &s.Story}
	if s.Story.Chart != nil {
		told.Panels = s.Story.Chart(r)
		t.panels = told.Panels
	}
	told.Found, told.Brackets = t.expand(s.Story.Found), t.expand(s.Story.Brackets)
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

// storyFiller executes the templates of a story.
type storyFiller struct {
	*Study
	results  Results
	claims   []certify.Judged
	point    certify.Judged // claim of the point whose template is being expanded
	panels   []Panel
	tables   map[string]*report.Table
	problems []error
}

// expand executes a template. It returns "" if the results lack a number.
func (t *storyFiller) expand(text string) string {
	parsed, err := template.New(t.Paper).Funcs(template.FuncMap{"cell": t.cell, "certified": t.certified,
		"printed": t.printed, "own": t.own, "measured": t.measured, "held": t.held, "p": t.p,
		"repetitions": t.repetitions, "count": t.count, "names": t.names, "marks": t.marks,
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

// table returns a table of the results by name.
func (t *storyFiller) table(name string) (table *report.Table, err error) {
	if known := t.tables[name]; known != nil {
		return known, nil
	}
	if table, err = t.results.Table(name, false); err == nil {
		t.tables[name] = table
	}
	return table, err
}

// column returns a column of a table, without guests.
func (t *storyFiller) column(table, column string) (found excerpt.Column, err error) {
	shown, err := t.table(table)
	if err != nil {
		return found, err
	}
	var columns []string
	for _, c := range shown.Columns {
		columns = append(columns, c.Name)
	}
	at, err := excerpt.Pick("column", column, columns)
	if err != nil {
		return found, err
	}
	for _, row := range shown.Rows {
		if !row.Guest { // sentences count only the paper's methods
			found.Rows, found.Texts = append(found.Rows, row.Name), append(found.Texts, row.Cells[at].Text)
		}
	}
	return found, nil
}

func (t *storyFiller) cell(table, row, column string, options ...string) (string, error) {
	found, err := t.column(table, column)
	if err != nil {
		return "", err
	}
	return found.Cell(row, options...)
}

func (t *storyFiller) certified(table, row, column string, options ...string) (string, error) {
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

func (t *storyFiller) count(table, column, text string, in ...string) (int, error) {
	all, err := t.having(table, column, text, in)
	return len(all), err
}

func (t *storyFiller) names(table, column, text string, in ...string) (string, error) {
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

// having returns the last parts of the names of matching rows: rows with a text in a column and all given words in
// their names.
func (t *storyFiller) having(table, column, text string, in []string) (all []string, err error) {
	found, err := t.column(table, column)
	for _, name := range found.Having(text, in...) {
		all = append(all, name[strings.LastIndex(name, "/")+1:])
	}
	return all, err
}

func (t *storyFiller) rows(table string) (int, error) {
	shown, err := t.table(table)
	if err != nil {
		return 0, err
	}
	return len(slices.DeleteFunc(slices.Clone(shown.Rows), func(row report.Row) bool { return row.Guest })), nil
}

// extreme returns the template function least if sign is -1, and most if sign is 1.
func (t *storyFiller) extreme(sign float64) func(table, column, in string, options ...string) (string, error) {
	return func(table, column, in string, options ...string) (string, error) {
		found, err := t.column(table, column)
		if err != nil {
			return "", err
		}
		return found.Extreme(sign, in, options...)
	}
}

func (t *storyFiller) own(options ...string) (string, error) {
	return excerpt.Show(quantityCell(t.point).Text, options...)
}

// measured returns what was measured if the point's claim is about its distance from a limit.
func (t *storyFiller) measured(limit float64, options ...string) (string, error) {
	j := t.point
	return excerpt.Show(fmt.Sprintf("%g [%g, %g]", limit+j.Statistic, limit+j.Lo, limit+j.Hi), options...)
}

// held returns the number of repetitions in which the point's claim is true.
func (t *storyFiller) held() string {
	held := t.point.Agree
	if t.point.Statistic < 0 {
		held = t.point.Repeated - held
	}
	return fmt.Sprintf("%d of %s", held, t.Study.Repetitions.Count(t.point.Repeated))
}

// repetitions returns the number of repetitions, such as 10 worlds.
func (t *storyFiller) repetitions() string {
	most := 0
	for _, j := range t.claims {
		most = max(most, j.Seeds)
	}
	return t.Study.Repetitions.Count(most)
}

func (t *storyFiller) p() (string, error) {
	alone, err := excerpt.Show(pText(t.point, t.point.P), "p")
	if err != nil {
		return "", err
	}
	return alone + " before the correction for many tests, " + pText(t.point, t.point.PAdjusted) + " after it", nil
}

// chart returns the panel with a title.
func (t *storyFiller) chart(title string) (Panel, error) {
	at := slices.IndexFunc(t.panels, func(p Panel) bool { return p.Title == title })
	if at < 0 {
		return Panel{}, fmt.Errorf("the chart has no panel %q", title)
	}
	return t.panels[at], nil
}

func (t *storyFiller) panel(title, row string, options ...string) (string, error) {
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

func (t *storyFiller) marks(title string) (int, error) {
	p, err := t.chart(title)
	n := 0
	for _, m := range p.Rows {
		if !m.Guest {
			n++
		}
	}
	return n, err
}

func (t *storyFiller) between(title, where string) (string, error) {
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

func (t *storyFiller) printed(item, row, column string) (string, error) {
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

// MarkOf converts a certified cell to a mark. digits is the number of digits after the decimal point.
func MarkOf(name string, c certify.Cell, digits int) Mark {
	m := NewMark(name, c.Estimate, c.Lo, c.Hi, digits)
	m.Guest = c.Guest
	return m.Printed(c.Printed)
}

// NewMark returns a mark with an estimate and its interval, but without a printed number.
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

// Printed returns the mark with a number that the paper prints. The text "" means that it prints none.
func (m Mark) Printed(text string) Mark {
	if value, err := strconv.ParseFloat(text, 64); err == nil {
		m.Paper, m.PaperT = value, text
	}
	return m
}

// AsReference returns the mark as the mark of a reference model.
func (m Mark) AsReference() Mark {
	m.Reference = true
	return m
}

// ChartOf converts a function that charts a study's own result type to one for [Story].
func ChartOf[R Results](chart func(r R) []Panel) func(Results) []Panel {
	return func(r Results) []Panel { return chart(r.(R)) }
}
