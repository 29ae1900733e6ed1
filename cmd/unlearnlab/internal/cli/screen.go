package cli

import (
	"io"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// screen is an output with an optional maximum line width.
type screen struct {
	io.Writer
	wide bool // lines have no maximum width
}

// ViewOf returns how tables are shown on an output.
func ViewOf(w io.Writer) report.View {
	s, ok := w.(*screen)
	if !ok {
		return report.View{}
	}
	view := report.ViewOf(s.Writer)
	if s.wide {
		view.Width, view.Height = 0, 0
	}
	return view
}
