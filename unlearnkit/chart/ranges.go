package chart

import (
	"fmt"
)

// Ranges shows, one per line, bands of possible values. Below a band, it shows observed values as needles whose heights
// are proportional to their frequencies.
type Ranges struct {
	Title   string      `json:"title"`
	Caption string      `json:"caption,omitempty"`
	X       Axis        `json:"x"`
	Lines   []RangeLine `json:"lines"`
	Behind  string      `json:"behind,omitempty"` // text in the legend for bands behind needles
}

// RangeLine is one line of [Ranges]: a heading, a band or needles.
type RangeLine struct {
	Name    string    `json:"name"`
	Heading bool      `json:"heading,omitempty"` // the line is a heading for the lines below it
	Band    *Region   `json:"band,omitempty"`
	Depth   float64   `json:"depth,omitempty"` // opacity of the band's colour, at most 1
	Needles []float64 `json:"needles,omitempty"`
	Behind  *Region   `json:"behind,omitempty"` // band of a line above, repeated behind the needles
	Series  int       `json:"series,omitempty"` // index of the series whose colour the needles have
}

func (r Ranges) check() error {
	if err := filled("ranges", len(r.Lines)); err != nil {
		return err
	}
	for _, line := range r.Lines {
		where := fmt.Sprintf("ranges: %q", line.Name)
		if err := finite(where, line.Needles...); err != nil {
			return err
		}
		for _, band := range []*Region{line.Band, line.Behind} {
			if band == nil {
				continue
			}
			if err := firstError(finite(where, band.Lo, band.Hi), ordered(where, band.Lo, band.Hi)); err != nil {
				return err
			}
		}
	}
	if len(r.Values()) == 0 {
		return filled("ranges", 0)
	}
	if err := r.X.check("x", r.Values()); err != nil {
		return fmt.Errorf("ranges: %w", err)
	}
	return nil
}

// Values returns all values that the axis must show.
func (r Ranges) Values() []float64 {
	var all []float64
	for _, line := range r.Lines {
		if line.Band != nil {
			all = append(all, line.Band.Lo, line.Band.Hi)
		}
		all = append(all, line.Needles...)
	}
	return all
}

// Figure returns the chart as a figure. Its height depends on the number of lines.
func (r Ranges) Figure() (*Figure, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	f := newFigure("Ranges and dots", r.Title, r.Caption, r, r)
	f.Height = max(defaultHeight/2, .4*float64(len(r.Lines)))
	return f, nil
}
