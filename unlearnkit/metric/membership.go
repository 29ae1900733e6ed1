package metric

import (
	"fmt"
	"math"
	"math/rand/v2"

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
	SplitSE         float64             // standard error from the variance over the splits, corrected for their overlap
	SamplingSE      float64             // standard error from the limited number of examples
	SE              float64             // the larger standard error, to be reported
	Examples        []MembershipOutcome // examples used, with the attack's results
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
	losses, examples := balancedPool(members, nonMembers, random)
	labels := make([]bool, len(examples))
	for i, e := range examples {
		labels[i] = e.Member
	}
	var splits []Split
	if len(losses) >= 4 && finite(losses) {
		splits = StratifiedSplits(labels, membershipSplits, membershipTestShare, random)
	}
	accuracies := attackOnSplits(losses, examples, splits)
	return membershipOf(accuracies, splits, examples)
}

// balancedPool returns equally many losses of members and non-members in random order, and the example of each.
func balancedPool(members, nonMembers []float64, random *rand.Rand) ([]float64, []MembershipOutcome) {
	m := min(len(members), len(nonMembers))
	examples := make([]MembershipOutcome, 0, 2*m)
	for _, row := range random.Perm(len(members))[:m] {
		examples = append(examples, MembershipOutcome{Member: true, Row: row})
	}
	for _, row := range random.Perm(len(nonMembers))[:m] {
		examples = append(examples, MembershipOutcome{Row: row})
	}
	random.Shuffle(len(examples), func(i, j int) { examples[i], examples[j] = examples[j], examples[i] })
	losses := make([]float64, len(examples))
	for i, e := range examples {
		if e.Member {
			losses[i] = members[e.Row]
		} else {
			losses[i] = nonMembers[e.Row]
		}
	}
	return losses, examples
}

// attackOnSplits returns the accuracy of the attack on each split. It also counts the results in examples.
func attackOnSplits(losses []float64, examples []MembershipOutcome, splits []Split) []float64 {
	accuracies := make([]float64, len(splits))
	for s, split := range splits {
		features, labels := make([]float64, len(split.Train)), make([]bool, len(split.Train))
		for i, at := range split.Train {
			features[i], labels[i] = losses[at], examples[at].Member
		}
		attack := FitLogistic(features, 1, labels, 1)
		var correct int
		for _, at := range split.Test {
			e := &examples[at]
			e.Tested++
			if attack.Predict(losses[at:at+1]) == e.Member {
				e.Correct++
				correct++
			}
		}
		accuracies[s] = float64(correct) / float64(len(split.Test))
	}
	return accuracies
}

func membershipOf(accuracies []float64, splits []Split, examples []MembershipOutcome) Membership {
	m := Membership{Splits: accuracies, Examples: examples, MIA: stat.Mean(accuracies, nil)}
	m.ForgettingScore = math.Abs(.5 - m.MIA)
	m.SplitSE, m.SamplingSE = math.NaN(), math.NaN()
	if count := float64(len(splits)); count > 1 {
		test, train := float64(len(splits[0].Test)), float64(len(splits[0].Train))
		m.SplitSE = stat.StdDev(accuracies, nil) * math.Sqrt(1/count+test/train)
		// This is Var(tested)/mean² = (1−q)/(q·count), where q is the test share.
		q := test / (test + train)
		m.SamplingSE = .5 / math.Sqrt(float64(len(examples))) * math.Sqrt(1+(1-q)/(q*count))
	}
	m.SE = math.Max(m.SplitSE, m.SamplingSE)
	return m
}

// String formats the result as a table would, such as ".512 ± .017".
func (m Membership) String() string { return fmt.Sprintf("%.3f ± %.3f", m.MIA, m.SE) }
