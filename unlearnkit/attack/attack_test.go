package attack

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

var at = []Budget{{"0", 0}, {".1", .1}, {".4", .4}, {"1", 1}}

// recovered returns a result. counts holds, for each model and budget, how many of ten units show the concept.
func recovered(models []Model, counts map[string][]int) *Result {
	r := &Result{Attack: "partial diffusion", Axis: "ψ", Budgets: at, Models: models,
		Columns: []Column{{Name: "recovered", Share: true, Recovery: true}, {Name: "twice"}}}
	for _, m := range models {
		for budget, count := range counts[m.Name] {
			for unit := range 10 {
				value := 0.
				if unit < count {
					value = 1
				}
				r.Rows = append(r.Rows, Row{m.Name, budget, uint64(40 + unit), []float64{value, 2 * value}})
			}
		}
	}
	return r
}

func example() *Result {
	return recovered([]Model{{"ESD-x", Unlearned, Share{95, 100}}, {"gold", Gold, Share{}}},
		map[string][]int{"ESD-x": {0, 2, 8, 10}, "gold": {0, 1, 1, 10}})
}

func ExampleCurve_Passes() {
	r := example()
	esd, err := r.Curve("ESD-x", "recovered")
	if err != nil {
		panic(err)
	}
	gold, err := r.Curve("gold", "recovered")
	if err != nil {
		panic(err)
	}
	p := esd.Passes(gold)
	fmt.Printf("above gold from %.2g on, with certainty at %.2g; gold draws it on every second try from %.2g on\n",
		p.Crossing, p.Separated, gold.Reaches(.5))
	fmt.Println(r.Lacks())
	// Output:
	// above gold from 0 on, with certainty at 0.4; gold draws it on every second try from 0.67 on
	// [the retained accuracy of gold was not measured: a destroyed model also has a flat curve]
}

func TestCurve_Intervals(t *testing.T) {
	r := example()
	share, err := r.Curve("ESD-x", "recovered")
	if err != nil {
		t.Fatal(err)
	}
	// Wilson's interval for 2 of 10, computed independently.
	if p := share.Points[1]; p.Value != .2 || math.Abs(p.Lo-.05668215) > 1e-8 || math.Abs(p.Hi-.50983752) > 1e-8 ||
		p.N != 10 || p.Budget.Text != ".1" {
		t.Errorf(`got %+v, want Value .2, Lo near .05668215, Hi near .50983752, N 10, Budget.Text ".1"`, p)
	}
	// .1·(0+.2)/2 + .3·(.2+.8)/2 + .6·(.8+1)/2
	if a := share.Area; math.Abs(a.Value-.7) > 1e-12 || !(a.Lo < .7 && a.Hi > .7 && a.Lo > .4) {
		t.Errorf("area %+v", a)
	}
	mean, err := r.Curve("ESD-x", "twice")
	if err != nil {
		t.Fatal(err)
	}
	if p := mean.Points[2]; p.Value != 1.6 || !(p.Lo > .5 && p.Lo < 1.6 && p.Hi > 1.6 && p.Hi <= 2) {
		t.Errorf("got %+v, want Value 1.6, Lo > .5, Lo < 1.6, Hi > 1.6, Hi <= 2", p)
	}
	if p := mean.Points[3]; p.Value != 2 || p.Lo != 2 || p.Hi != 2 {
		t.Errorf("units that agree: %+v", p)
	}
}

