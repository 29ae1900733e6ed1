package plots

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
)

// entry is one name in a legend with its sample.
type entry struct {
	name   string
	sample func(c *draw.Canvas, s theme.Style, box vg.Rectangle)
}

// seriesEntry is the entry of a line with marks.
func seriesEntry(name string, series int) entry {
	return entry{name, func(c *draw.Canvas, s theme.Style, box vg.Rectangle) {
		middle := center(box)
		c.StrokeLine2(s.Line(series), box.Min.X, middle.Y, box.Max.X, middle.Y)
		c.DrawGlyphNoClip(s.Mark(series), middle)
	}}
}

// markEntry is the entry of a mark.
func markEntry(name string, mark func(theme.Style) draw.GlyphStyle) entry {
	return entry{name, func(c *draw.Canvas, s theme.Style, box vg.Rectangle) {
		c.DrawGlyphNoClip(mark(s), center(box))
	}}
}

// lineEntry is the entry of a line without marks.
func lineEntry(name string, line func(theme.Style) draw.LineStyle) entry {
	return entry{name, func(c *draw.Canvas, s theme.Style, box vg.Rectangle) {
		c.StrokeLine2(line(s), box.Min.X, center(box).Y, box.Max.X, center(box).Y)
	}}
}

// areaEntry is the entry of a filled area.
func areaEntry(name string, fill func(theme.Style) color.NRGBA) entry {
	return entry{name, func(c *draw.Canvas, s theme.Style, box vg.Rectangle) {
		c.SetColor(fill(s))
		inset := box.Size().Y * .14
		box.Min.Y, box.Max.Y = box.Min.Y+inset, box.Max.Y-inset
		c.Fill(box.Path())
	}}
}

func targetEntry(name string, index int) entry {
	return lineEntry(name, func(s theme.Style) draw.LineStyle { return s.Target(index) })
}

func printedEntry() entry { return markEntry("printed", theme.Style.Printed) }

// layOut writes a title and a legend at the top and returns what is left below them. The legend never covers data.
func layOut(c draw.Canvas, s theme.Style, title string, legend []entry) draw.Canvas {
	if title != "" {
		style := s.Title()
		style.YAlign = draw.YTop
		for _, line := range wrap(title, style, c.Size().X) {
			c.FillText(style, vg.Point{X: c.Min.X, Y: c.Max.Y}, line)
			c.Max.Y -= style.Font.Size * 1.3
		}
		c.Max.Y -= s.Em * .2
	}
	return layOutLegend(c, s, legend)
}

func layOutLegend(c draw.Canvas, s theme.Style, legend []entry) draw.Canvas {
	if len(legend) == 0 {
		c.Max.Y -= s.Em * .3
		return c
	}
	style := s.Label()
	sample, gap, row := s.Em*1.9, s.Em*1.3, s.Em*1.45
	x, y := c.Min.X, c.Max.Y-row/2
	for _, e := range legend {
		width := sample + s.Em*.5 + style.Width(e.name)
		if x > c.Min.X && x+width > c.Max.X {
			x, y = c.Min.X, y-row
		}
		e.sample(&c, s, vg.Rectangle{Min: vg.Point{X: x, Y: y - s.Em/2}, Max: vg.Point{X: x + sample, Y: y + s.Em/2}})
		write(c, style, vg.Point{X: x + sample + s.Em*.5, Y: y}, e.name)
		x += width + gap
	}
	c.Max.Y = y - row/2 - s.Em*.4
	return c
}

// write writes a line with the middle of its digits at the point's height: gonum's middle is that of the tallest and deepest letters.
func write(c draw.Canvas, style text.Style, at vg.Point, words string) {
	at.Y += style.Font.Size * .1
	c.FillText(style, at, words)
}

func center(r vg.Rectangle) vg.Point { return r.Min.Add(r.Max).Scale(.5) }

// wrap breaks text between words into lines that fit the width; a longer word has a line to itself.
func wrap(words string, style text.Style, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(words) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && style.Width(longer) > width {
			lines = append(lines, line)
			longer = word
		}
		line = longer
	}
	return append(lines, line)
}

// shorten cuts text that is wider than the width and marks the cut.
func shorten(words string, style text.Style, width vg.Length) string {
	if style.Width(words) <= width {
		return words
	}
	runes := []rune(words)
	for len(runes) > 1 && style.Width(string(runes)+"…") > width {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimSpace(string(runes)) + "…"
}
