package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// eachEffect lists the effect sizes of two samples. Paired ones need samples of equal length.
var eachEffect = []struct {
	name   string
	paired bool
	of     func(x, y []float64, opts ...Option) Effect
}{
	{"CohenDZ", true, CohenDZ},
	{"CohenD", false, CohenD},
	{"HedgesG", false, HedgesG},
	{"CliffDelta", false, CliffDelta},
	{"RankBiserial", true, RankBiserial},
}

func TestNoncentralT_Quadrature(t *testing.T) {
	var fixture struct {
		Rows []struct{ Nu, Delta, T, Lower, Upper float64 }
	}
	readFixture(t, "effect_noncentralt.json", &fixture)
	for _, r := range fixture.Rows {
		lower, upper := noncentralT(r.T, r.Nu, r.Delta)
		for _, p := range [][2]float64{{lower, r.Lower}, {upper, r.Upper}} {
			if math.Abs(p[0]-p[1]) > 1e-13 || p[1] > 1e-15 && math.Abs(p[0]-p[1]) > 1e-10*p[1] {
				t.Errorf("tail of t=%v, ν=%v, δ=%v is %.17g, want %.17g", r.T, r.Nu, r.Delta, p[0], p[1])
			}
		}
	}
}

type effectCase struct {
	X, Y                 []float64
	Level                float64
	D, G                 float64
	DZ                   *float64
	Cliff                *float64
	RankBiserial         *float64   `json:"rank_biserial"`
	DInterval            [2]float64 `json:"d_interval"`
	GInterval            [2]float64 `json:"g_interval"`
	DZInterval           [2]float64 `json:"dz_interval"`
	CliffInterval        [2]float64 `json:"cliff_interval"`
	RankBiserialInterval [2]float64 `json:"rank_biserial_interval"`
}

func (c effectCase) check(t *testing.T, data effectCase) {
	t.Helper()
	level := Level(data.Level)
	agree := func(e Effect, value float64, interval [2]float64) {
		t.Helper()
		near(t, e.Name, e.Value, value, 1e-11)
		near(t, e.Name+" Lo", e.Lo, interval[0], 1e-9)
		near(t, e.Name+" Hi", e.Hi, interval[1], 1e-9)
	}
	agree(CohenD(data.X, data.Y, level), c.D, c.DInterval)
	agree(HedgesG(data.X, data.Y, level), c.G, c.GInterval)
	if c.DZ != nil {
		agree(CohenDZ(data.X, data.Y, level), *c.DZ, c.DZInterval)
	}
	if c.Cliff != nil {
		agree(CliffDelta(data.X, data.Y, level), *c.Cliff, c.CliffInterval)
	}
	if c.RankBiserial != nil {
		agree(RankBiserial(data.X, data.Y, level), *c.RankBiserial, c.RankBiserialInterval)
	}
}

func TestEffects_EqualScipyAndR(t *testing.T) {
	var scipy, r struct{ Cases []effectCase }
	readFixture(t, "effect_scipy.json", &scipy)
	readFixture(t, "effect_r.json", &r)
	for i, c := range scipy.Cases {
		c.check(t, c)
		r.Cases[i].check(t, c)
	}
}

// Both effects equal their definitions over all pairs, computed without sorting.
func TestDominances_Definitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Map(rapid.IntRange(-6, 6), func(i int) float64 { return float64(i) }), 1, 12)
		x := values.Draw(t, "x")
		y := rapid.SliceOfN(rapid.SampledFrom([]float64{-4, -2, 0, 1, 1.5, 5}), len(x), len(x)).Draw(t, "y")
		net := 0.
		for _, v := range x {
			for _, w := range y {
				net += sign(v - w)
			}
		}
		if got, want := CliffDelta(x, y).Value, net/float64(len(x)*len(y)); math.Abs(got-want) > 1e-14 {
			t.Fatalf("Cliff's delta = %v, want %v", got, want)
		}
		var d []float64
		for i := range x {
			if x[i] != y[i] {
				d = append(d, x[i]-y[i])
			}
		}
		walsh := 0.
		for i := range d {
			for j := i; j < len(d); j++ {
				walsh += sign(d[i] + d[j])
			}
		}
		got, want := RankBiserial(x, y).Value, 2*walsh/float64(len(d)*(len(d)+1))
		if math.IsNaN(got) != (len(d) == 0) || math.Abs(got-want) > 1e-14 {
			t.Fatalf("rank-biserial = %v, want %v", got, want)
		}
	})
}

