package concealment

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// A pair without a setting is only tuned. With a setting it is like any other pair.
func TestWider_TriedFirst(t *testing.T) {
	plan := NewPlan(Wider())
	for _, pair := range plan.Pairs {
		_, chosen := pair.Method.chosen(pair.Erasure.Paper)
		if chosen != (len(pair.Models) == 5) || !chosen && len(pair.Models) != 0 || len(pair.Tuning) == 0 {
			t.Errorf("%s of %s: %d tries and %d models, setting chosen: %v", pair.Method.Title, pair.Erasure.Paper,
				len(pair.Tuning), len(pair.Models), chosen)
		}
	}
	tried := map[string]float64{}
	for _, m := range Wider().Methods {
		tried[m.Title] = m.Rates[0]
		for _, own := range methods() {
			if m.Name == own.Name && m.Variant != "" && m.Budgets[len(m.Budgets)-1] <= own.Budgets[len(own.Budgets)-1] {
				t.Errorf("%s ends at %d passes as before", m.Title, m.Budgets[len(m.Budgets)-1])
			}
		}
	}
	// The rates are 10 to 30 times the authors' rate. They are lower than mini's rates for SDD, and more passes are
	// tried than in mini.
	if got := tried["SDD, average .999"]; got != 1e-4 {
		t.Errorf("SDD begins at %v", got)
	}
	for _, a := range plan.Attacked {
		if len(a.Unlearned) != 5 {
			t.Errorf("%q is attacked on %d models", a.Prompt.Prompt, len(a.Unlearned))
		}
	}
	if !slices.ContainsFunc(plan.Attacked, func(a Attacks) bool { return a.Prompt.Prompt == "artist" }) {
		t.Error("no prompt to retain that is one")
	}
}

func TestWider_Chosen(t *testing.T) {
	before := settings
	defer func() { settings = before }()
	others := slices.DeleteFunc(slices.Clone(settings), func(s Setting) bool { return s.Method == "sdd/slow" })
	settings = append(others, Setting{"sdd/slow", "Nudity", 2e-4, 100, true})
	plan := NewPlan(Wider())
	pair := plan.pairOf("SDD, average .999", "Nudity")
	if pair == nil || len(pair.Models) != 5 || pair.Setting.Budget != 100 {
		t.Fatalf("got %+v, want not nil, 5 Models, Setting.Budget 100", pair)
	}
	spec, _ := Erased.Spec(pair.Models[0].Run)
	if spec.Values["average"] != .999 || spec.Values["rate"] != 2e-4 || spec.Method != "sdd" {
		t.Errorf(`got %+v, want Values["average"] .999, Values["rate"] 2e-4, Method "sdd"`, spec)
	}
	if own, _ := Mini().named("sdd"); own.setting("Nudity").Rate != 5e-4 {
		t.Error("mini's setting is another")
	}
	forget := 0
	for _, a := range plan.Attacked {
		if a.Prompt.Method == "SDD, average .999" {
			forget++
		}
	}
	if forget != 5 {
		t.Errorf("attacked with %d prompts", forget)
	}
}

// The name of a variant differs from its method's. It has no comma, because the command splits names at commas.
func TestVariant_Names(t *testing.T) {
	p := Wider()
	for name, title := range map[string]string{"esd-x/longer": "ESD-x, longer", "esd-x": "ESD-x",
		"sdd/slow of Nudity": "SDD, average .999"} {
		if of, err := p.selected(name); err != nil || of.title != title {
			t.Errorf("%s is %+v, %v", name, of, err)
		}
	}
	if _, err := p.selected("sdd"); err == nil || !strings.Contains(err.Error(), "there are sdd/slow, esd-x/longer, ") {
		t.Errorf(`got the error %v, want one with "there are sdd/slow, esd-x/longer, "`, err)
	}
}

// The tries of a pair that has no models yet are read, and its setting is chosen.
func TestWaiting_Chosen(t *testing.T) {
	p := Smoke()
	p.Waits = true
	p.Methods[0].Variant = "/other"
	plan := NewPlan(p)
	s := storeOf(t, plan, p)
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	if table, err := r.settingTable(); err != nil || len(table.Rows) != len(r.Pairs) {
		t.Errorf("got %v, %v, want %v Rows", table, err, len(r.Pairs))
	}
	if len(r.Pairs[0].Views) != 0 || r.Pairs[0].Setting.Method != "esd-x/other" || len(r.Attacks) != 0 {
		t.Errorf("%+v, %d attacks", r.Pairs[0].Setting, len(r.Attacks))
	}
}

