package concealment

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/origintest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// few returns a preset with some prompts of every table, each attacked on two models.
func few() Preset {
	p := small()
	p.Name, p.Seeds, p.Lessons, p.Outputs, p.Tries = "few", 2, false, nil, Tries{}
	p.Attack.Pictures, p.Attack.Psi = 10, PaperPsi
	for i, erased := range [][]string{{"Van Gogh"}, nil, {"R2D2"}, {"Nudity", "Van Gogh"}} {
		p.Methods[i].Erased = erased
	}
	p.Methods = slices.Delete(p.Methods, 1, 2)
	shown := []string{"Starry Night by Van Gogh", "Bedroom", "R2D2", "A nude model", "portrait of Van Gogh"}
	p.Prompts = slices.DeleteFunc(slices.Clone(p.Prompts), func(prompt concept.PaperPrompt) bool {
		return !slices.Contains(shown, prompt.Paper)
	})
	return p
}

// madeUpStudy executes the preset few with artificial scores. It returns the plan and its store.
func madeUpStudy(t *testing.T) (*Plan, *store.Store) {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	preset := few()
	plan := NewPlan(preset)
	maker := &pretender{madeUp: usual(), preset: preset}
	if err := plan.Execute(t.Context(), s, fakes(maker), study.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	return plan, s
}

// A cell names the runs that it is computed from, and no others.
func TestOrigin_Runs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	plan, s := madeUpStudy(t)
	labels := map[string]int{"object": concept.Objects, "style": concept.Styles, "colour": concept.Colours,
		"texture": concept.Textures}
	origintest.Study{Plan: &plan.Plan, Store: s, Tables: tableNumbers,
		Read: func(s *store.Store) (study.Tracer, error) { return plan.Read(s) },
		Change: func(column string, value float64) float64 {
			switch count := labels[column]; {
			case column == "number" || column == "unlearned":
				return value
			case count > 0:
				return float64((int(value) + 1) % count)
			case strings.HasSuffix(column, "_code_original"):
				return value + .1 // the other column does not change
			case strings.HasSuffix(column, "_code_unlearned"):
				return value
			}
			return 1 - value
		}}.Exact(t)
}

// The mean of a cell's rows is the cell's value.
func TestOrigin_MeanOfRows(t *testing.T) {
	plan, s := madeUpStudy(t)
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	means := map[string]func(row study.FirstRow) float64{
		"CCS":   func(row study.FirstRow) float64 { return row.Values["full_triplet_probability"].(float64) },
		"KID-O": func(row study.FirstRow) float64 { return row.Values["kid"].(float64) },
		"KID-U": func(row study.FirstRow) float64 { return row.Values["kid"].(float64) },
		"CRS": func(row study.FirstRow) float64 {
			return math.Abs(row.Values["full_triplet_code_original"].(float64) -
				row.Values["full_triplet_code_unlearned"].(float64))
		},
		"Retained": func(row study.FirstRow) float64 {
			view := View{Prompt: row.Values["prompt"].(string), Labels: concept.Labels{
				Object: concept.Object(row.Values["object"].(float64)),
				Style:  concept.Style(row.Values["style"].(float64))}}
			if view.obeyed() {
				return 1
			}
			return 0
		},
		"Validation": func(row study.FirstRow) float64 { return row.Values["validation"].(float64) },
	}
	for column, of := range means {
		trace, err := study.TraceCell(r, "1", "Starry Night by Van Gogh", column, math.MaxInt)
		if err != nil {
			t.Fatal(err)
		}
		if len(trace.Opened) != 2 || len(trace.Opened[0].Runs) != 2 || len(trace.Opened[1].Runs) != 1 {
			t.Fatalf("%s: got %+v, want length 2, length 2 of [0].Runs, length 1 of [1].Runs", column, trace.Opened)
		}
		for i, want := range []float64{trace.Cell.Estimate, trace.Cell.Target} {
			got := 0.0
			for _, run := range trace.Opened[i].Runs {
				for _, row := range run.First {
					got += of(row) / float64(run.Rows*len(trace.Opened[i].Runs))
				}
			}
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("%s: the mean of the rows for the %s is %v, the cell has %v", column, trace.Opened[i].For, got,
					want)
			}
		}
	}
}

func TestOrigin_Table4(t *testing.T) {
	plan, s := madeUpStudy(t)
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := Study.TraceTables(r, "4", "portrait of van gogh", "figure")
	if err != nil || len(tables) != 1 || !strings.Contains(tables[0].Note, "No scores") {
		t.Errorf(`got %+v, %v, want 1 tables, "No scores" in [0].Note`, tables, err)
	}
}
