package chart

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	stddraw "image/draw"
)

// ImageGrid shows images in rows and columns. It is a contact sheet, or, if its columns have names, a strip along a
// quantity such as ψ.
type ImageGrid struct {
	Title       string
	Caption     string
	ColumnsName string   // quantity that varies along the columns, such as "ψ"
	Columns     []string // names above the columns; may be nil
	Spans       []Span   // names above groups of adjacent columns, instead of Columns
	Rows        []string // names to the left of the rows; may be nil
	Images      [][]image.Image
	Larger      float64 // scale factor of the images' size; 0 means 1
}

// Span is a group of adjacent columns with one name.
type Span struct {
	Name    string `json:"name"`
	Columns int    `json:"columns"`
}

// gridData describes a grid without its pixels.
type gridData struct {
	Title       string        `json:"title"`
	Caption     string        `json:"caption,omitempty"`
	ColumnsName string        `json:"columns_name,omitempty"`
	Columns     []string      `json:"columns,omitempty"`
	Spans       []Span        `json:"spans,omitempty"`
	Rows        []string      `json:"rows,omitempty"`
	Images      [][]imageData `json:"images"`
}

type imageData struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	SHA256 string `json:"sha256"` // SHA-256 of the pixels as 8-bit RGBA, row by row
}

// Figure returns the grid as a figure. Its height makes the cells square.
func (g ImageGrid) Figure() (*Figure, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	return &Figure{Title: g.Title, Caption: g.Caption, Kind: "Images", Chart: g, data: g.summary()}, nil
}

func (g ImageGrid) check() error {
	if err := filled("image grid", len(g.Images)); err != nil {
		return err
	}
	columns := len(g.Images[0])
	if err := firstError(
		filled("image grid: first row", columns), optional("image grid", "column names", columns, len(g.Columns)),
		optional("image grid", "row names", len(g.Images), len(g.Rows)),
	); err != nil {
		return err
	}
	spanned := 0
	for _, span := range g.Spans {
		if span.Columns < 1 {
			return fmt.Errorf("image grid: span %q has %d columns; give 1 or more", span.Name, span.Columns)
		}
		spanned += span.Columns
	}
	if err := optional("image grid", "columns in spans", columns, spanned); err != nil {
		return err
	}
	for i, row := range g.Images {
		if len(row) != columns {
			return fmt.Errorf("image grid: row %d has %d images, the first has %d; fill the row", i+1, len(row),
				columns)
		}
		for j, img := range row {
			if img == nil || img.Bounds().Empty() {
				return fmt.Errorf("image grid: row %d, column %d: no pixels", i+1, j+1)
			}
		}
	}
	return nil
}

func (g ImageGrid) summary() gridData {
	data := gridData{g.Title, g.Caption, g.ColumnsName, g.Columns, g.Spans, g.Rows, make([][]imageData, len(g.Images))}
	for i, row := range g.Images {
		for _, img := range row {
			data.Images[i] = append(data.Images[i], digestOf(img))
		}
	}
	return data
}

func digestOf(img image.Image) imageData {
	size := img.Bounds().Size()
	flat := image.NewRGBA(image.Rectangle{Max: size})
	stddraw.Draw(flat, flat.Bounds(), img, img.Bounds().Min, stddraw.Src)
	sum := sha256.Sum256(flat.Pix)
	return imageData{size.X, size.Y, hex.EncodeToString(sum[:])}
}