func sign(v float64) float64 {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}

func TestEffects_SwapAndScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := bootValues.Filter(spread).Draw(t, "x")
		y := rapid.SliceOfN(rapid.Map(rapid.IntRange(-800, 800), func(i int) float64 {
			return float64(i) / 8
		}), len(x), len(x)).Draw(t, "y")
		scale := rapid.SampledFrom([]float64{.25, 2, 1024}).Draw(t, "scale")
		scaled := func(v float64) float64 { return scale * (v + 16) }
		for _, effect := range eachEffect {
			e, flipped := effect.of(x, y), effect.of(y, x)
			moved := effect.of(applied(x, scaled), applied(y, scaled))
			for _, p := range [][2]float64{
				{e.Value, -flipped.Value}, {e.Lo, -flipped.Hi}, {e.Hi, -flipped.Lo},
				{e.Value, moved.Value}, {e.Lo, moved.Lo}, {e.Hi, moved.Hi},
			} {
				if p[0] != p[1] && math.IsNaN(p[0]) != math.IsNaN(p[1]) ||
					math.Abs(p[0]-p[1]) > 1e-8*math.Max(1, math.Abs(p[0])) {
					t.Fatalf("%s: %v and %v differ (%+v, flipped %+v, scaled %+v)", effect.name, p[0], p[1], e, flipped,
						moved)
				}
			}
			if !math.IsNaN(e.Lo) && !(e.Lo <= e.Value && e.Value <= e.Hi) {
				t.Fatalf("%s: %v is outside [%v, %v]", effect.name, e.Value, e.Lo, e.Hi)
			}
		}
	})
}

func TestDominances_MonotoneTransforms(t *testing.T) {
	x, y := seededNormals(1, 30, 0), seededNormals(2, 20, .3)
	want, got := CliffDelta(x, y), CliffDelta(applied(x, math.Exp), applied(y, math.Exp))
	if got != want {
		t.Errorf("Cliff's delta = %+v after exp, %+v before", got, want)
	}
}

func TestEffects_Degenerate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		effect        string
		x, y          []float64
		value, lo, hi float64
	}{
		{"CohenDZ", nil, nil, nan, nan, nan},
		{"CohenDZ", []float64{1}, []float64{0}, nan, nan, nan},
		{"CohenDZ", []float64{1, 2}, []float64{1, 2}, nan, nan, nan},
		{"CohenDZ", []float64{2, 3}, []float64{1, 2}, inf, nan, nan},
		{"CohenDZ", []float64{2, nan}, []float64{1, 2}, nan, nan, nan},
		{"CohenD", nil, []float64{1, 2}, nan, nan, nan},
		{"CohenD", []float64{1}, []float64{2}, nan, nan, nan},
		{"CohenD", []float64{3, 3}, []float64{2, 2}, inf, nan, nan},
		{"CohenD", []float64{3, 3}, []float64{3, 3}, nan, nan, nan},
		{"CohenD", []float64{inf, 3}, []float64{3, 3}, nan, nan, nan},
		{"HedgesG", []float64{1, 2}, []float64{3}, nan, nan, nan},
		{"CliffDelta", nil, []float64{1}, nan, nan, nan},
		{"CliffDelta", []float64{1}, []float64{0}, 1, nan, nan},
		{"CliffDelta", []float64{4, 4}, []float64{4, 4, 4}, 0, 0, 0},
		{"CliffDelta", []float64{4, nan}, []float64{4, 4, 4}, nan, nan, nan},
		{"CliffDelta", []float64{inf, 5}, []float64{4, 4, -inf}, 1, -.31524, 1},
		{"CliffDelta", []float64{-8, -9}, []float64{4, 4, -1}, -1, -1, .31524},
		{"RankBiserial", nil, nil, nan, nan, nan},
		{"RankBiserial", []float64{1, 2}, []float64{1, 2}, nan, nan, nan},
		{"RankBiserial", []float64{1, 3}, []float64{1, 2}, 1, nan, nan},
		{"RankBiserial", []float64{inf, 3}, []float64{inf, 2}, nan, nan, nan},
		{"RankBiserial", []float64{2, 3}, []float64{1, 0}, 1, -.97553, 1},
	} {
		for _, effect := range eachEffect {
			if effect.name != c.effect {
				continue
			}
			e := effect.of(c.x, c.y)
			for i, p := range [][2]float64{{e.Value, c.value}, {e.Lo, c.lo}, {e.Hi, c.hi}} {
				if p[0] != p[1] && !(math.IsNaN(p[0]) && math.IsNaN(p[1])) && !(math.Abs(p[0]-p[1]) < 1e-5) {
					t.Errorf("%s(%v, %v)[%d] = %v, want %v", c.effect, c.x, c.y, i, p[0], p[1])
				}
			}
		}
	}
}

