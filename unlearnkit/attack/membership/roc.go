package membership

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Limits are the shares of false alarms at which attacks are compared.
var Limits = []float64{.001, .01, .1}

// Scored is examples with the scores of an attack.
type Scored struct {
	Scores []float64 // larger the more the attack takes an example for a member
	Member []bool    // what is true
	Groups []string  // whose each example is; nil where each stands for itself
}

// ROC is what an attack makes of its examples at every threshold.
type ROC struct {
	Attack     string `json:"attack"`
	Members    int    `json:"members"`
	NonMembers int    `json:"non_members"`
	Groups     int    `json:"groups"` // 0 where each example stands for itself
	Area       Area   `json:"auc"`
	Rates      []Rate `json:"rates"` // at each of the Limits
	// Points are the corners of the curve from (0, 0) to (1, 1), at growing shares of false alarms.
	Points   []Point   `json:"-"`
	Warnings []Warning `json:"warnings"`
}

// Point is a corner of a curve.
type Point struct{ FPR, TPR float64 }

// Rate is the share of the members that an attack finds while it takes at most a share of the others for members. The
// interval of TPR takes the threshold as given: how far other non-members would move it is left out.
type Rate struct {
	Limit float64 `json:"limit"` // the share of false alarms that is allowed
	TPR   Share   `json:"tpr"`   // members found at the lowest threshold that keeps to the limit on these examples
	FPR   Share   `json:"fpr"`   // false alarms there
	// Threshold is the smallest score that is taken for a member's; nil where none keeps to the limit.
	Threshold *float64 `json:"threshold"`
	// Resolved says whether the number of non-members allows the limit at all: one false alarm of n is a share of 1/n.
	// Below it TPR is that without any false alarm, and the limits of FPR say how often these may yet come.
	Resolved bool `json:"resolved"`
}

// evidence is examples by what is true of them.
type evidence struct {
	members, others           []float64
	memberGroups, otherGroups []string
}

func (e evidence) grouped() bool { return e.memberGroups != nil }

// units are the independent units, groups or examples, of members or of others.
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

// distinct is how many names there are.
func distinct(lists ...[]string) int {
	return len(slices.Compact(slices.Sorted(slices.Values(slices.Concat(lists...)))))
}

// evidence divides the examples, and refuses those that give no curve.
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
		return e, fmt.Errorf("membership: all %d numbers are equal, so that nothing tells members from others", m+n)
	}
	return e, nil
}

// Curve measures an attack by its scores.
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
	for _, limit := range Limits {
		r.Rates = append(r.Rates, e.rate(limit))
	}
	r.warn(e)
	return r, nil
}

// points are the corners of the curve: of equal scores all are passed at once.
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

// withoutStraight leaves out what lies between two corners on an upright or level line.
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

// rate is what is found at the lowest score whose share of false alarms keeps to the limit.
func (e evidence) rate(limit float64) Rate {
	n := len(e.others)
	above := slices.SortedFunc(slices.Values(e.others), func(a, b float64) int { return cmp.Compare(b, a) })
	allowed := 0 // false alarms
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
	r.TPR, r.FPR = shareOf(where(e.members, taken), e.memberGroups), shareOf(where(e.others, taken), e.otherGroups)
	return r
}

func where(scores []float64, holds func(float64) bool) []bool {
	are := make([]bool, len(scores))
	for i, score := range scores {
		are[i] = holds(score)
	}
	return are
}

// Below so many examples or groups of a kind the normal approximation of an interval is rough.
const (
	fewExamples = 20
	fewGroups   = 10
)

// warn adds what has to be known about the curve.
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
		add(WarnSeparated, "members and non-members do not overlap, so that the interval of the area is that of %d "+
			"pairs", e.pairs())
	}
	if few := min(len(e.members), len(e.others)); few < fewExamples {
		add(WarnFewExamples, "%d examples of one kind: intervals are rough below %d", few, fewExamples)
	}
	if few := min(e.units(true), e.units(false)); e.grouped() && few < fewGroups {
		add(WarnFewGroups, "%d groups of one kind: intervals over groups are rough below %d", few, fewGroups)
	}
}

// unresolved lists the limits that are, in words.
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

// percent writes a share with two digits: "0.33 %".
func percent(share float64) string { return fmt.Sprintf("%.2g %%", 100*share) }
