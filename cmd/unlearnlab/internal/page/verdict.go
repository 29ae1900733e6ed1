package page

import "github.com/unlearnlab/unlearnlab/unlearnkit/study"

// Sign is how a verdict looks: its tone is a colour and its mark says the same without one.
type Sign struct {
	Verdict string
	Tone    string // a class of the style
	Mark    string
	Says    string
}

// signs are those of cells, claims, studies and the audit. Verdicts that mean alike look alike.
var signs = []Sign{
	{"matched", "good", "=", "within the margin of what a model has that never saw what is to be forgotten"},
	{"under-forgotten", "under", "▲", "more is left than such a model has"},
	{"over-forgotten", "over", "▼", "less is left than such a model has"},
	{"unresolved", "open", "?", "the data do not decide"},
	{"untestable", "none", "–", "a study of this size could not decide"},
	{"holds", "good", "✓", "it is as the paper says"},
	{study.BySelection, "open", "~", "it is so of units that a compared model selected, which alone can make it so"},
	{study.NotSeen, "under", "✗", "it is not so in these small models, which does not refute the paper"},
	{study.Contradicted, "bad", "✗", "the paper's own numbers or equations say otherwise"},
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
	{"inconsistent", "bad", "✗", ""},
	{"not-derivable", "none", "–", ""},
}

// known is the sign of a verdict, nil of another word.
func known(verdict string) *Sign {
	for i := range signs {
		if signs[i].Verdict == verdict {
			return &signs[i]
		}
	}
	return nil
}

// cellSigns are those that a certified cell may have.
func cellSigns() []Sign { return signs[:4] }
