package membership

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

type liraCase struct {
	Name           string
	Online, Shared bool
	Target         []float64
	Losses         [][]float64
	Member         [][]bool
	Scores         []float64
	OneMinusP      []float64 `json:"one_minus_p"`
}

func (c liraCase) settings() (Mode, Variance) {
	mode, variance := Offline, Separate
	if c.Online {
		mode = Online
	}
	if c.Shared {
		variance = Shared
	}
	return mode, variance
}

func TestLiRA_EqualsPython(t *testing.T) {
	var fixture struct {
		Cases      []liraCase
		Confidence []struct{ Loss, Logit float64 }
	}
	readFixture(t, "lira.json", &fixture)
	for _, c := range fixture.Cases {
		shadows, err := ShadowsOf(c.Losses, c.Member)
		if err != nil {
			t.Fatal(err)
		}
		mode, variance := c.settings()
		l, err := Likelihood(c.Target, shadows, mode, variance)
		if err != nil || l.Mode != mode || l.Variance != variance || l.Models != len(c.Losses) {
			t.Fatalf("%s: got %+v, %v, want Mode %v, Variance %v, Models %v",
				c.Name, l, err, mode, variance, len(c.Losses))
		}
		for i, want := range c.Scores {
			if !near(l.Scores[i], want, 1e-9) {
				t.Errorf("%s, example %d: %v, want %v", c.Name, i, l.Scores[i], want)
			}
		}
		for i := range c.OneMinusP {
			for j := range i {
				if a, b := c.OneMinusP[i]-c.OneMinusP[j], l.Scores[i]-l.Scores[j]; a*b < 0 {
					t.Errorf("%s: examples %d and %d are in another order than by 1 − P", c.Name, i, j)
				}
			}
		}
	}
	for _, c := range fixture.Confidence {
		if got := LogitConfidence(c.Loss); !near(got, c.Logit, 1e-14) {
			t.Errorf("loss %v: logit %v, want %v", c.Loss, got, c.Logit)
		}
	}
	if inf := math.Inf(1); !math.IsNaN(LogitConfidence(-1)) || LogitConfidence(0) != inf ||
		LogitConfidence(inf) != -inf {
		t.Error("a loss that no probability has, or that of certainty")
	}
}

// world draws logits of examples. An example's difficulty shifts its logits, and a model trained with the example has a
// logit that is larger by distance. The areas are known in closed form: for the loss alone, whose variance includes the
// difficulty, and for LiRA.
type world struct {
	difficulty, distance, noise float64
	examples, models            int
}

func (w world) draw(r *rand.Rand) (target []float64, member []bool, s Shadows) {
	loss := func(mean float64) float64 { return math.Log1p(math.Exp(-(mean + w.noise*r.NormFloat64()))) }
	s = Shadows{With: make([][]float64, w.examples), Without: make([][]float64, w.examples)}
	for i := range w.examples {
		mean := w.difficulty * r.NormFloat64()
		member = append(member, i%2 == 0)
		target = append(target, loss(mean))
		if member[i] {
			target[i] = loss(mean + w.distance)
		}
		for range w.models / 2 {
			s.With[i], s.Without[i] = append(s.With[i], loss(mean+w.distance)), append(s.Without[i], loss(mean))
		}
	}
	return target, member, s
}

// The areas for Gaussian losses equal their formulas.
func TestLiRA_Gaussians(t *testing.T) {
	w := world{difficulty: 2, distance: 1, noise: .7, examples: 3000, models: 300}
	target, member, shadows := w.draw(rand.New(rand.NewPCG(8, 0)))
	loss := Sample{}
	for i, is := range member {
		if is {
			loss.Members = append(loss.Members, target[i])
		} else {
			loss.NonMembers = append(loss.NonMembers, target[i])
		}
	}
	area := func(variance float64) float64 { return distuv.UnitNormal.CDF(w.distance / math.Sqrt(2*variance)) }
	own := w.noise * w.noise
	alone, err := Curve("threshold", loss.Scored())
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]Area{"threshold": alone.Area}
	want := map[string]float64{"threshold": area(own + w.difficulty*w.difficulty)}
	for _, mode := range []Mode{Online, Offline} {
		for _, variance := range []Variance{Separate, Shared} {
			l, err := Likelihood(target, shadows, mode, variance)
			if err != nil {
				t.Fatal(err)
			}
			c, err := Curve(string(mode), Scored{Scores: l.Scores, Member: member})
			if err != nil {
				t.Fatal(err)
			}
			name := string(mode) + ", " + string(variance)
			found[name], want[name] = c.Area, area(own)
		}
	}
	for name, a := range found {
		if !near(a.Value, want[name], 3*a.SE) || a.SE > .012 {
			t.Errorf("%s: area %.4f ± %.4f, by the formula %.4f", name, a.Value, a.SE, want[name])
		}
	}
}

