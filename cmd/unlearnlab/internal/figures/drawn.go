package figures

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// drawing is a figure of a paper.
type drawing struct {
	paper string
	study.Figure
	explanation string // the figure's explanation, once drawn
}

// drawings returns all figures, paper by paper.
func drawings() []drawing {
	var all []drawing
	for _, s := range papers.All {
		for _, d := range s.Figures {
			all = append(all, drawing{paper: s.Paper, Figure: d})
		}
	}
	return all
}

// source gives access to the results that figures are drawn from.
type source struct {
	preset  string
	richest func(paper string, do func(r study.Results, size string) error) error
	stderr  io.Writer
}

func sourceOf(s *studies.Reader) source { return source{s.Flags.Preset, s.Richest, s.Stderr} }

// draw draws a figure from a study's results and returns their preset. A figure of printed numbers has no preset.
func (s source) draw(d drawing) (figure *plots.Figure, from string, err error) {
	if d.Printed != nil {
		figure, err = plots.Draw(d.Printed())
		return figure, "", err
	}
	of := papers.Of(d.paper)
	if size := s.preset; !slices.Contains(of.Presets, size) && slices.Contains(preset.Names, size) {
		return nil, "", &study.Lacks{Preset: size, Why: fmt.Sprintf("does not exist for %s; its presets are %s", d.paper,
			strings.Join(of.Presets, ", "))}
	}
	err = s.richest(d.paper, func(r study.Results, size string) error {
		from = size
		figure, err = plots.Draw(d.Draw(r))
		return err
	})
	return figure, from, err
}

var themes = map[string]theme.Theme{"light": theme.Light, "dark": theme.Dark}

// choose returns all drawings, those of the named paper, or the named one.
func choose(args []string) ([]drawing, error) {
	var chosen []drawing
	all := drawings()
	for _, d := range all {
		if (len(args) < 1 || d.paper == args[0]) && (len(args) < 2 || d.Name == args[1]) {
			chosen = append(chosen, d)
		}
	}
	if len(chosen) > 0 || len(args) == 0 {
		return chosen, nil
	}
	among := drawingsOf(args[0], all)
	if len(among) == 0 && papers.Of(args[0]) != nil {
		return nil, &study.Unsupported{Paper: args[0], What: "figures"}
	}
	if len(among) == 0 {
		among = all
	}
	var names []string
	for _, d := range among {
		names = append(names, d.paper+" "+d.Name)
	}
	return nil, cli.Usagef("there is no figure %q; the figures are %s", strings.Join(args, " "), strings.Join(names,
		", "))
}

