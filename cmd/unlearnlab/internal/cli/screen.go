package cli

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// columnsVariable is the environment variable with the width of lines. It overrides the terminal's width.
const columnsVariable = "COLUMNS"

// screen is an output with a maximum width of lines.
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
	file, isFile := s.Writer.(*os.File)
	terminal := isFile && term.IsTerminal(int(file.Fd()))
	view := report.View{Colour: terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
	if s.wide {
		return view
	}
	if terminal {
		view.Width, view.Height, _ = term.GetSize(int(file.Fd()))
	}
	if columns, err := strconv.Atoi(os.Getenv(columnsVariable)); err == nil && columns > 0 {
		view.Width = columns
	}
	return view
}
