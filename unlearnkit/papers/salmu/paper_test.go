package salmu

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// everything is a complete download.
var everything = Download{Benchmark: "b", Clean: "c", Compromised: "d", Independent: "i", ImageNet: "n", Retain: "r",
	Image: 224}

func TestSpecs_Unchanged(t *testing.T) {
	world := NewPlan(Smoke()).Worlds[0]
	for run, wants := range map[*study.Run][]string{
		world.Methods[0]: {`"budgets":[1,5],"corpus":{`,
			`}},"each":10,"method":"generic","retain":32,"seed":0,"start":"`,
			`","values":{"batch":64,"rate":0.0003},"version":1}`},
		world.Clean: {`{"corpus":{`, `}},"each":10,"model":"`},
	} {
		text := string(run.Spec())
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %s in %s", run.Title, want, text)
			}
		}
		if len(run.Needs) != 1 {
			t.Errorf("%s needs %d runs", run.Title, len(run.Needs))
		}
	}
}

func TestPaper_WholeDownload(t *testing.T) {
	p := Paper(everything)
	plan := NewPlan(p)
	if len(plan.Worlds) != 1 || p.Each != 1000 || p.Retain != 80000 || len(p.Methods) != 9 || len(p.Clean) != 4 ||
		len(p.Rates) != 12 || p.lacks("4")+p.lacks("5")+p.lacks("6") != "" {
		t.Errorf("%+v", p)
	}
	rows := 0
	for _, m := range p.Methods {
		rows += len(m.Budgets)
	}
	if rows != 38 { // rows of Table 5 without its targets
		t.Errorf("%d rows", rows)
	}
	w := plan.Worlds[0]
	for run, want := range map[*study.Run]string{
		w.Clean:      "Clean, as published; pictures of the benchmark; pictures of ImageNet",
		w.Methods[2]: "Compromised, as published; pictures of the benchmark; pictures of ImageNet",
		w.Methods[7]: "Compromised, as published; pictures of the benchmark; pictures of ImageNet; pictures of the " +
			"retain sample",
	} {
		var needs []string
		for _, need := range run.Needs {
			needs = append(needs, need.Title)
		}
		if strings.Join(needs, "; ") != want {
			t.Errorf("%s needs %q", run.Title, needs)
		}
	}
	if text := string(w.Methods[7].Spec()); !strings.Contains(text,
		`{"budgets":[5,10,15,20],"corpus":{"data":"b","imagenet":"n","retain":"r"},`+
			`"each":1000,"method":"delete","retain":80000,"seed":42,"start":"`) ||
		!strings.Contains(text, `"values":{"batch":256,"rate":3e-8}`) {
		t.Errorf("got %s, want %q in it, %q in it",
			text, `{"budgets":[5,10,15,20],"corpus":{"data":"b","imagenet":"n","retain":"r"},`+
				`"each":1000,"method":"delete","retain":80000,"seed":42,"start":"`, `"values":{"batch":256,"rate":3e-8}`)
	}
}

// The key of a run depends on everything that the run reads, and on nothing else.
func TestPaper_Keys(t *testing.T) {
	keys := func(change func(d *Download)) (clean, direct, erase store.Key) {
		d := everything
		change(&d)
		w := NewPlan(Paper(d)).Worlds[0]
		return w.Clean.Key(), w.Methods[2].Key(), w.Methods[8].Key()
	}
	clean, direct, erase := keys(func(*Download) {})
	for name, test := range map[string]struct {
		change               func(d *Download)
		clean, direct, erase bool // whether the key of the run changes
	}{
		"the benchmark":   {func(d *Download) { d.Benchmark = "x" }, true, true, true},
		"Clean":           {func(d *Download) { d.Clean = "x" }, true, false, false},
		"Compromised":     {func(d *Download) { d.Compromised = "x" }, false, true, true},
		"Independent":     {func(d *Download) { d.Independent = "x" }, false, false, false},
		"ImageNet":        {func(d *Download) { d.ImageNet = "x" }, true, true, true},
		"the sample":      {func(d *Download) { d.Retain = "x" }, false, false, true},
		"nothing, really": {func(d *Download) { d.Image = 224 }, false, false, false},
	} {
		c, d, e := keys(test.change)
		if (c != clean) != test.clean || (d != direct) != test.direct || (e != erase) != test.erase {
			t.Errorf("%s: other keys: %v, %v, %v", name, c != clean, d != direct, e != erase)
		}
	}
}

