package notebook

import (
	"regexp"
	"slices"
	"strings"
)

// Outcome is what a notebook says of an exercise.
type Outcome string

// The outcomes, from the best.
const (
	Solved     Outcome = "solved"
	Tried      Outcome = "tried"      // and not right yet
	Unanswered Outcome = "unanswered" // run as it was
	NotRun     Outcome = "not run"    // there, without an output
)

// outcomes are in the order in which a later one does not take the place of an earlier one.
var outcomes = []Outcome{Solved, Tried, Unanswered, NotRun}

// An Attempt is an exercise of a notebook and what came of it.
type Attempt struct {
	Exercise string  `json:"exercise"`
	Outcome  Outcome `json:"outcome"`
}

var (
	checks   = regexp.MustCompile(`\bkx\.Check\(\s*"([^"]+)"`)
	verdicts = regexp.MustCompile(`(?m)^([✓✗?–]) (\S+): `)
)

// signOutcomes are what the signs mean with which kx.Check begins.
var signOutcomes = map[string]Outcome{"✓": Solved, "✗": Tried, "?": Tried, "–": Unanswered}

// Attempts are the exercises that the code cells check, in their order, with what the outputs say of them. One that is
// checked twice has its best outcome.
func (n *Notebook) Attempts() []Attempt {
	var all []Attempt
	best := func(exercise string, outcome Outcome) {
		at := slices.IndexFunc(all, func(a Attempt) bool { return a.Exercise == exercise })
		if at < 0 {
			all = append(all, Attempt{exercise, outcome})
		} else if slices.Index(outcomes, outcome) < slices.Index(outcomes, all[at].Outcome) {
			all[at].Outcome = outcome
		}
	}
	for _, cell := range n.Cells {
		if cell.Type != Code {
			continue
		}
		asked := checks.FindAllStringSubmatch(cell.Source, -1)
		for _, found := range asked {
			best(found[1], NotRun)
		}
		for _, output := range cell.Outputs {
			for _, said := range verdicts.FindAllStringSubmatch(output.plain(), -1) {
				if slices.ContainsFunc(asked, func(a []string) bool { return a[1] == said[2] }) {
					best(said[2], signOutcomes[said[1]])
				}
			}
		}
	}
	return all
}

// plain is an output's text.
func (o *Output) plain() string {
	if o.Type == Stream {
		return o.Text
	}
	text, _ := o.Data["text/plain"].(string)
	return strings.TrimSpace(text)
}
