// Package membership tells the members of a training set from other examples by numbers of models.
//
// A [Sample] has a loss, or a score, of a model for each example. [Infer] attacks it in up to three ways:
//
//	logistic   the attack of UnSLU-BENCH ([metric.LossMIA]): accuracy of a logistic regression on ten splits
//	threshold  whatever has a loss below a threshold is called a member: the whole curve
//	LiRA       the likelihood ratio of Carlini et al. (2022), with losses of shadow models: the whole curve
//
// A curve ([ROC]) has the area under it and the shares of members that are found at small shares of false alarms, which
// is what an attack is worth: one that is right about few examples and never wrong about others is dangerous at an
// accuracy near one half. Whatever is printed has an interval of 95 %, and what the number of examples cannot resolve
// says so in the result.
//
// Examples that belong together, such as the recordings of one speaker, are no independent evidence. With groups given,
// intervals are over the groups.
package membership

import (
	"fmt"
	"math"
)

// Kind is what the numbers of a [Sample] are.
type Kind uint8

const (
	Losses Kind = iota // a smaller one is more like a member's
	Scores             // a larger one is more like a member's
)

// String is the kind in the singular, as messages have it.
func (k Kind) String() string {
	if k == Scores {
		return "score"
	}
	return "loss"
}

// Sample is one number of the attacked model for each example.
type Sample struct {
	Kind                Kind
	Members, NonMembers []float64
	// Whose each example is, in both lists or in neither; a group may have examples in both.
	MemberGroups, NonMemberGroups []string
}

// grouped reports whether the examples belong to groups.
func (s Sample) grouped() bool { return s.MemberGroups != nil || s.NonMemberGroups != nil }

// least is how many examples, and groups, of each kind there have to be for intervals.
const least = 2

// check refuses what no attack can be made on.
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

// Scored puts the members before the non-members, with scores that are larger the more they are a member's.
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

// Warning is a remark about a result that has to be known before the result is believed.
type Warning struct {
	Code WarningCode `json:"code"`
	Text string      `json:"text"` // the remark with its numbers, in a sentence without its full stop
}

// WarningCode says what a [Warning] is about.
type WarningCode string

const (
	WarnUnresolved  WarningCode = "unresolved"   // too few non-members for a rate of false alarms
	WarnReversed    WarningCode = "reversed"     // members look less like members than others do
	WarnSeparated   WarningCode = "separated"    // no member lies among the non-members
	WarnFewExamples WarningCode = "few examples" // the normal approximation of intervals is rough
	WarnFewGroups   WarningCode = "few groups"   // the variance between groups is hardly known
	WarnFloor       WarningCode = "floor"        // losses too small for their confidence to be known
	WarnFewShadows  WarningCode = "few shadows"  // the distributions of an example's losses are hardly known
)

func warningf(code WarningCode, format string, args ...any) Warning {
	return Warning{code, fmt.Sprintf(format, args...)}
}
