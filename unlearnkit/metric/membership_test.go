package metric

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat"
	"pgregory.net/rapid"
)

func TestMIA_EqualsScikitLearn(t *testing.T) {
	var fixture struct {
		Cases []struct {
			Name   string
			Losses []float64
			Member []bool
			Splits []Split
			Scores []float64
			MIA    float64
			Unset  []float64 // accuracies with the Python library's default settings

			Weights, Intercepts []float64
		}
	}
	readFixture(t, "membership_sklearn.json", &fixture)
	for _, f := range fixture.Cases {
		t.Run(f.Name, func(t *testing.T) {
			draw := &MembershipDraw{}
			joint := func(rows []int) (all []int) {
				for _, i := range rows {
					if !f.Member[i] {
						i += len(f.Losses)
					}
					all = append(all, i)
				}
				return all
			}
			draw.pool = joint(rowsUpTo(len(f.Losses)))
			for _, split := range f.Splits {
				draw.splits = append(draw.splits, Split{joint(split.Train), joint(split.Test)})
			}
			got := MeanLossMIA(f.Losses, f.Losses, draw)
			scores := got.Splits
			for s, want := range f.Scores {
				if !near(scores[s], want, 1e-15) {
					t.Errorf("split %d: accuracy %v, scikit-learn %v", s, scores[s], want)
				}
				if !near(scores[s], f.Unset[s], 1e-6) {
					t.Errorf("split %d: accuracy %v, scikit-learn as it is %v", s, scores[s], f.Unset[s])
				}
				var losses []float64
				var labels []bool
				for _, at := range f.Splits[s].Train {
					losses, labels = append(losses, f.Losses[at]), append(labels, f.Member[at])
				}
				fit := FitLogistic(losses, 1, labels, 1)
				if !near(fit.Weights[0], f.Weights[s], 1e-6) || !near(fit.Intercept, f.Intercepts[s], 1e-6) {
					t.Errorf("split %d: %v and %v, scikit-learn %v and %v", s, fit.Weights[0], fit.Intercept,
						f.Weights[s], f.Intercepts[s])
				}
			}
			if !near(got.MIA, f.MIA, 1e-15) || got.ForgettingScore != math.Abs(.5-got.MIA) {
				t.Errorf("MIA %v, scikit-learn %v; forgetting score %v", got.MIA, f.MIA, got.ForgettingScore)
			}
			var tested, correct int
			for _, e := range got.Examples {
				tested += e.Tested
				correct += e.Correct
			}
			if test := len(f.Splits[0].Test); tested != 10*test ||
				!near(float64(correct)/float64(tested), f.MIA, 1e-12) {
				t.Errorf("%d of %d outcomes are correct", correct, tested)
			}
		})
	}
}

// lognormal returns n random losses whose logarithms have the given mean and variance 1.
func lognormal(r *rand.Rand, n int, mean float64) []float64 {
	losses := make([]float64, n)
	for i := range losses {
		losses[i] = math.Exp(mean + r.NormFloat64())
	}
	return losses
}

// The standard error must predict the spread of MIA over freshly drawn losses. The naive ½/√(2m) falls short of it.
func TestMIA_StandardError(t *testing.T) {
	const m, repeats = 60, 400
	for _, mean := range []float64{0, -1} {
		r := rand.New(rand.NewPCG(1, 2))
		var mia, errors []float64
		var sampling float64 // must be equal for all attacks
		for range repeats {
			a := LossMIA(lognormal(r, m, mean), lognormal(r, m, 0), r)
			mia, errors, sampling = append(mia, a.MIA), append(errors, a.SE), a.SamplingSE
		}
		spread, se, simple := stat.StdDev(mia, nil), stat.Mean(errors, nil), .5/math.Sqrt(2*m)
		if sampling < .9*spread || sampling > 1.2*spread {
			t.Errorf("mean %v: standard error of sampling %.4f, spread %.4f", mean, sampling, spread)
		}
		if se < .9*spread || se > 1.4*spread {
			t.Errorf("mean %v: standard error %.4f, spread %.4f", mean, se, spread)
		}
		if simple > .9*spread {
			t.Errorf("mean %v: ½/√(2m) = %.4f does not fall short of the spread %.4f", mean, simple, spread)
		}
	}
}

