package metric_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

var (
	nan = math.NaN()
	inf = math.Inf(1)
)

func TestLikelihood_EqualsNumpy(t *testing.T) {
	var reference struct {
		Tokens []struct {
			LogProbs      []float64 `json:"log_probs"`
			K, Perplexity float64
			MinK          float64  `json:"min_k"`
			Geometric     *float64 `json:"min_k_geometric"`
		}
	}
	loadReference(t, "likelihood_numpy.json", &reference)
	if len(reference.Tokens) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range reference.Tokens {
		what := fmt.Sprintf(" of %d tokens at k = %v", len(c.LogProbs), c.K)
		wantNear(t, "perplexity"+what, metric.Perplexity(c.LogProbs), c.Perplexity, 1e-13)
		wantNear(t, "inverse perplexity"+what, metric.InversePerplexity(c.LogProbs), 1/c.Perplexity, 1e-13)
		wantNear(t, "Min-k"+what, metric.MinK(c.LogProbs, c.K), c.MinK, 1e-13)
		geometric := nan
		if c.Geometric != nil {
			geometric = *c.Geometric
		}
		wantNear(t, "geometric Min-k"+what, metric.MinKGeometric(c.LogProbs, c.K), geometric, 1e-13)
	}
}

func TestLikelihood_SpecialCases(t *testing.T) {
	for _, c := range []struct {
		name                     string
		logProbs                 []float64
		perplexity, inverse, mnk float64
	}{
		{"no tokens", nil, nan, nan, nan},
		{"an impossible token", []float64{-1, math.Inf(-1), -2}, inf, 0, 0},
		{"a NaN", []float64{-1, nan, -2}, nan, nan, nan},
		{"certain tokens", []float64{0, 0}, 1, 1, 1},
	} {
		if got := metric.Perplexity(c.logProbs); got != c.perplexity && !(math.IsNaN(got) && math.IsNaN(c.perplexity)) {
			t.Errorf("%s: perplexity %v, want %v", c.name, got, c.perplexity)
		}
		wantNear(t, c.name+": inverse perplexity", metric.InversePerplexity(c.logProbs), c.inverse, 0)
		wantNear(t, c.name+": Min-k", metric.MinK(c.logProbs, 10), c.mnk, 0)
	}
	for _, k := range []float64{0, -1, 100.5, nan} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("k = %v does not panic", k)
				}
			}()
			metric.MinK([]float64{-1}, k)
		}()
	}
}

func TestMinK_ExactCount(t *testing.T) {
	// In binary .07·100 is above 7, which would use an eighth token, and .29·100 is below 29, which would omit one.
	firstTokens := func(n int) []float64 {
		logProbs := make([]float64, 100)
		for i := range n {
			logProbs[i] = math.Log(.25)
		}
		return logProbs
	}
	wantNear(t, "Min-7 % of 100 tokens", metric.MinK(firstTokens(7), 7), .25, 1e-15)
	wantNear(t, "geometric Min-29 % of 100 tokens", metric.MinKGeometric(firstTokens(28), 29), math.Pow(.25, 28./29),
		1e-15)
}

func TestLikelihood_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		logProbs := rapid.SliceOfN(rapid.Float64Range(-30, 0), 1, 60).Draw(t, "log-probabilities")
		shuffled := rapid.Permutation(logProbs).Draw(t, "shuffled")
		k := rapid.Float64Range(.1, 100).Draw(t, "k")
		mnk, geometric, inverse := metric.MinK(logProbs, k), metric.MinKGeometric(logProbs, k),
			metric.InversePerplexity(logProbs)
		if metric.MinK(shuffled, k) != mnk {
			t.Fatal("Min-k depends on the order")
		}
		if geometric > mnk*(1+1e-12) &&
			math.Ceil(k*float64(len(logProbs))/100) == math.Floor(k*float64(len(logProbs))/100) {
			t.Fatalf("geometric mean %v above arithmetic mean %v", geometric, mnk)
		}
		if !math.IsNaN(geometric) && geometric > inverse*(1+1e-12) {
			t.Fatalf("the lowest tokens' %v above all tokens' %v", geometric, inverse)
		}
		if p := metric.Perplexity(logProbs); p < 1 || math.Abs(p*inverse-1) > 1e-12 {
			t.Fatalf("perplexity %v, inverse %v", p, inverse)
		}
	})
}

func TestTokenLikelihood_SmallTerms(t *testing.T) {
	var l metric.TokenLikelihood
	l.Add(-1e16)
	for range 1000 {
		l.Add(-1)
	}
	if want := (-1e16 - 1000) / 1001; l.Mean() != want || l.Tokens() != 1001 {
		t.Errorf("mean %v of %d tokens, want %v", l.Mean(), l.Tokens(), want)
	}
}

func BenchmarkMinK(b *testing.B) {
	logProbs := make([]float64, 512)
	for i := range logProbs {
		logProbs[i] = -float64(i * 7919 % 512)
	}
	for b.Loop() {
		metric.MinK(logProbs, 10)
	}
}

func ExampleMinK() {
	logProbs := []float64{math.Log(.9), math.Log(.8), math.Log(.1), math.Log(.5)}
	fmt.Printf("%.2f %.4f\n", metric.MinK(logProbs, 10), metric.InversePerplexity(logProbs))
	// Output: 0.10 0.4356
}

func ExampleTokenLikelihood() {
	var l metric.TokenLikelihood
	l.Add(math.Log(.5), math.Log(.5))
	l.Add(math.Log(.125))
	fmt.Printf("%d tokens, perplexity %.3f\n", l.Tokens(), l.Perplexity())
	// Output: 3 tokens, perplexity 3.175
}
