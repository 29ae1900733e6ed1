package plots

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Drawing is a named figure of a paper. It has one of the two functions.
type Drawing struct {
	Name  string // "8"
	About string
	// Draw draws results of the paper's study. If the preset lacks something, it returns a [*study.Lacks].
	Draw func(r study.Results) (*Spec, error)
	// Printed draws values printed in the paper; it needs no results.
	Printed func() (*Spec, error)
}

// Figure draws the figure. The results may be nil if Printed is set.
func (d Drawing) Figure(r study.Results) (*Spec, error) {
	if d.Printed != nil {
		return d.Printed()
	}
	return d.Draw(r)
}

// From converts a function that draws the results of one study into one that accepts any results and returns an error
// for other studies.
func From[R study.Results](draw func(r R) (*Spec, error)) func(r study.Results) (*Spec, error) {
	return func(r study.Results) (*Spec, error) {
		found, is := r.(R)
		if !is {
			return nil, fmt.Errorf("figure: it is drawn from a %T, not from a %T", found, r)
		}
		return draw(found)
	}
}

// Drawings lists the figures of a paper.
type Drawings []Drawing

// Named returns the drawing with the name. For an unknown name it returns a drawing whose error lists the existing
// names.
func (all Drawings) Named(name string) Drawing {
	var names []string
	for _, d := range all {
		if d.Name == name {
			return d
		}
		names = append(names, d.Name)
	}
	return Drawing{Name: name, Printed: func() (*Spec, error) {
		return nil, fmt.Errorf("there is no figure %q; there are %s", name, strings.Join(names, ", "))
	}}
}

// Figure draws the named figure from the results of a study.
func (all Drawings) Figure(name string, r study.Results) (*Spec, error) {
	return all.Named(name).Figure(r)
}
