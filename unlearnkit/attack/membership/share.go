package membership

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// Share is a share of examples with its 95 % interval.
//
// Without groups the interval is Clopper and Pearson's (1934). With groups it is Korn and Graubard's (1998): Clopper
// and Pearson's for the smaller number of independent examples that has the same uncertainty as the groups, see
// [Share.Effective].
type Share struct {
	Count int     `json:"count"`
	Of    int     `json:"of"`
	Value float64 `json:"value"`
	Lo    float64 `json:"lo"`
	Hi    float64 `json:"hi"`
	// Effective is the number of examples in the interval: Of without groups. If the share is 0 or 1, so that groups do
	// not differ, it is the number of groups.
	Effective float64 `json:"effective"`
}

// shareOf returns the share of the examples that are taken; groups may be nil.
func shareOf(taken []bool, groups []string) Share {
	s := Share{Of: len(taken)}
	values := make([]float64, len(taken))
	for i, is := range taken {
		if is {
			s.Count++
			values[i] = 1
		}
	}
	s.Value, s.Effective = float64(s.Count)/float64(s.Of), float64(s.Of)
	if groups == nil {
		e := stat.ClopperPearson(s.Count, s.Of)
		s.Lo, s.Hi = e.Lo, e.Hi
		return s
	}
	s.Effective = effective(s.Value, groupSums(groups, values, 0), s.Of)
	success, failure := s.Value*s.Effective, (1-s.Value)*s.Effective
	s.Lo, s.Hi = 0, 1
	if s.Count > 0 {
		s.Lo = distuv.Beta{Alpha: success, Beta: failure + 1}.Quantile(.025)
	}
	if s.Count < s.Of {
		s.Hi = distuv.Beta{Alpha: success + 1, Beta: failure}.Quantile(.975)
	}
	return s
}

// effective returns p(1−p)/Var(p), with the variance of a ratio over groups, times the square of the ratio of Student's
// quantiles for n−1 and for groups−1 degrees of freedom. It is at most n.
func effective(p float64, counts sums, n int) float64 {
	groups := len(counts.names)
	if p == 0 || p == 1 {
		return float64(groups)
	}
	variance := shareVariance(p, counts, n)
	quantile := func(freedom int) float64 {
		return distuv.StudentsT{Sigma: 1, Nu: float64(freedom)}.Quantile(.975)
	}
	ratio := quantile(n-1) / quantile(groups-1)
	return math.Min(float64(n), p*(1-p)/variance*ratio*ratio)
}

// shareVariance returns the variance of the share p of n examples over groups: G/(G−1) Σ(count − p·size)²/n².
func shareVariance(p float64, counts sums, n int) float64 {
	squares := 0.
	for i, count := range counts.sums {
		d := count - float64(p*float64(counts.sizes[i]))
		squares += float64(d * d)
	}
	return biasCorrection(len(counts.names)) * squares / float64(n) / float64(n)
}
