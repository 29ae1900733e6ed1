package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Formats maps a file format to the function that writes a figure in it.
var Formats = map[string]func(*plots.Figure, io.Writer) error{
	"png": func(f *plots.Figure, w io.Writer) error { return f.WritePNG(w, f.Width, f.Height, 192) },
	"svg": func(f *plots.Figure, w io.Writer) error { return f.WriteSVG(w, f.Width, f.Height) },
	"pdf": func(f *plots.Figure, w io.Writer) error { return f.WritePDF(w, f.Width, f.Height) },
}

// WritePath writes a file atomically, creates its folder if needed, and prints its path to w.
func WritePath(w io.Writer, path string, write func(io.Writer) error) error {
	if err := safefile.MakeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	if err := safefile.WriteFile(path, write); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, path)
	return err
}

func figureFormat(path string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(path), "."))
}

// writeFigure writes a figure to a file and, in a notebook, also shows it.
func writeFigure(path string, draw func() (*plots.Figure, error)) error {
	figure, err := draw()
	if err != nil {
		return err
	}
	if kernelext.InNotebook() {
		kernelext.Figure(figure)
	}
	return WritePath(io.Discard, path, func(w io.Writer) error { return Formats[figureFormat(path)](figure, w) })
}
