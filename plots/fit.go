package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// fittedEm is the size of labels in fitted figures, in points. It is the same at all widths; the smallest letters,
// those of captions, have 88 % of it.
const fittedEm = vg.Length(8)

// Dimensions of fitted figures. The gaps are in letters' heights.
const (
	blockGap  = 1.8 // gap between panels of a row
	lineGap   = 1.4 // gap between rows of panels
	plotShare = .68 // height of a pair of axes relative to its width
)

// Fit returns the figure at a width in inches with letters of fixed size, as one or more pages that are at most height
// inches high. It arranges panels in fewer columns, or in more, as the width allows. If bare is set, the pages lack the
// figure's title, note and caption. Otherwise the last page has the caption.
func (f *Figure) Fit(width, height float64, bare bool) []*Figure {
	whole := *f
	whole.fitted, whole.bare, whole.untitled = true, bare, bare
	s := whole.style(inches(width))
	inner := inches(width) - 2*margin(s)
	shared, groups := blocksOf(&f.Figure)
	above := whole.headHeight(s, inner) + legendHeight(s, shared, inner)
	caption := whole.captionHeight(s, inches(width))
	room := inches(height) - 2*margin(s) - above - caption
	parts := paginate(arrange(s, groups, inner, room), room, s)
	var all []*Figure
	for i, lines := range parts {
		lines = lowered(lines, room, s)
		page := whole
		page.drawing = fitted{shared, lines}
		page.Width = width
		if len(parts) > 1 && !bare {
			page.Title = fmt.Sprintf("%s (%d of %d)", f.Title, i+1, len(parts))
		}
		own := 2*margin(s) + above + total(lines, s)
		if i < len(parts)-1 {
			page.bare = true
		} else {
			own += caption
		}
		page.Height = float64(own / vg.Inch)
		all = append(all, &page)
	}
	return all
}

// block is a panel of a fitted figure.
type block struct {
	of     drawing
	title  string // with the panel's letter; empty for the only panel
	note   string
	legend []entry
}

// group is a list of panels that are arranged in rows of equal columns.
type group struct {
	blocks  []block
	columns int // number of columns of the figure at its nominal size
	wide    bool
}

// blocksOf returns the panels of a figure in groups, and the legend that all panels share.
func blocksOf(f *chart.Figure) (shared []entry, groups []group) {
	panel := func(letter rune, of *chart.Figure, legend []entry) block {
		return block{drawingOf(of.Chart), fmt.Sprintf("(%c) %s", letter, of.Title), of.Note, legend}
	}
	switch c := f.Chart.(type) {
	case chart.Panels:
		shared = panels{c}.legend()
		g := group{columns: c.Columns}
		for i, of := range c.Figures {
			legend := legendOf(of)
			if shared != nil {
				legend = nil
			}
			g.blocks = append(g.blocks, panel('a'+rune(i), of, legend))
		}
		return shared, []group{g}
	case chart.Stack:
		for _, row := range c.Rows {
			g := group{columns: len(row.Figures), wide: true}
			for i, of := range row.Figures {
				g.blocks = append(g.blocks, panel(rune(row.Letters[i]), of, legendOf(of)))
			}
			groups = append(groups, g)
		}
		return nil, groups
	}
	return nil, []group{{[]block{{of: drawingOf(f.Chart), legend: legendOf(f)}}, 1, true}}
}

// line is a row of panels: their heads have the same height, and so have the parts below.
type line struct {
	blocks     []block
	columns    int
	head, body vg.Length
}

func (l line) height() vg.Length { return l.head + l.body }

// total returns the height of lines with the gaps between them.
func total(lines []line, s theme.Style) (height vg.Length) {
	for i, l := range lines {
		if i > 0 {
			height += s.Em * lineGap
		}
		height += l.height()
	}
	return height
}