// drawAll writes or shows the chosen figures, prints their preset, and returns those drawn. With several figures it
// skips those that the preset lacks, and with several papers also those whose results are missing; otherwise both are
// errors.
func drawAll(ctx context.Context, w io.Writer, chosen []drawing, flags figureFlags, s source) (made []drawing, err error) {
	said, named := "", "" // message and preset of the previous figure
	several := slices.ContainsFunc(chosen, func(d drawing) bool { return d.paper != chosen[0].paper })
	for _, d := range chosen {
		figure, from, err := s.draw(d)
		if len(chosen) > 1 && errors.As(err, new(*study.Lacks)) || several && errors.As(err, new(*studies.Shortage)) {
			if err.Error() != said {
				fmt.Fprintln(s.stderr, err)
			}
			said = err.Error()
			continue
		}
		if err != nil {
			return nil, err
		}
		d.explanation = figure.Explanation()
		made = append(made, d)
		pages, err := flags.pages(figure.In(themes[flags.theme]))
		if err != nil {
			return nil, err
		}
		if kernelext.InNotebook() {
			for _, page := range pages {
				kernelext.Figure(page)
			}
			continue
		}
		if name := fmt.Sprintf("%s, preset %s:", d.paper, from); from != "" && name != named {
			named = name
			fmt.Fprintln(s.stderr, name)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := flags.write(w, filepath.Join(flags.out, d.paper, d.File()), pages); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// mostHeight is the height of a page of an article without its margins, in inches.
const mostHeight = 9

// pages returns the figure as the flags ask for: at a width, on one or more pages, or at its nominal size.
func (f figureFlags) pages(figure *plots.Figure) ([]*plots.Figure, error) {
	switch width, err := f.inches(); {
	case err != nil:
		return nil, err
	case width > 0:
		return figure.Fit(width, mostHeight, f.bare), nil
	case f.bare:
		return []*plots.Figure{figure.Untitled()}, nil
	}
	return []*plots.Figure{figure}, nil
}

// units maps units of length to inches. A point is LaTeX's.
var units = map[string]float64{"in": 1, "cm": 1 / 2.54, "mm": 1 / 25.4, "pt": 1 / 72.27}

// inches returns the width in inches, or 0 if none is given.
func (f figureFlags) inches() (float64, error) {
	const least, most = 2, 20
	if f.width == "" {
		return 0, nil
	}
	number := strings.TrimRight(f.width, "abcdefghijklmnopqrstuvwxyz ")
	value, err := strconv.ParseFloat(number, 64)
	unit, known := units[strings.TrimSpace(f.width[len(number):])]
	switch {
	case err != nil || !known:
		return 0, cli.Usagef("--width %q: give a number with the unit in, cm, mm or pt, such as 3.3in or 84mm", f.width)
	case !(value*unit >= least && value*unit <= most):
		return 0, cli.Usagef("--width %s: figures can be %d to %d inches wide", f.width, least, most)
	}
	return value * unit, nil
}

// write writes the pages of a figure in all formats and, if they are bare, their caption. Files of several pages have
// their number at the end.
func (f figureFlags) write(w io.Writer, path string, pages []*plots.Figure) error {
	for i, page := range pages {
		name := path
		if len(pages) > 1 {
			name = fmt.Sprintf("%s-%d", path, i+1)
		}
		for _, format := range f.formats {
			if err := cli.WritePath(w, name+"."+format, func(target io.Writer) error {
				return cli.Formats[format](page, target)
			}); err != nil {
				return err
			}
		}
	}
	if !f.bare {
		return nil
	}
	for ending, text := range captions(pages[0]) {
		if err := cli.WritePath(w, path+ending, func(target io.Writer) error {
			_, err := io.WriteString(target, text)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// captions returns the text that a bare figure lacks by the ending of its file: the title, the note and the caption.
func captions(f *plots.Figure) map[string]string {
	var rest []string
	for _, text := range []string{f.Note, f.Caption} {
		if text != "" {
			rest = append(rest, strings.TrimSuffix(text, ".")+".")
		}
	}
	title, text := strings.TrimSuffix(f.Title, ".")+".", strings.Join(rest, " ")
	return map[string]string{
		".txt": strings.TrimSpace(title+" "+text) + "\n",
		".tex": fmt.Sprintf("\\caption{\\textbf{%s} %s}\n", report.LaTeXText(title), report.LaTeXText(text)),
	}
}

// writeData writes the plotted numbers of one figure.
func writeData(w io.Writer, chosen []drawing, s source) error {
	if len(chosen) != 1 {
		return cli.Usagef("--data needs one figure: name a paper and a figure")
	}
	figure, _, err := s.draw(chosen[0])
	if err != nil {
		return err
	}
	return cli.WriteJSON(w, figure.Data())
}

func (f figureFlags) check() error {
	for _, format := range f.formats {
		if cli.Formats[format] == nil {
			return cli.Usagef("there is no format %q; the formats of figures are png, svg, pdf", format)
		}
	}
	if _, ok := themes[f.theme]; !ok {
		return cli.Usagef("there is no theme %q; the themes are light and dark", f.theme)
	}
	_, err := f.inches()
	return err
}

func drawingsOf(paper string, among []drawing) []drawing {
	return slices.DeleteFunc(slices.Clone(among), func(d drawing) bool { return d.paper != paper })
}