func TestEffects_UnequalLengths(t *testing.T) {
	for _, effect := range eachEffect {
		if !effect.paired {
			continue
		}
		func() {
			defer func() {
				if p := recover(); p != "stat: slice length mismatch" {
					t.Errorf("%s: recovered %v", effect.name, p)
				}
			}()
			effect.of([]float64{1, 2}, []float64{1})
		}()
	}
}

func TestCliffDelta_AgreesWithBootstrap(t *testing.T) {
	x, y := seededNormals(3, 60, .6), seededNormals(4, 80, 0)
	both := append(slices.Clone(x), y...)
	sample := make([]int, len(both))
	for i := range y {
		sample[len(x)+i] = 1
	}
	r := Bootstrap(len(both), func(rows []int) float64 {
		var a, b []float64
		for _, i := range rows {
			if sample[i] == 0 {
				a = append(a, both[i])
			} else {
				b = append(b, both[i])
			}
		}
		slices.Sort(a)
		slices.Sort(b)
		net, _ := dominances(a, b)
		return float64(net) / float64(len(a)*len(b))
	}, Strata(sample))
	e := CliffDelta(x, y)
	if r.Estimate != e.Value || math.Abs(r.Lo-e.Lo) > .15*r.SE || math.Abs(r.Hi-e.Hi) > .15*r.SE {
		t.Errorf("Cliff's delta = %+v, bootstrap %v [%v, %v], SE %v", e, r.Estimate, r.Lo, r.Hi, r.SE)
	}
}

// The bounds are the coverages documented for each interval, widened by four standard errors (.005 each for 2,000
// trials).
func TestEffects_Coverage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	const trials, shift = 2000, .8
	r := rand.New(rand.NewPCG(11, 12))
	difference := 2*normalCDF(shift/math.Sqrt2) - 1 // P(x > y) − P(x < y) for two normal variables
	sum := 2*normalCDF(shift*math.Sqrt2) - 1        // P(d₁ + d₂ > 0) − P(d₁ + d₂ < 0) for two normal differences
	for _, c := range []struct {
		effect   string
		n, m     int
		truth    float64
		min, max float64
	}{
		{"CohenDZ", 12, 12, shift, .93, .97},
		{"CohenD", 10, 15, shift, .93, .97},
		{"HedgesG", 10, 15, shift, .93, .97},
		{"CliffDelta", 15, 25, difference, .93, .98},
		{"RankBiserial", 20, 20, sum, .90, .98},
		{"RankBiserial", 100, 100, sum, .93, .97},
	} {
		covered := 0
		for range trials {
			x, y := normals(r, c.n, shift), make([]float64, c.m)
			if c.effect[0] != 'R' && c.effect != "CohenDZ" {
				y = normals(r, c.m, 0)
			}
			for _, effect := range eachEffect {
				if effect.name != c.effect {
					continue
				}
				if e := effect.of(x, y); e.Lo <= c.truth && c.truth <= e.Hi {
					covered++
				}
			}
		}
		if share := float64(covered) / trials; share < c.min || share > c.max {
			t.Errorf("%s with n=%d covers %v, want [%v, %v]", c.effect, c.n, share, c.min, c.max)
		}
	}
}
