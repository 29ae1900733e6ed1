package report

import (
	"io"
	"os"
	"strconv"

	"golang.org/x/term"
)

// ViewOf returns a view for an output. For a terminal, it uses the terminal's size and colours; for other outputs, the
// size is unlimited. The environment variable COLUMNS overrides the width, and FORCE_COLOR makes a
// file or a pipe coloured.
func ViewOf(w io.Writer) (v View) {
	if file, isFile := w.(*os.File); isFile && term.IsTerminal(int(file.Fd())) {
		v.Colour = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		v.Width, v.Height, _ = term.GetSize(int(file.Fd()))
	}
	if file, isFile := w.(*os.File); isFile && file != nil && !v.Colour {
		forced := os.Getenv("FORCE_COLOR")
		v.Colour = forced != "" && forced != "0" && os.Getenv("NO_COLOR") == ""
	}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		v.Width = columns
	}
	return v
}
