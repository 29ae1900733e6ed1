package remem_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func cell(t *testing.T, table, row, column string) certify.Cell {
	t.Helper()
	cells, err := results(t).Cells(table)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(cells, func(c certify.Cell) bool { return c.Row == row && c.Column == column })
	if at < 0 {
		t.Fatalf("table %s has no %s of %s", table, column, row)
	}
	return cells[at]
}

func TestCell_MeanOverWorlds(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	r := results(t)
	var kept, exposure, forgot float64
	for _, w := range r.Worlds {
		m := w.Sizes[1].Methods[3][4] // NPO, after forgetting four people, at the larger size
		sum, n := map[string]float64{}, map[string]float64{}
		for _, a := range m.Answers {
			if a.Hop != "single" {
				continue
			}
			n[a.Part]++
			sum[a.Part] += 100 * metric.ROUGEL(a.Reference, a.Output).Recall
			n["right in "+a.Part]++
			sum["right in "+a.Part] += 100 * metric.KeywordMatchWhole(a.Output, a.Keyword)
		}
		kept += sum[remem.PartRetain] / n[remem.PartRetain] / 3
		forgot += sum["right in forget"] / n["right in forget"] / 3
		ranks, count := 0., 0.
		for _, s := range m.Secrets {
			if s.Hop == "single" {
				ranks += metric.Exposure(int(s.Rank), int(s.Candidates))
				count++
			}
		}
		exposure += ranks / count / 3
	}
	for column, want := range map[string]float64{"Single-hop/ROUGE": kept, "Single-hop/EM_f": forgot,
		"Single-hop/Exp": exposure} {
		if got := cell(t, "2", "L/NPO", column); math.Abs(got.Estimate-want) > 1e-4 {
			t.Errorf("%s is %v, want %v", column, got.Estimate, want)
		}
	}
	if got := cell(t, "2", "L/NPO", "Single-hop/EM_f").Printed; got != "36.07" {
		t.Errorf("the paper prints an EM_f of %q there", got)
	}
	if got := cell(t, "3", "S*", "EM").Printed; got != "91.50" {
		t.Errorf("the paper prints an EM of %q there", got)
	}
}

// With 4 of 20 people to forget, the numbers of questions are the denominators of the shares that the paper prints.
func TestTable2_Denominators(t *testing.T) {
	r := results(t)
	counts := map[string]int{}
	for _, a := range r.Worlds[0].Sizes[0].Methods[3][0].Answers {
		counts[a.Part+" "+a.Hop]++
	}
	for part, want := range map[string]int{"retain single": 224, "retain multi": 224, "forget single": 280,
		"forget multi": 120, "test single": 56, "test multi": 56} {
		if counts[part] != want {
			t.Errorf("%d of %s, want %d", counts[part], part, want)
		}
	}
}

// The taught model must answer the same questions as the methods that it is compared with.
func TestBefore_SameQuestions(t *testing.T) {
	r := results(t)
	s := r.Worlds[2].Sizes[0]
	for ratio, before := range s.Befores {
		own := map[string]string{}
		for _, a := range s.Methods[ratio][0].Answers {
			own[a.ID] = a.Part
		}
		if len(before.Answers) != len(own) {
			t.Errorf("%d people: %d answers beside %d", ratio+1, len(before.Answers), len(own))
		}
		for _, a := range before.Answers {
			if own[a.ID] != a.Part {
				t.Errorf("%s is of %s and of %s", a.ID, a.Part, own[a.ID])
			}
		}
		if len(before.Secrets) != len(s.Methods[ratio][0].Secrets) {
			t.Errorf("%d secrets beside %d", len(before.Secrets), len(s.Methods[ratio][0].Secrets))
		}
	}
}

// Scores are about the same sixteen retained people at every ratio, though up to nineteen are retained at smaller ones.
func TestKept_SamePeople(t *testing.T) {
	s := results(t).Worlds[2].Sizes[1]
	for ratio, row := range s.Methods {
		for _, m := range append([]*remem.Model{s.Befores[ratio], s.Gold}, row...) {
			people, questions := map[int32]bool{}, 0
			for _, a := range m.Answers {
				if a.Part == remem.PartRetain {
					people[a.Identity], questions = true, questions+1
				}
			}
			if len(people) != 16 || questions != 448 {
				t.Errorf("%d to forget: %d questions about %d people who are kept", ratio+1, questions, len(people))
			}
		}
	}
}

