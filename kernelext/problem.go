package kernelext

import (
	"fmt"
	"html"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"
)

// Colours of boxes' edges. They are distinguishable by colour-blind readers.
const (
	problemEdge = "#d55e00"
	noticeEdge  = "#0072b2"
	successEdge = "#009e73"
	quietEdge   = "#999999"
)

// box returns a display of a short text with a coloured edge. The text carries the meaning without the colour.
func box(edge, text string) display {
	const style = "border-left:4px solid %s;padding:6px 12px;margin:6px 0;font:14px/1.5 " +
		"system-ui,sans-serif;white-space:pre-wrap"
	return display{html: fmt.Sprintf(`<div style="`+style+`">%s</div>`, edge, html.EscapeString(text)), text: text}
}

// fail ends the cell with an error.
func fail(err error) { end(problemEdge, "error: "+strings.TrimSpace(err.Error()), FailedEnding) }

// end shows why the cell ends in one box, and ends it with exit code 1, so that the cells queued after it do not run.
func end(edge, text, ending string) {
	if gonbui.IsNotebook {
		d := box(edge, text)
		d.ending = ending
		d.show()
	} else {
		fmt.Fprintln(problems(), text)
	}
	exit(1)
}

// Must returns the value of a call that may fail. If the call has failed, Must ends the cell with the error in a box:
//
//	table := kx.Must(unslu.Printed.Table("table1"))
func Must[T any](value T, err error) T {
	if err != nil {
		fail(err)
	}
	return value
}
