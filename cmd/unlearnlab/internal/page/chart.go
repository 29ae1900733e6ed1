package page

import (
	"fmt"
	"math"
	"strings"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Sizes of a chart in pixels.
const (
	chartPlot   = 252. // width without the names
	chartRow    = 18.
	chartTop    = 6.
	chartAxis   = 22.
	chartRight  = 14.
	chartGap    = 8.
	chartType   = 12. // size of the letters, as in the style sheet
	mostLetters = 36  // longer names are cut
)

// chart is a panel as the template draws it, with a row for each model: a disc and a line for our value and its
// interval, and a diamond for the paper's value.
type chart struct {
	Title, About  string
	Width, Height float64
	Left, Right   float64
	Bottom        float64
	Zero          float64 // x of zero; NaN if zero is not inside the axis
	Ticks         []tick
	Rows          []chartLine
	Alt           string
	Printed       bool // whether a row has a value from the paper
}

type tick struct {
	X    float64
	Text string
}

type chartLine struct {
	study.Mark
	Short       string // name, truncated
	Y           float64
	X, XLo, XHi float64
	XPaper      float64
	HasInterval bool
	HasPaper    bool
	HasHere     bool
	Title       string
}

// Diamond returns the corners of the diamond at the paper's value.
func (r chartLine) Diamond() string {
	const half = 5
	return fmt.Sprintf("%.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f", r.XPaper-half, r.Y, r.XPaper, r.Y-half,
		r.XPaper+half, r.Y, r.XPaper, r.Y+half)
}

// HasZero reports whether the chart marks zero, which is inside the axis.
func (c chart) HasZero() bool { return !math.IsNaN(c.Zero) }

// newCharts returns the charts of panels that have rows. Their axes begin at the same distance from the left.
func newCharts(panels []study.Panel) (all []chart) {
	letters := theme.Style{Theme: theme.Light, Em: chartType}.Label() // as wide as the page's letters
	left := 0.
	for _, p := range panels {
		for _, m := range p.Rows {
			left = max(left, float64(letters.Width(shortName(m))))
		}
	}
	for _, p := range panels {
		if len(p.Rows) > 0 {
			all = append(all, newChart(p, math.Ceil(left)+2*chartGap))
		}
	}
	return all
}

// newChart returns the chart of a panel, whose names have the width left.
func newChart(p study.Panel, left float64) chart {
	c := chart{Title: p.Title, About: p.About, Width: left + chartPlot, Left: left, Right: left + chartPlot - chartRight,
		Zero: math.NaN()}
	low, high := 0., 0.
	for _, m := range p.Rows {
		for _, v := range []float64{m.Here, m.Lo, m.Hi, m.Paper} {
			if !math.IsNaN(v) {
				low, high = min(low, v), max(high, v)
			}
		}
	}
	step := niceStep((high - low) / 4)
	low, high = step*math.Floor(low/step+1e-9), step*math.Ceil(high/step-1e-9)
	at := func(v float64) float64 { return c.Left + (v-low)/(high-low)*(c.Right-c.Left) }
	for i := range int(math.Round((high-low)/step)) + 1 {
		v := low + float64(i)*step
		c.Ticks = append(c.Ticks, tick{at(v), fmt.Sprintf("%g", math.Round(v*1000)/1000)})
	}
	if low < 0 {
		c.Zero = at(0)
	}
	said := []string{}
	for i, m := range p.Rows {
		r := chartLine{Mark: m, Short: shortName(m), Y: chartTop + (float64(i)+.5)*chartRow, X: at(m.Here), XLo: at(m.Lo),
			XHi: at(m.Hi), XPaper: at(m.Paper), HasHere: !math.IsNaN(m.Here), HasPaper: !math.IsNaN(m.Paper),
			HasInterval: !math.IsNaN(m.Lo) && !math.IsNaN(m.Hi)}
		r.Title = m.Name + ": here " + m.HereT
		if r.HasPaper {
			r.Title += ", in the paper " + m.PaperT
			c.Printed = true
		}
		said = append(said, r.Title)
		c.Rows = append(c.Rows, r)
	}
	c.Bottom = chartTop + chartRow*float64(len(p.Rows))
	c.Height = c.Bottom + chartAxis
	c.Alt = p.Title + ". " + strings.Join(said, "; ")
	return c
}

// shortName cuts the name of a row to fit beside the chart. The name of a guest keeps the word guest.
func shortName(m study.Mark) string {
	after := ""
	if m.Guest {
		after = " (guest)"
	}
	return study.GuestLabel(m.Name, mostLetters-len(after)) + after
}

// niceStep returns the smallest 1, 2 or 5 times a power of ten that is at least step. It returns 1 if step is not
// positive.
func niceStep(step float64) float64 {
	if !(step > 0) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, factor := range []float64{1, 2, 5} {
		if factor*power >= step*(1-1e-9) {
			return factor * power
		}
	}
	return 10 * power
}
