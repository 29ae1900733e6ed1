package page

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// story is the data for the template of a paper's results.
type story struct {
	*study.FilledStory        // only the declared story if there are no results
	Asks               string // the question that the paper asks; "" if the study has no text
	Parts              []part
	Charts             []chart
}

// part is a list of points under a heading.
type part struct {
	Title  string
	Tone   string
	Mark   string
	About  string
	Points []point
}

type point struct {
	Says, Text string
	Link       string
	Sign       *Sign // sign of the verdict; nil for contradictions in print
}

// fillStory builds a paper's story from the judged claims. It reads p.Findings, which audit sets.
func (p *paper) fillStory(input Paper, judged []certify.Judged) *story {
	s := &story{FilledStory: &study.FilledStory{Story: &input.Study.Story}}
	s.Asks = cmp.Or(s.Story.Asks, input.Study.About())
	holds := part{Title: "Holds here", Tone: "good", Mark: "✓"}
	not := part{Title: "Did not happen in our small model", Tone: "under", Mark: "✗",
		About: "What the paper says, then what we measured. This does not refute the paper."}
	checks := part{Title: "Holds, as it must", Tone: "none", Mark: "✓",
		About: "These sanity checks fail only if a training, a metric or an attack is broken."}
	open := part{Title: "Open", Tone: "open", Mark: "?", About: "What the paper says; our data do not decide."}
	printed := part{Title: "Contradicts itself in print", Tone: "bad", Mark: "≠",
		About: fmt.Sprintf("%s of %s checked numbers contradict others, whatever the size of a model.",
			thousands(p.Count.Inconsistent), thousands(total(p.Count)))}
	if input.Results != nil {
		s.FilledStory = input.Study.FillStory(input.Results, judged)
		s.Charts = newCharts(s.Panels)
	}
	for _, told := range s.Points {
		at := point{Says: told.Says, Text: told.Text, Link: p.Link(p.claimID(told.Claim)), Sign: signOf(told.Verdict)}
		switch told.Verdict {
		case string(certify.Holds), study.BySelection:
			holds.Points = append(holds.Points, at)
		case study.SanityHolds:
			checks.Points = append(checks.Points, at)
		case study.NotSeen, string(certify.Fails):
			at.Says = "The paper: " + at.Says
			not.Points = append(not.Points, at)
		case study.Contradicted:
			printed.Points = append(printed.Points, at)
		default:
			at.Says = "The paper: " + at.Says
			open.Points = append(open.Points, at)
		}
	}
	for _, c := range input.Study.Story.Contradictions {
		if p.finds(c) {
			printed.Points = append(printed.Points, point{Says: c.Says, Link: p.Link(p.Name + "-audit")})
		}
	}
	for _, one := range []part{holds, not, printed, open, checks} {
		if len(one.Points) > 0 {
			s.Parts = append(s.Parts, one)
		}
	}
	return s
}

// finds reports whether the audit finds a declared contradiction.
func (p *paper) finds(c study.Contradiction) bool {
	return slices.ContainsFunc(p.Findings, func(g audit.Group) bool {
		return g.Verdict == audit.Inconsistent && slices.Contains(c.Checks, g.Check)
	})
}

func total(c audit.Count) int { return c.Reproduced + c.Consistent + c.Inconsistent + c.NotDerivable }
