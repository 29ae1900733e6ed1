package salmu

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// pretender replaces the stages with functions that write artificial scores.
type pretender struct {
	// spoil changes the scores of a method or, if method is "", of a base model. If it is nil, scores do not change.
	spoil func(method string, s Scores) Scores
}

func fakes(p *pretender) study.Makers {
	return study.NewMakers(Base.By(p.Base), Published.By(p.Publish), Pictures.By(p.Pictures), Judgement.By(p.Judge),
		Unlearned.By(p.Unlearn))
}

func (p *pretender) Base(_ context.Context, _ BaseSpec, _ study.Inputs, w *store.Work, _ study.Progress) error {
	return Scores{}.WriteParquet(w.Path("model.parquet"))
}

func (p *pretender) Publish(_ context.Context, spec PublishedSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	return os.WriteFile(w.Path("model.txt"), []byte(spec.Model), 0o644)
}

func (p *pretender) Pictures(_ context.Context, spec PicturesSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	return os.WriteFile(w.Path("pictures.txt"), fmt.Append(nil, spec.Source, spec.Size), 0o644)
}

func (p *pretender) Judge(_ context.Context, spec JudgementSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	model := in.Of(spec.Model)
	if study.Input(model.Key) != spec.Model {
		return fmt.Errorf("judged %s, not %s", model.Key, spec.Model)
	}
	if err := portraits().WriteParquet(w.Path(GapFile)); err != nil {
		return err
	}
	scores := made(string(spec.Model))
	if p.spoil != nil {
		scores = p.spoil("", scores)
	}
	return scores.WriteParquet(w.Path(ScoresFile(0)))
}

func (p *pretender) Unlearn(_ context.Context, spec UnlearnedSpec, in study.Inputs, w *store.Work,
	_ study.Progress) error {
	start := in.Of(spec.Start)
	if study.Input(start.Key) != spec.Start {
		return fmt.Errorf("started from %s, not %s", start.Key, spec.Start)
	}
	for _, budget := range spec.Budgets {
		scores := made(fmt.Sprint(spec.Method, spec.Start, spec.Values["rate"], budget))
		if p.spoil != nil {
			scores = p.spoil(spec.Method, scores)
		}
		if scores == nil {
			break
		}
		if err := scores.WriteParquet(w.Path(ScoresFile(budget))); err != nil {
			return err
		}
	}
	return nil
}

// made returns artificial scores that depend on the name.
func made(name string) Scores {
	return level(levels{"RetFail": 0.5}).shaken(seed.Stream(40, name), 0.01)
}

// short returns a preset with two worlds, two methods and few learning rates.
func short() Preset {
	p := Mini()
	p.Name, p.Worlds = "short", 2
	p.Methods = []Method{p.Methods[0], p.Methods[5]}
	p.Clean, p.Rates, p.Variants = p.Clean[:1], p.Rates[2:4], nil
	p.Trials = nil
	return p
}

func TestPlan_Shares(t *testing.T) {
	plan := NewPlan(short())
	// Each world has two base models. It has scores of three base models, of two methods, of one method that starts
	// from Clean, and of one further rate.
	if got := len(plan.Runs()); got != 2*(2+3+2+1+1) {
		for _, run := range plan.Runs() {
			t.Log(run.Title)
		}
		t.Errorf("%d runs", got)
	}
	if plan.Worlds[0].Rates[0] != plan.Worlds[0].Methods[0] {
		t.Error("the rate of the table is another run")
	}
	for w, next := range []int{1, 0} {
		if plan.Worlds[w].Independent.Needs[0] != plan.Worlds[next].Clean.Needs[0] ||
			plan.Worlds[w].Independent.Key() == plan.Worlds[next].Clean.Key() {
			t.Errorf("the independent model of world %d is not the clean one of the next, judged in this one", w)
		}
	}
	alone := short()
	alone.Worlds = 1
	if world := NewPlan(alone).Worlds[0]; world.Independent.Needs[0] == world.Clean.Needs[0] {
		t.Error("a world alone has no independent model")
	}
	quick, mini := NewPlan(Quick()), NewPlan(Mini())
	if quick.Worlds[0].Compromised.Key() != mini.Worlds[0].Compromised.Key() {
		t.Error("quick starts from other models than mini")
	}
}

