package theme

import (
	"image/color"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Style is a theme at a size.
type Style struct {
	Theme
	Em vg.Length // size of label type; everything else scales with it
}

const (
	nominalWidth = 6 * vg.Inch
	nominalEm    = vg.Length(10)
	smallestEm   = vg.Length(7.5) // print below 7 points is not legible
)

// At returns the theme at the size for a figure of the given width. Labels have 10 points at 6 inches, scale with the
// width, and never have less than 7.5 points.
func (t Theme) At(width vg.Length) Style {
	return Style{t, max(smallestEm, nominalEm*width/nominalWidth)}
}

// Scaled returns the style with type and lines scaled by factor, but never too small to read.
func (s Style) Scaled(factor float64) Style {
	s.Em = max(smallestEm, s.Em*vg.Length(factor))
	return s
}

var fonts = text.Plain{Fonts: font.NewCache(liberation.Collection())}

func (s Style) text(size float64, weight stdfont.Weight) text.Style {
	return text.Style{
		Color:   s.Ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight, Size: s.Em * vg.Length(size)},
		XAlign:  draw.XLeft,
		YAlign:  draw.YCenter,
		Handler: fonts,
	}
}

// Title returns the text style of a figure's title.
func (s Style) Title() text.Style { return s.text(1.15, stdfont.WeightBold) }

// Heading returns the text style of the names of panels and groups.
func (s Style) Heading() text.Style { return s.text(1, stdfont.WeightBold) }

// Label returns the text style of axis labels and legends.
func (s Style) Label() text.Style { return s.text(1, stdfont.WeightNormal) }

// Tick returns the text style of tick labels.
func (s Style) Tick() text.Style {
	t := s.text(.92, stdfont.WeightNormal)
	t.Color = s.Muted
	return t
}

// Note returns the text style of text among the data.
func (s Style) Note() text.Style { return s.text(.9, stdfont.WeightNormal) }

// Caption returns the text style of figure captions.
func (s Style) Caption() text.Style { return s.text(.88, stdfont.WeightNormal) }

// Color returns the colour of the series with the given index.
func (s Style) Color(series int) color.NRGBA { return s.Series[series%len(s.Series)] }

// Line returns the line of the series with the given index.
func (s Style) Line(series int) draw.LineStyle {
	return draw.LineStyle{Color: s.Color(series), Width: s.Em * .16}
}

// Mark returns the mark of the series with the given index; colours and shapes repeat with different periods.
func (s Style) Mark(series int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: s.Color(series), Radius: s.Em * .3, Shape: Shape(series % seriesShapes)}
}

// Target returns the dashed line of a target value, such as a gold model's score or a nominal level. Several targets
// have different dashes.
func (s Style) Target(index int) draw.LineStyle {
	dashes := [][]vg.Length{{.6, .4}, {.15, .35}, {.6, .3, .15, .3}}[index%3]
	scaled := make([]vg.Length, len(dashes))
	for i, d := range dashes {
		scaled[i] = d * s.Em
	}
	return draw.LineStyle{Color: s.Ink, Width: s.Em * .11, Dashes: scaled}
}

// Rule returns the line of axes, frames and similar lines that are not data.
func (s Style) Rule() draw.LineStyle { return draw.LineStyle{Color: s.Muted, Width: s.Em * .07} }

// GridLine returns the line of a grid.
func (s Style) GridLine() draw.LineStyle { return draw.LineStyle{Color: s.Grid, Width: s.Em * .08} }

// Printed returns the faint mark of a value printed in a paper.
func (s Style) Printed() draw.GlyphStyle {
	return draw.GlyphStyle{Color: s.Faint, Radius: s.Em * .34, Shape: Hollow}
}

// Verdict returns the mark of a verdict: its shape and its colour have the same meaning.
func (s Style) Verdict(v chart.Verdict) draw.GlyphStyle {
	mark := draw.GlyphStyle{Color: s.Muted, Radius: s.Em * .36, Shape: Ring}
	switch v {
	case chart.Matched, chart.Equivalent:
		mark.Color, mark.Shape = s.Series[0], Disc
	case chart.UnderForgotten, chart.Larger:
		mark.Color, mark.Shape = s.Series[1], Triangle
	case chart.OverForgotten, chart.Smaller:
		mark.Color, mark.Shape = s.Series[3], Nabla
	case chart.NoVerdict:
		mark.Shape = Bar
	}
	return mark
}
