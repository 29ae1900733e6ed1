package membership

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Result holds the results of all attacks on a sample.
type Result struct {
	Members    int      `json:"members"`
	NonMembers int      `json:"non_members"`
	Groups     int      `json:"groups"` // number of groups; 0 if examples are not grouped
	Logistic   Accuracy `json:"logistic"`
	Curves     []ROC    `json:"curves"` // curves of the threshold attack, and of LiRA if there are shadow models
	LiRA       *LiRA    `json:"lira,omitempty"`
	// Warnings holds the distinct warnings of all attacks.
	Warnings []Warning `json:"warnings"`
}

// Accuracy is the accuracy of the logistic regression over ten splits, [metric.LossMIA].
type Accuracy struct {
	Value float64 `json:"mia"` // .5 is chance
	// SE is the larger of metric.LossMIA's standard error and, with groups, the standard error of the examples'
	// outcomes over the groups. It does not include the variation between trainings of the model.
	SE         float64   `json:"se"`
	Lo         float64   `json:"lo"` // Value ± 1.96·SE within [0, 1]
	Hi         float64   `json:"hi"`
	Forgetting float64   `json:"forgetting_score"` // |.5 − Value|
	Splits     []float64 `json:"splits"`
	Used       int       `json:"used"` // members, and as many non-members, after the longer list was cut to the shorter
}

// Infer attacks a sample; shadows may be nil. The random numbers that cut the longer list and draw the splits derive
// from root.
func Infer(s Sample, shadows *Shadows, root uint64) (*Result, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	scored := s.Scored()
	threshold, err := Curve("threshold", scored)
	if err != nil {
		return nil, err
	}
	r := &Result{Members: threshold.Members, NonMembers: threshold.NonMembers, Groups: threshold.Groups,
		Logistic: logistic(s, root), Curves: []ROC{threshold}, Warnings: []Warning{}}
	if shadows != nil {
		if err := r.compare(s, *shadows, scored); err != nil {
			return nil, err
		}
	}
	met := map[Warning]bool{}
	for _, curve := range r.Curves {
		for _, w := range curve.Warnings {
			if !met[w] {
				met[w], r.Warnings = true, append(r.Warnings, w)
			}
		}
	}
	if r.LiRA != nil {
		r.Warnings = append(r.Warnings, r.LiRA.Warnings...)
	}
	return r, nil
}

// compare adds the results of LiRA.
func (r *Result) compare(s Sample, shadows Shadows, scored Scored) error {
	if s.Kind != Losses {
		return fmt.Errorf("membership: LiRA compares losses with the losses of shadow models; give losses, not scores")
	}
	losses := append(append(make([]float64, 0, len(scored.Scores)), s.Members...), s.NonMembers...)
	l, err := Likelihood(losses, shadows, AutoMode, AutoVariance)
	if err != nil {
		return err
	}
	scored.Scores = l.Scores
	curve, err := Curve("LiRA, "+string(l.Mode), scored)
	if err != nil {
		return err
	}
	r.LiRA, r.Curves = &l, append(r.Curves, curve)
	return nil
}

// logistic runs the attack of UnSLU-BENCH and adds an interval.
func logistic(s Sample, root uint64) Accuracy {
	m := metric.LossMIA(s.Members, s.NonMembers, seed.Stream(root, "membership", "logistic"))
	a := Accuracy{Value: m.MIA, SE: m.SE, Forgetting: m.ForgettingScore, Splits: m.Splits, Used: len(m.Examples) / 2}
	if s.grouped() {
		a.SE = math.Max(a.SE, outcomeError(m.Examples, s))
	}
	a.Lo, a.Hi = math.Max(0, a.Value-normal975*a.SE), math.Min(1, a.Value+normal975*a.SE)
	return a
}

// outcomeError returns the standard error of the share of correct outcomes over groups.
func outcomeError(examples []metric.MembershipOutcome, s Sample) float64 {
	counts, tested, right := sums{at: map[string]int{}}, 0, 0
	for _, e := range examples {
		groups := s.NonMemberGroups
		if e.Member {
			groups = s.MemberGroups
		}
		counts.add(groups[e.Row], float64(e.Correct), e.Tested)
		tested, right = tested+e.Tested, right+e.Correct
	}
	return math.Sqrt(shareVariance(float64(right)/float64(tested), counts, tested))
}

// Table tabulates every number with its interval.
func (r *Result) Table() *report.Table {
	t := &report.Table{
		Title:   fmt.Sprintf("Membership inference: %d members, %d non-members", r.Members, r.NonMembers),
		Corners: []string{"attack", "measure"},
		Columns: []report.Column{{Name: "value"}, {Name: "95 % interval"},
			{Name: "interval by", Words: true}, {Name: "threshold from", Words: true}},
		Note: "The accuracy is the mean of ten splits. A true-positive rate is the share of members found at a share of " +
			"false alarms; one marked † has too few non-members to resolve it.",
	}
	by := "examples"
	if r.Groups > 0 {
		t.Title += fmt.Sprintf(" of %d groups", r.Groups)
		by = "groups"
	}
	t.Rows = append(t.Rows, tableRow("logistic", "accuracy", r.Logistic.Value, r.Logistic.Lo, r.Logistic.Hi,
		"splits and "+by, fmt.Sprintf("%d of each", r.Logistic.Used)))
	for _, c := range r.Curves {
		t.Rows = append(t.Rows, tableRow(c.Attack, "AUC", c.Area.Value, c.Area.Lo, c.Area.Hi,
			string(c.Area.Method)+", "+by, ""))
		for _, rate := range c.Rates {
			name, method := "TPR at FPR "+percent(rate.Limit), "Clopper-Pearson, examples"
			if !rate.Resolved {
				name += " †"
			}
			if r.Groups > 0 {
				method = "Korn-Graubard, groups"
			}
			t.Rows = append(t.Rows, tableRow(c.Attack, name, rate.TPR.Value, rate.TPR.Lo, rate.TPR.Hi, method,
				fmt.Sprintf("%d of %d false alarms", rate.FPR.Count, rate.FPR.Of)))
		}
	}
	return t
}

func tableRow(attack, measure string, value, lo, hi float64, by, from string) report.Row {
	return report.Named(attack, measure).With(report.Number(fmt.Sprintf("%.3f", value), value),
		report.Word(fmt.Sprintf("[%.3f, %.3f]", lo, hi)), report.Word(by), report.Word(from))
}
