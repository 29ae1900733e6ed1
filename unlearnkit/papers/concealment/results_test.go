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

func TestPlan_Shares(t *testing.T) {
	plan := NewPlan(Mini())
	// The runs are: the judge; the original and its judged pictures; two models with other outputs; seven gold models
	// and their judged pictures; eight pairs of a method and a concept, each tuned at three rates and trained with five
	// seeds, with judged pictures of each model; 28 prompts that attack five seeds; and 29 prompts that attack gold.
	// Lessons add attacks on a method and on gold with three samplers, and an overdone model, its judged pictures and
	// an attack on it.
	if got, want := len(plan.Runs()), 1+2+2+7*2+8*3+8*5*2+28*5+29+3*2+3; got != want {
		t.Errorf("%d runs, want %d", got, want)
	}
	quick := NewPlan(Quick())
	inMini := plan.Keys()
	for _, run := range quick.Runs() {
		if !inMini[run.Key()] {
			t.Errorf("%s is a run of quick and not of mini", run.Title)
		}
	}
	for _, lesson := range []Preset{Mini().Lesson(methods()[0], LessonPsi, Mini().Attack.Sampling),
		Mini().Lesson(Overdone(methods()[3]), LessonPsi, Mini().Attack.Sampling)} {
		for _, run := range NewPlan(lesson).Runs() {
			if !inMini[run.Key()] {
				t.Errorf("%s is a run of a lesson and not of mini", run.Title)
			}
		}
	}
	sheets := 0
	for _, run := range plan.Runs() {
		if spec, is := Attack.Spec(run); is && spec.Sheet && spec.Set == Mini().Attack.Set {
			sheets++
		}
	}
	if sheets != 28+29 {
		t.Errorf("%d attacks keep pictures, want those of the first seed and of gold", sheets)
	}
}

// A gold model differs from the original only in its world. It is not judged during training.
func TestPlan_GoldWorld(t *testing.T) {
	plan := NewPlan(Mini())
	for _, gold := range plan.Golds {
		spec, _ := Base.Spec(gold.Run)
		original, _ := Base.Spec(plan.Original.Run)
		if spec.World.Without != gold.Erasure.Concept || spec.Judge != "" || spec.Looks != nil {
			t.Errorf(`got %+v, want World.Without %v, Judge "", Looks nil`, spec, gold.Erasure.Concept)
		}
		spec.World.Without = concept.Concept{}
		original.Looks, original.Each, original.Sampling, original.Judge = nil, 0, Sampling{}, ""
		if !reflect.DeepEqual(spec, original) {
			t.Errorf("gold without %s: %+v, the original %+v", gold.Erasure.Paper, spec, original)
		}
	}
}

func TestPlan_Of(t *testing.T) {
	plan := NewPlan(Quick())
	runs, err := plan.Of("esd-u")
	if err != nil {
		t.Fatal(err)
	}
	// The runs are the judged pictures of the original, gold and the erased model, and five attacks each on gold and
	// the erased model.
	if len(runs) != 3+2*5 {
		for _, run := range runs {
			t.Log(run.Title)
		}
		t.Errorf("%d runs", len(runs))
	}
	if again, err := plan.Of("ESD-u"); err != nil || !slices.Equal(again, runs) {
		t.Errorf("by its title: %v", err)
	}
	for name, says := range map[string]string{"esd-y": "do you mean esd-", "": "there are esd-x, esd-u"} {
		if _, err := plan.Of(name); err == nil || !strings.Contains(err.Error(), says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got the error %v, want one with %q", name, err, says)
		}
	}
}

func TestResults_Read(t *testing.T) {
	preset := Smoke()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	maker := &pretender{madeUp: usual(), preset: preset}
	plan := NewPlan(preset)
	var absent *study.Absent
	if _, err := plan.Read(s); !errors.As(err, &absent) || len(absent.Runs) != len(plan.Runs()) {
		t.Errorf("an empty store: %v", err)
	}
	if err := plan.Execute(context.Background(), s, fakes(maker), study.Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.learning) != 2 || len(r.learning[1].Looks) != 2 || len(r.Original) != 40 || len(r.Golds) != 2 ||
		len(r.Pairs) != 2 || len(r.Pairs[0].Tried) != 1 || len(r.Pairs[0].Tried[0].Views) != 2 || len(r.Attacks) != 2 {
		t.Fatalf("%d models learning, %d views, %d golds, %d pairs, %d attacks", len(r.learning), len(r.Original),
			len(r.Golds), len(r.Pairs), len(r.Attacks))
	}
	for _, a := range r.Attacks {
		if got, want := a.Unlearned[0].scores().Frame().Column("psi").Texts[5],
			maker.attack(preset, a, a.Prompt.Method, 0).Pictures[5].Psi; got != want {
			t.Errorf("ψ %s, want %s", got, want)
		}
		for _, gold := range []bool{false, true} {
			sheets, err := a.Sheets(gold)
			if err != nil || sheets.Original.Bounds().Dx() != 10 || sheets.Unlearned.Bounds().Dx() != 11 ||
				sheets.Strip.Bounds().Dx() != 12 {
				t.Errorf("got %v, %v, want Original.Bounds().Dx() 10, Unlearned.Bounds().Dx() 11, "+
					"Strip.Bounds().Dx() 12",
					sheets, err)
			}
		}
	}
	for _, number := range []string{"1", "2"} {
		if _, err := r.Table(number, true); err != nil {
			t.Error(err)
		}
	}
	r.Claims()
	r.Verdicts()
	if _, err := (AttackScores{}).Sheets(false); err == nil {
		t.Error("there are pictures of nothing")
	}
}

func TestPresets_Named(t *testing.T) {
	for _, name := range []string{"smoke", "quick", "mini"} {
		if p, err := Named(name); err != nil || p.Name != name {
			t.Errorf("%s: got the error %v, want p.Name %v", name, err, name)
		}
	}
	if _, err := Named("huge"); err == nil || !strings.Contains(err.Error(), "smoke, quick, mini") {
		t.Error(err)
	}
	if _, err := Open(t.TempDir(), "smoke"); err == nil ||
		!strings.Contains(err.Error(), "unlearnlab run concealment --preset smoke") {
		t.Error(err)
	}
	only := Mini().Only(methods()[3])
	if len(only.Prompts) != 10 || len(NewPlan(only).Golds) != 2 {
		t.Errorf("SDD alone has %d prompts", len(only.Prompts))
	}
}
