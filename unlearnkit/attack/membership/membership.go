// Package membership infers which examples were in a model's training set.
//
// A [Sample] has a loss, or a score, of a model for each example. [Infer] attacks it in up to three ways:
//
//	logistic   the attack of UnSLU-BENCH ([metric.LossMIA]): accuracy of a logistic regression on ten splits
//	threshold  an example with a loss below a threshold is called a member: the whole curve
//	LiRA       the likelihood ratio of Carlini et al. (2022), with losses of shadow models: the whole curve
//
// A curve ([ROC]) has its area and the true-positive rates at small false-positive rates. These rates measure the
// danger of an attack: one that identifies a few members without any false positive is dangerous at an accuracy near
// one half. Every printed number has a 95 % interval, and the result marks what the number of examples cannot resolve.
//
// Examples that belong together, such as the recordings of one speaker, are not independent evidence. If groups are
// given, intervals are over the groups.
package membership

import (
	"fmt"
	"math"
)

// Kind is the kind of the numbers in a [Sample].
type Kind uint8

const (
	Losses Kind = iota // smaller for members
	Scores             // larger for members
)

// String returns the kind in the singular, for messages.
func (k Kind) String() string {
	if k == Scores {
		return "score"
	}
	return "loss"
}

// Sample holds one number of the attacked model for each example.
type Sample struct {
	Kind                Kind
	Members, NonMembers []float64
	// MemberGroups and NonMemberGroups hold the group of each example. Both are set, or neither is. A group may have
	// examples in both lists.
	MemberGroups, NonMemberGroups []string
}

func (s Sample) grouped() bool { return s.MemberGroups != nil || s.NonMemberGroups != nil }

// least is the minimum number of members, of non-members and of their groups for an interval.
const least = 2

// check returns an error if the sample cannot be attacked.
func (s Sample) check() error {
	for _, list := range []struct {
		name   string
		values []float64
		groups []string
	}{{"members", s.Members, s.MemberGroups}, {"non-members", s.NonMembers, s.NonMemberGroups}} {
		if len(list.values) < least {
			return fmt.Errorf("membership: %d %s; give at least %d", len(list.values), list.name, least)
		}
		if s.grouped() && len(list.groups) != len(list.values) {
			return fmt.Errorf("membership: %d groups for %d %s; give one for each, of members and non-members",
				len(list.groups), len(list.values), list.name)
		}
		for i, v := range list.values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("membership: %s, row %d: the %s is %v; leave the example out", list.name, i+1, s.Kind,
					v)
			}
		}
	}
	return nil
}

// Scored returns the members followed by the non-members, with scores that are larger for members.
func (s Sample) Scored() Scored {
	n := len(s.Members) + len(s.NonMembers)
	all := Scored{Scores: make([]float64, 0, n), Member: make([]bool, n)}
	all.Scores = append(append(all.Scores, s.Members...), s.NonMembers...)
	for i := range s.Members {
		all.Member[i] = true
	}
	if s.Kind == Losses {
		for i := range all.Scores {
			all.Scores[i] = -all.Scores[i]
		}
	}
	if s.grouped() {
		all.Groups = append(append(make([]string, 0, n), s.MemberGroups...), s.NonMemberGroups...)
	}
	return all
}

// Warning is a limitation of a result.
type Warning struct {
	Code WarningCode `json:"code"`
	Text string      `json:"text"` // sentence with the numbers, without the full stop
}

// WarningCode is the kind of a [Warning].
type WarningCode string

const (
	WarnUnresolved  WarningCode = "unresolved"   // too few non-members for a false-positive rate
	WarnReversed    WarningCode = "reversed"     // non-members look more like members than members do
	WarnSeparated   WarningCode = "separated"    // no member scores within the range of the non-members
	WarnFewExamples WarningCode = "few examples" // the normal approximation of intervals is rough
	WarnFewGroups   WarningCode = "few groups"   // the variance between groups is poorly estimated
	WarnFloor       WarningCode = "floor"        // losses too small to compute their confidence
	WarnFewShadows  WarningCode = "few shadows"  // the distributions of an example's losses are poorly estimated
)

func warningf(code WarningCode, format string, args ...any) Warning {
	return Warning{code, fmt.Sprintf(format, args...)}
}
