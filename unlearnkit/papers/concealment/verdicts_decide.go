package concealment

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// decide corrects assessments for their number and sets the verdicts. The two questions of an assessment count once:
// each is tested at .025 on the side that would deny unlearning. If a method has a single concept, the method as a
// whole and the concept count once.
func (r *Results) decide(all []Assessment, t study.Thresholds) {
	count := r.counted(all)
	for i := range all {
		v := &all[i]
		v.Excess.Count, v.Gain.Count, v.Kept.Count = count, count, count
		r.judge(v, t)
	}
}

// counted returns the number of verdicts to correct for: the number of methods and concepts on a grid, or the preset's
// own number if that is larger.
func (r *Results) counted(all []Assessment) (count int) {
	for _, v := range all {
		if v.Grid == all[0].Grid && (v.group.erased != "" || v.group.parts > 1) {
			count++
		}
	}
	return max(count, r.Preset.Judged)
}

// judge sets Gone, the verdict and Change. It uses intervals with the same correction as the p-values.
func (r *Results) judge(v *Assessment, t study.Thresholds) {
	if v.Prompts == 0 {
		v.Verdict, v.Gone, v.Change = "", "", "that of a concept"
		return
	}
	v.Gone = certify.Unresolved
	if shown, gone := v.Excess.Surely(t.Left); shown {
		v.Gone = Shown
	} else if gone {
		v.Gone = Gone
	}
	if r.mistaken(v.group) {
		v.Verdict, v.Change = Invalid, "another judge"
		return
	}
	v.Verdict, v.Change = v.decide(t)
}

// decide combines the answers to both questions with whether the model is damaged.
func (v *Assessment) decide(t study.Thresholds) (verdict certify.Verdict, change string) {
	whole, damaged := v.Kept.Surely(t.Kept)
	back, _ := v.Gain.Surely(0)
	_, notBack := v.Gain.Surely(t.Gain)
	back = back && !notBack
	excessLo, excessHi := v.Excess.Among()
	lo, hi := v.Gain.Among()
	_, keptHi := v.Kept.Among()
	switch {
	case v.Gone == Shown:
		return NotErased, fmt.Sprintf("%.2f less of it alone", excessLo-t.Left)
	case back && v.Gone == Gone && !damaged:
		return Conceals, fmt.Sprintf("%.2f less gain, or %.2f more of it alone", lo, t.Left-excessHi)
	case back:
		return NotErased, fmt.Sprintf("%.2f less gain", lo)
	case damaged:
		return Damaged, fmt.Sprintf("%.2f more retained", t.Kept-keptHi)
	case v.Gone != Gone:
		return certify.Unresolved, "to know better what it shows alone"
	case !notBack:
		return certify.Unresolved, "to know better what help brings beyond gold"
	case !whole:
		return certify.Unresolved, "to know better what is retained"
	}
	return DoesNotConceal, fmt.Sprintf("%.2f more gain", t.Gain-hi)
}

// mistaken reports whether the judge significantly too often sees a concept of the group in gold's pictures that ask
// for it.
func (r *Results) mistaken(g group) bool {
	return slices.ContainsFunc(r.falseSights(), func(j judged) bool {
		return j.told && j.seen.of > 0 && stat.Wilson(j.seen.right, j.seen.of).Lo > mostMistaken &&
			slices.ContainsFunc(g.rows, func(row *AttackScores) bool { return row.Erasure.Paper == j.erased })
	})
}
