package plots

import (
	"fmt"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type stack struct{ chart.Stack }

func (p stack) draw(c draw.Canvas, s theme.Style) {
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
			drawingOf(figure.Chart).draw(drawHead(draw.Canvas{Canvas: c.Canvas, Rectangle: cell}, s,
				fmt.Sprintf("(%c) %s", row.Letters[i], figure.Title), figure.Note, legendOf(figure)), s)
		}
		top = bottom
	}
}

func (p stack) legend() []entry { return nil }

func (p stack) scale() float64 { return .75 }
