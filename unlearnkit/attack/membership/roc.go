package membership

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// rateLimits lists the false-positive rates at which attacks are compared.
var rateLimits = []float64{.001, .01, .1}

// Scored holds examples with the scores of an attack.
type Scored struct {
	Scores []float64 // larger for examples that are more likely to be members
	Member []bool    // whether the example is a member
	Groups []string  // the group of each example; nil without groups
}

// ROC is the performance of an attack at every threshold.
type ROC struct {
	Attack     string `json:"attack"`
	Members    int    `json:"members"`
	NonMembers int    `json:"non_members"`
	Groups     int    `json:"groups"` // number of groups; 0 if examples are not grouped
	Area       Area   `json:"auc"`
	Rates      []Rate `json:"rates"` // rates at each of rateLimits
	// Points holds the corners of the curve from (0, 0) to (1, 1), by increasing false-positive rate.
	Points   []Point   `json:"-"`
	Warnings []Warning `json:"warnings"`
}

// Point is a corner of a curve.
type Point struct{ FPR, TPR float64 }

// Rate is the true-positive rate of an attack at a limit on its false-positive rate. The interval of TPR takes the
// threshold as fixed: it does not include the variation with other non-members.
type Rate struct {
	Limit float64 `json:"limit"` // largest allowed false-positive rate
	TPR   Share   `json:"tpr"`   // members found at the lowest threshold within the limit on these examples
	FPR   Share   `json:"fpr"`   // false positives at that threshold
	// Threshold is the smallest score that counts as a member's; nil if no threshold is within the limit.
	Threshold *float64 `json:"threshold"`
	// Resolved reports whether there are enough non-members for the limit: one false positive of n is a rate of 1/n. If
	// not, TPR allows no false positive at all, and the limits of FPR bound the true false-positive rate.
	Resolved bool `json:"resolved"`
}

// evidence holds the scores separated into members and others.
type evidence struct {
	members, others           []float64
	memberGroups, otherGroups []string
}

func (e evidence) grouped() bool { return e.memberGroups != nil }

// units counts the independent units, which are groups or examples, among members or among nonmembers.
func (e evidence) units(members bool) int {
	values, groups := e.others, e.otherGroups
	if members {
		values, groups = e.members, e.memberGroups
	}
	if groups == nil {
		return len(values)
	}
	return distinct(groups)
}

func distinct(lists ...[]string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(slices.Concat(lists...)))))
}

// evidence separates the examples. It returns an error if the examples give no curve.
func (s Scored) evidence() (e evidence, err error) {
	if len(s.Member) != len(s.Scores) || s.Groups != nil && len(s.Groups) != len(s.Scores) {
		return e, fmt.Errorf("membership: %d scores, %d truths and %d groups; give one of each for every example",
			len(s.Scores), len(s.Member), len(s.Groups))
	}
	for i, score := range s.Scores {
		if math.IsNaN(score) || math.IsInf(score, 0) {
			return e, fmt.Errorf("membership: example %d: its score is %v; leave it out", i+1, score)
		}
		values, groups := &e.others, &e.otherGroups
		if s.Member[i] {
			values, groups = &e.members, &e.memberGroups
		}
		*values = append(*values, score)
		if s.Groups != nil {
			*groups = append(*groups, s.Groups[i])
		}
	}
	switch m, n := len(e.members), len(e.others); {
	case m < least || n < least:
		return e, fmt.Errorf("membership: %d members and %d non-members; give at least %d of each", m, n, least)
	case e.units(true) < least || e.units(false) < least:
		return e, fmt.Errorf("membership: members of %d groups and non-members of %d; an interval over groups needs "+
			"at least %d of each", e.units(true), e.units(false), least)
	case slices.Min(s.Scores) == slices.Max(s.Scores):
		return e, fmt.Errorf("membership: all %d numbers are equal, so that nothing distinguishes members", m+n)
	}
	return e, nil
}

// Curve computes the ROC curve of an attack from its scores.
func Curve(attack string, s Scored) (ROC, error) {
	e, err := s.evidence()
	if err != nil {
		return ROC{}, err
	}
	r := ROC{Attack: attack, Members: len(e.members), NonMembers: len(e.others), Area: e.area(), Points: e.points(),
		Warnings: []Warning{}}
	if e.grouped() {
		r.Groups = distinct(s.Groups)
	}
	for _, limit := range rateLimits {
		r.Rates = append(r.Rates, e.rate(limit))
	}
	r.warn(e)
	return r, nil
}

