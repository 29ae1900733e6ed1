package certify

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

func someRuns() *Panel {
	panel := &Panel{}
	panel.Add("a", Repeated(worlds, people, uneven("a", 5)))
	return panel
}

// A claim holds, fails, stays unresolved or is untestable.
func TestClaims_Verdicts(t *testing.T) {
	panel := someRuns()
	a := panel.Estimate(Mean("a"))
	claims := []Claim{
		{Name: "above", Source: "Table 1", Unit: "ACS", Of: MoreThan(a.Value-3, Mean("a")), Finding: "never said"},
		{Name: "absent", Finding: "never said"},
		{Name: "below", Of: MoreThan(a.Value+3, Mean("a")), Finding: "it was so"},
		{Name: "near", Of: LessThan(a.Value+0.01, Mean("a"))},
		{Name: "no number", Of: MoreThan(0, func(Means) float64 { return math.NaN() })},
		{Name: "between", Of: Between(a.Value-2, a.Value+2, Mean("a"))},
	}
	judged := JudgeClaims("salmu", "mini", 5, panel, claims)
	want := []Verdict{Holds, Untestable, Fails, Unresolved, Unresolved, Holds}
	var p []float64
	for i, j := range judged {
		if j.Verdict != want[i] || j.Claim != claims[i].Name || j.Paper != "salmu" || j.Preset != "mini" ||
			j.Seeds != 5 || (j.Finding != "") != (i == 2) {
			t.Errorf("%+v, want %s", j, want[i])
		}
		if i != 1 && i != 4 {
			p = append(p, j.P)
		} else if !math.IsNaN(j.P) || !math.IsNaN(j.PAdjusted) || !math.IsNaN(j.Statistic) {
			t.Errorf("got %+v, want P NaN, PAdjusted NaN, Statistic NaN", j)
		}
	}
	holm := stat.Holm(make([]float64, len(p)), p)
	for k, i := range []int{0, 2, 3, 5} {
		if judged[i].PAdjusted != holm[k] || judged[i].Basis.Tests != 4 || judged[i].Basis.DF != 4 {
			t.Errorf("%s: %+v, want %v of %v", judged[i].Claim, judged[i], holm[k], p)
		}
	}
	if j := judged[0]; math.Abs(j.Statistic-3) > 1e-12 || math.Abs(j.Hi-j.Statistic-(a.Hi-a.Value)) > 1e-12 ||
		j.P != a.TwoSided(a.Value-3) {
		t.Errorf("%+v of %+v", j, a)
	}
}

// One world gives a value and no verdict.
func TestClaims_OneWorld(t *testing.T) {
	panel := &Panel{}
	panel.Add("a", Repeated(worlds, people, []Sample{{Values: []float64{2}, Units: []int{0}}}))
	for _, bound := range []float64{-3, 2} {
		j := JudgeClaims("salmu", "smoke", 1, panel, []Claim{{Of: MoreThan(bound, Mean("a"))}})[0]
		if want := 2 - bound; j.Verdict != Untestable || j.Statistic != want ||
			!math.IsNaN(j.P) || j.Basis.Tests != 0 {
			t.Errorf("%+v, want %v", j, want)
		}
	}
}

// A claim of several conditions has the p-value of its least certain condition. If a condition fails, its p-value is
// multiplied by the number of conditions.
func TestClaims_SeveralConditions(t *testing.T) {
	panel := someRuns()
	a := panel.Estimate(Mean("a"))
	far, close := MoreThan(a.Value-3, Mean("a")), MoreThan(a.Value-1.5, Mean("a"))
	outside := MoreThan(a.Value+1, Mean("a"))
	p := func(of []Condition) Judged { return JudgeClaims("", "", 5, panel, []Claim{{Of: of}})[0] }
	if both := p(All(far, close)); both.P != p(close).P || both.Statistic != p(close).Statistic ||
		both.Lo != p(close).Lo {
		t.Errorf("%+v, want %+v", both, p(close))
	}
	if some := p(All(far, close, outside)); math.Abs(some.P-3*p(outside).P) > 1e-15 || some.Statistic >= 0 ||
		!(some.Hi > p(outside).Hi) {
		t.Errorf("%+v, want %+v", some, p(outside))
	}
	if All(far, nil) != nil {
		t.Error("a claim with a missing condition has the others")
	}
	if one := p(Within(1e-9, Mean("a"), Mean("a"))); one.Verdict != Holds || one.Statistic != 1e-9 {
		t.Errorf("what is equal: %+v", one)
	}
}

