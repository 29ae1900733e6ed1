package chart

import (
	"fmt"
	"image"
)

// Sheet shows a picture that consists of many small ones, as large as possible.
type Sheet struct {
	Title   string
	Caption string
	Columns []string // names above columns of equal width
	Axis    string   // quantity that varies along the columns
	Rows    []string // names to the left of rows of equal height
	Below   []string // texts below columns of equal width
	Foot    string   // explanation of the texts in Below
	Picture image.Image
}

// sheetData describes a sheet without its pixels.
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

// Figure returns the picture and its names as a figure.
func (p Sheet) Figure() (*Figure, error) {
	if p.Picture == nil || p.Picture.Bounds().Empty() {
		return nil, fmt.Errorf("sheet %q: no pixels", p.Title)
	}
	return newFigure("Images", p.Title, p.Caption, p,
		sheetData{p.Title, p.Caption, p.Columns, p.Axis, p.Rows, p.Below, p.Foot, digestOf(p.Picture)}), nil
}
