package unslu_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// everything returns a complete download.
func everything() unslu.Download {
	d := unslu.Download{Data: map[speechfolder.Kind]string{}, Models: map[string]string{}}
	for _, kind := range speechfolder.Kinds {
		d.Data[kind] = "digest of " + string(kind)
	}
	for _, name := range unslu.Models {
		d.Models[name] = "digest of " + name
	}
	return d
}

// Specs of small worlds have no fields for downloads, so their keys do not change.
func TestSpecs_NoDownload(t *testing.T) {
	for _, run := range unslu.NewPlan(unslu.Smoke()).Runs() {
		text := string(run.Spec())
		for _, word := range []string{`"data"`, `"parts"`, `"steps":0`} {
			if strings.Contains(text, word) {
				t.Errorf("%s: %s in %s", run.Title, word, text)
			}
		}
		if !unslu.Backbone.Made(run) && !strings.Contains(text, `"corpus":{"more_than":3,"revision":1,"samples":6000,`+
			`"share":0.1,"world":{`) {
			t.Errorf("%s: %s", run.Title, text)
		}
	}
}

func TestPaper_WholeDownload(t *testing.T) {
	p := unslu.Paper(everything())
	plan := unslu.NewPlan(p)
	printed := unslu.Mini().Benchmarks
	if len(p.Benchmarks) != len(printed) || len(p.Backbones) != 6 || len(plan.Worlds) != 1 {
		t.Fatalf("%d benchmarks, %d backbones, %d worlds", len(p.Benchmarks), len(p.Backbones), len(plan.Worlds))
	}
	for i, b := range p.Benchmarks {
		if b.Name() != printed[i].Name() || b.Table != printed[i].Table || len(b.Methods) != 8 {
			t.Errorf("%s of table %s with %d methods", b.Name(), b.Table, len(b.Methods))
		}
		for _, m := range b.Methods {
			if !slices.Equal(m.Rates, m.Entry.Rates) {
				t.Errorf("%s at %v", m.Title, m.Rates)
			}
		}
	}
	kinds := map[string]int{}
	for _, run := range plan.Runs() {
		switch {
		case unslu.Published.Made(run):
			kinds["published"]++
		case unslu.Base.Made(run):
			kinds["training"]++
		case unslu.Judgement.Made(run):
			kinds["judgement"]++
		case unslu.Unlearned.Made(run):
			kinds["unlearned"]++
		}
	}
	// Trainings: originals and gold models of ten benchmarks and of five epoch budgets. Unlearning: eight methods at
	// three rates, NG+ at five epoch budgets, and those rates of Figure 1 that are not among the three.
	if want := map[string]int{"published": 6, "training": 30, "judgement": 30, "unlearned": 240 + 5 + 6}; !maps.Equal(
		kinds, want) {
		t.Errorf("%v, want %v", kinds, want)
	}
	w := plan.Worlds[0]
	for run, want := range map[*study.Run]string{
		w.Benchmarks[0].GoldTraining: `{"backbone":"` + string(plan.Backbones[unslu.Wav2Vec2Base].Key()) +
			`","corpus":{"data":"digest of fsc","more_than":100,"parts":"as published","revision":0,` +
			`"samples":160000,"seed":42,"share":0.025},"gold":true,"seed":0,"training":{"batch":32,"decay":0.01,` +
			`"epochs":0,"patience":2,"rate":0.0005,"steps":2800,"stop":5,"warmup":0.1}}`,
		w.Benchmarks[3].OriginalTraining: `{"backbone":"` + string(plan.Backbones[unslu.HuBERTBase].Key()) +
			`","corpus":{"data":"digest of slurp","more_than":100,"parts":"split anew by speaker","revision":0,` +
			`"samples":160000,"share":0.025},"gold":false,"seed":0,"training":{"batch":32,"decay":0.01,` +
			`"epochs":0,"patience":2,"rate":0.0005,"steps":30000,"stop":5,"warmup":0.1}}`,
		w.Epochs[4].OriginalTraining: `"training":{"batch":32,"decay":0.01,"epochs":60,"patience":0,"rate":0.0005,` +
			`"stop":0,"warmup":0.1}}`,
		w.Benchmarks[9].OriginalTraining: `"training":{"batch":8,"decay":0.01,"epochs":0,"patience":2,"rate":0.0001,` +
			`"steps":15000,"stop":5,"warmup":0.1}}`,
		w.Epochs[0].Methods[0][0]: `"method":"negative-plus","seed":0,`,
	} {
		if text := string(run.Spec()); !strings.HasSuffix(text, want) && !strings.Contains(text, want) {
			t.Errorf("%s: %s, want %s", run.Title, text, want)
		}
	}
}

// The key of a run depends on everything that the run reads, and on nothing else.
func TestPaper_Keys(t *testing.T) {
	keys := func(change func(d unslu.Download)) (original, negative, teaching store.Key) {
		d := everything()
		change(d)
		b := unslu.NewPlan(unslu.Paper(d)).Worlds[0].Benchmarks[5] // benchmark ITALIC/XLS-R 53-IT
		return b.Original.Key(), b.Methods[1][0].Key(), b.Methods[5][0].Key()
	}
	original, negative, teaching := keys(func(unslu.Download) {})
	for name, test := range map[string]struct {
		change func(d unslu.Download)
		others bool
	}{
		"ITALIC":        {func(d unslu.Download) { d.Data[speechfolder.ITALIC] = "x" }, true},
		"its model":     {func(d unslu.Download) { d.Models[unslu.XLSR53Italian] = "x" }, true},
		"SLURP":         {func(d unslu.Download) { d.Data[speechfolder.SLURP] = "x" }, false},
		"another model": {func(d unslu.Download) { d.Models[unslu.XLSR128] = "x" }, false},
	} {
		o, n, b := keys(test.change)
		if (o != original) != test.others || (n != negative) != test.others || (b != teaching) != test.others {
			t.Errorf("%s: other keys: %v, %v, %v", name, o != original, n != negative, b != teaching)
		}
	}
}

