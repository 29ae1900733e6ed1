package concealment

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// fewOriginals returns [Originals] with the models of [Smoke] and two training seeds.
func fewOriginals() Preset {
	p := Smoke()
	p.Originals, p.Outputs, p.Tries, p.Seeds = true, nil, Tries{}, 2
	return p
}

func TestOriginals_Pipelines(t *testing.T) {
	p := Originals()
	plan := NewPlan(p)
	own := NewPlan(Mini()).Keys()
	if len(plan.Pairs) != 3 || len(plan.Attacked) != 4 {
		t.Fatalf("%d pairs and %d prompts, want 3 and 4", len(plan.Pairs), len(plan.Attacked))
	}
	for _, pair := range plan.Pairs {
		for training, model := range pair.Models {
			erased, _ := Erased.Spec(model.Run)
			original, _ := Base.Spec(plan.Original.ofTraining(training).Run)
			gold, _ := Base.Spec(plan.gold(pair.Erasure).ofTraining(training).Run)
			if erased.Start != plan.Original.ofTraining(training).Run.Input() {
				t.Errorf("training %d of %s starts from another original", training, pair.Erasure.Paper)
			}
			if original.Seed != gold.Seed || original.Seed != erased.Seed || original.Seed != p.seed(training) {
				t.Errorf("training %d: seeds %d, %d and %d of original, gold and erasure, want %d", training,
					original.Seed, gold.Seed, erased.Seed, p.seed(training))
			}
			if got := own[model.Run.Key()]; got != (training == 0) {
				t.Errorf("training %d is a run of mini: %v", training, got)
			}
		}
	}
	for _, a := range plan.Attacked {
		for training, gold := range append([]*study.Run{a.Gold}, a.Golds...) {
			for _, run := range []*study.Run{gold, a.Unlearned[training]} {
				attack, _ := Attack.Spec(run)
				if attack.Original != plan.Original.ofTraining(training).Run.Input() {
					t.Errorf("%s begins with another original", run.Title)
				}
				if got := own[run.Key()]; got != (training == 0) {
					t.Errorf("%s is a run of mini: %v", run.Title, got)
				}
			}
		}
	}
}

// Every training seed has its own gold, so an effect that a model and its gold share cancels in their difference.
func TestOriginals_PairedWithGold(t *testing.T) {
	p := small()
	p.Originals, p.Seeds = true, 5
	world := usual()
	world.recovered = func(method string, _ bool, psi float64, training int) float64 {
		shown := .1 + .1*float64(training)
		if method != "" && method != "gold" {
			shown += .05
		}
		return min(1, shown+.3*psi)
	}
	paired := world.results(p)
	unpaired := *paired
	unpaired.Attacks = slices.Clone(paired.Attacks)
	for i := range unpaired.Attacks {
		a := &unpaired.Attacks[i]
		a.Others = slices.Clone(a.Others)
		slices.Reverse(a.Others)
	}
	width := func(r *Results) float64 {
		e := excessOf(t, r, "ESD-x of Killian Eng")
		return e[1] - e[0]
	}
	if got, other := width(paired), width(&unpaired); !(got < .6*other) {
		t.Errorf("interval of the excess is %.2f wide, %.2f with golds of other training seeds", got, other)
	}
}

func excessOf(t *testing.T, r *Results, name string) [2]float64 {
	t.Helper()
	for _, v := range r.Verdicts() {
		if v.Name == name {
			if math.IsNaN(v.Excess.Lo) {
				t.Fatalf("%s has no interval", name)
			}
			return [2]float64{v.Excess.Lo, v.Excess.Hi}
		}
	}
	t.Fatalf("no verdict on %s", name)
	return [2]float64{}
}

func TestOriginals_Read(t *testing.T) {
	p := fewOriginals()
	plan := NewPlan(p)
	r, err := plan.Read(storeOf(t, plan, p))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.further) != 1 {
		t.Fatalf("%d further training seeds, want 1", len(r.further))
	}
	got, want := slices.Sorted(maps.Keys(r.further[0].Golds)), slices.Sorted(maps.Keys(r.Golds))
	if !slices.Equal(got, want) {
		t.Errorf("got golds %v of the further training seed, want %v", got, want)
	}
	for _, a := range r.Attacks {
		if len(a.Others) != 1 || len(a.Unlearned) != 2 {
			t.Errorf("%q: %d further golds and %d erased models, want 1 and 2", a.Prompt.Paper, len(a.Others),
				len(a.Unlearned))
		}
	}
	for what, text := range map[string]string{"frame": r.Frame(), "note": tabled(t, r.VerdictTable).Note} {
		if !strings.Contains(text, "its own original, gold models and erasure") {
			t.Errorf("%s says nothing of the originals: %s", what, text)
		}
	}
	for _, c := range r.Claims() {
		if strings.HasPrefix(c.Claim, "ESD-x keeps nine tenths") && math.IsNaN(c.Statistic) {
			t.Errorf("%s: no estimate", c.Claim)
		}
		// Each of the two originals has its own gold, so claims about gold have a test.
		if strings.HasPrefix(c.Claim, "Gold draws what it has never seen") && (math.IsNaN(c.P) || c.Basis.DF > 1) {
			t.Errorf("got %+v, want a p-value with at most one degree of freedom", c)
		}
	}
	if table, err := r.gateTable(); err != nil || table.Rows[1].Name != "original of seed 3, at the gate" {
		t.Errorf("the gate's table has no further original: %v, %v", table, err)
	}
	if cells, err := r.Cells("1"); err != nil || len(cells) == 0 {
		t.Errorf("%d cells: %v", len(cells), err)
	}
}