// Whatever a download lacks is left out, and the tables' notes report it.
func TestPaper_Incomplete(t *testing.T) {
	d := everything
	d.Independent, d.ImageNet, d.Retain = "", "", ""
	p := Paper(d)
	p.Clean, p.Rates = nil, nil
	plan, makers := NewPlan(p), fakes(&pretender{spoil: withoutObjects})
	if len(p.Methods) != 4 || plan.Worlds[0].Independent != nil {
		t.Errorf("%d methods, %v", len(p.Methods), plan.Worlds[0].Independent)
	}
	if _, err := plan.Of("vlunlearn"); err == nil ||
		!strings.Contains(err.Error(),
			"vlunlearn trains on a sample of the training data, which is not part of the published data: give "+
				"--retain DIR") {
		t.Errorf("got the error %v, want one with %q",
			err, "vlunlearn trains on a sample of the training data, which is not part of the published data: give "+
				"--retain DIR")
	}
	if runs, err := plan.Of("direct"); err != nil || slices.Contains(runs, nil) || len(runs) != 3 {
		t.Errorf("%d runs, %v", len(runs), err)
	}
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := plan.Execute(t.Context(), s, makers, study.Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	for number, wants := range map[string][]string{
		"4": {"The model of other data is left out"},
		"5": {"GenKnow is not judged: ImageNet is not part",
			"Left out are Finetuning, Descent to Delete, VLUnlearn, DELETE, CLIPERase:"},
		"6": {"GenKnow is not judged"},
	} {
		table, err := r.Table(number, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(table.Note, want) {
				t.Errorf("table %s: %s", number, table.Note)
			}
		}
		for _, row := range table.Rows {
			for i, cell := range row.Cells {
				if (cell.Text == "–") != (table.Columns[i].Name == "GenKnow") || row.Name == "Independent" {
					t.Errorf("table %s, %s, %s: %s", number, row.Name, table.Columns[i].Name, cell.Text)
				}
			}
		}
	}
	for _, j := range r.Claims() {
		untestable := strings.Contains(fmt.Sprint(j.Claim, j.Unit), "GenKnow") ||
			strings.Contains(j.Claim, "A model of other data")
		if untestable && j.Verdict != certify.Untestable || j.Finding != "" && j.Finding != certify.NotExplained {
			t.Errorf("%+v", j)
		}
	}
}

// withoutObjects returns scores as for published data without ImageNet. The data name the fragile pictures.
func withoutObjects(_ string, s Scores) Scores {
	s = slices.DeleteFunc(s, func(s Score) bool { return s.Split == Objects })
	for i := range s {
		if s[i].Split == string(persona.RetainDisjoint) && s[i].Identity%10 == 3 {
			s[i].Split = FragileSet
		}
	}
	return s
}

func TestPaper_FragileRows(t *testing.T) {
	s := level(levels{"RetFail": 0.5, "FragSim": 0.1})
	by := fragileIn(t, Mini(), s)
	at := slices.IndexFunc(s, func(s Score) bool { return s.ID == "retain_disjoint-1" })
	s[at].Split = FragileSet
	named := fragileIn(t, Paper(everything), s)
	if len(by) != 4 || !slices.Equal(named, []string{"retain_disjoint-1"}) {
		t.Errorf("got %v, then %v, want four pictures, then the one that is named", by, named)
	}
}

func ExamplePaper() {
	// Users get the digests from train.Find.
	preset := Paper(Download{Benchmark: "3f2a…", Clean: "91c0…", Compromised: "e5d7…", Image: 224})
	for _, m := range preset.Methods {
		fmt.Printf("%s: rate %g, batches of %g, judged after %v passes\n", m.Title, m.Values["rate"], m.Values["batch"],
			m.Budgets)
	}
	// Output:
	// Generic Captions: rate 3e-07, batches of 256, judged after [1 5 10 15 20] passes
	// Shuffled Captions: rate 5e-07, batches of 256, judged after [1 5 10 15 20] passes
	// Direct Similarity Minimization: rate 3e-08, batches of 256, judged after [1 5 10 15 20] passes
	// Negative Gradient: rate 3e-08, batches of 256, judged after [1 5 10 15 20] passes
}
