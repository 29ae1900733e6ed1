package kernelext

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/madeup"
	"github.com/unlearnlab/unlearnlab/plots"
	paper "github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// madeUpHome creates the test's home with made-up scores for a study's smallest preset.
func madeUpHome(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	t.Setenv(HomeVariable, home)
	t.Setenv(PresetVariable, "smoke")
	s, err := paper.Study.OpenStore(home)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := paper.Study.Plan(study.Request{Preset: "smoke"})
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Execute(t.Context(), s, madeup.Makers(), study.Options{Workers: 1}); err != nil {
		t.Fatal(err)
	}
}

func TestStudy_Shows(t *testing.T) {
	madeUpHome(t)
	pictures := t.TempDir()
	t.Setenv(FiguresVariable, pictures)
	found := Study(paper.Study)
	table := func(certified bool) string {
		return text(t, Must(found.Results.Table("5", certified)))
	}
	for name, test := range map[string]struct {
		cell func()
		want string
	}{
		"table":     {func() { found.Table("5") }, table(false)},
		"certified": {func() { found.Certified("5") }, table(true)},
		"claims":    {found.Claims, text(t, paper.Study.ClaimsTable(found.Results))},
		"figure": {func() { Figure(Must(plots.Draw(paper.Figures.Figure("8", found.Results)))) },
			Must(paper.Figures.Figure("8", found.Results)).AltText()},
	} {
		if got, _ := printed(t, test.cell); !strings.HasPrefix(got, strings.TrimSpace(test.want)) || test.want == "" {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
	if drawn, err := filepath.Glob(filepath.Join(pictures, "*.png")); err != nil || len(drawn) != 1 {
		t.Errorf("got %q, %v, want 1 drawn", drawn, err)
	}
}

// lacking is a study's results without one table.
type lacking struct{ study.Results }

func (l lacking) Table(name string, certified bool) (*report.Table, error) {
	if name == "4" {
		return nil, &study.Lacks{Preset: "large", Why: "has no Table 4"}
	}
	return l.Results.Table(name, certified)
}

// twoSizes is a study whose large preset lacks a table, and whose huge preset has no results.
type twoSizes struct{ *study.Study }

func (twoSizes) Reading() []string { return []string{"huge", "large", "smoke"} }

func (twoSizes) Complete(_, preset string) (bool, error) { return preset != "huge", nil }

func (s twoSizes) Open(folder, preset string) (study.Results, error) {
	found, err := s.Study.Open(folder, "smoke")
	if preset == "large" {
		return lacking{found}, err
	}
	return found, err
}

func TestStudy_ReadsTheRichestPreset(t *testing.T) {
	madeUpHome(t)
	t.Setenv(PresetVariable, "")
	found := Study(twoSizes{paper.Study})
	if found.Preset != "large" {
		t.Errorf("got preset %q, want large", found.Preset)
	}
	for name, want := range map[string]string{"5": "Table 5", "4": "Table 4"} {
		if got, status := printed(t, func() { found.Table(name) }); !strings.Contains(got, want) || status != 0 {
			t.Errorf("table %s: got status %d, %s", name, status, got)
		}
	}
	if got, status := printed(t, func() { Study(twoSizes{paper.Study}, "large").Table("4") }); status == 0 ||
		!strings.Contains(got, "the preset large has no Table 4") {
		t.Errorf("the named preset: got status %d, %s", status, got)
	}
	t.Setenv(PresetVariable, "smoke")
	if found := Study(twoSizes{paper.Study}); found.Preset != "smoke" {
		t.Errorf("the preset of the environment: got %q", found.Preset)
	}
}

// The shipped results are complete at the preset that the command tries first.
func TestStudy_ReadsWhatShips(t *testing.T) {
	t.Setenv(HomeVariable, t.TempDir())
	t.Setenv(PresetVariable, "")
	if got, want := Study(paper.Study).Preset, paper.Study.Richest; got != want {
		t.Errorf("got preset %q, want %q", got, want)
	}
}

func TestStudy_Trace(t *testing.T) {
	madeUpHome(t)
	found := Study(paper.Study)
	want := ""
	for _, table := range Must(paper.Study.TraceTables(found.Results, "5", "DELETE/5x", "GenKnow")) {
		want += text(t, table)
	}
	if got, _ := printed(t, func() { found.Trace("5", "delete/5x", "genknow") }); got != want ||
		!strings.Contains(got, "duckdb.sql(") || !strings.Contains(got, "unlearnlab verify ") {
		t.Errorf("%s, want %s", got, want)
	}
	for says, cell := range map[string]func(){
		`table 5 has no row "DELTE/5x"; do you mean "DELETE/5x"?`: func() { found.Trace("5", "DELTE/5x", "GenKnow") },
		`table 5 has no column "Genknw"; do you mean "GenKnow"?`:  func() { found.Trace("5", "DELETE/5x", "Genknw") },
		"the study salmu has no record of how its cells are computed": func() {
			(Found[study.Results]{Results: untraceable{found.Results}, study: paper.Study}).Trace("5", "DELETE/5x", "GenKnow")
		},
	} {
		if got, status := printed(t, cell); !strings.Contains(got, says) || status == 0 {
			t.Errorf("status %d: %s, want %s", status, got, says)
		}
	}
}

// untraceable has only the methods of study.Results.
type untraceable struct{ study.Results }

func text(t *testing.T, table *report.Table) string {
	t.Helper()
	var b strings.Builder
	if err := table.Show(&b, report.View{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
