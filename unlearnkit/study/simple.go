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

// Simple describes a study with one table, whose rows are models and whose columns are the study's metrics. Every model
// has one score file per repetition. The papers' studies do not use it, because they have several tables and figures.
type Simple struct {
	Study
	Layout Layout
	Claims []certify.Claim // claims about cells, which [certify.ScoreOf] names by row and column
	Frame  string          // see [Results.Frame]
	// Rows plans the runs of a preset and returns the rows of the table. If repetitions is 0, it uses the preset's
	// number.
	Rows func(plan *Plan, preset string, repetitions int) ([]Model, error)
}

// Model is a row of a [Simple] study. Its levels, joined by "/", name the row. Metrics use the same name to refer to
// the model.
type Model struct {
	Levels []string // parts of the row's name
	Runs   []*Run   // run of each repetition
	Budget int      // passes after which the model was judged; 0 for none
	File   string   // name of the runs' score file
}

// Name returns the name of the row.
func (m Model) Name() string { return strings.Join(m.Levels, "/") }

// New returns the study that s describes.
func (s Simple) New() *Study {
	made := s.Study
	made.NewPlan = func(preset string, repetitions int) (*PresetPlan, error) {
		plan := &Plan{}
		models, err := s.Rows(plan, preset, repetitions)
		if err != nil {
			return nil, err
		}
		return &PresetPlan{Plan: plan, Preset: preset, Read: func(from *store.Store, _ ...string) (Results, error) {
			if err := cmp.Or(s.Layout.Check(s.Columns...), plan.Complete(from)); err != nil {
				return nil, err
			}
			return s.read(&made, preset, from, models)
		}}, nil
	}
	return &made
}

type simpleResults struct {
	simple Simple
	study  *Study
	preset string
	store  *store.Store
	rows   []Row
	refs   []References // reference models of each repetition
}

func (s Simple) read(of *Study, preset string, from *store.Store, models []Model) (*simpleResults, error) {
	r := &simpleResults{simple: s, study: of, preset: preset, store: from}
	for range models[0].Runs {
		r.refs = append(r.refs, References{})
	}
	for _, m := range models {
		scores := make([]*Evaluation, len(m.Runs))
		for i, run := range m.Runs {
			var err error
			scores[i], err = s.Layout.Load(from, Reading{Run: run, For: ForValue, Repetition: i, Budget: m.Budget,
				File: m.File}, r.refs[i][models[0].Name()])
			if err != nil {
				return nil, err
			}
			r.refs[i][m.Name()] = scores[i]
		}
		r.rows = append(r.rows, RowOf(m.Levels, r.isTarget(m.Name()), scores...))
	}
	return r, nil
}

// isTarget reports whether a row is the target of any column.
func (r *simpleResults) isTarget(row string) bool {
	return slices.ContainsFunc(r.simple.Columns, func(m Metric) bool { return m.Target == row })
}

func (r *simpleResults) grid() Grid { return Grid{Repetitions: r.study.Repetitions} }

// Seeds implements [Results].
func (r *simpleResults) Seeds() int { return len(r.refs) }

// Frame implements [Results].
func (r *simpleResults) Frame() string { return r.simple.Frame }

// Cells implements [Results].
func (r *simpleResults) Cells(string) ([]certify.Cell, error) {
	return r.grid().Cells(r.rows, Columns(r.simple.Columns, r.refs)), nil
}

// Table implements [Results].
func (r *simpleResults) Table(name string, certified bool) (*report.Table, error) {
	title := fmt.Sprintf("Table %s. %s (%s)", name, r.study.Tables[0].About, r.preset)
	return r.grid().Table(title, "Model", r.rows, Columns(r.simple.Columns, r.refs), certified), nil
}

// Origin implements [Tracer].
func (r *simpleResults) Origin(table, row, column string) (*Origin, error) {
	at := slices.IndexFunc(r.rows, func(known Row) bool { return known.Name == row })
	if at < 0 {
		return nil, fmt.Errorf("table %s has no row %q", table, row)
	}
	c := Find(r.simple.Columns, column).Column(r.refs)
	return &Origin{Study: r.study, Preset: r.preset, Store: r.store, How: c.How(),
		Readings: r.grid().Readings(r.rows[at], c),
		Samples:  func() []Sample { return r.grid().Samples(r.rows[at], c) }}, nil
}

// Claims implements [Results].
func (r *simpleResults) Claims() []certify.Judged {
	panel := &certify.Panel{}
	for _, row := range r.rows {
		for _, m := range r.simple.Columns {
			if outcomes, lost := r.grid().Outcomes(row, m.Column(r.refs)); lost == 0 {
				panel.Add(certify.ScoreOf(row.Name, m.Name), r.grid().Repeated(m, outcomes))
			}
		}
	}
	claims := slices.Clone(r.simple.Claims)
	certify.Testable(claims, panel.Has)
	return certify.JudgeClaims(r.study.Paper, r.preset, r.Seeds(), panel, claims)
}
