package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// Answering names the preset that answers for a claim which two presets judge.
type Answering int

const (
	First  Answering = iota // the first preset answers
	Second                  // the second does: it has what the claim needs, or all repetitions of the first and more
	Both                    // neither has more than the other, so only what both decide alike is decided
)

// Mix returns the claims of a preset as they answer for the paper. others are the claims of a second preset, and by
// chooses who answers for a claim of both; if by is nil, the second preset does. If one of them has no test of the
// claim, the other answers. Claims that the preset main did not decide alone name the deciding presets in their caveats.
func Mix(unit certify.Repetitions, main string, claims, others []certify.Judged,
	by func(claim certify.Judged) Answering) (mixed []certify.Judged) {
	if by == nil {
		by = func(certify.Judged) Answering { return Second }
	}
	where := func(j certify.Judged) string { return fmt.Sprintf("in the %s of %s", unit.Count(j.Seeds), j.Preset) }
	for _, claim := range claims {
		answering, said := First, ""
		at := slices.IndexFunc(others, func(j certify.Judged) bool { return j.Claim == claim.Claim })
		if at >= 0 && !math.IsNaN(others[at].P) {
			answering = by(claim)
		}
		switch {
		case answering == Both && !math.IsNaN(claim.P):
			said = fmt.Sprintf("judged %s: %s; %s: %s", where(claim), VerdictOf(claim), where(others[at]),
				VerdictOf(others[at]))
			claim = agreed(claim, others[at])
		case answering != First:
			claim = others[at]
		}
		if said == "" && claim.Preset != main {
			said = "judged " + where(claim)
		}
		claim.Caveat = strings.Trim(claim.Caveat+"; "+said, "; ")
		mixed = append(mixed, claim)
	}
	return mixed
}

// agreed returns the claim that holds if a and b hold, and fails if both fail. That is the less certain of the two. If
// one is true and the other is not, it is the false one, unresolved, and its interval spans both.
func agreed(a, b certify.Judged) certify.Judged {
	less := a
	if b.PAdjusted > a.PAdjusted {
		less = b
	}
	if a.Statistic > 0 && b.Statistic < 0 || a.Statistic < 0 && b.Statistic > 0 {
		if less = a; b.Statistic < 0 {
			less = b
		}
		less.Lo, less.Hi, less.Agree, less.Repeated = min(a.Lo, b.Lo), max(a.Hi, b.Hi), 0, 0
		less.Verdict, less.P, less.PAdjusted, less.Finding = certify.Unresolved, 1, 1, ""
		less.Needs, less.Because = 0, "" // more repetitions of one of the presets do not make them agree
	}
	return less
}
