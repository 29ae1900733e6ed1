package plots

import (
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// cells divides a rectangle into rows from the top and columns from the left.
type cells struct {
	vg.Rectangle
	rows, columns int
}

func (g cells) at(row, column int) vg.Rectangle {
	width, height := g.Size().X/vg.Length(g.columns), g.Size().Y/vg.Length(g.rows)
	corner := vg.Point{X: g.Min.X + width*vg.Length(column), Y: g.Max.Y - height*vg.Length(row+1)}
	return vg.Rectangle{Min: corner, Max: vg.Point{X: corner.X + width, Y: corner.Y + height}}
}

// overlapping returns a cell that extends slightly under its right and lower neighbours, which are drawn later. If
// cells only touched, the page would show through the seam.
func (g cells) overlapping(row, column int) vg.Rectangle {
	const under = .4
	cell := g.at(row, column)
	if row < g.rows-1 {
		cell.Min.Y -= under
	}
	if column < g.columns-1 {
		cell.Max.X += under
	}
	return cell
}

// drawRowNames writes names left of the rows, as many as fit.
func (g cells) drawRowNames(c draw.Canvas, s theme.Style, names []string, width vg.Length) {
	style := s.Tick()
	style.XAlign = draw.XRight
	every := stride(g.Size().Y/vg.Length(g.rows), s.Em*1.15)
	for i := 0; i < len(names); i += every {
		cell := g.at(i, 0)
		write(c, style, vg.Point{X: g.Min.X - s.Em*.4, Y: center(cell).Y}, shorten(names[i], style, width-s.Em*.5))
	}
}

// drawColumnNames writes names below the columns: as many numbers as fit, and all words, shortened to fit.
func (g cells) drawColumnNames(c draw.Canvas, s theme.Style, names []string) {
	style := s.Tick()
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	room := g.Size().X / vg.Length(g.columns)
	every := 1
	if !slices.ContainsFunc(names, word) {
		widest := vg.Length(0)
		for _, name := range names {
			widest = max(widest, style.Width(name))
		}
		every = stride(room, widest+s.Em*.5)
		room *= vg.Length(every)
	}
	for j := 0; j < len(names); j += every {
		c.FillText(style, vg.Point{X: center(g.at(0, j)).X, Y: g.Min.Y - s.Em*.35}, shorten(names[j], style, room))
	}
}

func word(name string) bool {
	_, err := strconv.ParseFloat(name, 64)
	return err != nil
}

// stride returns the number of steps that a name needs, so that only every stride-th name is drawn.
func stride(step, room vg.Length) int { return max(1, int(math.Ceil(float64(room/step)-1e-9))) }
