// Package guesttest evaluates models as guests of a study in tests, and compares guests with the study's own methods.
package guesttest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Host is a study with results, to which tests add guests.
type Host struct {
	Paper  string
	Store  *store.Store
	Plan   *study.PresetPlan
	Makers study.Makers
	Models guest.Models // the models that Makers imports
}

// Evaluate evaluates a model as a guest in the first repetition. If the study has several parts, of names one of them.
func (h Host) Evaluate(t *testing.T, name, of string, m guest.Model) error {
	t.Helper()
	if err := m.Check(); err != nil {
		return err
	}
	digest, err := m.Digest()
	if err != nil {
		return err
	}
	h.Models[digest] = m
	g := guest.Guest{Name: name, Parts: []guest.Part{{Of: of, Model: digest, Whole: m.Whole()}}}
	runs, err := h.Plan.Host.Guest(g)
	if err != nil {
		return err
	}
	if err := runs.Make(t.Context(), h.Store, h.Makers, study.Options{}, runs.Own()...); err != nil {
		return err
	}
	return guest.Save(h.Store, h.Paper, g)
}

// Read returns the study's results, and the cells of a table by row.
func (h Host) Read(t *testing.T, table string) (study.Results, map[string][]certify.Cell) {
	t.Helper()
	found, err := h.Plan.Read(h.Store)
	if err != nil {
		t.Fatal(err)
	}
	cells, err := found.Cells(table)
	if err != nil {
		t.Fatal(err)
	}
	byRow := map[string][]certify.Cell{}
	for _, c := range cells {
		byRow[c.Row] = append(byRow[c.Row], c)
	}
	return found, byRow
}

// Equal reports an error if a guest's cells differ from the cells of its method by more than tolerance. It ignores
// corrected p-values, because a guest has a correction of its own.
func Equal(t *testing.T, name string, method, got []certify.Cell, tolerance float64) {
	t.Helper()
	if diff := cmp.Diff(method, got, cmpopts.EquateNaNs(), cmpopts.EquateApprox(0, tolerance),
		cmpopts.IgnoreFields(certify.Cell{}, "Row", "Levels", "Guest", "From", "Printed", "PAdjusted",
			"DifferenceAdjusted"), cmpopts.IgnoreFields(certify.Basis{}, "Tests")); diff != "" {
		t.Errorf("%s differs from its method:\n%s", name, diff)
	}
}

// Against reports an error unless a table compares a guest's row with its method's row in a number of columns, with a
// difference of 0 in each.
func Against(t *testing.T, found study.Results, table, row, method string, columns int) {
	t.Helper()
	all, err := found.(study.Comparer).Against(table, method)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, c := range all.All {
		if c.Row != row {
			continue
		}
		compared++
		if !c.Guest || c.Against != method || !(c.Estimate == 0) {
			t.Errorf("%s less %s in %s: got %v, guest %v, want 0 of a guest", c.Row, c.Against, c.Column, c.Estimate, c.Guest)
		}
	}
	if compared != columns {
		t.Errorf("%s is compared with %s in %d columns, want %d", row, method, compared, columns)
	}
}

// Shown reports an error unless a guest is in figures and claims: each figure must plot it under its name, and a number
// of claims must be about it. before holds the claims without the guest, which must stay as they are.
func Shown(t *testing.T, s *study.Study, found study.Results, name string, before []certify.Judged, claims int,
	figures ...string) {
	t.Helper()
	for _, figure := range figures {
		drawn, err := s.Figures.Figure(figure, found)
		if err != nil {
			t.Errorf("figure %s: %v", figure, err)
			continue
		}
		if text := plotted(t, drawn); !strings.Contains(text, name) {
			t.Errorf("figure %s lacks the guest %s:\n%s", figure, name, text)
		}
	}
	var ofPaper []certify.Judged
	about := 0
	for _, j := range found.Claims() {
		switch {
		case !j.Guest:
			ofPaper = append(ofPaper, j)
		case strings.Contains(j.Claim, name+" (guest"):
			about++
		}
	}
	if about != claims {
		t.Errorf("%d claims are about %s, want %d", about, name, claims)
	}
	if diff := cmp.Diff(before, ofPaper, cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("the guest %s changes the paper's claims:\n%s", name, diff)
	}
}

// plotted returns what a figure plots, as JSON without the caption.
func plotted(t *testing.T, f *chart.Figure) string {
	t.Helper()
	content, err := json.Marshal(f.Data())
	if err != nil {
		t.Fatal(err)
	}
	var data map[string]any
	if err := json.Unmarshal(content, &data); err != nil {
		t.Fatal(err)
	}
	delete(data, "caption")
	content, err = json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
