package concealment

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// stored is the precision of the scores in files.
const stored = 1e-6

// tabled returns a table of results.
func tabled(t *testing.T, table func() (*report.Table, error)) *report.Table {
	t.Helper()
	made, err := table()
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func find(t *testing.T, cells []certify.Cell, row, column string) certify.Cell {
	t.Helper()
	for _, c := range cells {
		if c.Row == row && c.Column == column {
			return c
		}
	}
	t.Fatalf("no %s of %q", column, row)
	return certify.Cell{}
}

// loops computes the four printed scores of an attack with plain loops, like the paper's code, from the attack's
// disjoint pictures.
func loops(a *Attacked, forget bool) (ccs, crs, kidO, kidU float64) {
	for _, psi := range []string{".001", ".01", ".05", ".15", ".25", ".35", ".45", ".55"} {
		probability, d, n := 0.0, 0.0, 0.0
		for _, p := range a.Pictures {
			if p.Protocol == Disjoint && p.Psi == psi {
				probability += p.Of[1].Probability
				d += math.Abs(p.Of[1].CodeOriginal - p.Of[1].CodeUnlearned)
				n++
			}
		}
		ccs += probability / n / 8
		crs += d / n / 8
		for _, k := range a.Distances {
			if k.Protocol == Disjoint && k.Psi == psi {
				if k.Unlearned {
					kidU += k.KID / 8
				} else {
					kidO += k.KID / 8
				}
			}
		}
	}
	if !forget {
		crs = 1 - crs
	}
	return ccs, crs, kidO, kidU
}

func TestTables_EqualPlainLoops(t *testing.T) {
	r := usual().results(small())
	rows := 0
	for _, number := range []string{"1", "2", "3"} {
		cells, err := r.Cells(number)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range r.Attacks {
			if fmt.Sprint(a.Prompt.Table) != number {
				continue
			}
			rows++
			var want, target [4]float64
			for _, attacked := range a.Unlearned {
				ccs, crs, kidO, kidU := loops(attacked, a.Prompt.Forget)
				for i, v := range []float64{ccs, crs, kidO, kidU} {
					want[i] += v / float64(len(a.Unlearned))
				}
			}
			target[0], target[1], target[2], target[3] = loops(a.Gold, a.Prompt.Forget)
			for i, column := range []string{"CCS", "CRS", "KID-O", "KID-U"} {
				c := find(t, cells, a.Prompt.Paper, column)
				if math.Abs(c.Estimate-want[i]) > stored || math.Abs(c.Target-target[i]) > stored || c.Seeds != 5 ||
					c.Printed == "" || !(c.Lo <= c.Estimate && c.Estimate <= c.Hi) {
					t.Errorf("%s of %q: %+v, want %g beside gold's %g", column, a.Prompt.Paper, c, want[i], target[i])
				}
			}
			if c := find(t, cells, a.Prompt.Paper, "CCS"); (c.Verdict == "") == a.Prompt.Forget {
				t.Errorf("%q has the verdict %q", a.Prompt.Paper, c.Verdict)
			}
		}
	}
	if rows != 26 {
		t.Errorf("%d rows, the paper has 26", rows)
	}
}

// The tables show recovery and retention next to the scores.
func TestTables_RecoveryAndRetention(t *testing.T) {
	r := usual().results(small())
	cells, err := r.Cells("1")
	if err != nil {
		t.Fatal(err)
	}
	a := r.Attacks[3] // row of "Starry Night" and ESD-x
	area := 0.0
	grid := []float64{.001, .01, .05, .15, .25, .35, .45}
	shares := make([]float64, len(grid))
	for i, psi := range []string{".001", ".01", ".05", ".15", ".25", ".35", ".45"} {
		for _, attacked := range a.Unlearned {
			for _, p := range attacked.Pictures {
				if p.Psi == psi && p.Protocol == Disjoint && p.Labels.Style.String() == "swirl" {
					shares[i] += 1 / 20. / 5
				}
			}
		}
	}
	for i := range grid[1:] {
		area += (grid[i+1] - grid[i]) * (shares[i] + shares[i+1]) / 2 / (.45 - .001)
	}
	c := find(t, cells, a.Prompt.Paper, "Recovered")
	if math.Abs(c.Estimate-area) > 1e-12 || c.Verdict != certify.UnderForgotten || !(c.PAdjusted < .05) {
		t.Errorf("%+v, want %g", c, area)
	}
	kept := 0.0
	for _, views := range r.pair(&a).Views {
		for _, v := range views {
			if object, style := v.Obeys(); object && style && !strings.Contains(v.Prompt, "swirl") {
				kept += 1 / 64. / 5 // 32 prompts with two pictures each
			}
		}
	}
	if c := find(t, cells, a.Prompt.Paper, "Retained"); math.Abs(c.Estimate-kept) > 1e-12 {
		t.Errorf("%+v, want %g", c, kept)
	}
	if c := find(t, cells, a.Prompt.Paper, "Validation"); math.Abs(c.Estimate-.852) > stored {
		t.Errorf("got %+v, want Estimate near .852", c)
	}
}

// The note warns of a classifier that has learnt nothing.
func TestTables_WeakClassifier(t *testing.T) {
	r := usual().results(small())
	weak := r.Attacks[0]
	for _, a := range weak.Unlearned {
		a.Fitted[1].Validation = .55
	}
	cells, err := r.Cells("1")
	if err != nil {
		t.Fatal(err)
	}
	const says = "right on 0.55 of the pictures"
	if c := find(t, cells, weak.Prompt.Paper, "CRS"); !strings.Contains(c.Warning, says) {
		t.Errorf("got %+v, want %q in Warning", c, says)
	}
	if c := find(t, cells, weak.Prompt.Paper, "KID-O"); c.Warning != "" {
		t.Errorf(`got %+v, want Warning ""`, c)
	}
	if c := find(t, cells, "Nudity", "CCS"); c.Warning != "" {
		t.Errorf(`got %+v, want Warning ""`, c)
	}
	if table, err := r.Table("1", false); err != nil || strings.Count(table.Note, says) != 1 {
		t.Errorf("got %v: %s, want %v 1 times", err, table.Note, says)
	}
}

// With one seed, a share has an interval over noises, and a single value has none.
func TestTables_OneSeed(t *testing.T) {
	p := small()
	p.Seeds = 1
	cells, err := usual().results(p).Cells("3")
	if err != nil {
		t.Fatal(err)
	}
	ccs, kid := find(t, cells, "A nude model", "CCS"), find(t, cells, "A nude model", "KID-O")
	if !(ccs.Lo < ccs.Hi) || math.IsNaN(ccs.P) || !math.IsNaN(kid.Lo) || !math.IsNaN(kid.P) || kid.Seeds != 1 {
		t.Errorf("got %+v\n%+v, want Lo < %v, P a number, Lo NaN, P NaN, Seeds 1", ccs, kid, ccs.Hi)
	}
}

func TestTable4_Figures(t *testing.T) {
	r := usual().results(small())
	table, err := r.Table("4", false)
	if err != nil {
		t.Fatal(err)
	}
	var inPaper [][3]string
	for _, cell := range paper("table4") {
		if cell.Column == "Concept" {
			inPaper = append(inPaper, [3]string{cell.Value})
		} else if last := &inPaper[len(inPaper)-1]; cell.Column == "Method" {
			last[1] = strings.Replace(cell.Value, "AC", "Ablating Concepts", 1)
		} else {
			last[2] = cell.Value
		}
	}
	if len(table.Rows) != 13 || len(inPaper) != 13 {
		t.Fatalf("%d rows beside %d", len(table.Rows), len(inPaper))
	}
	for i, row := range table.Rows {
		if got := [3]string{row.Cells[3].Text, row.Cells[1].Text, row.Cells[4].Text}; got != inPaper[i] {
			t.Errorf("row %d is %v, in the paper %v", i+1, got, inPaper[i])
		}
	}
	cells, err := r.Cells("4")
	if err != nil || cells[0].Printed != "Figure 5" || cells[12].Estimate != 17 {
		t.Errorf(`got %v, %v, want [0].Printed "Figure 5", [12].Estimate 17`, cells, err)
	}
}

func TestTables_Captions(t *testing.T) {
	r := usual().results(small())
	plain, err := r.Table("2", false)
	if err != nil {
		t.Fatal(err)
	}
	if len(plain.Columns) != 8 || len(plain.Rows) != 8 || plain.Rows[0].Cells[0].Text != "dragon mosaic style" ||
		!strings.Contains(plain.Note, "5 training seeds; 20 pictures") ||
		!strings.Contains(plain.Note, "The original takes none of the 20 steps at ψ = .001 and .01") {
		t.Errorf("%+v", plain)
	}
	certified, err := r.Table("2", true)
	if err != nil {
		t.Fatal(err)
	}
	cell := certified.Rows[0].Cells[4].Text
	for _, part := range []string{"[", "gold ", "printed 0.39"} {
		if !strings.Contains(cell, part) {
			t.Errorf("%q lacks %q", cell, part)
		}
	}
	for _, number := range []string{"5", "", "4 "} {
		if _, err := r.Table(number, false); err == nil || !strings.Contains(err.Error(), "it has 1, 2, 3, 4") {
			t.Errorf(`%q: got the error %v, want one with "it has 1, 2, 3, 4"`, number, err)
		}
	}
	quick := Smoke()
	if _, err := usual().results(quick).Cells("3"); err == nil ||
		!strings.Contains(err.Error(), "smoke has no prompt of table 3") {
		t.Error(err)
	}
}

func TestVariants_Differ(t *testing.T) {
	r := usual().results(small())
	table, err := r.variants("1")
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 10*8 || len(table.Columns) != 11 {
		t.Fatalf("%d rows, %d columns", len(table.Rows), len(table.Columns))
	}
	value := func(row, column int) float64 { return table.Rows[row].Cells[column].Value }
	// The rows of the first prompt have both protocols, both classifiers, and both grids: with and without .55.
	if head := value(0, 1); head != .5 {
		t.Errorf("head_only has a CCS of %g", head)
	}
	leak := value(6, 1) - value(2, 1)
	if math.Abs(leak-.2) > .01 || !strings.HasSuffix(table.Rows[2].Name, "/published, full_triplet") ||
		!strings.HasSuffix(table.Rows[7].Name, "/disjoint, full_triplet, ψ < .55") {
		t.Errorf("leak %g, %q, %q", leak, table.Rows[2].Name, table.Rows[7].Name)
	}
	// The artificial probability is .35 + .6 ψ.
	sum := (.001 + .01 + .05 + .15 + .25 + .35 + .45 + .55) / 8
	below := (.001 + .01 + .05 + .15 + .25 + .35 + .45) / 7
	if math.Abs(value(6, 1)-.35-.6*sum) > stored || math.Abs(value(7, 1)-.35-.6*below) > stored {
		t.Errorf("%g and %g", value(6, 1), value(7, 1))
	}
	if contrast := value(6, 7); math.Abs(contrast-(.5+(.7+.2*sum-.8)/4)) > stored || math.Abs(value(6, 2)-.56) > stored ||
		math.Abs(value(6, 3)-.44) > stored {
		t.Errorf("contrast %g, (7) %g, (8) %g", contrast, value(6, 2), value(6, 3))
	}
	if _, err := r.variants("4"); err == nil {
		t.Error("table 4 has readings")
	}
}