// A claim that would hold as the only claim may not hold as one of many.
func TestClaims_ManyNeedMore(t *testing.T) {
	panel := someRuns()
	a := panel.Estimate(Mean("a"))
	half := a.Hi - a.Value
	claims := []Claim{{Name: "so", Of: MoreThan(a.Value-1.2*half, Mean("a"))}}
	if j := JudgeClaims("", "", 5, panel, claims)[0]; j.Verdict != Holds {
		t.Fatalf("got %+v, want Verdict %v", j, Holds)
	}
	for range 40 {
		claims = append(claims, Claim{Of: MoreThan(a.Value, Mean("a"))})
	}
	if j := JudgeClaims("", "", 5, panel, claims)[0]; j.Verdict != Unresolved || j.P >= 0.05 {
		t.Errorf("one of 41: %+v", j)
	}
	if got := JudgeClaims("", "", 0, panel, nil); len(got) != 0 {
		t.Errorf("got %+v, want length 0", got)
	}
}

func TestClaims_Untestable(t *testing.T) {
	claims := []Claim{{Of: Above(Mean("a"), Mean("b")), Caveat: "no b"}, {Of: MoreThan(0, Mean("a"))}}
	Testable(claims, someRuns().Has)
	if claims[0].Of != nil || claims[1].Of == nil {
		t.Errorf("got %+v, want [0].Of nil, [1].Of not nil", claims)
	}
	judged := JudgeClaims("", "", 5, someRuns(), claims)
	if judged[0].Verdict != Untestable || judged[0].Caveat != "no b" || judged[1].Caveat != "" {
		t.Errorf("got %+v", judged)
	}
}

// Holm's correction is applied within each family, and headline claims come first, as in the paper.
func TestClaims_FamilyCorrection(t *testing.T) {
	panel := someRuns()
	a := panel.Estimate(Mean("a"))
	claim := func(name, family string, below float64) Claim {
		return Claim{Name: name, Family: family, Of: MoreThan(a.Value-below, Mean("a"))}
	}
	judged := JudgeClaims("", "", 5, panel, []Claim{claim("first", "§4", 3), claim("second", "§4", 2),
		claim("third", "§5", 2), claim("main", Headline, 2)})
	var names []string
	for _, j := range judged {
		names = append(names, j.Claim)
	}
	if want := []string{"main", "first", "second", "third"}; !slices.Equal(names, want) {
		t.Fatalf("%v, want %v", names, want)
	}
	main, first, second, third := judged[0], judged[1], judged[2], judged[3]
	if main.PAdjusted != main.P || third.PAdjusted != third.P || first.PAdjusted != 2*first.P ||
		second.PAdjusted != max(second.P, 2*first.P) {
		t.Errorf("got %+v, want main.PAdjusted %v, third.PAdjusted %v, first.PAdjusted %v, second.PAdjusted %v",
			judged, main.P, third.P, 2*first.P, max(second.P, 2*first.P))
	}
	if first.Basis.Tests != 2 || main.Basis.Tests != 1 || !(first.Resolves > main.Resolves) {
		t.Errorf("got %+v, want first.Basis.Tests 2, main.Basis.Tests 1, first.Resolves > %v",
			judged, main.Resolves)
	}
}

// A repetition agrees with a claim if the claim is true in this repetition alone.
func TestClaims_AgreeingRepetitions(t *testing.T) {
	panel := &Panel{}
	panel.Add("a", Repeated(worlds, people, rows([][]float64{{1, 3}, {2, 2}, {-1, -2}, {4, 5}, {3, 3}})))
	panel.Add("once", Once(people, numbered([]float64{0, .5}, 0)))
	for name, of := range map[string][]Condition{"alone": MoreThan(0, Mean("a")),
		"less what was made once": Above(Mean("a"), Mean("once")),
		"of two":                  All(MoreThan(0, Mean("a")), LessThan(9, Mean("a")))} {
		j := JudgeClaims("", "", 5, panel, []Claim{{Of: of}})[0]
		if j.Agree != 4 || j.Repeated != 5 {
			t.Errorf("%s: %d of %d", name, j.Agree, j.Repeated)
		}
	}
	if j := JudgeClaims("", "", 5, panel, []Claim{{Of: LessThan(0, Mean("a"))}})[0]; j.Agree != 4 {
		t.Errorf("what is not so: %+v", j)
	}
	j := JudgeClaims("", "", 5, panel, []Claim{{Of: MoreThan(0, Mean("once"))}})[0]
	if j.Agree != 0 || j.Repeated != 0 || AgreeText(j.Agree, j.Repeated) != "" {
		t.Errorf("made once: %+v", j)
	}
}

