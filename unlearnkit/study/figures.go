package study

import (
	"fmt"
	"strings"

	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// Figure is a named figure of a paper. Exactly one of its two functions is set.
type Figure struct {
	Name  string // number in the paper, such as "8"; a word if the paper has no such figure
	About string
	// Draw draws the figure from results of the paper's study. If the preset lacks data for the figure, it returns a
	// [*Lacks] error.
	Draw func(r Results) (*chart.Figure, error)
	// Printed draws the figure from numbers that the paper prints, without results of the study.
	Printed func() (*chart.Figure, error)
}

// File returns the name of the figure's files without extension, such as "figure8" or "verdicts".
func (d Figure) File() string { return paperdata.ItemName("figure", d.Name) }

// Figure draws the figure. The results may be nil if Printed is set.
func (d Figure) Figure(r Results) (*chart.Figure, error) {
	if d.Printed != nil {
		return d.Printed()
	}
	return d.Draw(r)
}

// FigureFrom converts a function that draws the results of one study into one that accepts any results and returns an
// error for other studies.
func FigureFrom[R Results](draw func(r R) (*chart.Figure, error)) func(r Results) (*chart.Figure, error) {
	return func(r Results) (*chart.Figure, error) {
		found, is := r.(R)
		if !is {
			return nil, fmt.Errorf("figure: it is drawn from a %T, not from a %T", found, r)
		}
		return draw(found)
	}
}

// Figures lists the figures of a paper.
type Figures []Figure

// Named returns the figure with a name. The error for an unknown name lists the existing names.
func (all Figures) Named(name string) (Figure, error) {
	var names []string
	for _, d := range all {
		if d.Name == name {
			return d, nil
		}
		names = append(names, d.Name)
	}
	return Figure{}, fmt.Errorf("there is no figure %q; there are %s", name, strings.Join(names, ", "))
}

// Figure draws the named figure from the results of a study.
func (all Figures) Figure(name string, r Results) (*chart.Figure, error) {
	named, err := all.Named(name)
	if err != nil {
		return nil, err
	}
	return named.Figure(r)
}