func TestMIA_Degenerate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name                string
		members, nonMembers []float64
		nan                 bool
	}{
		{"nothing", nil, nil, true},
		{"no members", nil, []float64{1, 2, 3}, true},
		{"one of each", []float64{1}, []float64{2}, true},
		{"two of each", []float64{1, 2}, []float64{2, 3}, false},
		{"NaN", []float64{1, nan, 3}, []float64{1, 2, 3}, true},
		{"Inf", []float64{1, 2, 3}, []float64{1, 2, inf}, true},
		{"all equal", []float64{1, 1, 1, 1, 1, 1}, []float64{1, 1, 1, 1, 1, 1}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := LossMIA(test.members, test.nonMembers, rand.New(rand.NewPCG(1, 0)))
			for _, v := range []float64{got.MIA, got.ForgettingScore, got.SE, got.SplitSE, got.SamplingSE} {
				if math.IsNaN(v) != test.nan {
					t.Errorf("got %+v, want math.IsNaN(v) %v", got, test.nan)
				}
			}
			if want := 2 * min(len(test.members), len(test.nonMembers)); len(got.Examples) != want {
				t.Errorf("%d examples, want %d", len(got.Examples), want)
			}
		})
	}
}

func TestMIA_DestroyedOrMemorised(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	for _, test := range []struct {
		name string
		mean float64
		lo   float64
		hi   float64
	}{{"memorised", -6, .9, 1}, {"destroyed", 6, .9, 1}, {"gold", 0, .4, .6}} {
		if got := LossMIA(lognormal(r, 400, test.mean), lognormal(r, 900, 0), r).MIA; got < test.lo || got > test.hi {
			t.Errorf("%s: MIA %v", test.name, got)
		}
	}
}

func TestMIA_SameGenerator(t *testing.T) {
	members, others := lognormal(rand.New(rand.NewPCG(1, 0)), 30, -1), lognormal(rand.New(rand.NewPCG(2, 0)), 50, 0)
	first, second := LossMIA(members, others, rand.New(rand.NewPCG(3, 0))),
		LossMIA(members, others, rand.New(rand.NewPCG(3, 0)))
	if diff := cmp.Diff(first, second); diff != "" {
		t.Errorf("mismatch (-first +second):\n%s", diff)
	}
}

func TestSplits_Stratified(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(rapid.Bool(), 0, 60).Draw(t, "labels")
		share := rapid.SampledFrom([]float64{0, .1, .5, 1}).Draw(t, "share")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		var positive int
		for _, y := range labels {
			if y {
				positive++
			}
		}
		for _, split := range StratifiedSplits(labels, 3, share, random) {
			all := slices.Concat(split.Train, split.Test)
			slices.Sort(all)
			if !slices.Equal(all, rowsUpTo(len(labels))) ||
				len(split.Test) != int(math.Ceil(share*float64(len(labels)))) {
				t.Fatalf("train %v test %v", split.Train, split.Test)
			}
			var got int
			for _, at := range split.Test {
				if labels[at] {
					got++
				}
			}
			if want := float64(len(split.Test)*positive) / float64(max(1,
				len(labels))); math.Abs(float64(got)-want) > .5 {
				t.Errorf("%d positive in the test part, in proportion it would be %.2f", got, want)
			}
		}
	})
}

