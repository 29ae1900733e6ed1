package plots

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Drawing is a figure of a paper that can be drawn by its name. It has one of the two functions.
type Drawing struct {
	Name  string // "8"
	About string
	// Draw draws what the paper's study has found. What a preset has not is a [*bench.Lacks].
	Draw func(r study.Results) (*Figure, error)
	// Printed draws what the paper prints; it needs no results.
	Printed func() (*Figure, error)
}

// Figure draws the figure. The results may be nil where it shows what is printed.
func (d Drawing) Figure(r study.Results) (*Figure, error) {
	if d.Printed != nil {
		return d.Printed()
	}
	return d.Draw(r)
}

// From makes a function that draws the results of one study one that draws those of any: others are refused.
func From[R study.Results](draw func(r R) (*Figure, error)) func(r study.Results) (*Figure, error) {
	return func(r study.Results) (*Figure, error) {
		found, is := r.(R)
		if !is {
			return nil, fmt.Errorf("figure: it is drawn from a %T, not from a %T", found, r)
		}
		return draw(found)
	}
}

// Drawings are the figures of a paper.
type Drawings []Drawing

// Named is the drawing of a name. One that there is not draws an error that lists those that there are.
func (all Drawings) Named(name string) Drawing {
	var names []string
	for _, d := range all {
		if d.Name == name {
			return d
		}
		names = append(names, d.Name)
	}
	return Drawing{Name: name, Printed: func() (*Figure, error) {
		return nil, fmt.Errorf("there is no figure %q; there are %s", name, strings.Join(names, ", "))
	}}
}

// Picture draws the figure of a name from what a study has found, for a cell.
func (all Drawings) Picture(name string, r study.Results) (report.Picture, error) {
	figure, err := all.Named(name).Figure(r)
	if err != nil {
		return nil, err // not a nil figure, which is a picture
	}
	return figure, nil
}
