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

// seriesEntry returns the legend entry of a line with marks.
func seriesEntry(name string, series int) entry { return lineAndMark(name, series, false) }

// lineAndMark returns the legend entry of a line with marks. The line is broken if broken is set.
func lineAndMark(name string, series int, broken bool) entry {
	return entry{name, func(c *draw.Canvas, s theme.Style, box vg.Rectangle) {
		middle := center(box)
		c.StrokeLine2(stroke(s, series, broken), box.Min.X, middle.Y, box.Max.X, middle.Y)
		c.DrawGlyphNoClip(s.Mark(series), middle)
	}}
}

// markEntry returns the legend entry of a mark.
func markEntry(name string, mark func(theme.Style) draw.GlyphStyle) entry {
	return entry{name, func(c *draw.Canvas, s theme.Style, box vg.Rectangle) {
		c.DrawGlyphNoClip(mark(s), center(box))
	}}
}

// lineEntry returns the legend entry of a line without marks.
func lineEntry(name string, line func(theme.Style) draw.LineStyle) entry {
	return entry{name, func(c *draw.Canvas, s theme.Style, box vg.Rectangle) {
		c.StrokeLine2(line(s), box.Min.X, center(box).Y, box.Max.X, center(box).Y)
	}}
}

// areaEntry returns the legend entry of a filled area.
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

// drawHead writes a title, a note and a legend at the top and returns the remaining canvas below them. The legend never
// covers data.
func drawHead(c draw.Canvas, s theme.Style, title, note string, legend []entry) draw.Canvas {
	c = drawText(c, s.Title(), s.Em*.2, title)
	c = drawText(c, s.Note(), s.Em*.2, note)
	return drawLegend(c, s, legend)
}

// drawText writes the lines of a text at the top and returns the remaining canvas below them and a gap.
func drawText(c draw.Canvas, style draw.TextStyle, gap vg.Length, text string) draw.Canvas {
	if text == "" {
		return c
	}
	style.YAlign = draw.YTop
	for _, line := range wrap(text, style, c.Size().X) {
		c.FillText(style, vg.Point{X: c.Min.X, Y: c.Max.Y}, line)
		c.Max.Y -= lineHeight(style)
	}
	c.Max.Y -= gap
	return c
}

func lineHeight(style draw.TextStyle) vg.Length { return style.Font.Size * 1.3 }

// Dimensions of a legend, in multiples of the height of a letter.
const (
	sampleWidth  = 1.9
	sampleGap    = .5
	entryGap     = 1.3
	legendRow    = 1.45
	legendBottom = .4
)

func (e entry) width(s theme.Style) vg.Length {
	return s.Em*(sampleWidth+sampleGap) + s.Label().Width(e.name)
}

// legendRows breaks a legend into rows that fit the width.
func legendRows(s theme.Style, legend []entry, width vg.Length) [][]entry {
	var rows [][]entry
	taken := vg.Length(0)
	for _, e := range legend {
		if len(rows) == 0 || taken+e.width(s) > width {
			rows = append(rows, nil)
			taken = 0
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		taken += e.width(s) + s.Em*entryGap
	}
	return rows
}

func drawLegend(c draw.Canvas, s theme.Style, legend []entry) draw.Canvas {
	for _, row := range legendRows(s, legend, c.Size().X) {
		x, y := c.Min.X, c.Max.Y-s.Em*legendRow/2
		for _, e := range row {
			box := vg.Rectangle{Min: vg.Point{X: x, Y: y - s.Em/2},
				Max: vg.Point{X: x + s.Em*sampleWidth, Y: y + s.Em/2}}
			e.sample(&c, s, box)
			write(c, s.Label(), vg.Point{X: box.Max.X + s.Em*sampleGap, Y: y}, e.name)
			x += e.width(s) + s.Em*entryGap
		}
		c.Max.Y -= s.Em * legendRow
	}
	c.Max.Y -= s.Em * legendBottom
	return c
}

// write writes a line with the middle of its digits at the point's height; gonum's middle is the middle of the tallest
// and deepest letters.
func write(c draw.Canvas, style text.Style, at vg.Point, words string) {
	at.Y += style.Font.Size * .1
	c.FillText(style, at, words)
}

func center(r vg.Rectangle) vg.Point { return r.Min.Add(r.Max).Scale(.5) }

// wrap breaks text between words into lines that fit the width; a longer word has its own line.
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

// shorten truncates text that exceeds the width and marks the cut.
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
