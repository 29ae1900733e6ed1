package plots

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// Stack arranges figures in rows of different heights, each as wide as the whole, as lettered parts of one figure.
type Stack struct {
	Title   string
	Note    string // below the title
	Caption string
	Width   float64 // inches; 0 means a figure's default
	Rows    []StackRow
}

// StackRow is a row of figures of equal widths.
type StackRow struct {
	Height  float64 // inches
	Letters string  // one for each figure
	Figures []*Figure
}

func (p Stack) check() error {
	if err := filled("stack", len(p.Rows)); err != nil {
		return err
	}
	for i, row := range p.Rows {
		where := fmt.Sprintf("stack: row %d", i+1)
		if err := firstError(filled(where, len(row.Figures)),
			matching(where, "letters", len(row.Figures), len(row.Letters))); err != nil {
			return err
		}
		if !(row.Height > 0) {
			return fmt.Errorf("%s: %g inches high; give a height above 0", where, row.Height)
		}
		for k, figure := range row.Figures {
			if figure == nil {
				return fmt.Errorf("%s: figure %d is nil", where, k+1)
			}
		}
	}
	return nil
}

// Figure returns the rows as one figure.
func (p Stack) Figure() (*Figure, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	const above = .6 // the title
	data := panelsData{Title: p.Title, Caption: p.Caption}
	f := newFigure("Panels", p.Title, p.Caption, nil)
	f.Height, f.scale, f.Note = above, .75, p.Note
	if p.Note != "" {
		f.Height += above / 3
	}
	if p.Width > 0 {
		f.Width = p.Width
	}
	for _, row := range p.Rows {
		f.Height += row.Height
		for _, figure := range row.Figures {
			data.Panels = append(data.Panels, figure.data)
		}
	}
	f.data, f.body = data, p.draw
	return f, nil
}

func (p Stack) draw(c draw.Canvas, s theme.Style) {
	total := 0.0
	for _, row := range p.Rows {
		total += row.Height
	}
	gap, top := s.Em*1.4, c.Max.Y
	height := c.Size().Y
	for _, row := range p.Rows {
		bottom := top - height*vg.Length(row.Height/total)
		area := vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: bottom}, Max: vg.Point{X: c.Max.X + gap, Y: top - gap*.4}}
		line := cells{area, 1, len(row.Figures)}
		for i, figure := range row.Figures {
			cell := line.at(0, i)
			cell.Max.X -= gap
			figure.body(drawHead(draw.Canvas{Canvas: c.Canvas, Rectangle: cell}, s,
				fmt.Sprintf("(%c) %s", row.Letters[i], figure.Title), figure.Note, figure.legend), s)
		}
		top = bottom
	}
}