// An equivalence claim that the data cannot confirm can still be contradicted.
func TestClaims_LikenessContradicted(t *testing.T) {
	panel := someRuns()
	a := panel.Estimate(Mean("a"))
	half := a.Hi - a.Value
	beside := func(distance float64) Claim {
		return Claim{Family: "§1", Of: Within(1e-6, Mean("a"), func(Means) float64 { return a.Value - distance })}
	}
	judged := JudgeClaims("", "", 5, panel, []Claim{beside(100 * half), beside(1.1 * half), beside(half / 2)})
	for i, want := range []Verdict{Fails, Unresolved, Untestable} {
		if j := judged[i]; j.Verdict != want || !(j.Resolves > 1e-6) {
			t.Errorf("%+v, want %s", j, want)
		}
	}
}

func TestJudged_JSON(t *testing.T) {
	nan := math.NaN()
	content, err := json.Marshal(Judged{Paper: "salmu", Claim: "c", Source: "Table 5", Verdict: Untestable,
		Statistic: nan, Lo: nan, Hi: nan, P: nan, PAdjusted: 0.5, Preset: "quick", Seeds: 1,
		Resolves: nan})
	want := `{"paper":"salmu","claim":"c","source":"Table 5","verdict":"untestable","statistic":null,"lo":null,` +
		`"hi":null,"unit":"","p":null,"p_adjusted":0.5,"agree":0,` +
		`"repeated":0,"preset":"quick","seeds":1,"basis":{"test":""},` +
		`"resolves":null}`
	if err != nil || string(content) != want {
		t.Errorf("%s %v, want %s", content, err, want)
	}
}

// An equivalence claim is untestable if the study could not have resolved its margin.
func TestClaims_LikenessUntestable(t *testing.T) {
	panel := someRuns()
	a := panel.Estimate(Mean("a"))
	one := func(Means) float64 { return 1 }
	middle := func(Means) float64 { return a.Value }
	judged := JudgeClaims("salmu", "mini", 5, panel, []Claim{
		{Name: "narrow", Of: Within(1e-6, Mean("a"), middle)},
		{Name: "wide", Of: Within(1e6, Mean("a"), middle)},
		{Name: "narrow share", Of: WithinShare(1e-6, one, Mean("a"), middle)},
		{Name: "wide share", Of: WithinShare(1e6, one, Mean("a"), middle)},
		{Name: "one side", Of: MoreThan(a.Value-1e-6, Mean("a"))},
	})
	for i, want := range []Verdict{Untestable, Holds, Untestable, Holds, Unresolved} {
		j := judged[i]
		if j.Verdict != want || math.IsNaN(j.Statistic) || math.IsNaN(j.Lo) || math.IsNaN(j.PAdjusted) {
			t.Errorf("%+v, want %s", j, want)
		}
	}
	if narrow := judged[2]; math.Abs(narrow.Statistic-1e-6) > 1e-12 || narrow.Resolves <= narrow.Statistic {
		t.Errorf("got %+v, want Statistic near 1e-6, Resolves more than %v", narrow, narrow.Statistic)
	}
}

// Claims that compute one quantity from equal outcomes share an effect, and so do claims that declare it.
func TestJudgeClaims_Effects(t *testing.T) {
	panel := someRuns()
	for _, name := range []string{"copy of a", "b"} {
		panel.Add(name, Repeated(worlds, people, uneven(map[string]string{"copy of a": "a", "b": "b"}[name], 5)))
	}
	a, copied, b := Mean("a"), Mean("copy of a"), Mean("b")
	over := func(q Quantity) []Condition { return MoreThan(0, q) }
	claims := []Claim{
		{Name: "above", Of: Above(a, b)},
		{Name: "far above", Of: MoreThan(5, Difference(a, b))},
		{Name: "below", Of: Above(b, a)},
		{Name: "the copy above", Of: Above(copied, b)},
		{Name: "twice", Of: over(Times(2, Difference(a, b)))},
		{Name: "within", Of: Within(9, a, b)},
		{Name: "another difference", Of: over(Difference(a, Times(.5, b)))},
		{Name: "a", Of: over(a)},
		{Name: "the copy, declared", Of: over(copied), Effect: "declared"},
		{Name: "b, declared", Of: over(b), Effect: "declared"},
		{Name: "the copy's noise", Of: over(Difference(a, copied))},
		{Name: "both", Of: All(Above(a, b), over(b))},
		{Name: "untested"},
		{Name: "untested, too"},
	}
	want := map[string]string{"above": "above", "far above": "above", "below": "above", "the copy above": "above",
		"twice": "above", "within": "above", "a": "a", "the copy, declared": "a", "b, declared": "a"}
	for _, j := range JudgeClaims("salmu", "mini", 5, panel, claims) {
		if j.Effect != want[j.Claim] {
			t.Errorf("%s: got the effect %q, want %q", j.Claim, j.Effect, want[j.Claim])
		}
	}
}

