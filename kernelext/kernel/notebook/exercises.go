package notebook

import (
	"regexp"
	"slices"
	"strings"
)

// Outcome is a notebook's result for an exercise.
type Outcome string

// Outcomes, best first.
const (
	Solved     Outcome = "solved"
	Tried      Outcome = "tried"      // answered, but not right
	Unanswered Outcome = "unanswered" // run with the placeholder
	NotRun     Outcome = "not run"    // no output
)

// outcomes lists the outcomes, best first. Only a better outcome replaces another.
var outcomes = []Outcome{Solved, Tried, Unanswered, NotRun}

// An Attempt is an exercise in a notebook and its outcome.
type Attempt struct {
	Exercise string  `json:"exercise"`
	Outcome  Outcome `json:"outcome"`
	Comment  string  `json:"comment,omitempty"` // text printed by kx.Check
}

var (
	checks   = regexp.MustCompile(`\bkx\.Check\(\s*"([^"]+)"`)
	verdicts = regexp.MustCompile(`(?m)^([✓✗?–]) (\S+): (.*)`)
)

// signOutcomes maps the first character of kx.Check's output to an outcome.
var signOutcomes = map[string]Outcome{"✓": Solved, "✗": Tried, "?": Tried, "–": Unanswered}

// Attempts returns the exercises that code cells check, in order, with the outcomes in the outputs. An exercise that is
// checked several times has its best outcome.
func (n *Notebook) Attempts() []Attempt {
	var all []Attempt
	best := func(exercise string, outcome Outcome, comment string) {
		at := slices.IndexFunc(all, func(a Attempt) bool { return a.Exercise == exercise })
		if at < 0 {
			all = append(all, Attempt{exercise, outcome, comment})
		} else if slices.Index(outcomes, outcome) < slices.Index(outcomes, all[at].Outcome) {
			all[at].Outcome, all[at].Comment = outcome, comment
		}
	}
	for _, cell := range n.Cells {
		if cell.Type != Code {
			continue
		}
		asked := checks.FindAllStringSubmatch(cell.Source, -1)
		for _, found := range asked {
			best(found[1], NotRun, "")
		}
		for _, output := range cell.Outputs {
			for _, said := range verdicts.FindAllStringSubmatch(output.plain(), -1) {
				if slices.ContainsFunc(asked, func(a []string) bool { return a[1] == said[2] }) {
					best(said[2], signOutcomes[said[1]], said[3])
				}
			}
		}
	}
	return all
}

// plain returns an output as text.
func (o *Output) plain() string {
	if o.Type == Stream {
		return o.Text
	}
	text, _ := o.Data["text/plain"].(string)
	return strings.TrimSpace(text)
}