func TestTables_Text(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	r := results(t)
	names := slices.Clone(remem.TableNumbers)
	for _, item := range remem.Study.Further {
		names = append(names, item.Name)
	}
	for _, name := range names {
		if name == "refusing" || name == "matched" { // read other presets, see TestRefusing_Answers
			continue
		}
		for _, certified := range []bool{false, true} {
			table, err := r.Table(name, certified)
			if err != nil || len(table.Rows) == 0 {
				t.Errorf("table %s: %v", name, err)
				continue
			}
			var text strings.Builder
			if err := table.Text(&text); err != nil || strings.Contains(text.String(), "NaN") {
				t.Errorf("table %s: %v\n%.3000s", name, err, text.String())
			}
			if name != "answers" && !certified {
				t.Logf("%.6000s", text.String())
			}
		}
	}
	_, err := r.Table("10", false)
	if err == nil || !strings.HasPrefix(err.Error(), `the study has no table "10"; it has 1`) {
		t.Error(err)
	}
}

func TestTables_Lacks(t *testing.T) {
	r := *results(t)
	r.Preset.Shapes, r.Preset.Counts, r.Preset.Shares, r.Preset.Whole, r.Preset.Traced = nil, nil, nil, false, 0
	for _, name := range []string{"3", "5", "learning", "maps"} {
		var lacks *study.Lacks
		if _, err := r.Table(name, false); !errors.As(err, &lacks) {
			t.Errorf("table %s: %v", name, err)
		}
	}
}

func TestClaims_Judged(t *testing.T) {
	judged := results(t).Claims()
	untestable := 0
	for _, j := range judged {
		diverged := false // DPO diverged for one person to forget
		for _, of := range []string{"The more are forgotten", "More to forget", "GD keeps most, however"} {
			diverged = diverged || strings.HasPrefix(j.Claim, of)
		}
		if j.Verdict == certify.Untestable && math.IsNaN(j.Statistic) && !diverged && j.Caveat == "" {
			t.Errorf("%q asks for what there is not", j.Claim)
		}
		if j.Verdict == certify.Untestable {
			untestable++
		}
	}
	if len(judged) < 60 || untestable == len(judged) {
		t.Errorf("%d claims, %d untestable", len(judged), untestable)
	}
}

// In the made-up worlds, NPO leaves much and GA little.
func TestVerdicts_TwoQuestions(t *testing.T) {
	verdicts := map[string]remem.Assessment{}
	for _, v := range results(t).Verdicts() {
		verdicts[v.Size+"/"+v.Method] = v
	}
	if got := verdicts["S/NPO"]; got.Verdict != remem.NotErased && got.Verdict != certify.Unresolved ||
		got.Left.Value < .3 {
		t.Errorf("NPO: %+v", got)
	}
	if got := verdicts["S/GA"]; got.Gone == remem.Left || got.Left.Value > .2 {
		t.Errorf("GA: %+v", got)
	}
}

// If the taught model knows no more than gold, there is no verdict.
func TestVerdicts_NothingLearnt(t *testing.T) {
	r := *results(t)
	r.Worlds = slices.Clone(r.Worlds)
	for i, w := range r.Worlds {
		sizes := slices.Clone(w.Sizes)
		sizes[0].Befores = slices.Clone(sizes[0].Befores)
		sizes[0].Befores[len(sizes[0].Befores)-1] = sizes[0].Gold
		r.Worlds[i].Sizes = sizes
	}
	for _, v := range r.Verdicts() {
		nothing := v.Verdict == certify.Untestable && v.Gone == certify.Untestable && math.IsNaN(v.Left.Value) &&
			v.Change == "a taught model that knows more than gold"
		if nothing != (v.Size == "S") {
			t.Errorf("got %+v, want nothing %v", v, (v.Size == "S"))
		}
	}
}

// The one world of quick is the first world of mini.
func TestQuick_FirstWorld(t *testing.T) {
	whole := remem.NewPlan(remem.Mini())
	for _, run := range remem.NewPlan(remem.Quick()).Runs() {
		if !slices.ContainsFunc(whole.Runs(), func(other *study.Run) bool { return other.Key() == run.Key() }) {
			t.Errorf("mini has no %s", run.Title)
		}
	}
}

func TestSayings_AreAnswers(t *testing.T) {
	r := results(t)
	table, err := r.Table("sayings", false)
	if err != nil || len(table.Rows) != 20 || len(table.Columns) != 9 {
		t.Fatalf("%v: %d rows of %d columns", err, len(table.Rows), len(table.Columns))
	}
	s := r.Worlds[0].Sizes[1]
	shown := 0
	for _, a := range s.Methods[3][4].Answers { // answers of NPO
		if a.Part != remem.PartForget {
			continue
		}
		for _, row := range table.Rows[10:] {
			if row.Name == "L/"+a.Question && row.Cells[0].Text == a.Keyword && row.Cells[7].Text == a.Output {
				shown++
				break
			}
		}
	}
	if shown < 10 {
		t.Errorf("%d answers of NPO are among what is shown", shown)
	}
}