func TestResults_Read(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	plan, makers := NewPlan(short()), fakes(&pretender{spoil: func(method string, s Scores) Scores {
		if method == "descent-to-delete" {
			return nil // the method diverges at once
		}
		return s
	}})
	var missing *study.Absent
	if _, err := plan.Read(s); !errors.As(err, &missing) || len(missing.Runs) != len(plan.Runs()) ||
		!strings.Contains(err.Error(), "18 runs are not made yet, the first is \"world 0: Clean, training\"") {
		t.Errorf("got the error %v, want a *study.Absent, length %v of missing.Runs, an error with %q",
			err, len(plan.Runs()), "18 runs are not made yet, the first is \"world 0: Clean, training\"")
	}
	if err := plan.Execute(t.Context(), s, makers, study.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	clear, rates := plan.Preset.Clean[0], plan.Preset.Rates
	for w, runs := range plan.Worlds {
		for name, pair := range map[string]struct {
			read *study.Evaluation
			made Scores
		}{
			"clean":       {r.base(w, clean), made(string(runs.Clean.Needs[0].Key()))},
			"compromised": {r.base(w, compromised), made(string(runs.Compromised.Needs[0].Key()))},
			"independent": {r.base(w, independent), made(string(plan.Worlds[w].Independent.Needs[0].Key()))},
			"a method": {r.after(w, "generic", 15),
				made(fmt.Sprint("generic", runs.Compromised.Needs[0].Key(), plan.Preset.Methods[0].Values["rate"],
					15))},
			"from clean": {r.set.Find(w, clear.judged(ofClean, 5)...),
				made(fmt.Sprint("generic", runs.Clean.Needs[0].Key(), plan.Preset.Methods[0].Values["rate"], 5))},
			"a rate": {r.set.Find(w, rates[1].judged(ofRates, 5)...),
				made(fmt.Sprint("generic", runs.Compromised.Needs[0].Key(), plan.Preset.Rates[1].Values["rate"], 5))},
		} {
			read := ScoresOf(pair.read)
			if len(read) == 0 || read[0].Rank != float64(float32(pair.made[0].Rank)) ||
				read[40].Cosine != float64(float32(pair.made[40].Cosine)) {
				t.Errorf("world %d, %s: other scores", w, name)
			}
		}
		if lost := r.after(w, "descent-to-delete", 1); r.after(w, "generic", 20).Lost() || !lost.Lost() {
			t.Errorf("world %d: the method that diverged has %v", w, lost.Frame())
		}
	}
	cells, err := r.Cells("5")
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range cells {
		if lost := cell.Row == "Descent to Delete"; lost != math.IsNaN(cell.Estimate) ||
			lost != (cell.Warning == "diverged in 2 of 2 worlds") || cell.Verdict != certify.Unresolved && lost {
			t.Errorf("%+v", cell)
		}
	}
}

func TestScores_Incomparable(t *testing.T) {
	for want, spoil := range map[string]func(s Scores) Scores{
		"it scores 119 examples, but another model in the same world has 120": func(s Scores) Scores { return s[1:] },
		"row 1 is x of forget_identity, but forget_identity-0 of forget_identity for another model in the same " +
			"world": func(s Scores) Scores {
			s[0].ID = "x"
			return s
		},
		"row 2 is forget_identity-1 of x, but forget_identity-1 of forget_identity for another model in the same " +
			"world": func(s Scores) Scores {
			s[1].Split = "x"
			return s
		},
		"row 3, forget_identity-2 of forget_identity, has its core under one model of the world but not under " +
			"another": func(s Scores) Scores {
			s[2].Core = math.NaN()
			return s
		},
	} {
		s, err := store.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		p := short()
		p.Worlds, p.Clean, p.Rates = 1, nil, nil
		plan, makers := NewPlan(p), fakes(&pretender{spoil: func(method string, s Scores) Scores {
			if method == "" {
				return s
			}
			return spoil(s)
		}})
		if err := plan.Execute(t.Context(), s, makers, study.Options{}); err != nil {
			t.Fatal(err)
		}
		if _, err := plan.Read(s); err == nil || err.Error() != "world 0: Generic Captions: "+want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestNamed_Unknown(t *testing.T) {
	if _, err := Named("paper2"); err == nil ||
		!strings.HasSuffix(err.Error(), "it has smoke, quick, mini, worlds, recovery, and paper with a download") {
		t.Errorf(`got the error %v, want an error that ends with "it has smoke, quick, mini, worlds, and paper `+
			`with a download"`,
			err)
	}
	if _, err := Named("paper"); err == nil || !strings.Contains(err.Error(), "download") {
		t.Errorf(`got the error %v, want one with "download"`, err)
	}
	for _, p := range presets() {
		if named, err := Named(p.Name); err != nil || named.Worlds != p.Worlds {
			t.Errorf("%s: got %+v %v, want Worlds %v", p.Name, named, err, p.Worlds)
		}
	}
}
