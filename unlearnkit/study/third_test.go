package study_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// From here to the tests is a complete study: its stages, its plan, how its scores are stored, its columns, table and
// claims, and what makes up its scores.

type baseSpec struct {
	Seed  uint64 `json:"seed"`
	Knows bool   `json:"knows"` // what is to be forgotten
}

type forgottenSpec struct {
	Start   study.Input `json:"start"`
	Method  string      `json:"method"`
	Budgets []int       `json:"budgets"`
	Seed    uint64      `json:"seed"`
}

var (
	base      = study.Stage[baseSpec]{Name: "third/base", Version: 1}
	forgotten = study.Stage[forgottenSpec]{Name: "third/forgotten", Version: 1}
)

var runsOfSeeds = certify.Repetitions{Singular: "seed", Plural: "seeds"}

// thirdPlan is the runs: of every seed a gold model, one that knows, and the methods that start from that.
type thirdPlan struct {
	study.Plan
	preset      string
	gold, knows []*study.Run
	forgotten   [][]*study.Run // by method and seed
	methods     []string
	budgets     []int
}

func newThirdPlan(preset string, seeds int) *thirdPlan {
	p := &thirdPlan{preset: preset, methods: []string{"finetuning", "ascent"}, budgets: []int{1, 5}}
	p.forgotten = make([][]*study.Run, len(p.methods))
	for s := range uint64(seeds) {
		title := func(what string) string { return fmt.Sprintf("seed %d: %s", s, what) }
		p.gold = append(p.gold, base.Add(&p.Plan, title("gold"), 10, baseSpec{s, false}))
		p.knows = append(p.knows, base.Add(&p.Plan, title("original"), 10, baseSpec{s, true}))
		for i, m := range p.methods {
			p.forgotten[i] = append(p.forgotten[i], forgotten.Add(&p.Plan, title(m), 1,
				forgottenSpec{Start: p.knows[s].Input(), Method: m, Budgets: p.budgets, Seed: s}))
		}
	}
	return p
}

// score says whether a clip is recognised.
type score struct {
	Clip  int     `parquet:"clip"`
	Right float64 `parquet:"right"`
}

func scoresFile(budget int) string { return fmt.Sprintf("scores-%d.parquet", budget) }

// thirdLayout and accuracy are all that the study declares of its scores and its column.
var (
	thirdLayout = study.Layout{Examples: "clips", Repetitions: runsOfSeeds, Fields: safefile.FieldsOf[score](),
		Keys: []string{"clip"}, References: []string{"gold"}}
	accuracy = study.Metric{Name: "Accuracy", Score: study.Mean("right"), By: []string{"clip"}, Unit: "clip",
		Family: certify.Family{Name: "clips", Crossed: true}, Share: true,
		Target: "gold", Margin: study.Margin{Absolute: .05}}
	thirdGrid = study.Grid{Repetitions: runsOfSeeds}
)

// thirdResults are rows of scores; every table and claim is a function of them.
type thirdResults struct {
	preset string
	rows   []study.Row // gold first
	plan   *thirdPlan
	store  *store.Store
}

func (p *thirdPlan) read(s *store.Store, _ ...string) (study.Results, error) {
	if err := cmp.Or(p.Complete(s), thirdLayout.Check(accuracy)); err != nil {
		return nil, err
	}
	r := &thirdResults{preset: p.preset, plan: p, store: s}
	var failed error
	add := func(budget int, runs []*study.Run, levels ...string) {
		row := make([]*study.Evaluation, len(runs))
		for seed, run := range runs {
			var err error
			row[seed], err = thirdLayout.Load(s, study.Reading{Run: run, For: study.ForValue, Repetition: seed,
				Budget: budget, File: scoresFile(budget)}, nil)
			failed = cmp.Or(failed, err)
		}
		r.rows = append(r.rows, study.RowOf(levels, levels[0] == "Gold", row...))
	}
	add(0, p.gold, "Gold")
	add(0, p.knows, "Original")
	for i, m := range p.methods {
		for _, budget := range p.budgets {
			add(budget, p.forgotten[i], m, fmt.Sprintf("%dx", budget))
		}
	}
	return r, failed
}

func (r *thirdResults) Seeds() int { return len(r.rows[0].Scores) }

func (r *thirdResults) column() study.Column {
	var refs []study.References
	for _, gold := range r.rows[0].Scores {
		refs = append(refs, study.References{"gold": gold})
	}
	return accuracy.Column(refs)
}

func (r *thirdResults) Cells(string) ([]certify.Cell, error) {
	return thirdGrid.Cells(r.rows, []study.Column{r.column()}), nil
}

