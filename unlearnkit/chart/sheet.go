package chart

import (
	"fmt"
	"image"
)

// Sheet shows one picture as large as possible: a grid of many small ones.
type Sheet struct {
	Title   string
	Caption string
	Columns []string // names above parts of equal width
	Axis    string   // the quantity along the columns
	Rows    []string // names left of parts of equal height
	Below   []string // texts below parts of equal width
	Foot    string   // what the texts below are
	Picture image.Image
}

// sheetData is the content of a sheet without the pixels.
type sheetData struct {
	Title   string    `json:"title"`
	Caption string    `json:"caption,omitempty"`
	Columns []string  `json:"columns,omitempty"`
	Axis    string    `json:"axis,omitempty"`
	Rows    []string  `json:"rows,omitempty"`
	Below   []string  `json:"below,omitempty"`
	Foot    string    `json:"foot,omitempty"`
	Image   imageData `json:"image"`
}

// Figure returns the picture with its names as a figure.
func (p Sheet) Figure() (*Figure, error) {
	if p.Picture == nil || p.Picture.Bounds().Empty() {
		return nil, fmt.Errorf("sheet %q: no pixels", p.Title)
	}
	return newFigure("Images", p.Title, p.Caption, p,
		sheetData{p.Title, p.Caption, p.Columns, p.Axis, p.Rows, p.Below, p.Foot, digestOf(p.Picture)}), nil
}
