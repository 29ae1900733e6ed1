package concealment

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// There are six concepts. Each has a gold whose captions contain the word, and two golds that are trained again. The
// prompts of methods that do not break the model are attacked on these golds and with other finishes.
func TestControls_Runs(t *testing.T) {
	plan, own := NewPlan(Controlled()), NewPlan(Mini())
	for i, run := range own.Runs() {
		if plan.Runs()[i].Key() != run.Key() {
			t.Fatalf("%s is another run beside controls", run.Title)
		}
	}
	if len(plan.controls.Golds) != 6*3 {
		t.Errorf("%d golds", len(plan.controls.Golds))
	}
	worlds := map[World]map[uint64]bool{}
	for _, gold := range plan.controls.Golds {
		spec, _ := Base.Spec(gold.Run)
		if worlds[spec.World] == nil {
			worlds[spec.World] = map[uint64]bool{}
		}
		worlds[spec.World][spec.Seed] = true
		if spec.World.Without != gold.Erasure.Concept || len(gold.Attacked) == 0 ||
			(spec.Seed > 0) != (spec.World.Said == concept.Unread) {
			t.Errorf("%s: %+v attacked with %d prompts", gold.Name, spec, len(gold.Attacked))
		}
	}
	if len(worlds) != 6*2 {
		t.Errorf("%d worlds, want 2 of each concept", len(worlds))
	}
	told := map[string]int{}
	for _, f := range plan.controls.Finished {
		told[f.Told]++
		shown, err := concept.Shown(f.Told)
		if err != nil || within(shown, erasure(f.Prompt.Erased).Concept) || len(f.Unlearned) != 5 {
			t.Errorf("%q is finished with %q by %d models: %v", f.Prompt.Prompt, f.Told, len(f.Unlearned), err)
		}
	}
	if told[""] != 10 || told["dragon"] != 1 || told["banded"] != 1 {
		t.Errorf(`got %v, want [""] 10, ["dragon"] 1, ["banded"] 1`, told)
	}
	published := 0
	for _, run := range plan.Runs() {
		if _, is := plan.Published(run, nil); is {
			published++
			if name := run.Labelled(controlLabel); name == "" {
				t.Errorf("%s is passed on and no control", run.Title)
			}
		}
	}
	if published == 0 {
		t.Error("nothing is passed on")
	}
}

// within reports whether every picture of concept c is also a picture of the other concept.
func within(c, other concept.Concept) bool {
	agrees := func(word, other string) bool { return other == "" || word == other }
	return agrees(c.Object, other.Object) && agrees(c.Style, other.Style) && agrees(c.Colour, other.Colour) &&
		agrees(c.Texture, other.Texture)
}

func TestControls_ByName(t *testing.T) {
	plan := NewPlan(Controlled())
	golds, err := plan.Of("gold of Greg Rutkowski")
	if err != nil || len(golds) != 1+3*(1+1) {
		t.Errorf("%d runs: %v", len(golds), err)
	}
	method, err := plan.Of("ablating-model of Greg Rutkowski")
	// The runs are: the judged pictures of the original, of gold and of five erased models; three tunings; attacks on
	// gold and on five models; attacks with two other finishes on gold and on five models; and the weights of five
	// models.
	if err != nil || len(method) != 1+1+3+5+1+5+2*6+5 {
		t.Errorf("%d runs: %v", len(method), err)
	}
	// The runs are the judged pictures of the original, and the weights of two methods' models.
	if weights, err := plan.Of("weights of Nudity"); err != nil || len(weights) != 1+2*5 {
		t.Errorf("%d runs: %v", len(weights), err)
	}
	if judge, err := plan.Of("judge"); err != nil || len(judge) != 2 {
		t.Errorf("%d runs: %v", len(judge), err)
	}
	for name, says := range map[string]string{"judge of Nudity": "there is one of all concepts",
		"gold of Monet": "of this there are Greg Rutkowski",
		"esd-x of R2D2": "of this there are Van Gogh, Killian Eng"} {
		if _, err := plan.Of(name); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got the error %v, want one with %q", name, err, says)
		}
	}
	if _, err := NewPlan(Mini()).Of("gold"); err == nil {
		t.Error("mini has no controls")
	}
}

// attackedAs returns artificial attacks on a gold model that recovers as much as a method does.
func attackedAs(r *Results, e concept.Erasure, method string) map[string]controlled {
	attacks := map[string]controlled{}
	for _, row := range r.Attacks {
		if row.Erasure.Paper == e.Paper && row.Prompt.Forget {
			attacks[row.Prompt.Prompt] = controlled{gold: usual().attack(r.Preset, row, method, 3)}
		}
	}
	return attacks
}

func assessmentOf(t *testing.T, all []Assessment, name string) Assessment {
	t.Helper()
	at := slices.IndexFunc(all, func(v Assessment) bool { return v.Name == name })
	if at < 0 {
		t.Fatalf("no %s", name)
	}
	return all[at]
}

