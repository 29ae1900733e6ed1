package catalogue

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// The settings of SALMUBench's appendix or, if it lists none, of the code on which it is based.
func TestContrastive_PaperSettings(t *testing.T) {
	compare(t, Contrastive, []string{
		"generic|Generic Captions|any|batch=256 decay=0.01 rate=3e-07",
		"shuffled|Shuffled Captions|any|batch=256 decay=0.01 rate=5e-07",
		"direct|Direct Similarity Minimization|any|batch=256 decay=0.01 rate=3e-08",
		"negative|Negative Gradient|any|batch=256 decay=0.01 rate=3e-08",
		"finetuning|Finetuning|any|batch=32 decay=0.001 rate=5e-07",
		"descent-to-delete|Descent to Delete|[1]|batch=32 decay=0.001 examples=4e+08 rate=5e-07 strength=0.2",
		"vlunlearn|VLUnlearn|[5 10 15 20]|batch=16 decay=0.02 epochs=20 rate=1e-05 retrieval=0",
		"delete|DELETE|[5 10 15 20]|batch=256 decay=0.01 rate=3e-08",
		"cliperase|CLIPERase|[5 10 15 20]|batch=256 decay=0.01 rate=3e-08",
	})
}

// The settings of the official codes; one of their steps corresponds to one row of a pass here.
func TestDenoising_OfficialSettings(t *testing.T) {
	drawn := func(rate string) string {
		return fmt.Sprintf(" guidance=3 rate=%s steps=50 stops=1 trajectories=1", rate)
	}
	ablating := func(name, title, rate string) string {
		return name + "|Ablating Concepts (" + title +
			")|any|anchors=800 batch=8 clip=1 decay=0.01 guidance=7.5 rate=" + rate + " regulariser=0 steps=50"
	}
	compare(t, Denoising, []string{
		"esd-x|ESD-x|any|batch=1 eta=1" + drawn("1e-05"),
		"esd-u|ESD-u|any|batch=1 eta=1" + drawn("1e-05"),
		"esd-x-newer|ESD-x (newer release)|any|batch=1 eta=1" + drawn("5e-05"),
		"esd-u-newer|ESD-u (newer release)|any|batch=1 eta=1" + drawn("5e-05"),
		ablating("ablating-model", "model-based", "1.6e-05"),
		ablating("ablating-model-embedding", "model-based, embedding", "1e-05"),
		ablating("ablating-model-full", "model-based, full weights", "5e-07"),
		ablating("ablating-noise", "noise-based", "1.6e-05"),
		ablating("ablating-noise-embedding", "noise-based, embedding", "1e-05"),
		ablating("ablating-noise-full", "noise-based, full weights", "5e-07"),
		"sdd|SDD|any|average=0.999 batch=1 clip=1 decay=0.0001" + drawn("1e-05"),
	})
}

// The settings of the paper's code, and the rates among which the paper chooses.
func TestClassifying_PaperSettings(t *testing.T) {
	compare(t, Classifying, []string{
		"finetuning|FT|any|batch=8 decay=0.01 rate=0.0001",
		"negative|NG|any|batch=8 clip=1 decay=0.01 rate=5e-06",
		"negative-plus|NG+|any|batch=8 decay=0.01 forget-weight=1 rate=1e-06 retain-weight=1",
		"cf-k|CF-k|any|batch=8 decay=0.01 layers=1 rate=0.0001",
		"unsir|UNSIR|[1]|batch=8 decay=0.01 noise-rate=0.01 noise-steps=5 rate=1e-05 repair-adam=0",
		"bad-teaching|BT|any|batch=8 class-mean=0 decay=0.01 rate=1e-06 temperature=1",
		"bad-teaching-light|BT-L|any|batch=8 class-mean=0 decay=0.01 rate=1e-06 temperature=1",
		"scrub|SCRUB|[1]|alpha=1 batch=8 decay=0.01 epochs=1 gamma=1 maximise-first=0 momentum=0.9 msteps=1 " +
			"rate=5e-06 sgd=0 temperature=4 training=1",
	})
	for _, e := range Classifying.Entries() {
		want := "[5e-07 1e-06 5e-06]"
		if e.Name == "finetuning" || e.Name == "cf-k" || e.Name == "unsir" {
			want = "[1e-05 5e-05 0.0001]"
		}
		rate, err := e.Setting("rate")
		if got := fmt.Sprint(e.Rates); got != want || err != nil || !slices.Contains(e.Rates, rate.Default) {
			t.Errorf("%s: the rates %s, %g by default, want %s; %v", e.Name, got, rate.Default, want, err)
		}
	}
}