// Whatever a download lacks is left out, and the tables' notes report it.
func TestPaper_Incomplete(t *testing.T) {
	d := everything()
	delete(d.Data, speechfolder.SLURP)
	delete(d.Models, unslu.HuBERTBase)
	delete(d.Models, unslu.XLSR53German)
	p := unslu.Paper(d)
	var names []string
	for _, b := range p.Benchmarks {
		names = append(names, b.Name())
	}
	if want := "FSC/wav2vec 2.0, ITALIC/XLS-R 128, ITALIC/XLS-R 53-IT, de-De/XLS-R 128, fr-FR/XLS-R 128, " +
		"fr-FR/XLS-R 53-FR"; strings.Join(names, ", ") != want {
		t.Errorf("%q, want %q", names, want)
	}
	plan, s := made(t, p)
	if plan.Backbones[unslu.HuBERTBase] != nil || len(plan.Worlds[0].Epochs) > 0 {
		t.Error("there are runs of what is left out")
	}
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	for number, want := range map[string]string{
		"1": " Left out: FSC/HuBERT, for want of hubert-base-ls960.",
		"2": " Left out: SLURP*/wav2vec 2.0, SLURP*/HuBERT, for want of SLURP, hubert-base-ls960.",
		"3": " Left out: de-De/XLS-R 53-DE, for want of wav2vec2-large-xlsr-53-german.",
	} {
		for _, certified := range []bool{false, true} {
			table, err := r.Table(number, certified)
			if err != nil || !strings.Contains(table.Note, want) {
				t.Errorf("table %s: %v, want %q", number, err, want)
			}
		}
	}
	for _, number := range []string{"4", "5"} {
		if _, err := r.Table(number, false); !isLack(err) || !strings.Contains(err.Error(),
			": SLURP*/wav2vec 2.0, for want of SLURP") {
			t.Errorf("table %s: %v", number, err)
		}
	}
	for _, j := range r.Claims() {
		if strings.Contains(j.Claim, "SLURP*") && j.Verdict != certify.Untestable {
			t.Errorf("%+v", j)
		}
	}
	if len(r.Curves()) != 3 {
		t.Error("Figure 1 is left out")
	}
}

func TestPaper_ModelsNotExported(t *testing.T) {
	d := everything()
	d.Models = map[string]string{unslu.Wav2Vec2Base: "x"}
	p := unslu.Paper(d)
	p.Benchmarks, p.Epochs = p.Benchmarks[:1], unslu.EpochSweep{}
	p.Benchmarks[0].Methods = p.Benchmarks[0].Methods[:1]
	plan, s := made(t, p)
	for _, run := range plan.Runs() {
		artifact, err := s.Get(run.Key())
		if err != nil {
			t.Fatal(err)
		}
		published, passedOn := plan.Published(run, artifact)
		if passedOn == unslu.Base.Made(run) {
			t.Errorf("%s is passed on: %v", run.Title, passedOn)
		}
		if unslu.Judgement.Made(run) && published.Record.Repetition != 0 || unslu.Published.Made(run) &&
			published.Record.Method != "backbone" {
			t.Errorf("%s: %+v", run.Title, published.Record)
		}
	}
}

func isLack(err error) bool {
	_, is := err.(*study.Lacks)
	return is
}

func TestPaper_Flags(t *testing.T) {
	for says, r := range map[string]study.Request{
		"": {Preset: "paper", Flags: map[string]string{unslu.DataFlag: "a", unslu.ModelsFlag: "b"}},
		"--seeds 2: the published data are one world": {Preset: "paper", Repetitions: 2},
		"--data and --models are for --preset paper: smoke has data of its own": {Preset: "smoke",
			Flags: map[string]string{unslu.ModelsFlag: "b"}},
		`paper`: {Preset: "papers"},
	} {
		if err := unslu.Study.Check(r); (err == nil) != (says == "") || err != nil && !strings.Contains(err.Error(),
			says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
	if _, err := unslu.Study.Plan(study.Request{Preset: "paper"}); err == nil ||
		!strings.Contains(err.Error(), "is made of a download") {
		t.Error(err)
	}
}

func ExamplePaper() {
	// Users get the digests from train.Find.
	preset := unslu.Paper(unslu.Download{
		Data:   map[speechfolder.Kind]string{speechfolder.FluentSpeechCommands: "3f2a…", speechfolder.German: "91c0…"},
		Models: map[string]string{unslu.Wav2Vec2Base: "e5d7…", unslu.XLSR128: "77b1…"},
	})
	for _, b := range preset.Benchmarks {
		fmt.Printf("%s: %d steps of %d clips at rate %g; %s at %v\n", b.Name(), b.Training.Steps, b.Training.Batch,
			b.Training.Rate, b.Methods[1].Title, b.Methods[1].Rates)
	}
	// Output:
	// FSC/wav2vec 2.0: 2800 steps of 32 clips at rate 0.0005; NG at [5e-07 1e-06 5e-06]
	// de-De/XLS-R 128: 15000 steps of 8 clips at rate 0.0001; NG at [5e-07 1e-06 5e-06]
}
