package chart

import (
	"fmt"
)

// DotWhisker shows estimates with their intervals, one per row. The shape and colour of a mark depend on the verdict.
type DotWhisker struct {
	Title   string             `json:"title"`
	Caption string             `json:"caption,omitempty"`
	X       Axis               `json:"x"`
	Rows    []Estimate         `json:"rows"` // estimates from top to bottom
	Target  *Target            `json:"target,omitempty"`
	Region  *Region            `json:"region,omitempty"` // values that count as equal to the target
	Words   map[Verdict]string `json:"-"`                // names of verdicts in the legend that replace the usual names
}

// Estimate is a value with its interval.
type Estimate struct {
	Name    string   `json:"name"`
	Group   string   `json:"group,omitempty"` // name of a group; rows of a group are listed together below it
	Value   float64  `json:"value"`
	Lo      float64  `json:"lo"`
	Hi      float64  `json:"hi"`
	Verdict Verdict  `json:"verdict"`
	Printed *float64 `json:"printed,omitempty"` // value that the paper prints
}

// Region is a named range of values.
type Region struct {
	Name string  `json:"name"`
	Lo   float64 `json:"lo"`
	Hi   float64 `json:"hi"`
}

// Figure returns the chart as a figure. Its height depends on the number of rows.
func (d DotWhisker) Figure() (*Figure, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	f := newFigure("Dots with intervals", d.Title, d.Caption, d, d)
	f.Height = max(defaultHeight/2, 1.3+.27*float64(len(d.Lines())))
	return f, nil
}

func (d DotWhisker) check() error {
	if err := filled("dots", len(d.Rows)); err != nil {
		return err
	}
	for _, r := range d.Rows {
		where := fmt.Sprintf("dots: row %q", r.Name)
		if err := firstError(finite(where, r.Value, r.Lo, r.Hi), ordered(where, r.Lo, r.Hi)); err != nil {
			return err
		}
		if r.Printed != nil {
			if err := finite(where+": printed value", *r.Printed); err != nil {
				return err
			}
		}
	}
	if d.Target != nil {
		if err := finite("dots: target", d.Target.Value); err != nil {
			return err
		}
	}
	if r := d.Region; r != nil {
		if err := firstError(finite("dots: region", r.Lo, r.Hi), ordered("dots: region", r.Lo, r.Hi)); err != nil {
			return err
		}
	}
	return d.X.check("dots: x", d.Values())
}

func (d DotWhisker) Values() []float64 {
	var values []float64
	for _, r := range d.Rows {
		values = append(values, r.Value, r.Lo, r.Hi)
		if r.Printed != nil {
			values = append(values, *r.Printed)
		}
	}
	if d.Target != nil {
		values = append(values, d.Target.Value)
	}
	if d.Region != nil {
		values = append(values, d.Region.Lo, d.Region.Hi)
	}
	return values
}

// Lines returns the content of each line of the chart: an index into Rows, or -1 for the heading of a group.
func (d DotWhisker) Lines() []int {
	var lines []int
	group := ""
	for i, r := range d.Rows {
		if r.Group != group {
			lines = append(lines, -1)
			group = r.Group
		}
		lines = append(lines, i)
	}
	return lines
}
