package plots

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type spectrogram struct{ chart.Measured }

func (g spectrogram) draw(c draw.Canvas, s theme.Style) {
	levels := g.Spectrum
	lo, hi := g.Span(levels)
	bar := scaleBar{"level (dB)", lo, hi, s.Sequential}
	whole, top := c, c.Max.Y
	if g.Waveform {
		c.Max.Y -= c.Size().Y * .22
	}
	c.Max.X -= bar.width(s)
	p := g.axes(c, s)
	p.Add(plotter(func(c draw.Canvas, _ *plot.Plot) { c.DrawImage(c.Rectangle, g.picture(levels, bar)) }))
	p.Draw(c)
	inner := p.DataCanvas(c)
	whole.Min.Y, whole.Max.Y = inner.Min.Y, inner.Max.Y
	bar.draw(whole, s)
	if g.Waveform {
		inner.Min.Y, inner.Max.Y = c.Max.Y+s.Em*.7, top
		g.drawWaveform(inner, s)
	}
}

// axes returns axes with time from left to right and frequency upwards.
func (g spectrogram) axes(c draw.Canvas, s theme.Style) *plot.Plot {
	x := chart.Axis{Label: "time (s)", Max: g.Seconds()}
	if !g.Mel {
		return newPlot(c, s, x, chart.Axis{Label: "frequency (Hz)", Max: float64(g.Rate) / 2}, nil, nil)
	}
	height := c.Size().Y - s.Em*3
	y := chart.Axis{Label: "frequency (Hz, mel scale)", Max: mel(float64(g.Rate) / 2)}
	if s.Label().Width(y.Label) > height {
		y.Label = "Hz, mel scale" // a label longer than its axis would make the axis even shorter
	}
	p := newPlot(c, s, x, y, nil, nil)
	p.Y.Tick.Marker = melTicks(float64(height / (s.Em * 1.8)))
	return p
}

// picture paints the levels. Columns have half the width of a window and rows half the height of a frequency, so that
// each level is centred and the first and the last level end at the axes.
func (g spectrogram) picture(levels *chart.Levels, bar scaleBar) image.Image {
	columns, rows := 2*len(levels.Seconds), 2*(len(levels.Hertz)-1)
	if g.Mel {
		rows *= 2 // low frequencies are drawn larger than high ones
	}
	picture := image.NewNRGBA(image.Rect(0, 0, columns, rows))
	var colors [256]color.NRGBA // 256 steps are too fine to see and fit a palette
	for i := range colors {
		colors[i] = bar.colors.At(float64(i) / float64(len(colors)-1))
	}
	highest := float64(g.Rate) / 2
	for y := range rows {
		hertz := highest * (float64(rows-y) - .5) / float64(rows)
		if g.Mel {
			hertz = hertzOf(mel(highest) * (float64(rows-y) - .5) / float64(rows))
		}
		f := nearest(hertz/float64(g.Rate)*float64(g.WindowSize()), len(levels.Hertz))
		for x := range columns {
			moment := float64(len(g.Samples)) * (float64(x) + .5) / float64(columns)
			level := levels.Decibels[nearest(moment/float64(g.HopSize()), len(levels.Seconds))][f]
			share := min(1, max(0, (level-bar.lo)/(bar.hi-bar.lo)))
			picture.SetNRGBA(x, y, colors[int(math.Round(share*float64(len(colors)-1)))])
		}
	}
	return picture
}

// nearest returns the index among n that is closest to position place.
func nearest(place float64, n int) int { return min(n-1, int(math.Round(place))) }

// drawWaveform fills the range of the samples in each of many intervals of time.
func (g spectrogram) drawWaveform(c draw.Canvas, s theme.Style) {
	highest := 0.
	for _, sample := range g.Samples {
		highest = max(highest, math.Abs(float64(sample)))
	}
	scale := vg.Length(0)
	if highest > 0 {
		scale = c.Size().Y / 2 / vg.Length(highest)
	}
	middle := c.Center().Y
	c.StrokeLine2(s.GridLine(), c.Min.X, middle, c.Max.X, middle)
	const most = 600
	parts := min(most, len(g.Samples))
	var upper, lower []vg.Point
	for i := range parts {
		part := g.Samples[i*len(g.Samples)/parts : (i+1)*len(g.Samples)/parts]
		x := c.Min.X + c.Size().X*vg.Length((float64(i)+.5)/float64(parts))
		upper = append(upper, vg.Point{X: x, Y: middle + scale*vg.Length(slices.Max(part))})
		lower = append(lower, vg.Point{X: x, Y: middle + scale*vg.Length(slices.Min(part))})
	}
	slices.Reverse(lower)
	outline := append(upper, lower...)
	c.FillPolygon(s.Color(0), outline)
	line := s.Rule()
	line.Color = s.Color(0)
	c.StrokeLines(line, outline)
	style := s.Tick()
	style.XAlign = draw.XRight
	marks := []float64{0}
	if highest > 0 {
		marks = []float64{-highest, 0, highest}
	}
	for _, mark := range marks {
		at := vg.Point{X: c.Min.X - s.Em*.5, Y: middle + scale*vg.Length(mark)*.9}
		write(c, style, at, minus(strconv.FormatFloat(mark, 'g', 2, 64)))
	}
}

func (g spectrogram) legend() []entry { return nil }
