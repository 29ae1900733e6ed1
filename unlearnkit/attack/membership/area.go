package membership

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// IntervalMethod names the method of an interval.
type IntervalMethod string

const (
	DeLong     IntervalMethod = "DeLong"     // DeLong, DeLong and Clarke-Pearson (1988), over examples
	Obuchowski IntervalMethod = "Obuchowski" // Obuchowski (1997), over groups
	Pairs      IntervalMethod = "pairs"      // Clopper and Pearson (1934), disjoint pairs; if the others have no width
)

// Area is the area under the ROC curve: the probability that a member has a larger score than a non-member, with ties
// counted half.
type Area struct {
	Value  float64        `json:"value"`
	SE     float64        `json:"se"` // standard error; 0 if the scores separate members from non-members
	Lo     float64        `json:"lo"`
	Hi     float64        `json:"hi"`
	Method IntervalMethod `json:"method"`
}

// normal975 is the normal quantile of two-sided 95 % intervals.
const normal975 = 1.959963984540054

// area computes the area with its interval, Value ± 1.96·SE within [0, 1].
//
// With S(x, y) = 1 for x > y and ½ for x = y, the placement of a member is the mean of S over the non-members, and the
// placement of a non-member is the mean over the members. The variance is the variance of the mean placements, over
// examples or groups.
func (e evidence) area() Area {
	ofMembers, ofOthers := e.placements()
	a := Area{Value: floats.Sum(ofMembers) / float64(len(ofMembers)), Method: DeLong}
	variance := 0.
	if e.grouped() {
		a.Method = Obuchowski
		variance = e.groupVariance(a.Value, ofMembers, ofOthers)
	} else {
		variance = meanVariance(a.Value, ofMembers) + meanVariance(a.Value, ofOthers)
	}
	if a.Value == 0 || a.Value == 1 { // all placements are equal; rounding errors must not give a width
		a.Method = Pairs
		limits := stat.ClopperPearson(int(a.Value)*e.pairs(), e.pairs())
		a.Lo, a.Hi = limits.Lo, limits.Hi
		return a
	}
	a.SE = math.Sqrt(max(variance, 0)) // the covariance within groups can outweigh the rest
	a.Lo, a.Hi = max(0, a.Value-normal975*a.SE), min(1, a.Value+normal975*a.SE)
	return a
}

// placements returns the placements of members and of non-members, from ranks among all scores and among their own.
func (e evidence) placements() (ofMembers, ofOthers []float64) {
	m, n := len(e.members), len(e.others)
	all := stat.Ranks(nil, append(append(make([]float64, 0, m+n), e.members...), e.others...))
	own, others := stat.Ranks(nil, e.members), stat.Ranks(nil, e.others)
	ofMembers, ofOthers = make([]float64, m), make([]float64, n)
	for i := range ofMembers {
		ofMembers[i] = (all[i] - own[i]) / float64(n)
	}
	for j := range ofOthers {
		ofOthers[j] = 1 - (all[m+j]-others[j])/float64(m)
	}
	return ofMembers, ofOthers
}

// meanVariance returns the variance of the mean of independent values.
func meanVariance(mean float64, values []float64) float64 {
	squares := 0.
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	n := float64(len(values))
	return squares / (n - 1) / n
}

// groupVariance returns Obuchowski's variance of the area A. X_g and Y_g are the sums of the placements minus A over a
// group's members and non-members. With M members in I₁ groups, N non-members in I₀ groups, and I groups in all, it is
//
//	I₁/(I₁−1) ΣX²/M² + I₀/(I₀−1) ΣY²/N² + 2 I/(I−1) ΣXY/(MN).
func (e evidence) groupVariance(area float64, ofMembers, ofOthers []float64) float64 {
	x, y := groupSums(e.memberGroups, ofMembers, area), groupSums(e.otherGroups, ofOthers, area)
	m, n := float64(len(ofMembers)), float64(len(ofOthers))
	all := len(y.names)
	both := 0.
	for i, name := range x.names {
		if j, has := y.at[name]; has {
			both += float64(x.sums[i] * y.sums[j])
		} else {
			all++
		}
	}
	return biasCorrection(len(x.names))*floats.Dot(x.sums, x.sums)/(m*m) +
		biasCorrection(len(y.names))*floats.Dot(y.sums, y.sums)/(n*n) + 2*biasCorrection(all)*both/(m*n)
}

// biasCorrection returns n/(n−1).
func biasCorrection(n int) float64 { return float64(n) / float64(n-1) }

// sums holds sums over groups, in the order in which the groups first occur.
type sums struct {
	names []string
	at    map[string]int
	sums  []float64
	sizes []int
}

// add adds a sum of values, and their number, to a group.
func (s *sums) add(name string, value float64, size int) {
	at, met := s.at[name]
	if !met {
		at = len(s.names)
		s.at[name], s.names = at, append(s.names, name)
		s.sums, s.sizes = append(s.sums, 0), append(s.sizes, 0)
	}
	s.sums[at] += value
	s.sizes[at] += size
}

// groupSums sums the values minus a constant by group.
func groupSums(groups []string, values []float64, less float64) sums {
	s := sums{at: map[string]int{}}
	for i, name := range groups {
		s.add(name, values[i]-less, 1)
	}
	return s
}

// pairs returns the number of disjoint pairs of a member and a non-member that share no unit. If the area is A and all
// scores separate members from non-members, then all n pairs are in order, which has a probability of at most Aⁿ.
func (e evidence) pairs() int {
	pairs := min(e.units(true), e.units(false))
	if e.grouped() {
		pairs = min(pairs, distinct(e.memberGroups, e.otherGroups)/2)
	}
	return pairs
}
