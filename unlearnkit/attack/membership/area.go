package membership

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// IntervalMethod says how an interval was found.
type IntervalMethod string

const (
	DeLong     IntervalMethod = "DeLong"     // DeLong, DeLong and Clarke-Pearson (1988), over examples
	Obuchowski IntervalMethod = "Obuchowski" // Obuchowski (1997), over groups
	Pairs      IntervalMethod = "pairs"      // Clopper and Pearson's of disjoint pairs, where the others have no width
)

// Area is the area under a curve: the chance that a member has a larger score than a non-member, ties counted half.
type Area struct {
	Value  float64        `json:"value"`
	SE     float64        `json:"se"` // 0 where members and non-members are apart
	Lo     float64        `json:"lo"`
	Hi     float64        `json:"hi"`
	Method IntervalMethod `json:"method"`
}

// normal975 is the quantile of the normal distribution for two-sided intervals of 95 %.
const normal975 = 1.959963984540054

// area computes the area with its interval, Value ± 1.96·SE within [0, 1].
//
// With S(x, y) = 1 for x > y and ½ for x = y, the placement of a member is the mean of S over the non-members and that
// of a non-member the mean over the members. The variance is that of the mean placements, of examples or of groups.
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
	if a.Value == 0 || a.Value == 1 { // the placements are all equal; rounding must not look like width
		a.Method = Pairs
		limits := stat.ClopperPearson(int(a.Value)*e.pairs(), e.pairs())
		a.Lo, a.Hi = limits.Lo, limits.Hi
		return a
	}
	a.SE = math.Sqrt(max(variance, 0)) // the covariance within groups can outweigh the rest
	a.Lo, a.Hi = max(0, a.Value-normal975*a.SE), min(1, a.Value+normal975*a.SE)
	return a
}

// placements are those of members and of non-members, from ranks in all scores and among their own.
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

// meanVariance is the variance of the mean of independent values.
func meanVariance(mean float64, values []float64) float64 {
	squares := 0.
	for _, v := range values {
		squares += float64((v - mean) * (v - mean))
	}
	n := float64(len(values))
	return squares / (n - 1) / n
}

// groupVariance is Obuchowski's variance of the area A. With X_g the placements of a group's members less A, summed,
// and Y_g those of its non-members, over M members in I₁ groups, N non-members in I₀ and I groups in all,
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
	return corrected(len(x.names))*floats.Dot(x.sums, x.sums)/(m*m) +
		corrected(len(y.names))*floats.Dot(y.sums, y.sums)/(n*n) + 2*corrected(all)*both/(m*n)
}

// corrected is n/(n−1).
func corrected(n int) float64 { return float64(n) / float64(n-1) }

// sums are sums over groups, the groups in the order in which they are met.
type sums struct {
	names []string
	at    map[string]int
	sums  []float64
	sizes []int
}

// add adds what some of a group's examples have.
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

// groupSums sums values less a constant.
func groupSums(groups []string, values []float64, less float64) sums {
	s := sums{at: map[string]int{}}
	for i, name := range groups {
		s.add(name, values[i]-less, 1)
	}
	return s
}

// pairs is how many pairs of a member and a non-member have no unit in common, in any order. Where members and
// non-members are apart each of them is, which has at most the chance of the area to the power of their number.
func (e evidence) pairs() int {
	pairs := min(e.units(true), e.units(false))
	if e.grouped() {
		pairs = min(pairs, distinct(e.memberGroups, e.otherGroups)/2)
	}
	return pairs
}