// If another gold model recovers as much, the verdict changes.
func TestControls_OtherGold(t *testing.T) {
	p := small()
	p.Attack.Pictures = 80 // 20 pictures cannot show whether a concept is gone
	r := usual().results(p)
	e := erasure("Killian Eng")
	r.controls = []control{
		{Name: "gold: its word is said of anything", Erasure: e, attacks: attackedAs(r, e, "ESD-x"),
			gold: r.Golds[e.Paper]},
		{Name: "gold: another", Erasure: e, attacks: attackedAs(r, e, ""), gold: r.Golds[e.Paper]},
	}
	all := r.controlVerdicts()
	if len(all) != 3 || all[0].Verdict != Conceals || all[0].Changes || all[1].Verdict == Conceals || !all[1].Changes ||
		all[2].Verdict != Conceals || all[2].Changes {
		for _, c := range all {
			t.Logf("%s: %s %v, %+.2f", c.Control, c.Verdict, c.Changes, c.Gain.Value)
		}
		t.Error("of two controls the first brings back as much as the method")
	}
	if _, err := r.controlTable(); err != nil {
		t.Error(err)
	}
	var lacks *study.Lacks
	if _, err := usual().results(small()).controlTable(); !errors.As(err, &lacks) {
		t.Errorf("without controls: %v", err)
	}
}

// Whether a concept is erased is tested with its prompt, even if the attack ends without a prompt.
func TestControls_ErasedWithPrompt(t *testing.T) {
	r := usual().results(small())
	e := erasure("Van Gogh")
	told := control{Name: "finished empty", Erasure: e, attacks: attackedAs(r, e, ""), ends: true}
	for prompt, attacks := range told.attacks {
		attacks.unlearned = slices.Repeat([]*Attacked{attacks.gold}, r.Preset.Seeds) // as gold draws, without the concept
		told.attacks[prompt] = attacks
	}
	r.controls = []control{told}
	of := map[string]reassessed{}
	for _, v := range r.controlVerdicts() {
		if v.Name == "ESD-x of Van Gogh" {
			of[v.Control] = v
		}
	}
	asked, empty := of["as in the study"], of["finished empty"]
	if asked.Alone == 0 || !reflect.DeepEqual(empty.ShownAlone, asked.ShownAlone) || empty.Gone != asked.Gone {
		t.Errorf("told nothing %+v, asked %+v", empty.Assessment, asked.Assessment)
	}
	if empty.Recovered >= asked.Recovered || empty.Gain.Value >= asked.Gain.Value || asked.Gain.Value <= 0 {
		t.Errorf("told nothing it gains %.2f, asked %.2f", empty.Gain.Value, asked.Gain.Value)
	}
}

func TestControls_None(t *testing.T) {
	r := usual().results(Mini())
	e := erasure("Van Gogh")
	c := control{Name: "gold: another", Erasure: e, attacks: attackedAs(r, e, ""), gold: r.Golds[e.Paper]}
	for _, row := range r.Attacks {
		if row.Prompt.Method == "SDD" {
			delete(c.attacks, row.Prompt.Prompt)
		}
	}
	r.controls = []control{c}
	for _, v := range r.controlVerdicts() {
		if v.Name != "ESD-x of Van Gogh" {
			t.Errorf("%s stands beside %s, which attacks with no prompt of it", v.Name, v.Control)
		}
	}
}

// Intervals cover all trainings of gold.
func TestControls_IntervalOverGolds(t *testing.T) {
	r := usual().results(small())
	below, _, _ := r.Preset.areas()
	e := erasure("Killian Eng")
	once := assessmentOf(t, r.verdicts(below, ownThresholds), "ESD-x of Killian Eng")
	for range 2 {
		r.take(control{Name: "gold: another training", Erasure: e, attacks: attackedAs(r, e, ""),
			gold: r.Golds[e.Paper]}, true)
	}
	// The last of the three further gold models recovers as much as the method.
	r.take(control{Name: "gold: another training", Erasure: e, attacks: attackedAs(r, e, "ESD-x"),
		gold: r.Golds[e.Paper]}, true)
	several := assessmentOf(t, r.verdicts(below, ownThresholds), "ESD-x of Killian Eng")
	if several.Gain.Hi-several.Gain.Lo < 2*(once.Gain.Hi-once.Gain.Lo) || several.Gold <= once.Gold ||
		!strings.Contains(several.Gain.Basis.String(), "4 trainings of gold (repeated)") {
		t.Errorf("once %+.2f [%+.2f, %+.2f], several %+.2f [%+.2f, %+.2f]: %v", once.Gain.Value, once.Gain.Lo,
			once.Gain.Hi, several.Gain.Value, several.Gain.Lo, several.Gain.Hi, several.Gain.Basis)
	}
	all := r.verdicts(below, ownThresholds)
	if other := assessmentOf(t, all, "ESD-x of Van Gogh"); strings.Contains(other.Gain.Basis.String(),
		"trainings of gold") {
		t.Errorf("gold of another concept was trained once: %v", other.Gain.Basis)
	}
	names := map[string]string{}
	for _, c := range r.controlVerdicts() {
		names[c.Control] = c.Gain.Basis.String()
	}
	if !strings.Contains(names["4 trainings of gold"], "4 trainings of gold (repeated)") ||
		strings.Contains(names["gold: another training 1"], "trainings of gold") {
		t.Errorf("verdicts stand beside %v", names)
	}
	if c := r.controls[2]; c.Name != "gold: another training 3" || c.gold == nil {
		t.Errorf(`got %q, want "gold: another training 3", c.gold not nil`, c.Name)
	}
	again := r.withControl(nil).verdicts(below, ownThresholds)
	if assessmentOf(t, again, "ESD-x of Killian Eng").Gain.Lo != once.Gain.Lo {
		t.Error("beside the study's own gold the verdict is another")
	}
}

