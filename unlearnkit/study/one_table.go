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

// rowKey labels scores with the name of their row.
const rowKey Key[string] = "row"

// entries returns the scores of the rows, by repetition. The first row has the examples of the others.
func (of models) entries() (all Entries) {
	for repetition := range of[0].Runs {
		var first *Entry
		for _, m := range of {
			e := all.Add(Entry{Run: m.Runs[repetition], File: m.File, Repetition: repetition, Budget: m.Budget,
				Levels: m.Levels, Labels: []Label{rowKey.Is(m.Name())}, Reference: m.Name(), Pair: first})
			if first == nil {
				first = e
			}
		}
	}
	return all
}

// oneTable holds the results of a study with one table.
type oneTable struct {
	study  *Study
	preset string
	models models
	set    *Set
	table  Projection
}

func (s *Study) readOneTable(preset string, from *store.Store, of models, numbers []int) (*oneTable, error) {
	r := &oneTable{study: s, preset: preset, models: of, set: NewSet(of.entries(), s.Layout, from, numbers...)}
	r.set.Layout.Repetitions = s.Repetitions
	r.table = Projection{Number: s.Tables[0].Name, Title: s.Tables[0].About, Corner: "Model", Columns: s.Columns, Guests: true}
	for _, m := range of {
		target := slices.ContainsFunc(s.Columns, func(c Metric) bool { return c.Target == m.Name() })
		r.table.Rows = append(r.table.Rows, RowSet{Where: []Label{rowKey.Is(m.Name())}, Reference: target})
	}
	return r, r.set.Load()
}

// Counted implements partial.
func (r *oneTable) Counted() string {
	all := len(r.models[0].Runs)
	if r.Seeds() == all {
		return ""
	}
	return fmt.Sprintf("%s of the %d that there should be", r.study.Repetitions.Count(r.Seeds()), all)
}

// Seeds implements [Results].
func (r *oneTable) Seeds() int { return len(r.set.Repetitions) }

// Frame implements [Results].
func (r *oneTable) Frame() string { return r.study.Frame }

// Cells implements [Results]. The p-values of a guest are corrected over its own row.
func (r *oneTable) Cells(name string) ([]certify.Cell, error) {
	if err := r.check(name); err != nil {
		return nil, err
	}
	return r.set.Cells(r.table), nil
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
	t := r.set.Grid().Table(title, r.table.Corner, r.set.In(r.table), Columns(r.study.Columns, r.set.References()), certified)
	if own := len(r.models) * len(r.study.Columns); len(cells) > own {
		t.Rows = append(t.Rows, Table(title, r.table.Corner, cells[own:], len(r.study.Columns), certified).Rows...)
		t.Note += r.set.Notes.Below(cells)
	}
	return t, nil
}

// Against implements [Comparer].
func (r *oneTable) Against(name, row string) (*Comparisons, error) {
	if err := r.check(name); err != nil {
		return nil, err
	}
	found, err := r.set.Against(r.table, row)
	if err == nil {
		found.Title += fmt.Sprintf(" (%s)", r.preset)
	}
	return found, err
}

// Origin implements [Tracer].
func (r *oneTable) Origin(table, row, column string) (*Origin, error) {
	if err := r.check(table); err != nil {
		return nil, err
	}
	found, err := r.set.Origin(r.table, row, column)
	if err == nil {
		found.Study, found.Preset = r.study, r.preset
	}
	return found, err
}

// Claims implements [Results].
func (r *oneTable) Claims() []certify.Judged {
	panel := &certify.Panel{}
	refs := r.set.References()
	for _, row := range r.set.In(r.table) {
		for _, m := range r.study.Columns {
			if outcomes, lost := r.set.Grid().Outcomes(row, m.Column(refs)); lost == 0 {
				panel.Add(certify.ScoreOf(row.Name, m.Name), r.set.Grid().Repeated(m, outcomes))
			}
		}
	}
	claims := slices.Clone(r.study.Claims)
	certify.Testable(claims, panel.Has)
	return certify.JudgeClaims(r.study.Paper, r.preset, r.Seeds(), panel, claims)
}
