// Package chart describes the laboratory's figures as data; package plots draws them.
//
// A chart kind is a struct of plain values ([Lines], [DotWhisker], [HeatMap], [Radar], [ImageGrid], …). Its Figure
// method checks them and returns a [Figure], or a one-line error. Nothing here links a drawing library, so that a paper
// can hand in its figures.
package chart

import "strings"

// The size of a figure whose chart has no other, in inches.
const (
	defaultWidth  = 6.
	defaultHeight = 4.
)

// Figure is a checked chart with its title and caption, to be drawn in any size, format and theme.
type Figure struct {
	Title    string
	Note     string  // below the title, in smaller type
	Caption  string  // sentences below the picture
	Width    float64 // nominal size in inches; 0: from the sizes of the chart's letters
	Height   float64
	NoLegend bool
	Kind     string // "Line chart"
	Chart    any    // [Lines], [Bars], …
	data     any
}

// newFigure returns a figure of a chart with the default size.
func newFigure(kind, title, caption string, of, data any) *Figure {
	return &Figure{Title: title, Caption: caption, Width: defaultWidth, Height: defaultHeight, Kind: kind, Chart: of,
		data: data}
}

// Data returns the plotted numbers as a value that encoding/json can write: the chart from which the figure was made,
// or the data set by WithData.
func (f *Figure) Data() any { return f.data }

// WithData returns the figure with other data than its chart's: the numbers of a paper's figure under the paper's
// names.
func (f *Figure) WithData(data any) *Figure {
	g := *f
	g.data = data
	return &g
}

// Explanation returns the caption as a sentence.
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
