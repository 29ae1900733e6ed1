package certify

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

func TestClaimsHoldFailStayOpenOrCannotBeTested(t *testing.T) {
	panel := &Panel{}
	panel.Add("a", "people", uneven(seed.Stream(20), 5))
	plus := func(by float64) Quantity { return func(m Means) float64 { return m("a") + by } }
	claims := []Claim{
		{Name: "above", Source: "Table 1", Unit: "ACS", Of: plus(3), Finding: "never said"},
		{Name: "absent", Finding: "never said"},
		{Name: "below", Of: plus(-3), Finding: "it was so"},
		{Name: "near", Of: plus(-0.7)},
		{Name: "no number", Of: func(Means) float64 { return math.NaN() }},
		{Name: "far", Of: plus(-0.2)},
	}
	judged := Judge("salmu", "mini", 5, panel, 1, claims)
	want := []Standing{Holds, Untestable, Fails, Open, Open, Holds}
	var p []float64
	for i, j := range judged {
		if j.Verdict != want[i] || j.Claim != claims[i].Name || j.Paper != "salmu" || j.Preset != "mini" ||
			j.Seeds != 5 {
			t.Errorf("%+v, want %s", j, want[i])
		}
		if (j.Finding != "") != (i == 2) {
			t.Errorf("%+v", j)
		}
		if i != 1 && i != 4 {
			p = append(p, j.P)
		} else if !math.IsNaN(j.P) || !math.IsNaN(j.PAdjusted) || !math.IsNaN(j.Statistic) {
			t.Errorf("%+v", j)
		}
	}
	holm := stat.Holm(make([]float64, len(p)), p)
	for k, i := range []int{0, 2, 3, 5} {
		if judged[i].PAdjusted != holm[k] {
			t.Errorf("%s: adjusted %v, want %v of %v", judged[i].Claim, judged[i].PAdjusted, holm[k], p)
		}
	}
	tail := panel.Resample(1, []Quantity{plus(-0.2)})[0]
	if j := judged[5]; j.Statistic != tail.Value || j.Lo != tail.Lo || j.Hi != tail.Hi || j.P != 2*tail.Above {
		t.Errorf("%+v of %+v", j, tail)
	}
}

// A claim that would hold alone does not where it is one of many.
func TestManyClaimsNeedSmallerPValues(t *testing.T) {
	panel := &Panel{}
	panel.Add("a", "people", uneven(seed.Stream(20), 5))
	claims := []Claim{{Name: "so", Of: func(m Means) float64 { return m("a") - 0.3 }}}
	if j := Judge("", "", 5, panel, 1, claims)[0]; j.Verdict != Holds {
		t.Fatalf("%+v", j)
	}
	for range 40 {
		claims = append(claims, Claim{Of: func(m Means) float64 { return m("a") - 0.73 }})
	}
	if j := Judge("", "", 5, panel, 1, claims)[0]; j.Verdict != Open || j.P >= 0.05 {
		t.Errorf("one of 41: %+v", j)
	}
	if got := Judge("", "", 0, panel, 1, nil); len(got) != 0 {
		t.Errorf("%+v", got)
	}
}

func TestAJudgedClaimIsWrittenAsMachinesExpectIt(t *testing.T) {
	nan := math.NaN()
	content, err := json.Marshal(Judged{Paper: "salmu", Claim: "c", Source: "Table 5", Verdict: Untestable,
		Statistic: nan, Lo: nan, Hi: nan, P: nan, PAdjusted: 0.5, Preset: "quick", Seeds: 1})
	want := `{"paper":"salmu","claim":"c","source":"Table 5","verdict":"untestable","statistic":null,"lo":null,"hi":null,"unit":"","p":null,"p_adjusted":0.5,"preset":"quick","seeds":1}`
	if err != nil || string(content) != want {
		t.Errorf("%s %v, want %s", content, err, want)
	}
}
