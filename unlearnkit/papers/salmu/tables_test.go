package salmu

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// The made-up scores equal the printed values, so each table must print what the paper prints.
func TestTables_PrintedScores(t *testing.T) {
	r := printedResults(t, Mini(), 2, 0)
	for number, ours := range map[string]func(row string) string{
		"4": func(row string) string { return strings.Replace(row, "LAION-400M", "Independent", 1) },
		"5": func(row string) string { return row },
		"6": func(row string) string {
			return strings.Replace(row, "Direct Sim. Min.", "Direct Similarity Minimization", 1)
		},
	} {
		cells, err := r.Cells(number)
		if err != nil {
			t.Fatal(err)
		}
		printed, err := papers.Open("salmu", "table"+number)
		if err != nil {
			t.Fatal(err)
		}
		var got, want []string
		for _, c := range cells {
			if _, is := printedColumns[c.Column]; is {
				got = append(got, c.Row+", "+c.Column+": "+fmt.Sprintf("%.3f", c.Estimate)+" and "+c.Printed)
			}
		}
		for _, c := range printed {
			want = append(want, ours(c.Row)+", "+c.Column+": "+c.Value+" and "+c.Value)
		}
		if !slices.Equal(got, want) {
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Errorf("table %s: %s, want %s", number, got[i], want[i])
				}
			}
			t.Errorf("table %s: %d cells, want %d", number, len(got), len(want))
		}
	}
	if _, err := r.Cells("7"); err == nil || err.Error() != `the study has no table "7"; it has 4, 5, 6` {
		t.Errorf("got the error %v, want Error() %q", err, `the study has no table "7"; it has 4, 5, 6`)
	}
	if _, err := r.Table("7", true); err == nil {
		t.Error("table 7 is laid out")
	}
}

func TestCells_Certified(t *testing.T) {
	p := short()
	p.Worlds = 3
	r := printedResults(t, p, 3, 0.05)
	cells, err := r.Cells("5")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(cells, func(c certify.Cell) bool {
		return c.Row == "Generic Captions/10x" && c.Column == "IntraIdSim"
	})
	column := p.column("IntraIdSim")
	var own, target, ownWorlds, targetWorlds []float64
	for w := range r.Seeds() {
		var a, b []float64
		for i, s := range ScoresOf(r.after(w, "generic", 10)) {
			if s.Split == "holdout_association" {
				a, b = append(a, s.Cosine), append(b, ScoresOf(r.base(w, compromised))[i].Cosine)
			}
		}
		own, target = append(own, a...), append(target, b...)
		ownWorlds, targetWorlds = append(ownWorlds, average(a)), append(targetWorlds, average(b))
	}
	margin := 0.10 * average(targetWorlds)
	cell := cells[at]
	for what, pair := range map[string][2]float64{
		"estimate": {cell.Estimate, average(ownWorlds)}, "target": {cell.Target, average(targetWorlds)},
		"margin":      {cell.Margin, margin},
		"p":           {cell.P, stat.TTestPaired(own, target).P},
		"equivalence": {cell.TOSTP, stat.TOSTPaired(ownWorlds, targetWorlds, -margin, margin).P},
		"n":           {float64(cell.N), 36}, "worlds": {float64(cell.Seeds), 3},
	} {
		if !(math.Abs(pair[0]-pair[1]) < 1e-9) {
			t.Errorf("%s of %s: %v, want %v", what, column.Name, pair[0], pair[1])
		}
	}
	var p1, p2 []float64
	for _, c := range cells {
		if !math.IsNaN(c.P) {
			p1, p2 = append(p1, c.P), append(p2, c.PAdjusted)
		} else if c.Row != "Target Scores" || !math.IsNaN(c.PAdjusted) {
			t.Errorf("%s, %s has no p-value", c.Row, c.Column)
		}
	}
	if !slices.Equal(stat.Holm(make([]float64, len(p1)), p1), p2) {
		t.Error("the p-values are not adjusted over the table")
	}
	forget := cells[slices.IndexFunc(cells, func(c certify.Cell) bool {
		return c.Row == "Generic Captions/10x" && c.Column == "ACS"
	})]
	know := cells[slices.IndexFunc(cells, func(c certify.Cell) bool {
		return c.Row == "Generic Captions/10x" && c.Column == "GenKnow"
	})]
	if math.Abs(forget.Margin-0.1*(0.951-0.602)) > 0.01 || math.Abs(know.Margin-0.03*0.638) > 0.002 {
		t.Errorf("margins %v and %v", forget.Margin, know.Margin)
	}
}