// arrange breaks groups into lines. A group has its nominal number of columns, or fewer if they would be too narrow. If
// the panels do not fit the room, a group of equal panels has as many columns as the width allows.
func arrange(s theme.Style, groups []group, width, room vg.Length) (lines []line) {
	for _, g := range groups {
		least := vg.Length(0)
		for _, b := range g.blocks {
			least = max(least, leastWidth(b.of, s))
		}
		most := int((width + s.Em*blockGap) / (least + s.Em*blockGap))
		most = max(1, min(len(g.blocks), most))
		usual := min(g.columns, most)
		best := g.lines(s, usual, width, room)
		for columns := usual + 1; columns <= most && !g.wide; columns++ {
			if more := g.lines(s, columns, width, room); len(paginate(more, room, s)) < len(paginate(best, room, s)) {
				best = more
			}
		}
		lines = append(lines, best...)
	}
	return lines
}

// lines breaks a group into lines with a number of columns. A line is never higher than the room.
func (g group) lines(s theme.Style, columns int, width, room vg.Length) (lines []line) {
	cell := cellWidth(s, columns, width)
	for blocks := range slices.Chunk(g.blocks, columns) {
		l := line{blocks: blocks, columns: columns}
		for _, b := range blocks {
			l.head = max(l.head, b.headHeight(s, cell))
			l.body = max(l.body, bodyHeight(b.of, s, cell))
		}
		l.body = min(l.body, room-l.head)
		lines = append(lines, l)
	}
	return lines
}

func cellWidth(s theme.Style, columns int, width vg.Length) vg.Length {
	return (width+s.Em*blockGap)/vg.Length(columns) - s.Em*blockGap
}

// squeeze is the factor by which a page may exceed the room before its panels are made lower.
const squeeze = 1.08

// paginate breaks lines into as few pages as possible, of similar heights.
func paginate(lines []line, room vg.Length, s theme.Style) (pages [][]line) {
	broken := func(most vg.Length) (pages [][]line) {
		first := 0
		for i := range lines {
			if i > first && total(lines[first:i+1], s) > most {
				pages = append(pages, lines[first:i])
				first = i
			}
		}
		return append(pages, lines[first:])
	}
	pages = broken(room * squeeze)
	for most := room; most > 0; most -= room / 50 {
		if lower := broken(most); len(lower) == len(pages) {
			pages = lower
		} else {
			break
		}
	}
	return pages
}

// lowered returns the lines of a page with lower panels, so that they fit the room.
func lowered(lines []line, room vg.Length, s theme.Style) []line {
	over, body := total(lines, s)-room, vg.Length(0)
	for _, l := range lines {
		body += l.body
	}
	lines = slices.Clone(lines)
	for i := range lines {
		lines[i].body *= 1 - max(0, over)/body
	}
	return lines
}

// headHeight returns the height of a panel's title, note and legend.
func (b block) headHeight(s theme.Style, width vg.Length) vg.Length {
	height := textHeight(s.Heading(), s.Em*.2, b.title, width) + textHeight(s.Note(), s.Em*.2, b.note, width)
	return height + legendHeight(s, b.legend, width)
}

// legendHeight returns the height of a legend and of the gap below it.
func legendHeight(s theme.Style, legend []entry, width vg.Length) vg.Length {
	return s.Em * (legendRow*vg.Length(len(legendRows(s, legend, width))) + legendBottom)
}

// headHeight returns the height of the figure's title and note.
func (f *Figure) headHeight(s theme.Style, width vg.Length) vg.Length {
	if f.untitled {
		return 0
	}
	return textHeight(s.Title(), s.Em*.2, f.Title, width) + textHeight(s.Note(), s.Em*.2, f.Note, width)
}

// textHeight returns the height that drawText needs.
func textHeight(style draw.TextStyle, gap vg.Length, text string, width vg.Length) vg.Length {
	if text == "" {
		return 0
	}
	return lineHeight(style)*vg.Length(len(wrap(text, style, width))) + gap
}

// fitted draws lines of panels below a shared legend.
type fitted struct {
	shared []entry
	lines  []line
}

func (p fitted) legend() []entry { return p.shared }

func (p fitted) draw(c draw.Canvas, s theme.Style) {
	top := c.Max.Y
	for _, l := range p.lines {
		width := cellWidth(s, l.columns, c.Size().X)
		for i, b := range l.blocks {
			left := c.Min.X + vg.Length(i)*(width+s.Em*blockGap)
			area := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: left, Y: top - l.height()}, Max: vg.Point{X: left + width, Y: top}}}
			area = drawText(area, s.Heading(), s.Em*.2, b.title)
			drawLegend(drawText(area, s.Note(), s.Em*.2, b.note), s, b.legend)
			area.Max.Y = area.Min.Y + l.body
			b.of.draw(area, s)
		}
		top -= l.height() + s.Em*lineGap
	}
}