func TestCurve_PassesGold(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name                string
		attacked, gold      []int
		separated, crossing float64
	}{
		{"never", []int{0, 0, 1, 10}, []int{0, 0, 1, 10}, nan, nan},
		{"below throughout", []int{0, 0, 0, 9}, []int{0, 2, 5, 10}, nan, nan},
		{"from the start", []int{9, 9, 9, 10}, []int{0, 0, 1, 10}, 0, 0},
		{"between", []int{0, 1, 9, 10}, []int{0, 3, 1, 10}, .4, .1 + .3*2/10},
		{"by chance alone", []int{0, 1, 2, 10}, []int{0, 0, 0, 10}, nan, 0},
	}
	for _, test := range tests {
		r := recovered([]Model{{Name: "a", Role: Unlearned}, {Name: "g", Role: Gold}},
			map[string][]int{"a": test.attacked, "g": test.gold})
		a, err := r.Curve("a", "recovered")
		if err != nil {
			t.Fatal(err)
		}
		g, _ := r.Curve("g", "recovered")
		got := a.Passes(g)
		same := func(x, y float64) bool { return math.IsNaN(x) && math.IsNaN(y) || math.Abs(x-y) < 1e-12 }
		if !same(got.Separated, test.separated) || !same(got.Crossing, test.crossing) {
			t.Errorf("%s: %+v, want %g and %g", test.name, got, test.separated, test.crossing)
		}
	}
}

func TestResult_Lacks(t *testing.T) {
	r := recovered([]Model{{Name: "ESD-x", Role: Unlearned}}, map[string][]int{"ESD-x": {0, 0, 0, 0}})
	lacks := strings.Join(r.Lacks(), "\n")
	if !strings.Contains(lacks, "no gold model") || !strings.Contains(lacks, "retained accuracy of ESD-x") {
		t.Errorf(`got %v, want "no gold model" in it, "retained accuracy of ESD-x" in it`, lacks)
	}
	summary, err := r.Summary()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(summary)
	if err != nil || !strings.Contains(string(text), `"passes_gold":null`) ||
		!strings.Contains(string(text), `"retained":null`) {
		t.Errorf("got %s, %v, want %q in it, %q in it", text, err, `"passes_gold":null`, `"retained":null`)
	}
	if e := (Share{}).Estimate(); !math.IsNaN(e.Value) {
		t.Errorf("a share of nothing is %v", e)
	}
}

func TestSummary_FewUnits(t *testing.T) {
	r := &Result{Budgets: at[:1], Models: []Model{{Name: "a"}},
		Columns: []Column{{Name: "x", Recovery: true}, {Name: "y", Share: true}},
		Rows:    []Row{{"a", 0, 1, []float64{.3, math.NaN()}}}}
	summary, err := r.Summary()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(summary)
	if err != nil || !strings.Contains(string(text), `"estimate":0.3,"lo":null,"hi":null`) ||
		!strings.Contains(string(text), `"area":{"estimate":null,"lo":null,"hi":null}`) {
		t.Errorf("got %s, %v, want %q in it, %q in it",
			text, err, `"estimate":0.3,"lo":null,"hi":null`, `"area":{"estimate":null,"lo":null,"hi":null}`)
	}
}

func TestResult_RefusedRows(t *testing.T) {
	full := example()
	for want, change := range map[string]func(r *Result){
		`no model "x"`:           func(r *Result) { r.Models = nil },
		"9 units at ψ 1":         func(r *Result) { r.Rows = r.Rows[:39] },
		"out of order or there ": func(r *Result) { r.Rows[5] = r.Rows[4] },
	} {
		r := *full
		r.Rows = append([]Row(nil), full.Rows...)
		change(&r)
		name := "ESD-x"
		if r.Models == nil {
			name = "x"
		}
		if _, err := r.Curve(name, "recovered"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestWriteParquet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.parquet")
	if err := example().WriteParquet(path); err != nil {
		t.Fatal(err)
	}
	frame, err := safefile.ReadParquet(path)
	if err != nil {
		t.Fatal(err)
	}
	if frame.Rows() != 80 || frame.Column("model").Texts[79] != "gold" || frame.Column("budget").Values[15] != .1 ||
		frame.Column("unit").Values[3] != 43 || frame.Column("twice").Values[30] != 2 {
		t.Errorf("%d rows: %+v", frame.Rows(), frame)
	}
}
