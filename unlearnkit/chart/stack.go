package chart

import (
	"fmt"
)

// Stack arranges figures in rows of different heights. The rows have the same width, and the figures are labelled with
// letters.
type Stack struct {
	Title   string
	Note    string // text below the title
	Caption string
	Width   float64 // width in inches; 0 means the default width of a figure
	Rows    []StackRow
}

// StackRow is a row of figures with equal widths.
type StackRow struct {
	Height  float64 // height in inches
	Letters string  // one letter for each figure
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
	const above = .6 // space for the title
	data := panelsData{Title: p.Title, Caption: p.Caption}
	f := newFigure("Panels", p.Title, p.Caption, p, nil)
	f.Height, f.Note = above, p.Note
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
	f.data = data
	return f, nil
}