func TestCells_EqualPlainLoops(t *testing.T) {
	p := short()
	p.Methods = p.Methods[1:] // only Descent to Delete
	r := empty(p, 2)
	for w := range 2 {
		r.set.Put(drawn(10*w).Evaluation(), w, named(clean)...)
		r.set.Put(drawn(10*w+1).Evaluation(), w, named(compromised)...)
		r.putAfter(drawn(10*w+2).Evaluation(), w, "descent-to-delete", 1)
	}
	cells, err := r.Cells("5")
	if err != nil {
		t.Fatal(err)
	}
	find := func(row, column string) certify.Cell {
		return cells[slices.IndexFunc(cells, func(c certify.Cell) bool { return c.Row == row && c.Column == column })]
	}
	for name := range printedColumns {
		c := p.column(name)
		var own, target []float64
		estimate, aim := 0.0, 0.0
		for w := range 2 {
			base := map[string]Scores{clean: drawn(10 * w), compromised: drawn(10*w + 1)}
			mean, tested := byLoops(c.Name, drawn(10*w+2), base[compromised])
			estimate, own = estimate+mean/2, append(own, tested...)
			mean, tested = byLoops(c.Name, base[c.Target], base[compromised])
			aim, target = aim+mean/2, append(target, tested...)
		}
		cell := find("Descent to Delete", name)
		if want := c.Test.P(own, target); math.Abs(cell.Estimate-estimate) > 1e-14 ||
			math.Abs(cell.Target-aim) > 1e-14 || cell.P != want {
			t.Errorf("%+v, want %v beside %v, p %v", cell, estimate, aim, want)
		}
		if reference := find(targetRow, name); math.Abs(reference.Estimate-aim) > 1e-14 || !math.IsNaN(reference.P) {
			t.Errorf("%+v, want %v", reference, aim)
		}
	}
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func TestTables_Text(t *testing.T) {
	p := short()
	p.Worlds = 3
	r := printedResults(t, p, 3, 0.01)
	r.putAfter(nil, 1, "generic", 20)
	for w := range r.Seeds() {
		r.putAfter(nil, w, "generic", 15)
	}
	for _, number := range []string{"4", "5", "6"} {
		for _, certified := range []bool{false, true} {
			table, err := r.Table(number, certified)
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			if err := table.Markdown(&text); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join("testdata",
				fmt.Sprintf("table%s-%v.md", number, map[bool]string{false: "plain", true: "certified"}[certified]))
			if *golden.Regenerate {
				if err := os.WriteFile(path, []byte(text.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if string(golden) != text.String() {
				t.Errorf("%s was\n%s\nand is\n%s", path, golden, text.String())
			}
		}
	}
}

func TestFailures_PrintedScores(t *testing.T) {
	labels, err := papers.Open("salmu", "failuretypes")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]metric.FailureType{}
	for _, l := range labels {
		want[l.Row] = map[string]metric.FailureType{"1": metric.Catastrophic, "2": metric.OverGeneralised,
			"3": metric.Ineffective}[l.Value]
	}
	r := printedResults(t, Mini(), 2, 0)
	found := 0
	for _, f := range r.Failures(5) {
		if label, stated := want[f.Method]; stated {
			found++
			if f.Type != label {
				t.Errorf("%+v, want %v", f, label)
			}
		}
		if budget := map[bool]int{true: 1, false: 5}[f.Method == "Descent to Delete"]; f.Budget != budget {
			t.Errorf("got %+v, want Budget %v", f, budget)
		}
	}
	if found != len(want) || len(r.Failures(5)) != 9 || len(r.Failures(1)) != 6 {
		t.Errorf("%d of %d labels; %d and %d methods", found, len(want), len(r.Failures(5)), len(r.Failures(1)))
	}
	r.putAfter(nil, 1, "generic", 5)
	if f := r.Failures(5)[0]; f.Type != metric.FailureUndefined {
		t.Errorf("a method that diverged in one world: %+v", f)
	}
}

func TestGap_AllWorlds(t *testing.T) {
	r := printedResults(t, short(), 2, 0.05)
	for _, of := range []bool{false, true} {
		var gap [2][]float64
		for w := range r.Seeds() {
			for _, s := range r.portraitsOf(w, map[bool]string{false: clean, true: compromised}[of]) {
				if s.Split == "gap_real" {
					gap[0] = append(gap[0], s.Cosine)
				}
				if s.Split == "gap_generated" {
					gap[1] = append(gap[1], s.Cosine)
				}
			}
		}
		g := r.Gap(of)
		want := stat.KS2(gap[0], gap[1])
		if !slices.Equal(g.Real, gap[0]) || !slices.Equal(g.Generated, gap[1]) || len(g.Real) != 20 ||
			g.KS.P != want.P || g.KS.Statistic != want.Statistic {
			t.Errorf("%+v, want %v", g, want)
		}
		if g.Model != map[bool]string{false: "Clean", true: "Compromised"}[of] {
			t.Errorf("got %v, want %v", g.Model, map[bool]string{false: "Clean", true: "Compromised"}[of])
		}
	}
}

func TestSensitivity_Curves(t *testing.T) {
	p := Mini()
	p.Worlds, p.Methods, p.Clean = 2, nil, nil
	slices.Reverse(p.Rates)
	r := printedResults(t, p, 2, 0.01)
	for w := range r.Seeds() {
		for i, m := range p.Rates {
			r.set.Put(evaluated(levels{"RetFail": 0.01 * float64(1+i+w), "GenKnow": 0.05 * float64(1+i)}), w,
				m.judged(ofRates, 5)...)
		}
	}
	var names []string
	for _, curve := range r.sensitivity() {
		names = append(names, curve.Method+" "+curve.Column)
		column := p.column(curve.Column)
		target := 0.0
		for w := range r.Seeds() {
			target += column.Mean(r.base(w, column.Target), nil) / 2
		}
		if math.Abs(curve.Target-target) > 1e-12 || len(curve.Points) != 6 {
			t.Errorf("got %+v, want Target near %v, 6 Points", curve, target)
		}
		for i, point := range curve.Points {
			if i > 0 && point.Rate <= curve.Points[i-1].Rate {
				t.Errorf("%s: rate %v after %v", curve.Method, point.Rate, curve.Points[i-1].Rate)
			}
			at := slices.IndexFunc(p.Rates, func(m Method) bool {
				return m.Title == curve.Method && m.Values["rate"] == point.Rate
			})
			value := 0.0
			for w := range r.Seeds() {
				value += column.Mean(r.set.Find(w, p.Rates[at].judged(ofRates, 5)...), nil) / 2
			}
			if math.Abs(point.Estimate-value) > 1e-12 {
				t.Errorf("%s at %v: %v, want %v", curve.Method, point.Rate, point.Estimate, value)
			}
		}
	}
	want := []string{"Generic Captions GenKnow", "Generic Captions RetFail", "Negative Gradient GenKnow",
		"Negative Gradient RetFail"}
	if slices.Sort(names); !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}

// A trajectory has the cells of Table 5, and begins with the compromised model.
func TestTrajectories_FromTable5(t *testing.T) {
	p := Mini()
	p.Worlds, p.Clean, p.Rates, p.Variants = 2, nil, nil, nil
	r := printedResults(t, p, 2, 0.01)
	r.putAfter(nil, 0, "negative", 20)
	r.putAfter(nil, 1, "negative", 20)
	cells, err := r.Cells("5")
	if err != nil {
		t.Fatal(err)
	}
	inTable := map[[2]string]certify.Cell{}
	for _, cell := range cells {
		inTable[[2]string{cell.Row, cell.Column}] = cell
	}
	trajectories := r.trajectories("RetFail", "InterIdSim")
	if len(trajectories) != 16 {
		t.Fatalf("%d trajectories, want 8 methods with budgets in 2 columns", len(trajectories))
	}
	starts := map[string]float64{"RetFail": 0, "InterIdSim": 0}
	for name := range starts {
		for w := range r.Seeds() {
			starts[name] += p.column(name).Mean(r.base(w, compromised), nil) / 2
		}
	}
	for _, trajectory := range trajectories {
		if math.Abs(trajectory.Start-starts[trajectory.Column]) > 1e-12 {
			t.Errorf("%s of %s starts at %v, want %v", trajectory.Column, trajectory.Method, trajectory.Start,
				starts[trajectory.Column])
		}
		for _, point := range trajectory.Points {
			cell := inTable[[2]string{fmt.Sprintf("%s/%dx", trajectory.Method, point.Passes), trajectory.Column}]
			if cell.Row == "" || fmt.Sprint(point.Cell) != fmt.Sprint(cell) { // texts are equal even if values are NaN
				t.Errorf("%s of %s after %d passes: %+v, in the table %+v", trajectory.Column, trajectory.Method,
					point.Passes, point.Cell, cell)
			}
		}
		if target := inTable[[2]string{"Target Scores", trajectory.Column}].Estimate; trajectory.Target != target {
			t.Errorf("%s of %s aims at %v, want %v", trajectory.Column, trajectory.Method, trajectory.Target, target)
		}
	}
	if last := trajectories[3].Points[4]; !math.IsNaN(last.Estimate) {
		t.Errorf("a method that diverged in all worlds comes to %v", last.Estimate)
	}
}
