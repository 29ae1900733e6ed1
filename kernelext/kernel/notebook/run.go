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

// DefaultTimeout is the time limit of cells that do not have their own.
const DefaultTimeout = 2 * time.Minute

// Options say how a notebook is run. The zero value stops at the first error.
type Options struct {
	Timeout     time.Duration // of cells without their own limit; 0 is DefaultTimeout
	AllowErrors bool          // go on after a cell that failed
	Progress    func(Event)   // called as each cell begins and ends; may be nil
}

// An Event is the beginning or the end of a cell.
type Event struct {
	Label   string
	Number  int // among the code cells, from 1
	Total   int
	Ended   bool
	Elapsed time.Duration
	Err     error // why the cell failed
}

// A CellError is the failure of a cell.
type CellError struct {
	Label  string
	Reason string // one line
	Detail string // the compiler's text, or the trace, in full
	fatal  bool   // the kernel is gone
}

// Error is one line.
func (e *CellError) Error() string { return e.Label + ": " + e.Reason }

// Run executes the code cells in order and writes their outputs into the notebook; outputs that were there are dropped.
// The error is a [*CellError] for the first cell that failed. When the context ends, the running cell is interrupted
// and the context's error returned. The kernel is gone when Run returns.
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

// raisesTag is Jupyter's tag for a cell that is meant to fail.
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
		return &CellError{Label: label, Reason: fmt.Sprintf("not done within %v: %v", limit, err),
			Detail: c.failureText(), fatal: true}
	case err != nil:
		return &CellError{Label: label, Reason: err.Error(), Detail: c.failureText(), fatal: true}
	case outcome.timedOut:
		return &CellError{Label: label, Reason: fmt.Sprintf("not done within %v; give it more with timeout=", limit),
			Detail: c.failureText()}
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

// failureText is everything in a failed cell's outputs that may say why it failed: the trace, the standard error, and
// the boxes in which gonb shows what the compiler said.
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

// plain is an output's text, from its page if it has no other.
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

// firstProblem is the line of a failure that says most, with its place in the cell; "" if none is known to say
// anything.
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
