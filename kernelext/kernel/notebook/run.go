package notebook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"time"
)

// DefaultTimeout is the time limit for cells that set none.
const DefaultTimeout = 2 * time.Minute

// Options configures a run. The zero value stops at the first error.
type Options struct {
	Timeout     time.Duration // time limit for cells that set none; 0 means DefaultTimeout
	AllowErrors bool          // continue after a failed cell
	Progress    func(Event)   // called as each cell begins and ends; may be nil
}

// An Event is the start or end of a cell.
type Event struct {
	Label   string
	Number  int // number among the executed cells, from 1
	Total   int
	Ended   bool
	Elapsed time.Duration
	Err     error // reason why the cell failed, or nil
}

// A CellError is the failure of a cell.
type CellError struct {
	Label  string
	Reason string // reason in one line
	Detail string // the compiler's messages, or the whole trace
	fatal  bool   // the kernel has ended
}

// Error returns the failure as one line.
func (e *CellError) Error() string { return e.Label + ": " + e.Reason }

// Run executes the code cells in order and replaces their outputs. The error is a [*CellError] for the first cell that
// failed. If ctx ends, Run interrupts the running cell and returns the context's error. The kernel has ended when Run
// returns.
func Run(ctx context.Context, n *Notebook, k Kernel, options Options) error {
	s, err := open(ctx, k)
	if err != nil {
		return err
	}
	defer s.close()
	var cells []*Cell
	for _, c := range n.Cells {
		c.Outputs, c.ExecutionCount = nil, 0
		if c.Type == Code && strings.TrimSpace(c.Source) != "" {
			cells = append(cells, c)
		}
	}
	var first error
	collect := newCollector()
	for i, c := range cells {
		event := Event{Label: n.Label(c), Number: i + 1, Total: len(cells)}
		options.report(event)
		began := time.Now()
		err := s.runCell(ctx, collect, c, event.Label, options)
		event.Ended, event.Elapsed, event.Err = true, time.Since(began), err
		options.report(event)
		first = cmp.Or(first, err)
		var failed *CellError
		if err != nil && (!errors.As(err, &failed) || failed.fatal || !options.AllowErrors) {
			return err
		}
	}
	return first
}

func (o Options) report(e Event) {
	if o.Progress != nil {
		o.Progress(e)
	}
}

// raisesTag is Jupyter's tag for a cell that is expected to fail.
const raisesTag = "raises-exception"

func (s *session) runCell(ctx context.Context, collect *collector, c *Cell, label string, options Options) error {
	limit, _ := c.options()
	limit = cmp.Or(limit, options.Timeout, DefaultTimeout)
	collect.begin(c)
	outcome, err := s.execute(ctx, c.Source, limit, collect.handle)
	c.ExecutionCount = cmp.Or(outcome.count, c.ExecutionCount)
	switch {
	case outcome.stopped:
		return fmt.Errorf("%s: interrupted: %w", label, context.Cause(ctx))
	case err != nil && outcome.timedOut:
		return &CellError{Label: label, Reason: fmt.Sprintf("not finished within %v: %v", limit, err),
			Detail: c.failureText(), fatal: true}
	case err != nil:
		return &CellError{Label: label, Reason: err.Error(), Detail: c.failureText(), fatal: true}
	case outcome.timedOut:
		return &CellError{Label: label, Detail: c.failureText(),
			Reason: fmt.Sprintf("not finished within %v; allow more time with timeout=", limit)}
	case outcome.status != "ok" && !c.tagged(raisesTag):
		reason := cmp.Or(c.firstProblem(), outcome.value, outcome.name, outcome.status)
		return &CellError{Label: label, Reason: oneLine(reason), Detail: c.failureText()}
	}
	return nil
}

func (c *Cell) tagged(tag string) bool {
	tags, _ := c.Metadata["tags"].([]any)
	return slices.Contains(tags, any(tag))
}

var (
	ansi   = regexp.MustCompile("\x1b\\[[0-9;]*[a-zA-Z]")
	blocks = regexp.MustCompile(`(?i)<(?:div|p|tr|br|li|pre|h[1-6])\b`)
	tags   = regexp.MustCompile(`(?s)<(?:style|script)\b.*?</(?:style|script)>|<[^>]*>`)
)

// failureText returns the parts of a failed cell's outputs that may explain the failure: the trace, standard error, and
// the boxes with the compiler's messages.
func (c *Cell) failureText() string {
	var parts []string
	for _, o := range c.Outputs {
		part := ""
		switch {
		case o.Type == Failure:
			part = strings.Join(o.Traceback, "\n")
			if !strings.Contains(part, o.ErrorValue) {
				part = o.ErrorName + ": " + o.ErrorValue + "\n" + part
			}
		case o.Type == Stream && o.Name == "stderr":
			part = o.Text
		case o.Type == DisplayData:
			part = plain(o)
		}
		if part = strings.TrimSpace(ansi.ReplaceAllString(part, "")); part != "" && !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, "\n")
}

// plain returns an output's text. If there is none, it extracts the text from the HTML.
func plain(o *Output) string {
	if text, ok := o.Data["text/plain"].(string); ok {
		return text
	}
	page, _ := o.Data["text/html"].(string)
	return html.UnescapeString(tags.ReplaceAllString(blocks.ReplaceAllString(page, "\n$0"), ""))
}

var (
	compilerLine = regexp.MustCompile(`(?:main\.go:\d+:\d+|Cell \[\d+\] line \d+): (.+)`)
	panicLine    = regexp.MustCompile(`(?m)^panic: .+`)
	boxLine      = regexp.MustCompile(`(?m)^error: .+`)
	cellLine     = regexp.MustCompile(`Cell ?\[\d+\]:? [Ll]ine (\d+)`)
)

// firstProblem returns the most informative line about a failure, with the line number in the cell. It returns "" if
// there is none.
func (c *Cell) firstProblem() string {
	text := c.failureText()
	problem := cmp.Or(boxLine.FindString(text), panicLine.FindString(text))
	if m := compilerLine.FindStringSubmatch(text); m != nil {
		problem = m[1]
	}
	if m := cellLine.FindStringSubmatch(text); m != nil && problem != "" {
		return "line " + m[1] + ": " + problem
	}
	return problem
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