func (r *thirdResults) Origin(_, row, _ string) (*study.Origin, error) {
	at := slices.IndexFunc(r.rows, func(known study.Row) bool { return known.Name == row })
	return &study.Origin{Study: third, Preset: r.preset, Store: r.store, How: accuracy.How(),
		Readings: thirdGrid.Readings(r.rows[at], r.column())}, nil
}

func (r *thirdResults) Table(number string, certified bool) (*report.Table, error) {
	cells, err := r.Cells(number)
	if err != nil {
		return nil, err
	}
	t := study.Table("Table 1. Forgetting speakers ("+r.preset+")", "Method", cells, 1,
		func(row string) bool { return row == "Gold" }, certified)
	bases, _ := study.Bases(cells)
	t.Note = fmt.Sprintf("n: %s. %s.", runsOfSeeds.Count(r.Seeds()), certify.Describe(bases))
	return t, nil
}

func (r *thirdResults) Claims() []certify.Judged {
	panel := &certify.Panel{}
	for _, row := range r.rows {
		outcomes, _ := thirdGrid.Outcomes(row, r.column())
		panel.Add(row.Name, thirdGrid.Repeated(accuracy, outcomes))
	}
	return certify.JudgeClaims("third", r.preset, r.Seeds(), panel, []certify.Claim{{
		Name: "The original knows more than gold", Source: "§1", Unit: "share of clips",
		Of: certify.Above(certify.Mean("Original"), certify.Mean("Gold")),
	}})
}

func (r *thirdResults) Frame() string { return "The models are small." }

var third = &study.Study{
	Paper: "third", Presets: []string{"smoke"}, Repetitions: runsOfSeeds,
	Tables: []study.Item{{Name: "1", About: "forgetting"}},
	NewPlan: func(preset string, seeds int) (*study.PresetPlan, error) {
		p := newThirdPlan(preset, max(3, seeds))
		return &study.PresetPlan{Plan: &p.Plan, Preset: p.preset, Read: p.read}, nil
	},
}

// thirdMakers make scores up: the longer a method works, the less is left.
func thirdMakers() study.Makers {
	made := func(w *store.Work, budget int, share float64, root uint64, name string) error {
		random := seed.Stream(root, name, budget)
		scores := make([]score, 60)
		for clip := range scores {
			scores[clip].Clip = clip
			if random.Float64() < share {
				scores[clip].Right = 1
			}
		}
		return safefile.WriteRows(w.Path(scoresFile(budget)), scores)
	}
	return study.NewMakers(
		base.By(func(_ context.Context, spec baseSpec, _ study.Inputs, w *store.Work, _ study.Progress) error {
			return made(w, 0, map[bool]float64{true: .9, false: .3}[spec.Knows], spec.Seed, "base")
		}),
		forgotten.By(func(_ context.Context, spec forgottenSpec, in study.Inputs, w *store.Work,
			_ study.Progress) error {
			if in.Of(spec.Start) == nil {
				return fmt.Errorf("%s starts from nothing", spec.Method)
			}
			for _, budget := range spec.Budgets {
				if err := made(w, budget, .9-.1*float64(budget), spec.Seed, spec.Method); err != nil {
					return err
				}
			}
			return nil
		}),
	)
}

// A new study must fit into this package without changes to it, and produce a certified table and claims from its own
// code alone.
func TestAThirdStudyHasItsFirstCertifiedTableInASecond(t *testing.T) {
	began := time.Now()
	folder := t.TempDir()
	if _, err := third.Open(folder, "smoke"); err == nil || !strings.Contains(err.Error(),
		"12 runs are not made yet") || !strings.Contains(err.Error(), "unlearnlab run third --preset smoke") {
		t.Errorf("nothing is made: %v", err)
	}
	s, err := store.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := third.Plan(study.Request{Preset: "smoke"})
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Execute(t.Context(), s, thirdMakers(), study.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	r, err := third.Open(folder, "smoke")
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.Table("1", true)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := table.Text(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Forgetting speakers (smoke)", "ascent/5x", "under-forgotten", "3 seeds",
		"60 clips (crossed)"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if claim := r.Claims()[0]; claim.Verdict != certify.Holds {
		t.Errorf("%+v", claim)
	}
	cells, err := r.Cells("1")
	if err != nil {
		t.Fatal(err)
	}
	last := cells[len(cells)-1]
	if !slices.ContainsFunc(last.From, func(run certify.Run) bool { return run.Title == "seed 2: ascent" }) ||
		!slices.ContainsFunc(last.From, func(run certify.Run) bool { return run.Title == "seed 2: gold" }) {
		t.Errorf("%s comes from %v", last.Row, last.From)
	}
	t.Logf("from nothing to a certified table in %.2f s", time.Since(began).Seconds())
}
