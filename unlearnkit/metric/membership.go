package metric

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
)

const (
	membershipSplits    = 10
	membershipTestShare = .1
)

// Membership is the result of a membership inference attack on one model.
type Membership struct {
	// mean accuracy of the attack over the splits, which the paper's tables print; .5 is chance
	MIA             float64
	ForgettingScore float64             // |.5 − MIA|; the best value is 0
	Splits          []float64           // accuracy on each split
	Draws           []float64           // mean accuracy over the splits of each draw, see [MeanLossMIA]
	SplitSE         float64             // standard error from the variance over the splits, corrected for their overlap
	SamplingSE      float64             // standard error from the limited number of examples
	SE              float64             // the larger standard error, to be reported
	Examples        []MembershipOutcome // examples used, members first, with the attack's results
}

// MembershipOutcome counts the results of the attack on one example.
type MembershipOutcome struct {
	Member          bool
	Row             int // index in the list of members or in the list of non-members
	Tested, Correct int // number of splits that tested the example, and number in which the attack was right
}

// LossMIA attacks a model by its losses: a classifier distinguishes members (the forget set) from non-members (the test
// set) by their loss (UnSLU-BENCH §2.3). The paper's Tables 1 to 3 print MIA and not the forgetting score.
//
// From the longer list, m random losses are used, where m is the length of the shorter list. A logistic regression of
// membership on the loss ([FitLogistic] with c = 1) is fitted on 90 % of the 2m examples and tested on 10 %, in 10
// stratified random splits.
//
// # Standard errors
//
// The splits share examples, so that their standard deviation s divided by √10 is far too small. SplitSE is Nadeau and
// Bengio's s·√(1/10 + n_test/n_train). SamplingSE is ½/√(2m) · √1.9. An attack that tests each example once has the
// standard error ½/√(2m). Here an example is tested in a random number of splits, with mean 1 and variance .9, and the
// unequal weights multiply the error by √(1 + .9). If MIA is far from chance, SamplingSE is an upper bound. Neither
// includes differences between models trained with different seeds.
//
// Special cases are:
//
//	fewer than 2 members or non-members  →  all numbers NaN
//	a NaN or Inf among the losses used   →  all numbers NaN
//	2m < 12                              →  test parts of one example; scikit-learn refuses these
func LossMIA(members, nonMembers []float64, random *rand.Rand) Membership {
	return MeanLossMIA(members, nonMembers, DrawMembership(len(members), len(nonMembers), random))
}

// MeanLossMIA averages [LossMIA] over draws of its random choices. A single attack depends on its draw: with 120
// examples, MIA varies with a standard deviation of about .05. All draws must be for lists as long as members and
// nonMembers. The standard errors are computed from the splits of all draws together.
func MeanLossMIA(members, nonMembers []float64, draws ...*MembershipDraw) Membership {
	var m Membership
	fit := newLineFit(members, nonMembers)
	for _, d := range draws {
		accuracies, mean := fit.attack(d)
		m.Splits, m.Draws = append(m.Splits, accuracies...), append(m.Draws, mean)
	}
	tested, correct := 0, 0
	for i, o := range fit.outcomes {
		if o.used {
			e := MembershipOutcome{i < len(members), i, o.tested, o.correct}
			if !e.Member {
				e.Row -= len(members)
			}
			m.Examples = append(m.Examples, e)
			tested, correct = tested+o.tested, correct+o.correct
		}
	}
	if m.MIA = float64(correct) / float64(tested); slices.ContainsFunc(m.Draws, math.IsNaN) {
		m.MIA = math.NaN()
	}
	m.ForgettingScore = math.Abs(.5 - m.MIA)
	m.estimateErrors(draws[0].splits)
	return m
}

// MembershipDraw holds the random choices of [LossMIA]: which losses it uses of the longer list, and its splits.
type MembershipDraw struct {
	pool   []int   // losses used, as indices in the list of members followed by non-members
	splits []Split // splits of pool; empty if there are fewer than 2 members or non-members
}

// DrawMembership draws the random choices of [LossMIA] for lists of the given lengths.
func DrawMembership(members, nonMembers int, random *rand.Rand) *MembershipDraw {
	m := min(members, nonMembers)
	d := &MembershipDraw{pool: random.Perm(members)[:m]}
	for _, row := range random.Perm(nonMembers)[:m] {
		d.pool = append(d.pool, members+row)
	}
	random.Shuffle(2*m, func(i, j int) { d.pool[i], d.pool[j] = d.pool[j], d.pool[i] })
	if m < 2 {
		return d
	}
	labels := make([]bool, len(d.pool))
	for i, at := range d.pool {
		labels[i] = at < members
	}
	d.splits = StratifiedSplits(labels, membershipSplits, membershipTestShare, random)
	for _, split := range d.splits {
		for _, part := range [][]int{split.Train, split.Test} {
			for i, place := range part {
				part[i] = d.pool[place]
			}
		}
	}
	return d
}

// estimateErrors sets the standard errors. The given splits, of any draw, have the sizes of all.
func (m *Membership) estimateErrors(splits []Split) {
	m.SplitSE, m.SamplingSE = math.NaN(), math.NaN()
	if count := float64(len(m.Splits)); count > 1 && !math.IsNaN(m.MIA) {
		test, train := float64(len(splits[0].Test)), float64(len(splits[0].Train))
		m.SplitSE = stat.StdDev(m.Splits, nil) * math.Sqrt(1/count+test/train)
		// This is Var(tested)/mean² = (1−q)/(q·count), where q is the test share.
		q := test / (test + train)
		m.SamplingSE = .5 / math.Sqrt(test+train) * math.Sqrt(1+(1-q)/(q*count))
	}
	m.SE = math.Max(m.SplitSE, m.SamplingSE)
}

// String formats the result as a table would, such as ".512 ± .017".
func (m Membership) String() string { return fmt.Sprintf("%.3f ± %.3f", m.MIA, m.SE) }
