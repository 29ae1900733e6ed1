package page

import "github.com/unlearnlab/unlearnlab/unlearnkit/study"

// Sign is the appearance of a verdict. Its mark identifies the verdict without the colour.
type Sign struct {
	Verdict string
	Tone    string // CSS class
	Mark    string
	Says    string
}

// signs lists the verdicts of cells, claims, studies and the audit. Verdicts with a similar meaning look alike.
var signs = []Sign{
	{"matched", "good", "=", "within the margin of a model that never saw the forgotten data"},
	{"under-forgotten", "under", "▲", "more is left than in a model that never saw the data"},
	{"over-forgotten", "over", "▼", "less is left than in a model that never saw the data"},
	{"unresolved", "open", "?", "the data do not decide"},
	{"untestable", "none", "–", "a study of this size could not decide"},
	{"holds", "good", "✓", "it is as the paper says"},
	{study.SanityHolds, "none", "✓", "it holds, as it must unless a training, a metric or an attack is broken"},
	{study.BySelection, "open", "~", "it holds for units that a compared model selected, which alone can cause it"},
	{study.NotSeen, "under", "✗", "it was not observed in these small models, which does not refute the paper"},
	{study.Contradicted, "bad", "≠", "the paper's own numbers or equations say otherwise"},
	{"fails", "bad", "✗", "it is not as the paper says"},
	{"erased", "good", "✓", ""},
	{"does not conceal", "good", "✓", ""},
	{"conceals", "bad", "✗", ""},
	{"masked", "bad", "✗", ""},
	{"not erased", "under", "▲", ""},
	{"damaged", "over", "▼", ""},
	{"judge not valid", "none", "–", ""},
	{"reproduced", "good", "=", ""},
	{"consistent", "open", "~", ""},
	{"inconsistent", "bad", "≠", ""},
	{"not-derivable", "none", "–", ""},
}

// signOf returns the sign of a verdict, or nil for any other word.
func signOf(verdict string) *Sign {
	for i := range signs {
		if signs[i].Verdict == verdict {
			return &signs[i]
		}
	}
	return nil
}

// cellSigns returns the signs of certified cells.
func cellSigns() []Sign { return signs[:4] }