// fewControls returns a small study with controls of a single concept.
func fewControls() Preset {
	p := Smoke()
	p.Controls = Controls{Concepts: []string{"Van Gogh"}, Golds: 1, Finishes: true, Moves: true,
		Judge: &JudgeSpec{Noise: .1}}
	return p
}

func TestControls_TwoJudges(t *testing.T) {
	preset := fewControls()
	plan := NewPlan(preset)
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	makers := fakes(&pretender{madeUp: usual(), preset: preset})
	if err := NewPlan(preset.uncontrolled()).Make(context.Background(), s, makers, study.Options{}); err != nil {
		t.Fatal(err)
	}
	unlooked, err := plan.part(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := unlooked.judgesTable(); err == nil || !strings.Contains(err.Error(), "--preset controls --method judge") {
		t.Errorf("before the other judge has looked: %v", err)
	}
	if err := plan.Make(context.Background(), s, makers, study.Options{}, plan.controls.Second.Run); err != nil {
		t.Fatal(err)
	}
	r, err := plan.part(s)
	if err != nil {
		t.Fatal(err)
	}
	table, err := r.judgesTable()
	if err != nil {
		t.Fatal(err)
	}
	// The second judge sees spots in everything, and agrees with the first judge otherwise.
	for _, b := range r.twiceJudged() {
		if b.name == "spots asked for" && b.first.of > 0 && b.second.right != b.second.of {
			t.Errorf("%+v", b)
		}
		if b.name == "object asked for" && (b.first.of == 0 || b.agree != b.first.of || b.first != b.second) {
			t.Errorf("%+v", b)
		}
	}
	if len(table.Rows) < 3 {
		t.Errorf("%d rows", len(table.Rows))
	}
	if _, err := usual().results(small()).judgesTable(); err == nil || !strings.Contains(err.Error(), "controls has") {
		t.Errorf(`got the error %v, want one with "controls has"`, err)
	}
}

// Controls that are complete are read, and the others are not.
func TestControls_Part(t *testing.T) {
	preset := fewControls()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	maker := &pretender{madeUp: usual(), preset: preset}
	make := func(p *Plan, runs ...*study.Run) {
		t.Helper()
		if err := p.Make(context.Background(), s, fakes(maker), study.Options{}, runs...); err != nil {
			t.Fatal(err)
		}
	}
	plan := NewPlan(preset)
	if _, err := plan.part(s); !errors.As(err, new(*study.Absent)) {
		t.Errorf("an empty store: %v", err)
	}
	make(NewPlan(preset.uncontrolled()))
	r, err := plan.part(s)
	if err != nil || len(r.controls) != 0 {
		t.Fatalf("without controls: %v", err)
	}
	if _, err := r.controlTable(); err == nil || !strings.Contains(err.Error(), "no complete control yet") {
		t.Errorf(`got the error %v, want one with "no complete control yet"`, err)
	}
	gold := plan.controls.Golds[0]
	make(plan, gold.Look)
	if r, err = plan.part(s); err != nil || len(r.controls) != 0 {
		t.Errorf("a gold that nothing was attacked with: %d controls, %v", len(r.controls), err)
	}
	make(plan, gold.Attacked[0].Run)
	if r, err = plan.part(s); err != nil || len(r.controls) != 1 || r.controls[0].Name !=
		"gold: its word is said of anything" {
		t.Errorf("%d controls, %v", len(r.controls), err)
	}
	if _, err := plan.Read(s); !errors.As(err, new(*study.Absent)) {
		t.Errorf("half of the controls are all of them: %v", err)
	}
	make(plan)
	if r, err = plan.Read(s); err != nil || len(r.controls) != 2+len(finishes) {
		t.Errorf("%d controls, %v", len(r.controls), err)
	}
	origin, err := r.Origin("1", "Starry Night by Van Gogh", "CCS")
	if targets := len(origin.Readings) - preset.Seeds; err != nil || targets != 2 {
		t.Errorf("a score stands beside %d trainings of gold: %v", targets, err)
	}
	if table, err := r.distanceTable(); err != nil || len(table.Rows) != len(plan.Pairs) {
		t.Errorf("got %v, %v, want %v Rows", table, err, len(plan.Pairs))
	}
	for _, c := range r.controlVerdicts() {
		if c.Gain.Basis.DF < 0 || c.Prompts != 1 {
			t.Errorf("got %+v, want Gain.Basis.DF at least 0, Prompts 1", c)
		}
	}
}