// A pair is read as soon as it is complete. Results that ship with the study are not exported again.
func TestOriginals_PartAndPublication(t *testing.T) {
	p := fewOriginals()
	p.Name = "originals"
	plan := NewPlan(p)
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	runs, err := plan.Of("esd-x")
	if err != nil {
		t.Fatal(err)
	}
	makers := fakes(&pretender{madeUp: usual(), preset: p})
	if err := plan.Make(t.Context(), s, makers, study.Options{}, runs...); err != nil {
		t.Fatal(err)
	}
	r, err := plan.part(s)
	if err != nil || len(r.Pairs) != 1 || len(r.further) != 1 {
		t.Fatalf("got %+v, %v, want 1 Pairs, 1 Further", r, err)
	}
	whole := NewPlan(Originals())
	for _, run := range whole.Runs() {
		_, is := whole.Published(run, nil)
		if model := Base.Made(run) || Erased.Made(run) || Judge.Made(run); is == (model || whole.core()[run.Key()]) {
			t.Errorf("%s is passed on: %v", run.Title, is)
		}
	}
}

// The answer for a concept is the verdict over several originals, or over one if it was not repeated.
func TestOriginals_Table(t *testing.T) {
	p := small()
	p.Originals, p.Seeds = true, 5
	one, several := usual().results(small()), usual().results(p)
	several.Attacks = slices.DeleteFunc(several.Attacks, func(a AttackScores) bool {
		return a.Prompt.Erased != "Killian Eng"
	})
	// With several originals, half of the trainings bring nothing back.
	for i := range several.Attacks {
		a := &several.Attacks[i]
		a.Unlearned = slices.Clone(a.Unlearned)
		a.Unlearned[0], a.Unlearned[1] = a.Gold, a.Gold
	}
	of := func(r *Results, name string) string {
		below, _, _ := p.areas()
		for _, v := range r.verdicts(below, ownThresholds) {
			if v.Name == name {
				return string(v.Verdict)
			}
		}
		return ""
	}
	table := one.tableOfAnswers(one.answersWith(several), several)
	for _, row := range table.Rows {
		answer, first, other := row.Cells[0].Text, row.Cells[1].Text, row.Cells[2].Text
		wantOther, wantAnswer := notRepeated, of(one, row.Name)
		if row.Name == "ESD-x of Killian Eng" {
			wantOther = of(several, row.Name)
			wantAnswer = wantOther
			if wantOther == "" || wantOther == first {
				t.Errorf("verdict %q over several originals, want another than %q over one", wantOther, first)
			}
		}
		if first != of(one, row.Name) || other != wantOther || answer != wantAnswer {
			t.Errorf("%s: got %q, %q, %q, want %q, %q, %q", row.Name, answer, first, other, wantAnswer, of(one, row.Name),
				wantOther)
		}
	}
	if rows := len(table.Rows); rows < 3 {
		t.Errorf("%d rows, want one for each method and concept", rows)
	}
	// The tables and figures of verdicts name both verdicts where several originals change one.
	below, _, _ := p.areas()
	repeated := several.repeat(below)
	changed := 0
	for _, v := range one.verdicts(below, ownThresholds) {
		want := string(v.Verdict)
		if v.Name == "ESD-x of Killian Eng" {
			want = fmt.Sprintf("%s with 1 original; %s with 5", v.Verdict, of(several, v.Name))
			changed++
		}
		if got := repeated.text(v); got != want {
			t.Errorf("%s: got the text %q, want %q", v.Name, got, want)
		}
	}
	for _, r := range one.recoveriesWith(repeated) {
		if r.Title == "ESD-x of Killian Eng" && strings.Contains(r.Verdict, " with 1 original; ") {
			changed++
		}
	}
	if changed != 2 {
		t.Errorf("the change is shown in %d places, want the table and the figure", changed)
	}
	plain, err := one.originalsTable()
	if err != nil || plain.Rows[0].Cells[2].Text != notRepeated || !strings.Contains(plain.Note, "--preset originals") {
		t.Errorf("without the runs of originals: %v, %v", plain, err)
	}
}