// The paper's rate and batch size; settings that the paper does not name are from the code that it builds on.
func TestAnswering_PaperSettings(t *testing.T) {
	compare(t, Answering, []string{
		"gradient-ascent|GA|any|batch=64 clip=1 decay=0.01 projector=1 rate=2e-05 warmup=0.06 whole=0",
		"gradient-difference|GD|any|batch=64 clip=1 decay=0.01 projector=1 rate=2e-05 retain-weight=1 warmup=0.06 " +
			"whole=0",
		"kl|KL|any|answers=0 batch=64 clip=1 decay=0.01 projector=1 rate=2e-05 retain-weight=1 warmup=0.06 whole=0",
		"dpo|DPO|any|batch=64 beta=0.1 clip=1 decay=0.01 plain=0 projector=1 rate=2e-05 warmup=0.06 whole=0",
		"npo|NPO|any|batch=64 beta=0.1 clip=1 decay=0.01 mean=0 projector=1 rate=2e-05 warmup=0.06 whole=0",
		"po|PO|any|batch=64 clip=1 decay=0.01 projector=1 rate=2e-05 warmup=0.06 whole=0",
		"gradient-difference-alternating|GD (alternating)|[1]|batch=64 clip=1 decay=0.01 epochs=5 projector=1 " +
			"rate=2e-05 warmup=0.06 whole=0",
		"finetuning|Finetuning|any|batch=64 clip=1 decay=0.01 projector=1 rate=5e-05 warmup=0 whole=0",
	})
}

func compare(t *testing.T, modality Modality, want []string) {
	t.Helper()
	entries := modality.Entries()
	if len(entries) != len(want) {
		t.Fatalf("%d methods", len(entries))
	}
	for i, e := range entries {
		settings := map[string]float64{}
		for _, s := range e.Settings {
			settings[s.Name] = s.Default
			if s.Source == "" || s.About == "" || !s.Allowed.Allows(s.Default) {
				t.Errorf("%s: got %+v, want Source not empty, About not empty, Allowed.Allows(s.Default) true",
					e.Name, s)
			}
		}
		passes := "any"
		if e.Passes != nil {
			passes = fmt.Sprint(e.Passes)
		}
		text := fmt.Sprintf("%s|%s|%s|%s", e.Name, e.Title, passes,
			strings.TrimSuffix(strings.TrimPrefix(fmt.Sprint(settings), "map["), "]"))
		if got := strings.ReplaceAll(text, ":", "="); got != want[i] {
			t.Errorf("%s\nwant %s", got, want[i])
		}
		if e.Version < 1 || e.Source == "" || e.Modality != modality || len(settings) != len(e.Settings) {
			t.Errorf("%s: version %d, source %q, modality %s, %d settings of %d names", e.Name, e.Version, e.Source,
				e.Modality, len(e.Settings), len(settings))
		}
		if found, err := modality.Lookup(e.Name); err != nil || found.Title != e.Title {
			t.Errorf("%s: got %s, %v, want found.Title %v", e.Name, found.Title, err, e.Title)
		}
	}
}

func TestLookup(t *testing.T) {
	all := "generic, shuffled, direct, negative, finetuning, descent-to-delete, vlunlearn, delete, cliperase"
	for _, test := range []struct {
		in         Modality
		name, says string
	}{
		{Contrastive, "cliperse", `no contrastive method is called "cliperse"; did you mean "cliperase"?`},
		{Contrastive, "Finetuning", `no contrastive method is called "Finetuning"; did you mean "finetuning"?`},
		{Contrastive, "descent_to_delete",
			`no contrastive method is called "descent_to_delete"; did you mean "descent-to-delete"?`},
		{Denoising, "esdx", `no denoising method is called "esdx"; did you mean "esd-x"?`},
		{Answering, "gradient-asent",
			`no answering method is called "gradient-asent"; did you mean "gradient-ascent"?`},
		{Contrastive, "", `no contrastive method is called ""; there are ` + all},
		{Contrastive, "zz", `no contrastive method is called "zz"; there are ` + all},
	} {
		if _, err := test.in.Lookup(test.name); err == nil || err.Error() != test.says {
			t.Errorf("%v; want %s", err, test.says)
		}
	}
	if got := Modality("olfactory").Entries(); got != nil {
		t.Errorf("got the methods %v of an unknown modality, want none", got)
	}
}

