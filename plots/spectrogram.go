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
)

// Spectrogram shows the loudness of a sound's frequencies over time, in colours that a bar explains.
type Spectrogram struct {
	Title    string
	Caption  string
	Samples  []float32 // between -1 and 1
	Rate     int       // samples per second
	Window   int       // samples per level; 0: 32 ms
	Hop      int       // samples from one window to the next; 0: a quarter of the window
	Mel      bool      // space frequencies as the ear perceives them
	Waveform bool      // show the samples above
	// The levels at the ends of the colours, in dB; if both are 0, 60 dB down from the loudest. Panels that are
	// compared need the same levels.
	Quietest, Loudest float64
}

// levelRange is the range of the colours below the loudest level, in dB.
const levelRange = 60

// spectrogramData is the content of a spectrogram, to a hundredth of a dB.
type spectrogramData struct {
	Title   string `json:"title"`
	Caption string `json:"caption,omitempty"`
	Rate    int    `json:"rate"`
	Window  int    `json:"window"`
	Hop     int    `json:"hop"`
	Mel     bool   `json:"mel,omitempty"`
	Levels
}

// Figure returns the chart as a figure.
func (g Spectrogram) Figure() (*Figure, error) {
	levels, err := g.Levels()
	if err != nil {
		return nil, err
	}
	data := spectrogramData{g.Title, g.Caption, g.Rate, g.window(), g.hop(), g.Mel, *levels}
	data.Decibels = nil
	for _, row := range levels.Decibels {
		rounded := make([]float64, len(row))
		for i, level := range row {
			rounded[i] = math.Round(level*100) / 100
		}
		data.Decibels = append(data.Decibels, rounded)
	}
	f := newFigure("Spectrogram", g.Title, g.Caption, data)
	f.body = func(c draw.Canvas, s theme.Style) { g.draw(c, s, levels) }
	return f, nil
}

func (g Spectrogram) seconds() float64 { return float64(len(g.Samples)) / float64(g.Rate) }

// span returns the levels at the ends of the colours.
func (g Spectrogram) span(levels *Levels) (lo, hi float64) {
	if g.Quietest != 0 || g.Loudest != 0 {
		return widened(g.Quietest, g.Loudest)
	}
	loudest := float64(silence + levelRange)
	for _, row := range levels.Decibels {
		loudest = max(loudest, slices.Max(row))
	}
	return loudest - levelRange, loudest
}

func (g Spectrogram) draw(c draw.Canvas, s theme.Style, levels *Levels) {
	lo, hi := g.span(levels)
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
func (g Spectrogram) axes(c draw.Canvas, s theme.Style) *plot.Plot {
	x := Axis{Label: "time (s)", Max: g.seconds()}
	if !g.Mel {
		return newPlot(c, s, x, Axis{Label: "frequency (Hz)", Max: float64(g.Rate) / 2}, nil, nil)
	}
	height := c.Size().Y - s.Em*3
	y := Axis{Label: "frequency (Hz, mel scale)", Max: mel(float64(g.Rate) / 2)}
	if s.Label().Width(y.Label) > height {
		y.Label = "Hz, mel scale" // a label longer than its axis would make the axis even shorter
	}
	p := newPlot(c, s, x, y, nil, nil)
	p.Y.Tick.Marker = melTicks(float64(height / (s.Em * 1.8)))
	return p
}

// picture paints the levels with half the width of a window and half the height of a frequency, so that each level is
// centred and the first and the last end at the axes.
func (g Spectrogram) picture(levels *Levels, bar scaleBar) image.Image {
	columns, rows := 2*len(levels.Seconds), 2*(len(levels.Hertz)-1)
	if g.Mel {
		rows *= 2 // low frequencies are drawn larger than high ones
	}
	picture := image.NewNRGBA(image.Rect(0, 0, columns, rows))
	var colors [256]color.NRGBA // steps too fine to see, and as many as a picture in a notebook has
	for i := range colors {
		colors[i] = bar.colors.At(float64(i) / float64(len(colors)-1))
	}
	highest := float64(g.Rate) / 2
	for y := range rows {
		hertz := highest * (float64(rows-y) - .5) / float64(rows)
		if g.Mel {
			hertz = hertzOf(mel(highest) * (float64(rows-y) - .5) / float64(rows))
		}
		f := nearest(hertz/float64(g.Rate)*float64(g.window()), len(levels.Hertz))
		for x := range columns {
			moment := float64(len(g.Samples)) * (float64(x) + .5) / float64(columns)
			level := levels.Decibels[nearest(moment/float64(g.hop()), len(levels.Seconds))][f]
			share := min(1, max(0, (level-bar.lo)/(bar.hi-bar.lo)))
			picture.SetNRGBA(x, y, colors[int(math.Round(share*float64(len(colors)-1)))])
		}
	}
	return picture
}

// nearest returns the index among n that is closest to a place.
func nearest(place float64, n int) int { return min(n-1, int(math.Round(place))) }

// drawWaveform fills the range of the samples in each of many intervals of time.
func (g Spectrogram) drawWaveform(c draw.Canvas, s theme.Style) {
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
