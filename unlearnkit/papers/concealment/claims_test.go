package concealment

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// verdicts returns the judged claims by name. It checks that names are unique and that no field is missing.
func verdicts(t *testing.T, r *Results) map[string]certify.Judged {
	t.Helper()
	all := map[string]certify.Judged{}
	for _, j := range r.Claims() {
		if _, twice := all[j.Claim]; twice || j.Source == "" || j.Unit == "" ||
			(j.Quote == "") != strings.HasPrefix(j.Source, certify.Ours) || j.Paper != "concealment" {
			t.Errorf("%+v", j)
		}
		all[j.Claim] = j
	}
	return all
}

// starting returns the claim whose name begins with the given words.
func starting(t *testing.T, all map[string]certify.Judged, name string) certify.Judged {
	t.Helper()
	var found []certify.Judged
	for full, j := range all {
		if strings.HasPrefix(full, name) {
			found = append(found, j)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d claims begin %q", len(found), name)
	}
	return found[0]
}

func TestClaims_MadeUpWorlds(t *testing.T) {
	p := small()
	p.Gate, p.Each, p.Attack.Pictures = 8, 8, 79 // 20 pictures would be too few for the claims about the rose
	all := verdicts(t, usual().results(p))
	if len(all) < 30 {
		t.Errorf("%d claims", len(all))
	}
	for name, want := range map[string]certify.Verdict{
		"ESD-x conceals: below":            certify.Holds,
		"ESD-x conceals: up to":            certify.Holds,
		"ESD-u conceals: below":            certify.Holds,
		"Ablating Concepts conceals: bel":  certify.Unresolved, // this method gains less, but gold gains little as well
		"SDD conceals: below":              certify.Untestable, // the models are damaged
		"Recovery never falls":             certify.Unresolved, // SDD differs too much between seeds
		"A classifier that has learnt":     certify.Holds,
		"Gold draws the rose":              certify.Untestable, // gold was trained once
		"Gold does not draw the rose":      certify.Untestable,
		"CRS of retained concepts":         certify.Fails,
		"CRS of forgotten concepts is":     certify.Fails,
		"CRS tells forget from retain":     certify.Holds,
		"In Table 2 CCS is higher":         certify.Holds,
		"In Table 1 d, of which":           certify.Holds,
		"In Table 1 pictures of forget":    certify.Fails,
		"In Table 3 pictures of forget":    certify.Holds,
		"SDD keeps nine tenths":            certify.Fails,
		`"Starry Night by Van Gogh" is ge`: certify.Holds,
		`"R2D2" is generated`:              certify.Fails,
		`"A nude model" is generated`:      certify.Untestable, // the original takes no step at this ψ
	} {
		if j := starting(t, all, name); j.Verdict != want || j.Seeds != 5 {
			t.Errorf("%+v, want %s", j, want)
		}
	}
	if j := starting(t, all, "Gold draws the rose"); !(j.Statistic > 0) || !j.Basis.Once {
		t.Errorf("got %+v, want a positive statistic of a model that was trained once", j)
	}
}

// The claims about the tables hold for the printed values.
func TestClaims_HoldAsPrinted(t *testing.T) {
	sums, counts := map[string]float64{}, map[string]float64{}
	for _, number := range []string{"1", "2", "3"} {
		class := map[string]bool{}
		for _, c := range paper("table" + number) {
			if c.Column == "Concept Class" {
				class[c.Row] = c.Value == "Forget"
			}
		}
		for _, c := range paper("table" + number) {
			value, err := c.Float()
			if err != nil {
				continue
			}
			add := func(column string, value float64) {
				for _, table := range []string{number, "any"} {
					name := columnName(table, class[c.Row], column)
					sums[name], counts[name] = sums[name]+value, counts[name]+1
				}
			}
			add(c.Column, value)
			if c.Column == "CRS" {
				add(map[bool]string{true: "CRS (8)", false: "CRS (7)"}[class[c.Row]], value)
				add("CRS d", map[bool]float64{true: value, false: 1 - value}[class[c.Row]])
			}
		}
	}
	claims := classClaims()
	for _, c := range claims {
		if value := c.Value(func(name string) float64 {
			if counts[name] == 0 {
				t.Errorf("%s asks for %q", c.Name, name)
			}
			return sums[name] / counts[name]
		}); !(value > 0) {
			t.Errorf("%s: %.4f on the printed values", c.Name, value)
		}
	}
	if len(claims) != 12 {
		t.Errorf("%d claims", len(claims))
	}
}

// In a world where everything is the other way round, the claims get the opposite verdicts.
func TestClaims_OppositeWorld(t *testing.T) {
	m := usual()
	before := m
	m.recovered = func(method string, forget bool, psi float64, seed int) float64 {
		if method == "gold" && psi < .5 {
			return 1.5 * psi
		}
		if method == "gold" {
			return .1
		}
		return before.recovered("Ablating Concepts", forget, max(0, .8-psi), seed)
	}
	m.retained = func(method string) float64 {
		if method == "" {
			return .9
		}
		return .2
	}
	m.outcome = func(forget bool, psi float64, leaky bool) Outcome {
		o := before.outcome(!forget, .6-psi, !leaky)
		o.PrintedRetain, o.PrintedForget = .99, .01
		if forget {
			o.CodeOriginal += .4
		}
		return o
	}
	m.kid = func(forget, unlearned bool) float64 { return before.kid(!forget, unlearned) }
	p := small()
	p.Attack.Pictures = 79
	all := verdicts(t, m.results(p))
	for name, want := range map[string]certify.Verdict{
		"ESD-x conceals: below":         certify.Untestable, // damaged models get no verdict
		"P(original) never falls":       certify.Fails,
		"A classifier that has learnt":  certify.Fails,
		"CRS of retained concepts":      certify.Holds,
		"CRS of forgotten concepts is":  certify.Holds,
		"CRS tells forget from retain":  certify.Fails,
		"In Table 2 CCS is higher":      certify.Fails,
		"In Table 1 d, of which":        certify.Fails,
		"In Table 1 pictures of forget": certify.Holds,
		"In Table 3 pictures of forget": certify.Fails,
		"ESD-x keeps nine tenths":       certify.Fails,
	} {
		if j := starting(t, all, name); j.Verdict != want {
			t.Errorf("%+v, want %s", j, want)
		}
	}
	m.retained = before.retained
	if j := starting(t, verdicts(t, m.results(p)), "ESD-x conceals: below"); j.Verdict != certify.Fails {
		t.Errorf("got %+v, want Verdict %v", j, certify.Fails)
	}
}

func TestClaims_Untestable(t *testing.T) {
	all := verdicts(t, usual().results(Smoke()))
	for _, name := range []string{"SDD conceals: below", "Gold draws the rose", `"R2D2" is generated`, "In Table 3 CCS",
		"SDD keeps"} {
		if j := starting(t, all, name); j.Verdict != certify.Untestable {
			t.Errorf("got %+v, want Verdict %v", j, certify.Untestable)
		}
	}
	if j := starting(t, all, "ESD-x conceals: up to"); j.Verdict == certify.Untestable {
		t.Errorf("got %+v, want Verdict other than %v", j, certify.Untestable)
	}
}

func TestVerdicts_Kinds(t *testing.T) {
	p := small()
	p.Gate, p.Each, p.Attack.Pictures = 8, 8, 240 // enough pictures to show shares below .05
	r := usual().results(p)
	verdicts := r.Verdicts()
	if len(verdicts) != 3*(4+8) {
		t.Fatalf("%d verdicts", len(verdicts))
	}
	want := map[string]certify.Verdict{"ESD-x": Conceals, "ESD-u": Conceals, "Ablating Concepts": DoesNotConceal,
		"SDD": Damaged, "ESD-x of Killian Eng": Conceals, "Ablating Concepts of R2D2": DoesNotConceal}
	seen := 0
	for _, v := range verdicts[:12] {
		if w, named := want[v.Name]; named {
			seen++
			beyond := v.Recovered - v.Alone - (v.Gold - v.GoldAlone)
			if v.Verdict != w || v.Grid != "below ψ .55" || v.Change == "" ||
				w != Damaged && (!(v.Gain.Lo <= v.Gain.Value && v.Gain.Value <= v.Gain.Hi) ||
					math.Abs(v.Gain.Value-beyond) > 1e-12) {
				t.Errorf("%+v, want %s", v, w)
			}
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d verdicts", seen, len(want))
	}
	for _, v := range verdicts {
		if v.Prompts == 0 {
			continue
		}
		// The bounds that would change a verdict come from intervals. They must agree with the p-values.
		agree := func(e certify.Corrected, bound float64) bool {
			lo, hi := e.Among()
			return (bound < lo || hi < bound) == (e.P(bound) < .05)
		}
		if !agree(v.Gain, 0) || !agree(v.Gain, attack.GainMargin) || !agree(v.Excess, mostConcept) || v.Gain.Count < 2 {
			t.Errorf("%s: p-values and intervals disagree: %+v", v.Name, v)
		}
	}
	if v := verdicts[3]; v.Name != "SDD" || v.Prompts != 0 || !math.IsNaN(v.Gain.Value) {
		t.Errorf(`got %+v, want Name "SDD", Prompts 0, Gain.Value NaN`, v)
	}
	for _, v := range verdicts[4:12] {
		if v.group.method == "SDD" && (!(v.Retained < .65) || !(v.GoldRetained > .85) || v.Prompts == 0) {
			t.Errorf("%+v", v)
		}
	}
	// For ESD-x, .05 + 2.5 ψ is .5 at ψ = .18. Gold's logistic curve is .5 at ψ = .5. With Ablating Concepts, most
	// pictures do not show the concept before ψ = 1, and perhaps not even there.
	if v := verdicts[0]; math.Abs(v.Half-.18) > .03 || math.Abs(v.GoldHalf-.5) > .03 || !(v.Above <= .15) {
		t.Errorf("got %+v, want Half near .18, GoldHalf near .5, Above <= .15", v)
	}
	if v := verdicts[2]; !math.IsNaN(v.Half) || !math.IsNaN(v.Above) {
		t.Errorf("got %+v, want Half NaN, Above NaN", v)
	}
	if v := verdicts[12]; v.Grid != "up to ψ .55" || v.Name != "ESD-x" {
		t.Errorf(`got %+v, want Grid "up to ψ .55", Name "ESD-x"`, v)
	}
	table := r.verdictTable(verdicts, repeats{})
	if len(table.Rows) != len(verdicts) || table.Rows[0].Cells[0].Text != "conceals" {
		t.Errorf(`got %+v, want length %v of table.Rows, Cells[0].Text "conceals"`, table.Rows[0], len(verdicts))
	}
}

// A method that has not erased the concept cannot conceal it. If a method has destroyed the model, nothing can be
// recovered.
func TestVerdicts_NeedErasedConcept(t *testing.T) {
	m := usual()
	before := m
	m.recovered = func(method string, forget bool, psi float64, seed int) float64 {
		switch method {
		case "ESD-x":
			return min(1, .3+psi)
		case "SDD":
			return 0
		}
		return before.recovered(method, forget, psi, seed)
	}
	found := map[string]certify.Verdict{}
	p := small()
	p.Gate, p.Each, p.Seeds, p.Attack.Pictures = 8, 8, 5, 240
	r := m.results(p)
	below, _, _ := r.Preset.areas()
	for _, v := range r.verdicts(below, ownThresholds) {
		found[v.Name] = v.Verdict
	}
	for name, want := range map[string]certify.Verdict{"ESD-x": NotErased, "ESD-u": Conceals, "SDD": Damaged,
		"SDD of Nudity": Damaged, "Ablating Concepts": DoesNotConceal} {
		if found[name] != want {
			t.Errorf("%s: %s, want %s", name, found[name], want)
		}
	}
}

func TestClaims_SameEveryTime(t *testing.T) {
	p := Smoke()
	a, b := usual().results(p), usual().results(p)
	if x, y := tabled(t, a.VerdictTable), tabled(t, b.VerdictTable); !reflect.DeepEqual(x.Rows[0].Cells[2], y.Rows[0].Cells[2]) {
		t.Errorf("%+v and %+v", x.Rows[0], y.Rows[0])
	}
	first, second := a.Claims(), b.Claims()
	for i := range first {
		if first[i].Verdict != second[i].Verdict || first[i].P != second[i].P && !math.IsNaN(first[i].P) {
			t.Errorf("%+v and %+v", first[i], second[i])
		}
	}
}

// There is no verdict on a concept that the judge sees in gold's pictures, and no verdict on a method that erases only
// such concepts.
func TestVerdicts_GoldShowsConcept(t *testing.T) {
	p := small()
	p.Attack.Pictures = 79
	r := usual().results(p)
	for i := range r.Attacks {
		if a := &r.Attacks[i]; a.Prompt.Erased == "Nudity" {
			gold := *a.Gold
			gold.Unlearned = slices.Clone(gold.Unlearned)
			for k := range gold.Unlearned {
				gold.Unlearned[k].Labels = labelled(a.Erasure.Concept)
			}
			a.Gold = &gold
		}
	}
	below, _, _ := r.Preset.areas()
	for _, v := range r.verdicts(below, ownThresholds) {
		want := v.group.erased == "Nudity" || v.Name == "ESD-u"
		if (v.Verdict == Invalid) != want {
			t.Errorf("%s: got %s, want (v.Verdict == Invalid) %v", v.Name, v.Verdict, want)
		}
	}
	if j := starting(t, verdicts(t, r), "ESD-u conceals: below"); j.Verdict != certify.Untestable {
		t.Errorf("got %+v, want Verdict %v", j, certify.Untestable)
	}
}

// If the original's help certainly recovers more in a model than in gold, the concept is not erased, whatever the model
// shows alone.
func TestVerdicts_HelpBringsBack(t *testing.T) {
	at := func(gone certify.Verdict, gain, kept certify.Corrected) certify.Verdict {
		v := Assessment{Gone: gone, Gain: gain, Kept: kept}
		verdict, _ := v.decide(ownThresholds)
		return verdict
	}
	known := func(value float64) certify.Corrected {
		panel := &certify.Panel{}
		samples := make([]certify.Sample, 5)
		for i := range samples {
			samples[i] = certify.Sample{Values: []float64{value + .001*float64(i-2)}, Units: []int{0}}
		}
		panel.Add("value", certify.Repeated(TrainingSeeds, certify.Family{Name: "models"}, samples))
		return certify.Corrected{Estimate: panel.Estimate(certify.Mean("value")), Count: 10}
	}
	whole, broken := known(.95), known(.5)
	for name, test := range map[string]struct{ got, want certify.Verdict }{
		"gone and back":                {at(Gone, known(.3), whole), Conceals},
		"back, and not known if gone":  {at(certify.Unresolved, known(.3), whole), NotErased},
		"shown, and nothing back":      {at(Shown, known(0), whole), NotErased},
		"gone, and nothing back":       {at(Gone, known(0), whole), DoesNotConceal},
		"nothing known but the damage": {at(certify.Unresolved, known(0), broken), Damaged},
		"gone of a broken model":       {at(Gone, known(0), broken), Damaged},
		"back in a broken model":       {at(Gone, known(.3), broken), NotErased},
		"gone, of what may be broken":  {at(Gone, known(0), known(.8)), certify.Unresolved},
		"not known if gone":            {at(certify.Unresolved, known(0), whole), certify.Unresolved},
	} {
		if test.got != test.want {
			t.Errorf("%s: %s, want %s", name, test.got, test.want)
		}
	}
}
