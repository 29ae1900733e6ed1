package salmu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/returned"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// The preset is what the rule of the experiment says.
func TestRecovery_Rule(t *testing.T) {
	text, err := os.ReadFile("../../../docs/experiments.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rule, found := strings.Cut(string(text), "## SALMUBench: what comes back")
	if !found {
		t.Fatal("docs/experiments.md has no rule")
	}
	rule = strings.Join(strings.Fields(rule), " ")
	p := Recovery()
	plan := NewPlan(p)
	attacks, models := 0, 0
	for _, run := range plan.Runs() {
		if Attacked.Made(run) {
			attacks++
		} else if Forgetful.Made(run) {
			models++
		}
	}
	said := []string{
		fmt.Sprintf("worlds %d to %d of the preset", p.Looked, p.Worlds-1), "nine methods of Table 5",
		fmt.Sprintf("at the rates %v and %v", "1e-4", "5e-4"), "64 pairs, decay .01",
		fmt.Sprintf("One for each method and attack: %d.", len(p.Attacked)*len(p.Attacks)),
		fmt.Sprintf("p-values are multiplied by %d", len(p.Attacked)*len(p.Attacks)),
		fmt.Sprintf("%s for what is left, %s for what comes back, %s for what is kept", withoutZero(attack.MostLeft),
			withoutZero(attack.GainMargin), withoutZero(attack.LeastRetained)),
		fmt.Sprintf("%s attacks and %d models", strings.Replace(fmt.Sprint(attacks), "1280", "1,280", 1), models),
	}
	for _, kind := range p.Attacks {
		said = append(said, "| "+kind.Name+" |")
	}
	for _, words := range said {
		if !strings.Contains(rule, words) {
			t.Errorf("the rule does not say %q", words)
		}
	}
	if len(p.Attacked) != 9 || leastRecovered != 5 {
		t.Errorf("%d methods, read from %d worlds on", len(p.Attacked), leastRecovered)
	}
	for _, m := range p.Attacked {
		if len(m.Budgets) != 1 || !m.Once && m.Budgets[0] != recoveryBudget {
			t.Errorf("%s is attacked at %v passes", m.Title, m.Budgets)
		}
	}
}

func withoutZero(number float64) string { return strings.TrimPrefix(fmt.Sprint(number), "0") }

// tried returns a preset with two methods and two attacks in six worlds.
func tried() Preset {
	p := Smoke()
	p.Name, p.Worlds, p.Looked = recoveryPreset, 7, 1
	p.Methods, p.Clean, p.Rates, p.Variants = nil, nil, nil, nil
	p.Attacked = methods(1)[:2]
	p.Attacks = []AttackKind{{"training", Relearning, OfHalf, []float64{1e-4, 5e-4}, []int{1, 2}},
		{"a map", Alignment, OfRetained, []float64{0}, []int{4}}}
	return p
}

// pretended writes scores of attacks: the first method hides what it erased from the second rate on, the second erases
// it, and a map brings nothing back. diverges is the start and index of a method without scores.
func pretended(plan *Plan, diverges func(a plannedAttack) bool) study.Makers {
	planned := map[study.Input]plannedAttack{}
	for _, a := range plan.attacks {
		spec, _ := Attacked.Spec(a.run)
		planned[spec.Model] = a
	}
	nothing := func(context.Context, *store.Work) error { return nil }
	return study.NewMakers(
		Base.By(func(ctx context.Context, _ BaseSpec, _ study.Inputs, w *store.Work, _ study.Progress) error {
			return nothing(ctx, w)
		}),
		Forgetful.By(func(ctx context.Context, _ UnlearnedSpec, _ study.Inputs, w *store.Work, _ study.Progress) error {
			return nothing(ctx, w)
		}),
		Attacked.By(func(_ context.Context, spec AttackedSpec, _ study.Inputs, w *store.Work, _ study.Progress) error {
			a := planned[spec.Model]
			if diverges(a) {
				return nil
			}
			random := seed.Stream(uint64(a.world), "pretended", a.start, a.method, fmt.Sprint(spec.Rate))
			var scores []AttackScore
			for at, budget := range append([]int{0}, spec.Budgets...) {
				right := .05
				switch {
				case a.start == compromised && a.method < 0:
					right = .9
				case a.start == compromised && a.method == 0 && spec.Rate == 5e-4:
					right += .35 * float64(at)
				}
				for i := range 80 {
					probe := NewAttackScore(budget, fmt.Sprint("probe ", i), Probe, i/8)
					probe.Rank, probe.Swap = 100, 0
					if i*37%80 < int(80*right)+random.IntN(2) { // spread over the people
						probe.Rank, probe.Swap = 1, 1
					}
					class := NewAttackScore(budget, fmt.Sprint("class ", i), Objects, i)
					class.Right = .9 + .1*random.Float64()
					scores = append(scores, probe, class)
				}
			}
			return WriteAttack(w.Path(AttackFile), scores)
		}))
}

// The table says what comes back under the rate that brings back most in other worlds, from five complete worlds on.
func TestRecovery_Table(t *testing.T) {
	plan := NewPlan(tried())
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	read := func(worlds int, diverges func(a plannedAttack) bool) (*attacked, error) {
		t.Helper()
		var runs []*study.Run
		for _, a := range plan.attacks {
			if a.world <= worlds {
				runs = append(runs, a.run)
			}
		}
		if err := plan.Make(t.Context(), s, pretended(plan, diverges), study.Options{}, runs...); err != nil {
			t.Fatal(err)
		}
		return plan.readAttacks(s)
	}
	never := func(plannedAttack) bool { return false }
	if _, err := read(4, never); !errors.As(err, new(*study.Absent)) {
		t.Errorf("four worlds are read: %v", err)
	}
	a, err := read(5, never)
	if err != nil {
		t.Fatal(err)
	}
	table := a.table()
	want := []string{string(returned.ComesBack), string(returned.AsGold), string(returned.AsGold), string(returned.AsGold)}
	var got []string
	for _, row := range table.Rows {
		got = append(got, row.Cells[0].Text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the verdicts are %q, want %q", got, want)
	}
	for _, words := range []string{"n: 5 worlds of the 6 that there should be; the first 1 are left out", "training (1 to 2 steps)",
		"a map (4 to 4 pairs)", "over 4 rows"} {
		if !strings.Contains(table.Note, words) {
			t.Errorf("the note lacks %q: %s", words, table.Note)
		}
	}
	found, _, known := a.measure(0, a.preset.Attacks[0], 1)
	if !known || found.Gap.Value < .8 || found.Gain.Value < .5 || math.Abs(found.Control.Value) > .02 || found.Kept.Value < .98 {
		t.Errorf("gap %.2f, gain %.2f, control %.2f, kept %.2f", found.Gap.Value, found.Gain.Value, found.Control.Value,
			found.Kept.Value)
	}
	if rates := a.rates(0, a.preset.Attacks[0]); slices.Contains(rates, 0) {
		t.Errorf("the attacker takes the rates %v, and the second brings more back", rates)
	}
	if a, err = read(6, func(a plannedAttack) bool { return a.world == 6 && a.start == compromised && a.method == 1 }); err != nil {
		t.Fatal(err)
	}
	if row := a.table().Rows[2]; row.Cells[0].Text != "diverged" || a.table().Rows[0].Cells[0].Text != want[0] {
		t.Errorf("a model without scores has the verdict %q", row.Cells[0].Text)
	}
}

// Attacks ship in a file for each world, models do not.
func TestRecovery_Published(t *testing.T) {
	files := map[string]bool{}
	plan := NewPlan(Recovery())
	for _, run := range plan.Runs() {
		published, is := plan.Published(run, nil)
		if is != Attacked.Made(run) {
			t.Errorf("%s: published %v", run.Title, is)
		}
		if is {
			place := published.Place(AttackFile)
			files[place.File] = true
		}
	}
	if len(files) != 8 || !files["attacks/world-9.parquet"] {
		t.Errorf("the files are %v", files)
	}
	r := &Results{Preset: Recovery()}
	if _, err := r.Table("5", false); !errors.As(err, new(*study.Lacks)) || len(r.Claims()) > 0 {
		t.Errorf("the preset of attacks has Table 5: %v", err)
	}
}
