package figures

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/studies"
	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
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
	for _, paper := range paperdata.Names {
		for _, d := range papers.Of(paper).Figures {
			all = append(all, drawing{paper: paper, Figure: d})
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
func drawAll(w io.Writer, chosen []drawing, flags figureFlags, s source) (made []drawing, err error) {
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
		figure = figure.In(themes[flags.theme])
		if kernelext.InNotebook() {
			kernelext.Figure(figure)
			continue
		}
		if name := fmt.Sprintf("%s, preset %s:", d.paper, from); from != "" && name != named {
			named = name
			fmt.Fprintln(s.stderr, name)
		}
		for _, format := range flags.formats {
			path := filepath.Join(flags.out, d.paper, d.File()+"."+format)
			if err := cli.WritePath(w, path, func(target io.Writer) error {
				return cli.Formats[format](figure, target)
			}); err != nil {
				return nil, err
			}
		}
	}
	return made, nil
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
	return nil
}

func drawingsOf(paper string, among []drawing) []drawing {
	return slices.DeleteFunc(slices.Clone(among), func(d drawing) bool { return d.paper != paper })
}
