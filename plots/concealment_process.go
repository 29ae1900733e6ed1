package plots

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
)

// process is which model takes which steps of partial diffusion.
type process struct {
	Title     string                 `json:"title"`
	Caption   string                 `json:"caption"`
	Handovers []concealment.Handover `json:"handovers"`
}

// ConcealmentProcess is Figure 1, drawn from the steps that are really taken: at each ψ the original begins and the
// unlearned model completes.
func ConcealmentProcess(handovers []concealment.Handover) (*Figure, error) {
	if err := filled("process", len(handovers)); err != nil {
		return nil, err
	}
	for _, h := range handovers {
		if h.Original < 0 || h.Original > len(h.Timesteps) || len(h.Timesteps) != len(handovers[0].Timesteps) ||
			len(h.Timesteps) == 0 {
			return nil, fmt.Errorf("process: ψ %s has %d of %d steps by the original", h.Psi, h.Original,
				len(h.Timesteps))
		}
	}
	p := process{Title: "Partial diffusion", Handovers: handovers,
		Caption: fmt.Sprintf("Each square is a step of %d, from noise on the left to the picture on the right; the "+
			"number of steps of the original is ψ times all, rounded down; signal: the share of the picture that is "+
			"handed over which is not noise",
			len(handovers[0].Timesteps))}
	f := newFigure("Schematic", p.Title, p.Caption, p)
	f.Width, f.Height = 7, 1.3+.27*float64(len(handovers))
	of := func(series int) func(theme.Style) color.NRGBA {
		return func(s theme.Style) color.NRGBA { return s.Color(series) }
	}
	f.legend = []entry{areaEntry("by the original", of(0)), areaEntry("by the unlearned model", of(1))}
	f.body = p.draw
	return f, nil
}

func (p process) draw(c draw.Canvas, s theme.Style) {
	steps := len(p.Handovers[0].Timesteps)
	left, right := s.Em*5.2, s.Em*9.4
	above := s.Em * 1.5
	grid := cells{vg.Rectangle{Min: vg.Point{X: c.Min.X + left, Y: c.Min.Y},
		Max: vg.Point{X: c.Max.X - right, Y: c.Max.Y - above}}, len(p.Handovers), steps}
	style := s.Note()
	style.YAlign = draw.YTop
	for _, head := range []struct {
		at    vg.Length
		align draw.XAlignment
		words string
	}{{grid.Min.X, draw.XLeft, "noise, t = %d"}, {grid.Max.X, draw.XRight, "t = %d, picture"}} {
		style.XAlign = head.align
		t := p.Handovers[0].Timesteps[0]
		if head.align == draw.XRight {
			t = p.Handovers[0].Timesteps[steps-1]
		}
		c.FillText(style, vg.Point{X: head.at, Y: c.Max.Y}, fmt.Sprintf(head.words, t))
	}
	label := s.Label()
	for i, h := range p.Handovers {
		for step := range steps {
			box, gap := grid.at(i, step), s.Em*.1
			series := 0
			if step >= h.Original {
				series = 1
			}
			c.SetColor(s.Color(series))
			c.Fill(vg.Rectangle{Min: box.Min.Add(vg.Point{X: gap, Y: 2 * gap}),
				Max: box.Max.Sub(vg.Point{X: gap, Y: 2 * gap})}.Path())
		}
		middle := center(grid.at(i, 0)).Y
		label.XAlign = draw.XRight
		write(c, label, vg.Point{X: grid.Min.X - s.Em*.6, Y: middle}, "ψ = "+h.Psi)
		label.XAlign = draw.XLeft
		write(c, label, vg.Point{X: grid.Max.X + s.Em*.6, Y: middle},
			fmt.Sprintf("%d + %d, signal %.3f", h.Original, steps-h.Original, h.Signal))
	}
}
