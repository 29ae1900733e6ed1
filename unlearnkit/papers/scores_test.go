package papers_test

import (
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/unlearnlab/unlearnlab/internal/testkit/guesttest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// owner returns the file of a method that has the same examples as a source.
type owner func(p guest.Part, source study.ScoreSource) (run *study.Run, file string)

// ownScores writes a method's shipped scores as a user's files, and returns their folder.
func ownScores(t *testing.T, s *store.Store, h *study.Host, parts []guest.Part,
	own owner) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for _, table := range h.Scores {
		if len(table.Bounds) == 0 {
			continue
		}
		var rows [][]string
		for _, p := range parts {
			for _, source := range table.Sources(p) {
				run, file := own(p, source)
				artifact, err := s.Get(run.Key())
				if err != nil {
					t.Fatal(err)
				}
				frame, err := artifact.ReadTable(file)
				if err != nil {
					t.Fatal(err)
				}
				if rows == nil {
					rows = append(rows, scoreHeader(h, table))
				}
				for row := range frame.Rows() {
					rows = append(rows, scoreCells(h, table, p, source.Case, frame, row))
				}
			}
		}
		file, err := os.Create(filepath.Join(folder, table.Name+".csv"))
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(rows[1:]) // rows may come in any order
		if err := errors.Join(csv.NewWriter(file).WriteAll(rows), file.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// scoreHeader returns the columns of a user's table of scores.
func scoreHeader(h *study.Host, table study.ScoreTable) (header []string) {
	header = []string{"world"}
	if table.Repetitions == concealment.TrainingSeeds {
		header = []string{"seed"}
	}
	if h.Parts != nil {
		header = append(header, h.PartColumn)
	}
	if table.Case != "" {
		header = append(header, table.Case)
	}
	for _, field := range table.Fields {
		if _, has := table.Bounds[field.Name]; has {
			header = append(header, field.Name)
		}
	}
	return header
}

func scoreCells(h *study.Host, table study.ScoreTable, p guest.Part, source string, frame *safefile.Frame,
	row int) (cells []string) {
	cells = []string{strconv.Itoa(p.Repetition)}
	if h.Parts != nil {
		cells = append(cells, p.Of)
	}
	if table.Case != "" {
		cells = append(cells, source)
	}
	for _, field := range table.Fields {
		if _, has := table.Bounds[field.Name]; !has {
			continue
		}
		switch c := frame.Column(field.Name); {
		case field.Name == "psi" && c.Texts[row] == "0":
			cells = append(cells, "0.0") // as pandas writes it
		case field.Words:
			cells = append(cells, c.Texts[row])
		case c.Values[row] != c.Values[row]:
			cells = append(cells, "")
		default:
			cells = append(cells, strconv.FormatFloat(c.Values[row], 'g', -1, 64))
		}
	}
	return cells
}

// A method's shipped scores, written as a user's files and read back, must give the method's cells and verdicts, and be
// in figures and claims.
func TestReadScores_OwnMethod(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: reads and certifies what ships")
	}
	salmuPlan, unsluPlan, rememPlan, concealmentPlan := salmu.NewPlan(salmu.Mini()), unslu.NewPlan(unslu.Mini()),
		remem.NewPlan(remem.Mini()), concealment.NewPlan(concealment.Mini())
	traced := func(found study.Results, table, row, column string) owner {
		origin, err := found.(study.Tracer).Origin(table, row, column)
		if err != nil {
			t.Fatal(err)
		}
		return func(p guest.Part, _ study.ScoreSource) (*study.Run, string) {
			for _, reading := range origin.Readings {
				if reading.For == study.ForValue && reading.Repetition == p.Repetition {
					return reading.Run, reading.File
				}
			}
			t.Fatalf("%s has no run in %d", row, p.Repetition)
			return nil, ""
		}
	}
	for _, test := range []struct {
		paper, of, table, row, guest string
		study                        *study.Study
		plan                         *study.PresetPlan
		own                          func(found study.Results) owner
		verdict, guestVerdict        string // rows of the table of verdicts
		claims                       int
		figures                      []string
	}{
		{"salmu", "", "5", "Generic Captions/5x", "mine (guest)", salmu.Study, salmuPlan.PresetPlan(),
			func(found study.Results) owner {
				return traced(found, "5", "Generic Captions/5x", "RetFail")
			}, "", "", 3, []string{"budgets"}},
		{"unslu", "SLURP*/HuBERT", "2", "SLURP*/HuBERT/NG", "SLURP*/HuBERT/mine (guest)", unslu.Study,
			unsluPlan.PresetPlan(), func(found study.Results) owner {
				return traced(found, "2", "SLURP*/HuBERT/NG", "F1_T")
			}, "", "", 2, []string{"table2"}},
		{"remem", "S", "2", "S/GA", "S/mine (guest)", remem.Study, rememPlan.PresetPlan(),
			func(study.Results) owner {
				return func(p guest.Part, source study.ScoreSource) (*study.Run, string) {
					size := rememPlan.Worlds[p.Repetition].Sizes[0]
					method := size.Methods[len(size.Methods)-1][0]
					if source.Run == size.Gold.Relearnt {
						return method.Relearnt, source.File
					}
					return method.Scores, source.File
				}
			}, "S/GA", "S/mine (guest)", 8, []string{"6", "verdicts", "exposure"}},
		{"concealment", "Van Gogh", "1", "Starry Night by Van Gogh", "Starry Night by Van Gogh/mine (guest)",
			concealment.Study, concealmentPlan.PresetPlan(),
			func(study.Results) owner {
				return func(p guest.Part, source study.ScoreSource) (*study.Run, string) {
					for _, a := range concealmentPlan.Attacked {
						if a.Prompt.Paper == source.Case && a.Gold == source.Run {
							return a.Unlearned[p.Repetition], source.File
						}
					}
					for _, pair := range concealmentPlan.Pairs {
						if pair.Method.Title == "ESD-x" && pair.Erasure.Paper == p.Of {
							return pair.Models[p.Repetition].Look, source.File
						}
					}
					t.Fatal("the preset has no ESD-x of Van Gogh")
					return nil, ""
				}
			}, "below ψ .55/ESD-x of Van Gogh", "below ψ .55/mine (guest) of Van Gogh", 3, []string{"recovery"}},
	} {
		t.Run(test.paper, func(t *testing.T) {
			s, err := test.study.OpenStore(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			found, err := test.plan.Read(s, test.table)
			if err != nil {
				t.Fatal(err)
			}
			var parts []guest.Part
			for repetition := range test.plan.Host.Repetitions {
				parts = append(parts, guest.Part{Repetition: repetition, Of: test.of})
			}
			whole, err := test.plan.Read(s)
			if err != nil {
				t.Fatal(err)
			}
			before := whole.Claims()
			folder := ownScores(t, s, test.plan.Host, parts, test.own(found))
			read, frames, err := test.plan.Host.ReadScores(s, folder, -1)
			if err != nil {
				t.Fatal(err)
			}
			g := guest.Guest{Name: "mine"}.With(read)
			runs, err := test.plan.Host.Guest(g)
			if err != nil {
				t.Fatal(err)
			}
			makers := study.NewMakers(frames.Maker(test.plan.Host.Also))
			if err := runs.Make(t.Context(), s, makers, study.Options{}, runs.Own()...); err != nil {
				t.Fatal(err)
			}
			for _, part := range runs.Parts {
				note, err := test.plan.Host.CheckFit(s, part, nil)
				damaged := test.paper == "unslu" && strings.Contains(note, "lost what it should retain") // NG at its rate
				if err != nil || note != "" && !damaged {
					t.Errorf("the method does not fit: got %q, %v", note, err)
				}
			}
			if err := guest.Save(s, test.paper, g); err != nil {
				t.Fatal(err)
			}
			if whole, err = test.plan.Read(s); err != nil {
				t.Fatal(err)
			}
			guesttest.Shown(t, test.study, whole, "mine", before, test.claims, test.figures...)
			elsewhere := test.paper == "unslu" // its richest preset has SLURP* in worlds of its own
			if hides, err := test.study.HidesGuests(s, test.study.Richest); err != nil || hides != elsewhere {
				t.Errorf("the richest preset hides the guest: got %v, %v, want %v", hides, err, elsewhere)
			}
			if found, err = test.plan.Read(s, test.table); err != nil {
				t.Fatal(err)
			}
			cells, err := found.Cells(test.table)
			if err != nil {
				t.Fatal(err)
			}
			byRow := map[string][]certify.Cell{}
			for _, c := range cells {
				if c.Column != "GUM" && c.Column != "Speedup" { // they need the seconds of the method
					byRow[c.Row] = append(byRow[c.Row], c)
				}
			}
			if len(byRow[test.row]) == 0 {
				t.Fatalf("table %s has no row %s", test.table, test.row)
			}
			if diff := cmp.Diff(byRow[test.row], byRow[test.guest], cmpopts.EquateNaNs(), cmpopts.IgnoreFields(certify.Cell{},
				"Row", "Levels", "Guest", "From", "Printed", "PAdjusted", "DifferenceAdjusted"),
				cmpopts.IgnoreFields(certify.Basis{}, "Tests")); diff != "" {
				t.Errorf("the guest differs from the method:\n%s", diff)
			}
			if test.verdict == "" {
				return
			}
			verdicts, err := found.Table("verdicts", false)
			if err != nil {
				t.Fatal(err)
			}
			own, theirs := valuesIn(t, verdicts, test.verdict), valuesIn(t, verdicts, test.guestVerdict)
			if diff := cmp.Diff(own, theirs, cmpopts.EquateNaNs()); diff != "" {
				t.Errorf("the verdict on the guest differs from the method's:\n%s", diff)
			}
		})
	}
}

// valuesIn returns the numbers of a row of verdicts that no correction for the number of tests changes.
func valuesIn(t *testing.T, table *report.Table, row string) map[string]float64 {
	t.Helper()
	values := map[string]float64{}
	for _, r := range table.Rows {
		if r.Name != row {
			continue
		}
		for i, column := range table.Columns {
			if !column.Words && !strings.HasPrefix(column.Name, "p") {
				values[column.Name] = r.Cells[i].Value
			}
		}
		return values
	}
	var names []string
	for _, r := range table.Rows {
		names = append(names, r.Name)
	}
	t.Fatalf("the verdicts have no row %s, only %s", row, strings.Join(names, ", "))
	return nil
}
