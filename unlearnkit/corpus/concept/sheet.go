package concept

import (
	"image"
	"image/color"
	"image/draw"
)

// Sheet arranges pictures of equal size in a grid, with gaps of one pixel.
func Sheet(pictures []*image.NRGBA, columns int) *image.NRGBA {
	if len(pictures) == 0 || columns < 1 {
		panic("concept: a sheet of no pictures or no columns")
	}
	cell := pictures[0].Rect.Dx() + 1
	rows := (len(pictures) + columns - 1) / columns
	sheet := image.NewNRGBA(image.Rect(0, 0, columns*cell+1, rows*cell+1))
	draw.Draw(sheet, sheet.Rect, image.NewUniform(color.Gray{128}), image.Point{}, draw.Src)
	for i, picture := range pictures {
		corner := image.Pt(i%columns*cell+1, i/columns*cell+1)
		draw.Draw(sheet, picture.Rect.Sub(picture.Rect.Min).Add(corner), picture, picture.Rect.Min, draw.Src)
	}
	return sheet
}

// Tiles returns the pictures of a sheet with the given number of columns, row by row. It includes the empty cells of an
// incomplete last row.
func Tiles(sheet image.Image, columns int) []*image.NRGBA {
	bounds := sheet.Bounds()
	cell := (bounds.Dx() - 1) / columns
	if cell < 1 {
		return nil
	}
	var pictures []*image.NRGBA
	for i := range columns * ((bounds.Dy() - 1) / cell) {
		picture := image.NewNRGBA(image.Rect(0, 0, cell-1, cell-1))
		corner := bounds.Min.Add(image.Pt(i%columns*cell+1, i/columns*cell+1))
		draw.Draw(picture, picture.Rect, sheet, corner, draw.Src)
		pictures = append(pictures, picture)
	}
	return pictures
}
