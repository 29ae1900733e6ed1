package chart

import (
	"fmt"
)

// DotRows shows many values as dots on several named lines. The dots of each series have their own height within a
// line. It can also show a target region, and broken lines for reference values.
type DotRows struct {
	Title   string      `json:"title"`
	Caption string      `json:"caption,omitempty"`
	X       Axis        `json:"x"`
	Lines   []string    `json:"lines"`
	Series  []DotSeries `json:"series"`
	Region  *Region     `json:"region,omitempty"`
	Targets []Target    `json:"targets,omitempty"`
	Spread  bool        `json:"spread,omitempty"` // move dots that would overlap up and down
}

// DotSeries is a set of dots with the same colour and shape.
type DotSeries struct {
	Name string `json:"name"`
	Dots []Dot  `json:"dots"`
}

// Dot is one value on one line.
type Dot struct {
	Line  int     `json:"line"` // index of the line, from 0
	Value float64 `json:"value"`
	Name  string  `json:"name,omitempty"` // written next to the dot if there is space; earlier dots take precedence
}

func (d DotRows) check() error {
	if err := firstError(filled("dot rows: lines", len(d.Lines)), filled("dot rows", len(d.Series))); err != nil {
		return err
	}
	for _, series := range d.Series {
		for _, dot := range series.Dots {
			if dot.Line < 0 || dot.Line >= len(d.Lines) {
				return fmt.Errorf("dot rows: %s: a dot on line %d of %d; lines count from 0", series.Name, dot.Line,
					len(d.Lines))
			}
			if err := finite(fmt.Sprintf("dot rows: %s, %s", series.Name, d.Lines[dot.Line]), dot.Value); err != nil {
				return err
			}
		}
	}
	if r := d.Region; r != nil {
		if err := firstError(finite("dot rows: region", r.Lo, r.Hi),
			ordered("dot rows: region", r.Lo, r.Hi)); err != nil {
			return err
		}
	}
	for _, target := range d.Targets {
		if err := finite("dot rows: target", target.Value); err != nil {
			return err
		}
	}
	if len(d.Values()) == len(d.Targets) {
		return filled("dot rows", 0)
	}
	if err := d.X.check("x", d.Values()); err != nil {
		return fmt.Errorf("dot rows: %w", err)
	}
	return nil
}

// Values returns all values that the axis must show.
func (d DotRows) Values() []float64 {
	var all []float64
	if d.Region != nil {
		all = append(all, d.Region.Lo, d.Region.Hi)
	}
	for _, target := range d.Targets {
		all = append(all, target.Value)
	}
	for _, series := range d.Series {
		for _, dot := range series.Dots {
			all = append(all, dot.Value)
		}
	}
	return all
}

// Figure returns the chart as a figure. Its height depends on the number of lines.
func (d DotRows) Figure() (*Figure, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	f := newFigure("Dot plot", d.Title, d.Caption, d, d)
	f.Height = max(defaultHeight/2, 1.4+.46*float64(len(d.Lines)))
	return f, nil
}