func FuzzLossMIA(f *testing.F) {
	f.Add(uint64(1), 12, 20, 1., 0., 1.)
	f.Add(uint64(2), 0, 3, math.NaN(), math.Inf(1), 0.)
	f.Add(uint64(3), 2, 2, 1e308, -1e308, 1e-320)
	f.Fuzz(func(t *testing.T, seed uint64, members, others int, a, b, scale float64) {
		if members < 0 || members > 50 || others < 0 || others > 50 {
			t.Skip("outside of the domain")
		}
		r := rand.New(rand.NewPCG(seed, 0))
		draw := func(n int, mean float64) []float64 {
			losses := make([]float64, n)
			for i := range losses {
				losses[i] = mean + scale*r.NormFloat64()
			}
			return losses
		}
		got := LossMIA(draw(members, a), draw(others, b), r)
		if math.IsNaN(got.MIA) {
			return
		}
		if got.MIA < 0 || got.MIA > 1 || !(got.SE > 0) || got.SE > 1 || got.ForgettingScore > .5 {
			t.Errorf("%d and %d losses around %v and %v: %+v", members, others, a, b, got)
		}
	})
}

func ExampleLossMIA() {
	r := rand.New(rand.NewPCG(0, 0))
	forget, test := make([]float64, 200), make([]float64, 300)
	for i := range forget {
		forget[i] = .5 * r.ExpFloat64()
	}
	for i := range test {
		test[i] = r.ExpFloat64()
	}
	fmt.Println(LossMIA(forget, test, r))
	// Output: 0.642 ± 0.038
}

func TestMIA_DrawsAveraged(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	members, others := lognormal(r, 60, -1), lognormal(r, 200, 0)
	members[3], others[5] = 87, 87 // the largest loss that a study records
	draw := func(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
	var draws []*MembershipDraw
	var each []float64
	for seed := range uint64(20) {
		draws = append(draws, DrawMembership(len(members), len(others), draw(seed)))
		each = append(each, LossMIA(members, others, draw(seed)).MIA)
	}
	got := MeanLossMIA(members, others, draws...)
	if diff := cmp.Diff(each, got.Draws); diff != "" {
		t.Errorf("draws (-alone +together):\n%s", diff)
	}
	if want := stat.Mean(each, nil); !near(got.MIA, want, 1e-12) {
		t.Errorf("MIA %v, want the mean %v", got.MIA, want)
	}
	if one := LossMIA(members, others, draw(0)); !(got.SE < one.SE) || !(got.SE > .5/math.Sqrt(120)) {
		t.Errorf("standard error %v, want less than %v of one draw and more than each example's once", got.SE, one.SE)
	}
}

// Expanded fits must predict what FitLogistic predicts.
func TestLineFit_EqualsFitLogistic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(6, 60).Draw(t, "n")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		shift := rapid.Float64Range(-3, 3).Draw(t, "shift")
		largest := rapid.SampledFrom([]float64{1, 10, 87}).Draw(t, "largest")
		round := rapid.SampledFrom([]float64{1e-9, .25}).Draw(t, "round") // with .25 losses are often equal
		losses := lognormal(r, 2*n, 0)
		for i := range losses {
			if i < n {
				losses[i] *= math.Exp(shift)
			}
			losses[i] = math.Round(min(losses[i], largest)/round) * round
		}
		fit := newLineFit(losses[:n], losses[n:])
		var all moments
		for i := range losses {
			all.add(&fit.moments[i])
		}
		for _, split := range DrawMembership(n, n, r).splits {
			train := all
			for _, at := range split.Test {
				train.subtract(&fit.moments[at])
			}
			got, want := fit.fit(&train, split), fit.exact(split.Train)
			for _, at := range split.Test {
				if loss := fit.x[at]; (want.decision(loss) > 0) != (got.decision(loss) > 0) {
					t.Fatalf("loss %v: got %v, want %v", loss, got.decision(loss), want.decision(loss))
				}
			}
		}
	})
}

func BenchmarkMeanLossMIA(b *testing.B) {
	r := rand.New(rand.NewPCG(4, 0))
	for _, m := range []int{60, 120, 850} {
		members, others := lognormal(r, m, -.3), lognormal(r, m, 0)
		var draws []*MembershipDraw
		for range 100 {
			draws = append(draws, DrawMembership(m, m, r))
		}
		b.Run(fmt.Sprint(m), func(b *testing.B) {
			for b.Loop() {
				MeanLossMIA(members, others, draws...)
			}
		})
	}
}
