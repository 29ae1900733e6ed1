package stat

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// twoNormalSamples returns two samples of n normal values.
func twoNormalSamples(n int) (x, y []float64) {
	pairs := normals(rand.New(rand.NewPCG(1, 2)), 2*n, 0)
	for i := 0; i < len(pairs); i += 2 {
		x, y = append(x, pairs[i]), append(y, pairs[i+1])
	}
	return x, y
}

func rankBenchmarkTests(b *testing.B, test func(x, y []float64, s *Scratch)) {
	for _, n := range []int{10, 1000, 100_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			x, y := twoNormalSamples(n)
			var s Scratch
			for b.Loop() {
				test(x, y, &s)
			}
		})
	}
}

func BenchmarkWilcoxon(b *testing.B) {
	rankBenchmarkTests(b, func(x, y []float64, s *Scratch) { Wilcoxon(x, y, s) })
}

func BenchmarkMannWhitney(b *testing.B) {
	rankBenchmarkTests(b, func(x, y []float64, s *Scratch) { MannWhitney(x, y, s) })
}

func BenchmarkKS2(b *testing.B) {
	rankBenchmarkTests(b, func(x, y []float64, s *Scratch) { KS2(x, y, s) })
}

func BenchmarkSign(b *testing.B) {
	rankBenchmarkTests(b, func(x, y []float64, s *Scratch) { Sign(x, y, s) })
}

func BenchmarkRanks(b *testing.B) {
	rankBenchmarkTests(b, func(x, y []float64, s *Scratch) { Ranks(y, x, s) })
}

// BenchmarkSmirnovSF measures what an asymptotic KS2 with a small p-value costs in addition to sorting.
func BenchmarkSmirnovSF(b *testing.B) {
	for b.Loop() {
		SmirnovSF(.02, 15_234)
	}
}
