package train

import (
	"image"
	"image/png"
	"io"
	"math"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/internal/palette"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// onSheet is the number of pictures on a sheet, which has as many rows as columns.
const onSheet = 25

// writeSheets writes two sheets with the first pictures of both models' sets, and a strip for the published picture. At
// every ratio, the strip shows the original's prediction above the other model's result.
func (d *drawing) writeSheets(dir string, size int) error {
	each := channels * size * size
	var strip []float32
	for _, row := range [][][]float32{d.predicted, d.completed} {
		for _, pictures := range row {
			strip = append(strip, pictures[len(pictures)-each:]...)
		}
	}
	for _, sheet := range []struct {
		name     string
		pictures []float32
		columns  int
	}{
		{concealment.OriginalSheet, d.original[:min(len(d.original), onSheet*each)], concealment.SheetColumns},
		{concealment.UnlearnedSheet, d.unlearned[:min(len(d.unlearned), onSheet*each)], concealment.SheetColumns},
		{concealment.StripSheet, strip, len(d.completed)},
	} {
		var tiles []*image.NRGBA
		for begin := 0; begin < len(sheet.pictures); begin += each {
			tiles = append(tiles, coloured(sheet.pictures[begin:begin+each], size))
		}
		err := safefile.WriteFile(filepath.Join(dir, sheet.name), func(target io.Writer) error {
			return (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(target,
				palette.Limited(concept.Sheet(tiles, sheet.columns), sheetColours, 0))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sheetColours is the number of colours in a sheet's palette. It suffices for viewing and makes the file a third as
// large.
const sheetColours = 64

// coloured converts colour planes to a picture.
func coloured(planes []float32, size int) *image.NRGBA {
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	for i := range size * size {
		for c := range channels {
			level := (min(max(float64(planes[c*size*size+i]), -1), 1) + 1) / 2
			picture.Pix[4*i+c] = uint8(math.Round(255 * level))
		}
		picture.Pix[4*i+3] = 255
	}
	return picture
}
