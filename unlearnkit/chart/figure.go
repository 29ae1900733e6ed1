// Package chart describes figures as data. Package plots draws them.
//
// A chart kind is a struct of plain values, such as [Lines], [DotWhisker], [HeatMap], [Radar] or [ImageGrid]. Its
// Figure method checks the values and returns a [Figure] or a one-line error. This package does not import a drawing
// library, so that packages of papers can define figures without linking one.
package chart

import "strings"

// Default size of a figure in inches.
const (
	defaultWidth  = 6.
	defaultHeight = 4.
)

// Figure is a checked chart with its title and caption. It can be drawn in any size, format and theme.
type Figure struct {
	Title    string
	Note     string  // text below the title, in smaller type
	Caption  string  // sentences below the figure
	Width    float64 // nominal size in inches; 0 means that it follows from the size of the text
	Height   float64
	NoLegend bool
	Kind     string // kind of chart, such as "Line chart"
	Chart    any    // chart, such as [Lines] or [Bars]
	data     any
}

// newFigure returns a figure with the default size for a chart.
func newFigure(kind, title, caption string, of, data any) *Figure {
	return &Figure{Title: title, Caption: caption, Width: defaultWidth, Height: defaultHeight, Kind: kind, Chart: of,
		data: data}
}

// Data returns the plotted numbers as a value that encoding/json can encode: the chart itself, or the data set by
// WithData.
func (f *Figure) Data() any { return f.data }

// WithData returns the figure with other data in place of its chart's, such as the numbers of a paper's figure under
// the paper's names.
func (f *Figure) WithData(data any) *Figure {
	g := *f
	g.data = data
	return &g
}

// Explanation returns the caption with a full stop at the end, or "" if there is no caption.
func (f *Figure) Explanation() string {
	if f.Caption == "" {
		return ""
	}
	return strings.TrimSuffix(f.Caption, ".") + "."
}

// AltText describes the picture in words.
func (f *Figure) AltText() string {
	sentences := []string{f.Kind + ": " + strings.TrimSuffix(f.Title, ".")}
	if f.Note != "" {
		sentences = append(sentences, strings.TrimSuffix(f.Note, "."))
	}
	if f.Caption != "" {
		sentences = append(sentences, strings.TrimSuffix(f.Caption, "."))
	}
	return strings.Join(sentences, ". ") + "."
}
