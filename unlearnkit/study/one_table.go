package study

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Model is a row of a study with one table. Its levels, joined by "/", name the row. Metrics use the same name to refer
// to the model.
type Model struct {
	Levels []string // parts of the row's name, such as the method and the budget
	Runs   []*Run   // run of each repetition; the runs of a method have the label [MethodLabel]
	Budget int      // passes after which the model was judged; 0 for none
	File   string   // name of the runs' score file
}

// Name returns the name of the row.
func (m Model) Name() string { return strings.Join(m.Levels, "/") }

// models holds the rows of a study's table, with at least one row and one repetition.
type models []Model

// planOneTable plans a preset of a study with one table.
func (s *Study) planOneTable(preset string, repetitions int) (*PresetPlan, error) {
	plan := &Plan{}
	rows, err := s.Rows(plan, preset, repetitions)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || len(rows[0].Runs) == 0 {
		panic(fmt.Sprintf("study: the study %s has no rows at the preset %s", s.Paper, preset))
	}
	of := models(rows)
	read := func(from *store.Store, whole bool) (Results, error) {
		numbers, err := of.complete(plan, from)
		if err == nil && (len(numbers) == 0 || whole) {
			err = plan.Complete(from)
		}
		if err = cmp.Or(s.Layout.Check(s.Columns...), err); err != nil {
			return nil, err
		}
		return s.readOneTable(preset, from, of, numbers)
	}
	all := &PresetPlan{Plan: plan, Preset: preset, Of: of.selector(s), Published: of.published(),
		Read: func(from *store.Store, _ ...string) (Results, error) { return read(from, true) },
		Part: func(from *store.Store) (Results, error) { return read(from, false) }}
	return all.Hosting(s.Paper, of.host(s)), nil
}

// complete returns the numbers of the repetitions in which all models have scores.
func (of models) complete(plan *Plan, from *store.Store) (numbers []int, err error) {
	for i := range of[0].Runs {
		var runs []*Run
		for _, m := range of {
			runs = append(runs, m.Runs[i])
		}
		missing, err := plan.Missing(from, runs...)
		if err != nil {
			return nil, err
		}
		if len(missing) == 0 {
			numbers = append(numbers, i)
		}
	}
	return numbers, nil
}

// oneTable holds the results of a study with one table.
type oneTable struct {
	study  *Study
	preset string
	store  *store.Store
	models models
	// numbers holds the repetitions that were read. The scores of rows, and refs, are in their order.
	numbers []int
	rows    []Row
	guests  []Row
	notes   GuestNotes
	refs    []References // models of each repetition
}

func (s *Study) readOneTable(preset string, from *store.Store, of models, numbers []int) (*oneTable, error) {
	r := &oneTable{study: s, preset: preset, store: from, models: of, numbers: numbers}
	for range numbers {
		r.refs = append(r.refs, References{})
	}
	for _, m := range of {
		scores := make([]*Evaluation, len(numbers))
		for i, number := range numbers {
			var err error
			if scores[i], err = r.load(m.Runs[number], i, m); err != nil {
				return nil, err
			}
			r.refs[i][m.Name()] = scores[i]
		}
		r.rows = append(r.rows, RowOf(m.Levels, r.isTarget(m.Name()), scores...))
	}
	return r, nil
}

// load reads the scores of a model in the repetition number i of those that are read. They have the examples of the
// first row's scores.
func (r *oneTable) load(run *Run, i int, m Model) (*Evaluation, error) {
	return r.study.Layout.Load(r.store, Reading{Run: run, For: ForValue, Repetition: r.numbers[i], Budget: m.Budget,
		File: m.File}, r.refs[i][r.models[0].Name()])
}

// Counted implements partial.
func (r *oneTable) Counted() string {
	all := len(r.models[0].Runs)
	if len(r.numbers) == all {
		return ""
	}
	return fmt.Sprintf("%s of the %d that there should be", r.study.Repetitions.Count(len(r.numbers)), all)
}

// isTarget reports whether a row is the target of any column.
func (r *oneTable) isTarget(row string) bool {
	return slices.ContainsFunc(r.study.Columns, func(m Metric) bool { return m.Target == row })
}

func (r *oneTable) grid() Grid { return Grid{Repetitions: r.study.Repetitions} }

func (r *oneTable) columns() []Column { return Columns(r.study.Columns, r.refs) }

// Seeds implements [Results].
func (r *oneTable) Seeds() int { return len(r.refs) }

// Frame implements [Results].
func (r *oneTable) Frame() string { return r.study.Frame }

// Cells implements [Results]. The p-values of a guest are corrected over its own row.
func (r *oneTable) Cells(name string) ([]certify.Cell, error) {
	if err := r.check(name); err != nil {
		return nil, err
	}
	cells := r.grid().Cells(r.rows, r.columns())
	for _, row := range r.guests {
		cells = append(cells, r.grid().Cells([]Row{row}, r.columns())...)
	}
	return cells, nil
}

// check returns an error unless name is the study's table.
func (r *oneTable) check(name string) error {
	if own := r.study.Tables[0].Name; name != own {
		return &Lacks{r.preset, fmt.Sprintf("has no table %q with cells; its table is %s", name, own)}
	}
	return nil
}

// Table implements [Results].
func (r *oneTable) Table(name string, certified bool) (*report.Table, error) {
	if t, err := ExtraTable(r.study.Further, Results(r), name); t != nil || err != nil {
		return t, err
	}
	cells, err := r.Cells(name)
	if err != nil {
		return nil, err
	}
	title := fmt.Sprintf("Table %s. %s (%s)", name, r.study.Tables[0].About, r.preset)
	t := r.grid().Table(title, "Model", r.rows, r.columns(), certified)
	if len(r.guests) > 0 {
		guests := Table(title, "Model", cells[len(r.rows)*len(r.study.Columns):], len(r.study.Columns), certified)
		t.Rows = append(t.Rows, guests.Rows...)
		t.Note += r.notes.Below(cells)
	}
	return t, nil
}

// Against implements [Comparer].
func (r *oneTable) Against(name, row string) (*Comparisons, error) {
	if err := r.check(name); err != nil {
		return nil, err
	}
	found, err := r.grid().AgainstNamed(slices.Concat(r.rows, r.guests), r.columns(), name, row)
	if err == nil {
		found.Title += fmt.Sprintf(" (%s)", r.preset)
	}
	return found, err
}

// Origin implements [Tracer].
func (r *oneTable) Origin(table, row, column string) (*Origin, error) {
	rows := slices.Concat(r.rows, r.guests)
	at := slices.IndexFunc(rows, func(known Row) bool { return known.Name == row })
	if at < 0 {
		return nil, fmt.Errorf("table %s has no row %q", table, row)
	}
	c := Find(r.study.Columns, column).Column(r.refs)
	return &Origin{Study: r.study, Preset: r.preset, Store: r.store, How: c.How(),
		Readings: r.grid().Readings(rows[at], c),
		Samples:  func() []Sample { return r.grid().Samples(rows[at], c) }}, nil
}

// Claims implements [Results].
func (r *oneTable) Claims() []certify.Judged {
	panel := &certify.Panel{}
	for _, row := range r.rows {
		for _, m := range r.study.Columns {
			if outcomes, lost := r.grid().Outcomes(row, m.Column(r.refs)); lost == 0 {
				panel.Add(certify.ScoreOf(row.Name, m.Name), r.grid().Repeated(m, outcomes))
			}
		}
	}
	claims := slices.Clone(r.study.Claims)
	certify.Testable(claims, panel.Has)
	return certify.JudgeClaims(r.study.Paper, r.preset, r.Seeds(), panel, claims)
}