func TestSettings_Refused(t *testing.T) {
	generic, finetuning := Contrastive.Entry("generic"), Contrastive.Entry("finetuning")
	bare := Entry{Name: "own", Settings: []Setting{{Name: "angle"}}}
	for _, test := range []struct {
		entry  Entry
		values map[string]float64
		says   string
	}{
		{generic, nil, "<nil>"},
		{generic, map[string]float64{"rate": 1e-3, "batch": 4, "decay": 0}, "<nil>"},
		{bare, map[string]float64{"angle": -1e30}, "<nil>"},
		{generic, map[string]float64{"rat": 1}, `the method generic has no setting "rat"; it has rate, batch, decay`},
		{Entry{Name: "own"}, map[string]float64{"rate": 1}, `the method own has no setting "rate"; it has none`},
		{generic, map[string]float64{"rate": math.NaN()},
			`method generic: the setting "rate" is NaN: it must be a finite number above 0`},
		{generic, map[string]float64{"rate": 0},
			`method generic: the setting "rate" is 0: it must be a finite number above 0`},
		{generic, map[string]float64{"decay": math.Inf(1)},
			`method generic: the setting "decay" is +Inf: it must be a finite number, and at least 0`},
		{bare, map[string]float64{"angle": math.NaN()},
			`method own: the setting "angle" is NaN: it must be a finite number`},
		{finetuning, map[string]float64{"batch": 0},
			`method finetuning: the setting "batch" is 0: it must be a whole number and at least 1`},
		{finetuning, map[string]float64{"batch": 2.5},
			`method finetuning: the setting "batch" is 2.5: it must be a whole number and at least 1`},
		{finetuning, map[string]float64{"batch": 9e18},
			`method finetuning: the setting "batch" is 9e+18: it must be a whole number and at least 1`},
		{Contrastive.Entry("vlunlearn"), map[string]float64{"retrieval": 2},
			`method vlunlearn: the setting "retrieval" is 2: it must be 0 or 1`},
		{Denoising.Entry("sdd"), map[string]float64{"average": 1},
			`method sdd: the setting "average" is 1: it must be at least 0 and below 1`},
		{Entry{Name: "own", Settings: []Setting{{Name: "layers", Allowed: Range{2, 8, true}}}},
			map[string]float64{"layers": 9},
			`method own: the setting "layers" is 9: it must be a whole number from 2 to 8`},
	} {
		if got := fmt.Sprint(test.entry.Check(test.values)); got != test.says {
			t.Errorf("%v: %s\nwant %s", test.values, got, test.says)
		}
	}
}

func TestBudgets_Refused(t *testing.T) {
	for _, test := range []struct {
		name    string
		budgets []int
		says    string
	}{
		{"generic", []int{1, 7}, "<nil>"},
		{"delete", []int{5, 20}, "<nil>"},
		{"generic", nil,
			"method generic: no budget: give the numbers of passes after which the model is judged, such as 1 and 5"},
		{"generic", []int{0}, "method generic: a budget of 0 passes: it must be at least 1"},
		{"generic", []int{5, 1}, "method generic: the budgets [5 1] do not rise"},
		{"generic", []int{5, 5}, "method generic: the budgets [5 5] do not rise"},
		{"delete", []int{1, 5}, "method delete: a budget of 1 passes, but it is judged after [5 10 15 20]"},
		{"descent-to-delete", []int{1, 5},
			"method descent-to-delete: a budget of 5 passes, but it is judged after [1]"},
	} {
		if got := fmt.Sprint(Contrastive.Entry(test.name).CheckBudgets(test.budgets)); got != test.says {
			t.Errorf("%v: %s\nwant %s", test.budgets, got, test.says)
		}
	}
}

func ExampleModality_Lookup() {
	entry, err := Contrastive.Lookup("negative")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s, version %d\n", entry.Title, entry.Version)
	for _, s := range entry.Settings {
		fmt.Printf("%s: %s, %g\n", s.Name, s.About, s.Default)
	}
	// Output:
	// Negative Gradient, version 1
	// rate: learning rate, 3e-08
	// batch: rows a step of each stream, 256
	// decay: weight decay of AdamW, 0.01
}