// shaped is a drawing whose height at a width follows from its content.
type shaped interface {
	height(s theme.Style, width vg.Length) vg.Length
}

// axisRoom is the height of an axis with its numbers and its name, in letters' heights.
const axisRoom = 3.2

// bodyHeight returns the height of a drawing at a width. Drawings with two axes have the same shape, but are high
// enough for the name of the vertical axis.
func bodyHeight(of drawing, s theme.Style, width vg.Length) vg.Length {
	if d, is := of.(shaped); is {
		return d.height(s, width)
	}
	least := 17 * s.Em
	if d, is := of.(interface{ vertical() chart.Axis }); is {
		least = max(least, s.Label().Width(d.vertical().Label)+s.Em*axisRoom)
	}
	return min(32*s.Em, max(least, plotShare*width))
}

// leastWidth returns the width below which a drawing is not legible.
func leastWidth(of drawing, s theme.Style) vg.Length {
	switch of.(type) {
	case sheet:
		return 8 * s.Em
	case dotWhisker, dotRows, ranges, radar:
		return 17 * s.Em
	case heatMap, imageGrid, relay, flow:
		return 24 * s.Em
	}
	return 13 * s.Em
}

// listHeight returns the height of a drawing with n named lines, each of which is em letters high.
func listHeight(s theme.Style, n int, em float64) vg.Length {
	return s.Em * vg.Length(axisRoom+em*float64(n))
}

func (d dotWhisker) height(s theme.Style, _ vg.Length) vg.Length {
	return listHeight(s, len(d.Lines()), 1.45)
}

func (d dotRows) height(s theme.Style, _ vg.Length) vg.Length {
	em := 1.3 + .7*float64(len(d.Series))
	for _, series := range d.Series {
		if slices.ContainsFunc(series.Dots, func(dot chart.Dot) bool { return dot.Name != "" }) {
			em = 4.4 // a name above and below each mark
		}
	}
	if d.Spread {
		em = 3.4
	}
	return listHeight(s, len(d.Lines), em)
}

func (r ranges) height(s theme.Style, _ vg.Length) vg.Length { return listHeight(s, len(r.Lines), 2.2) }

func (p relay) height(s theme.Style, _ vg.Length) vg.Length {
	return s.Em * vg.Length(1.5+2*float64(len(p.Rows)))
}

func (p flow) height(s theme.Style, width vg.Length) (height vg.Length) {
	rows := p.heights(s, width)
	for _, row := range rows {
		height += row
	}
	return height + s.Em*flowBelow*vg.Length(len(rows)-1)
}

func (h heatMap) height(s theme.Style, _ vg.Length) vg.Length {
	rows := 0
	for _, m := range h.Panels {
		rows = max(rows, len(m.Rows))
	}
	return s.Em * vg.Length(1.6+axisRoom+2.2*float64(max(rows, 4)))
}

func (r radar) height(_ theme.Style, width vg.Length) vg.Length { return min(inches(3.2), .6*width) }

func (g imageGrid) height(s theme.Style, width vg.Length) vg.Length {
	side := min(inches(1), (width-g.namesWidth(s, width))/vg.Length(len(g.Images[0])))
	height := side * vg.Length(len(g.Images))
	if g.headed() {
		height += columnNamesHeight(s)
	}
	return height
}

func (p sheet) height(s theme.Style, width vg.Length) vg.Length {
	names, above := p.names(s, width)
	size := p.Picture.Bounds().Size()
	height := (width-names)*vg.Length(size.Y)/vg.Length(size.X) + textHeight(s.Note(), s.Em*.2, above, width)
	if len(p.Columns) > 0 {
		height += columnNamesHeight(s)
	}
	if len(p.Below) > 0 {
		height += columnNamesHeight(s)
	}
	return vg.Length(math.Ceil(float64(height)))
}
