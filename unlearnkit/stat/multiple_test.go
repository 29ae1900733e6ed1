package stat

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

var multipleMethods = map[string]func(dst, p []float64, opts ...Option) []float64{
	"bonferroni": Bonferroni, "holm": Holm, "hochberg": Hochberg, "bh": BenjaminiHochberg, "by": BenjaminiYekutieli,
}

func TestAdjust_EqualsStatsmodelsAndR(t *testing.T) {
	for _, file := range []string{"multiple_statsmodels.json", "multiple_r.json"} {
		var fixture struct{ Cases []map[string][]*float64 }
		readFixture(t, file, &fixture)
		for i, c := range fixture.Cases {
			values := func(name string) []float64 {
				v := make([]float64, len(c[name]))
				for j, e := range c[name] {
					if v[j] = math.NaN(); e != nil {
						v[j] = *e
					}
				}
				return v
			}
			p := values("p")
			for name, adjust := range multipleMethods {
				for j, want := range values(name) {
					closeToOrLost(t, fmt.Sprintf("%s, family %d, %s of %v", file, i, name, p[j]), adjust(nil, p)[j],
						want, 1e-12)
				}
			}
		}
	}
}

func TestHolm_StepDown(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, .2), 1, 12).Draw(t, "p")
		const alpha = .05
		want := make([]bool, len(p))
		for left := len(p); left > 0; left-- {
			smallest := -1
			for i := range p {
				if !want[i] && (smallest < 0 || p[i] < p[smallest]) {
					smallest = i
				}
			}
			if float64(left)*p[smallest] > alpha {
				break
			}
			want[smallest] = true
		}
		for i, got := range Reject(nil, Holm(nil, p), alpha) {
			if got != want[i] {
				t.Errorf("p %v of %v: rejected %v, want %v", p[i], p, got, want[i])
			}
		}
	})
}

// Adjusted p-values do not depend on the order of p, on aliasing or on a Scratch.
func TestAdjust_OrderAndAlias(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.OneOf(rapid.Float64Range(0, 1), rapid.SampledFrom([]float64{0, .01, .5, 1, math.NaN(), -1, 2}))
		p := rapid.SliceOfN(value, 0, 20).Draw(t, "p")
		var scratch Scratch
		for name, adjust := range multipleMethods {
			adjusted := adjust(nil, p)
			turned := make([]float64, len(p))
			for i, e := range p {
				turned[len(p)-1-i] = e
			}
			if out := adjust(turned, turned, &scratch); len(out) > 0 && &out[0] != &turned[0] {
				t.Errorf("%s returned another slice than dst", name)
			}
			for i, e := range p {
				closeToOrLost(t, name+" turned", turned[len(p)-1-i], adjusted[i], 0)
				switch {
				case !(e >= 0 && e <= 1):
					if !math.IsNaN(adjusted[i]) {
						t.Errorf("%s: %v became %v", name, e, adjusted[i])
					}
				case !(adjusted[i] >= e && adjusted[i] <= 1):
					t.Errorf("%s: %v became %v", name, e, adjusted[i])
				}
			}
		}
		bonferroni, holm, hochberg := Bonferroni(nil, p), Holm(nil, p), Hochberg(nil, p)
		bh, by := BenjaminiHochberg(nil, p), BenjaminiYekutieli(nil, p)
		for i := range p {
			const above = 1 + 1e-14
			if holm[i] > bonferroni[i]*above || hochberg[i] > holm[i]*above || bh[i] > hochberg[i]*above ||
				bh[i] > by[i]*above {
				t.Errorf("%v: got %v %v %v %v %v, want holm[i] at most %v, hochberg[i] at most %v, bh[i] at most "+
					"%v, bh[i] at most %v",
					p[i], bonferroni[i], holm[i], hochberg[i], bh[i], by[i], bonferroni[i]*above, holm[i]*above, hochberg[i]*above, by[i]*above)
			}
		}
	})
}

func TestAdjust_Allocations(t *testing.T) {
	p := residueSequence(1000, 7919, 104729, 1, 0)
	dst := make([]float64, len(p))
	rejected := make([]bool, len(p))
	var scratch Scratch
	Holm(dst, p, &scratch)
	// A direct call, because the options would escape to the heap in a call through a function value.
	n := testing.AllocsPerRun(5, func() {
		Bonferroni(dst, p, &scratch)
		Holm(dst, p, &scratch)
		Hochberg(dst, p, &scratch)
		BenjaminiHochberg(dst, p, &scratch)
		BenjaminiYekutieli(dst, p, &scratch)
		Reject(rejected, dst, .05)
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkHolm(b *testing.B) {
	for _, n := range []int{20, 1000} {
		p := residueSequence(n, 7919, 104729, 1, 0)
		dst := make([]float64, n)
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			var scratch Scratch
			b.ReportAllocs()
			for b.Loop() {
				Holm(dst, p, &scratch)
			}
		})
	}
}