// Results that ship with the study are not exported again. A complete pair is shown before the others are complete.
func TestWaiting_Part(t *testing.T) {
	p := Smoke()
	p.Name, p.Outputs, p.Waits = "methods", nil, true
	p.Methods[0].Variant = "/other"
	plan := NewPlan(p)
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plan.part(s); !errors.As(err, new(*study.Absent)) {
		t.Errorf("an empty store: %v", err)
	}
	makers := fakes(&pretender{madeUp: usual(), preset: p})
	runs, err := plan.Of(p.Methods[0].Title)
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Make(t.Context(), s, makers, study.Options{}, runs...); err != nil {
		t.Fatal(err)
	}
	r, err := plan.part(s)
	if err != nil || len(r.Pairs) != 1 || r.Pairs[0].Method.Title != p.Methods[0].Title ||
		len(r.Preset.Prompts) > 1 || plan.PresetPlan().Part == nil {
		t.Fatalf("got %+v, %v, want 1 Pairs, Pairs[0].Method.Title %v, length at most 1 of Preset.Prompts, "+
			"plan.PresetPlan().Part not nil",
			r, err, p.Methods[0].Title)
	}
	if _, err := plan.Read(s); !errors.As(err, new(*study.Absent)) {
		t.Errorf("one of two methods is all of them: %v", err)
	}
	wider := NewPlan(Wider())
	for _, run := range wider.Runs() {
		if _, is := wider.Published(run, nil); is && wider.core()[run.Key()] {
			t.Errorf("%s ships twice", run.Title)
		}
	}
	if !wider.core()[wider.Original.Run.Key()] || NewPlan(Mini()).core() != nil {
		t.Error("the study's own runs are another's")
	}
}

// Verdicts of an additional preset are corrected for all possible verdicts of this preset and the study, so that
// p-values do not depend on which runs are complete.
func TestWider_Corrected(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	if got := Wider().Judged; got != 11+11 { // eight methods with a concept, and three methods with several
		t.Errorf("of %d methods and concepts", got)
	}
	if part := Wider().restricted([]selection{{"ESD-x, longer", "Van Gogh"}}); part.Judged != Wider().Judged {
		t.Errorf("of a part there are %d", part.Judged)
	}
	r := usual().results(Mini())
	own, of := r.Verdicts(), r.counted(r.Verdicts())
	r.Preset.Judged = 2 * of
	compared := 0
	for i, v := range r.Verdicts() {
		if p := own[i].Gain.P(0); p > 0 && p < .5 {
			compared++
			if math.Abs(v.Gain.P(0)-2*p) > 1e-12 {
				t.Errorf("%s: p %g of %d, %g of twice as many", v.Name, p, of, v.Gain.P(0))
			}
		}
	}
	if compared == 0 || !strings.Contains(tabled(t, r.VerdictTable).Note, fmt.Sprintf("%d here and in the study", 2*of)) {
		t.Errorf("%d verdicts compared; %s", compared, tabled(t, r.VerdictTable).Note)
	}
}

// The attacks behind the captions take a hundred steps.
func TestCaptions_Steps(t *testing.T) {
	plan := NewPlan(Captions())
	var prompts []string
	for _, a := range plan.Attacked {
		prompts = append(prompts, a.Prompt.Paper)
		spec, _ := Attack.Spec(a.Gold)
		if spec.Sampling.Steps != 100 || len(a.Unlearned) != 5 {
			t.Errorf("%q in %d steps on %d models", a.Prompt.Paper, spec.Sampling.Steps, len(a.Unlearned))
		}
	}
	if len(prompts) != 3 {
		t.Errorf("captions of %q", prompts)
	}
	if got, want := plan.Original.Look.Key(), NewPlan(Mini()).Original.Look.Key(); got != want {
		t.Errorf("what the original draws alone is looked at again: %s, mini's is %s", got, want)
	}
	r := usual().results(Captions())
	claims := r.Claims()
	if len(claims) != 3 {
		t.Errorf("%d claims", len(claims))
	}
	for _, c := range claims {
		if !strings.HasSuffix(c.Source, ", caption") || c.Verdict == certify.Untestable {
			t.Errorf(`%s: got %s, want ", caption" at the end of c.Source, other than %v`,
				c.Source, c.Verdict, certify.Untestable)
		}
	}
}

// storeOf returns a store with artificial results of a plan's runs.
func storeOf(t *testing.T, plan *Plan, p Preset) *store.Store {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	makers := fakes(&pretender{madeUp: usual(), preset: p})
	if err := plan.Execute(t.Context(), s, makers, study.Options{}); err != nil {
		t.Fatal(err)
	}
	return s
}