func TestLiRA_ModeAndVariance(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	for _, test := range []struct {
		models   int
		offline  bool
		mode     Mode
		variance Variance
		few      bool
	}{{128, false, Online, Separate, false}, {64, false, Online, Separate, false}, {62, false, Online, Shared, true},
		{128, true, Offline, Separate, false}, {4, true, Offline, Shared, true}} {
		target, _, shadows := world{1, 1, 1, 6, test.models}.draw(r)
		if test.offline {
			for i := range shadows.With {
				shadows.Without[i] = append(shadows.Without[i], shadows.With[i]...)
				shadows.With[i] = nil
			}
		}
		l, err := Likelihood(target, shadows, AutoMode, AutoVariance)
		few := slices.ContainsFunc(l.Warnings, func(w Warning) bool { return w.Code == WarnFewShadows })
		if err != nil || l.Mode != test.mode || l.Variance != test.variance || few != test.few {
			t.Errorf("%+v: got %+v, %v, want Mode %v, Variance %v, few %v",
				test, l, err, test.mode, test.variance, test.few)
		}
	}
}

func TestLiRA_LostPrecision(t *testing.T) {
	target, _, shadows := world{1, 1, 1, 6, 8}.draw(rand.New(rand.NewPCG(2, 0)))
	target[2], shadows.With[3][0], shadows.Without[3][1] = 0, 1e-9, lossFloor
	l, err := Likelihood(target, shadows, Online, Shared)
	if err != nil || !slices.ContainsFunc(l.Warnings, func(w Warning) bool {
		return w.Code == WarnFloor && strings.HasPrefix(w.Text, "2 losses are below 6e-08")
	}) {
		t.Errorf("%+v, %v", l.Warnings, err)
	}
}

func TestLiRA_Refused(t *testing.T) {
	nan := math.NaN()
	two := func(a, b []float64) [][]float64 { return [][]float64{a, b} }
	some := []float64{.1, .2, .4}
	for _, test := range []struct {
		says     string
		target   []float64
		shadows  Shadows
		mode     Mode
		variance Variance
	}{
		{"0 losses of the target", nil, Shadows{}, AutoMode, AutoVariance},
		{"2 losses of the target, shadows with 1 and without 2", []float64{1, 2},
			Shadows{[][]float64{some}, two(some, some)}, AutoMode, AutoVariance},
		{"example 2: a loss of the target is -1", []float64{1, -1}, Shadows{two(some, some), two(some, some)}, Online,
			Shared},
		{"example 2: a loss of the shadows is NaN", []float64{1, 1},
			Shadows{two(some, some), two(some, []float64{nan, 1})}, Offline, Shared},
		{"example 1: a loss of the shadows is +Inf", []float64{1, 1},
			Shadows{two([]float64{math.Inf(1)}, some), two(some, some)}, Online, Shared},
		{"example 2 has losses of 0 shadows with it; online at least 1", []float64{1, 1},
			Shadows{two(some, nil), two(some, some)}, AutoMode, AutoVariance},
		{"example 1 has losses of 1 shadows without it; at least 2", []float64{1, 1},
			Shadows{two(some, some), two(some[:1], some)}, Offline, Separate},
		{"example 2: its losses under the shadows are all equal", []float64{1, 1},
			Shadows{two(some, some), two(some, []float64{.3, .3, .3})}, Offline, Separate},
		{"equal, or there is only one", []float64{1, 1}, Shadows{two(nil, nil), two(some[:1], some[:1])}, Offline, Shared},
		{`mode "both"`, []float64{1, 1}, Shadows{two(some, some), two(some, some)}, "both", Shared},
	} {
		_, err := Likelihood(test.target, test.shadows, test.mode, test.variance)
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, test.says)
		}
	}
	for says, do := range map[string]func() (Shadows, error){
		"no shadow models": func() (Shadows, error) { return ShadowsOf(nil, nil) },
		"a mask of 1":      func() (Shadows, error) { return ShadowsOf(two(some, some), [][]bool{{true, true, true}}) },
		"shadow 2 needs":   func() (Shadows, error) { return ShadowsOf(two(some, some[:2]), nil) },
	} {
		if _, err := do(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
