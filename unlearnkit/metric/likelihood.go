package metric

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// TokenLikelihood accumulates natural log-probabilities of tokens, over one answer or a whole corpus. The zero value is
// ready to use.
type TokenLikelihood struct {
	tokens    int
	sum, lost float64 // sum compensated for rounding, after Neumaier
}

// Add adds the log-probabilities of some tokens.
func (l *TokenLikelihood) Add(logProbs ...float64) {
	for _, p := range logProbs {
		l.tokens++
		sum := l.sum + p
		if math.Abs(l.sum) >= math.Abs(p) {
			l.lost += (l.sum - sum) + p
		} else {
			l.lost += (p - sum) + l.sum
		}
		l.sum = sum
	}
}

// Tokens returns the number of tokens added.
func (l *TokenLikelihood) Tokens() int { return l.tokens }

// Mean returns the mean log-probability of the tokens.
//
// Special cases are:
//
//	no tokens                   →  NaN
//	a log-probability of −Inf   →  −Inf
//	a log-probability of NaN    →  NaN
func (l *TokenLikelihood) Mean() float64 {
	if math.IsInf(l.sum, 0) {
		return l.sum
	}
	return (l.sum + l.lost) / float64(l.tokens)
}

// Perplexity returns exp(−mean), see the function [Perplexity].
func (l *TokenLikelihood) Perplexity() float64 { return vectorstate.Exp(-l.Mean()) }

// InversePerplexity returns exp(mean), see the function [InversePerplexity].
func (l *TokenLikelihood) InversePerplexity() float64 { return vectorstate.Exp(l.Mean()) }

// Perplexity returns the perplexity of T tokens with natural log-probabilities l_t,
//
//	PPL = exp(−(1/T) Σ l_t).
//
// Special cases are:
//
//	no tokens         →  NaN
//	some l_t = −Inf   →  +Inf
func Perplexity(logProbs []float64) float64 {
	var l TokenLikelihood
	l.Add(logProbs...)
	return l.Perplexity()
}

// InversePerplexity returns 1/PPL = exp((1/T) Σ l_t), the geometric mean of the tokens' probabilities (ReMem §4; its
// Table 5 prints it times 100).
//
// Special cases are:
//
//	no tokens         →  NaN
//	some l_t = −Inf   →  0
func InversePerplexity(logProbs []float64) float64 {
	var l TokenLikelihood
	l.Add(logProbs...)
	return l.InversePerplexity()
}

// MinK returns the Min-k % probability of ReMem §4: the mean probability of the least likely tokens,
//
//	(1/m) Σ exp(l_t) over the m lowest l_t,  m = max(1, ⌈kT/100⌉).
//
// ReMem takes k = 10; its Table 5 prints the value times 100.
//
// Special cases are:
//
//	no tokens, or a NaN among them  →  NaN
//	k outside (0, 100]              →  panic
func MinK(logProbs []float64, k float64) float64 {
	lowest := lowestLogProbs(logProbs, int(math.Ceil(minKTokens(len(logProbs), k))))
	sum := 0.0
	for _, l := range lowest {
		sum += vectorstate.Exp(l)
	}
	return sum / float64(len(lowest))
}

// MinKGeometric returns FIUBench's variant of the Min-k % probability: the geometric mean over the m = ⌊kT/100⌋ lowest
// log-probabilities,
//
//	exp((1/m) Σ l_t).
//
// Special cases are:
//
//	kT < 100, so that m = 0 (at k = 10: fewer than ten tokens)  →  NaN
//	a NaN among the tokens                                      →  NaN
//	k outside (0, 100]                                          →  panic
func MinKGeometric(logProbs []float64, k float64) float64 {
	return InversePerplexity(lowestLogProbs(logProbs, int(minKTokens(len(logProbs), k))))
}

// minKTokens returns kT/100. It multiplies first, because in binary .07*100 is above 7 and .29*100 is below 29.
func minKTokens(tokens int, k float64) float64 {
	if !(k > 0 && k <= 100) {
		panic(fmt.Sprintf("metric: Min-k %% of k = %v, want 0 < k <= 100", k))
	}
	return k * float64(tokens) / 100
}

// lowestLogProbs returns the m lowest values in ascending order. A NaN sorts first, so that the result always contains
// it.
func lowestLogProbs(logProbs []float64, m int) []float64 {
	sorted := slices.Sorted(slices.Values(logProbs))
	return sorted[:m]
}