// points returns the corners of the curve. Examples with equal scores share a point.
func (e evidence) points() []Point {
	type scored struct {
		score  float64
		member bool
	}
	var all []scored
	for _, score := range e.members {
		all = append(all, scored{score, true})
	}
	for _, score := range e.others {
		all = append(all, scored{score, false})
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	points, found, alarms := []Point{{}}, 0, 0
	for i, example := range all {
		if example.member {
			found++
		} else {
			alarms++
		}
		if i == len(all)-1 || all[i+1].score != example.score {
			points = append(points, Point{float64(alarms) / float64(len(e.others)),
				float64(found) / float64(len(e.members))})
		}
	}
	return withoutStraight(points)
}

// withoutStraight removes the points inside vertical and horizontal lines.
func withoutStraight(points []Point) []Point {
	corners := points[:1:1]
	for i := 1; i < len(points)-1; i++ {
		before, after := points[i-1], points[i+1]
		if !(before.FPR == after.FPR || before.TPR == after.TPR) {
			corners = append(corners, points[i])
		}
	}
	return append(corners, points[len(points)-1])
}

// rate returns the rates at the lowest threshold with a false-positive rate within the limit.
func (e evidence) rate(limit float64) Rate {
	n := len(e.others)
	above := slices.SortedFunc(slices.Values(e.others), func(a, b float64) int { return cmp.Compare(b, a) })
	allowed := 0 // number of false alarms within the limit
	for allowed < n && float64(allowed+1)/float64(n) <= limit {
		allowed++
	}
	r := Rate{Limit: limit, Resolved: 1/float64(n) <= limit}
	taken := func(score float64) bool { return allowed == n || score > above[allowed] }
	for _, score := range append(slices.Clone(e.members), e.others...) {
		if taken(score) && (r.Threshold == nil || score < *r.Threshold) {
			r.Threshold = &score
		}
	}
	r.TPR, r.FPR = shareOf(matches(e.members, taken), e.memberGroups), shareOf(matches(e.others, taken), e.otherGroups)
	return r
}

func matches(scores []float64, holds func(float64) bool) []bool {
	are := make([]bool, len(scores))
	for i, score := range scores {
		are[i] = holds(score)
	}
	return are
}

// Below these numbers of examples or groups the normal approximation of an interval is inaccurate.
const (
	fewExamples = 20
	fewGroups   = 10
)

func (r *ROC) warn(e evidence) {
	add := func(code WarningCode, format string, args ...any) {
		r.Warnings = append(r.Warnings, warningf(code, format, args...))
	}
	n := r.NonMembers
	if unresolved := r.unresolved(); unresolved != "" {
		add(WarnUnresolved, "%d non-members resolve no share of false alarms below %s; the true positives at %s are "+
			"those without a false alarm among them, of which there may yet be %s", n, percent(1/float64(n)),
			unresolved, percent(r.Rates[0].FPR.Hi))
	}
	if r.Area.Hi < .5 {
		add(WarnReversed, "members look less like members than non-members do: either the numbers are read the wrong "+
			"way round, as losses for scores, or these examples were made to look strange")
	}
	if r.Area.Method == Pairs {
		add(WarnSeparated, "members and non-members do not overlap, so the interval of the area treats them as %d "+
			"pairs", e.pairs())
	}
	if few := min(len(e.members), len(e.others)); few < fewExamples {
		add(WarnFewExamples, "%d examples of one kind: intervals are rough below %d", few, fewExamples)
	}
	if few := min(e.units(true), e.units(false)); e.grouped() && few < fewGroups {
		add(WarnFewGroups, "%d groups of one kind: intervals over groups are rough below %d", few, fewGroups)
	}
}

// unresolved lists the unresolved limits: "0.1 % and 1 %".
func (r *ROC) unresolved() string {
	text := ""
	for _, rate := range r.Rates {
		if rate.Resolved {
			continue
		}
		if text != "" {
			text += " and "
		}
		text += percent(rate.Limit)
	}
	return text
}

// percent formats a share with two digits: "0.33 %".
func percent(share float64) string { return fmt.Sprintf("%.2g %%", 100*share) }