// A denied claim holds if its opposite fails, and fails if its opposite holds.
func TestClaim_Denied(t *testing.T) {
	panel := someRuns()
	a := panel.Estimate(Mean("a"))
	for name, of := range map[string][]Condition{
		"met":      MoreThan(a.Value-3, Mean("a")),
		"not met":  MoreThan(a.Value+3, Mean("a")),
		"one of 2": All(MoreThan(a.Value+3, Mean("a")), MoreThan(a.Value-3, Mean("a"))),
	} {
		claims := []Claim{{Of: of}, {Of: of, Denied: true}}
		judged := JudgeClaims("unslu", "mini", 5, panel, claims)
		said, denied := judged[0], judged[1]
		contrary := map[Verdict]Verdict{Holds: Fails, Fails: Holds}[said.Verdict]
		if denied.Verdict != contrary || denied.P != said.P || denied.Statistic != -said.Statistic ||
			denied.Lo != -said.Hi || denied.Hi != -said.Lo {
			t.Errorf("%s: got %+v of a denial of %+v", name, denied, said)
		}
		value := func(string) float64 { return a.Value }
		if claims[1].Value(value) != -claims[0].Value(value) {
			t.Errorf("%s: got the value %v, want %v", name, claims[1].Value(value), -claims[0].Value(value))
		}
	}
}

// A test whose null hypothesis is the claim can contradict the claim but never confirm it.
func TestClaim_Null(t *testing.T) {
	apart, alike := []float64{-.2, -.1, .06}, []float64{.2, .1, -.06}
	for name, c := range map[string]struct {
		test NullTest
		want Verdict
	}{
		"rejected":     {NullTest{Test: "Fisher's", Each: apart, P: .001}, Fails},
		"not rejected": {NullTest{Test: "Fisher's", Each: alike, P: .8}, Unresolved},
		"like by luck": {NullTest{Test: "Fisher's", Each: alike, P: .001}, Fails},
		"not tested":   {NullTest{P: math.NaN()}, Untestable},
	} {
		j := JudgeClaims("salmu", "mini", 5, someRuns(), []Claim{{Name: name, Null: &c.test}})[0]
		tested := len(c.test.Each) > 0
		if j.Verdict != c.want || !math.IsNaN(j.Lo) || !math.IsNaN(j.Resolves) ||
			tested && (j.Agree != 2 || j.Repeated != 3 || math.Abs(math.Abs(j.Statistic)-.08) > 1e-12) {
			t.Errorf("%s: got %+v, want %s", name, j, c.want)
		}
	}
	texts := Describe([]Basis{{Test: studentTest, DF: 4}, {Test: "Fisher's"}, {Test: "Fisher's"}})
	want := "Tests are Student's t with 4 degrees of freedom; units: ; without an interval: Fisher's"
	if texts != want {
		t.Errorf("got %q, want %q", texts, want)
	}
}

// A second look doubles the p-value, and its interval is that of twice as many tests.
func TestJudgeClaims_Looks(t *testing.T) {
	random := seed.Stream(3, "looks")
	samples := make([]Sample, 6)
	for i := range samples {
		samples[i] = Sample{Values: []float64{1 + random.NormFloat64()}, Units: []int{0}}
	}
	judge := func(looks int) Judged {
		panel := &Panel{Looks: looks}
		panel.Add("a", Repeated(worlds, people, samples))
		return JudgeClaims("", "", len(samples), panel, []Claim{{Of: MoreThan(0, Mean("a"))}})[0]
	}
	panel := &Panel{}
	panel.Add("a", Repeated(worlds, people, samples))
	e := panel.Estimate(Mean("a"))
	lo, hi := e.interval(alpha / 2)
	once, twice := judge(1), judge(2)
	if math.Abs(twice.P-2*once.P) > 1e-15 || twice.PAdjusted != twice.P || twice.Lo != lo || twice.Hi != hi {
		t.Errorf("p %v then %v, the interval is [%v, %v], want [%v, %v]", once.P, twice.P, twice.Lo, twice.Hi, lo, hi)
	}
	if !(twice.Resolves > once.Resolves) || once.Verdict == Unresolved && !(twice.Needs > once.Needs) {
		t.Errorf("two looks resolve %v, one %v; they need %d and %d", twice.Resolves, once.Resolves, twice.Needs, once.Needs)
	}
}
