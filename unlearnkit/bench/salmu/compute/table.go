package compute

import (
	"image"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Means and deviations of CLIP's preprocessing, by channel.
var (
	channelMean      = [3]float32{0.48145466, 0.4578275, 0.40821073}
	channelDeviation = [3]float32{0.26862954, 0.26130258, 0.27577711}
)

// reader turns rows of a world into what a model takes.
type reader struct {
	world   *persona.World
	words   *tokenize.Pipeline
	size    int // of an image
	context int // of a text
}

// pixels draws the pictures of rows, normalised, channels first.
func (r reader) pixels(rows []persona.Row) []float32 {
	area := r.size * r.size
	values := make([]float32, len(rows)*3*area)
	picture := image.NewNRGBA(image.Rect(0, 0, r.size, r.size))
	for i, row := range rows {
		r.world.Render(row, picture)
		for at := range area {
			for c := range 3 {
				values[(i*3+c)*area+at] = (float32(picture.Pix[4*at+c])/255 - channelMean[c]) / channelDeviation[c]
			}
		}
	}
	return values
}

// ids are the tokens of texts, each cut or filled up to the context.
func (r reader) ids(texts []string) []int32 {
	values := make([]int32, 0, len(texts)*r.context)
	for _, text := range texts {
		for _, id := range r.words.Context(text, r.context, 0) {
			values = append(values, int32(id))
		}
	}
	return values
}

// table is rows of a world as a stream of batches.
type table struct {
	rows              int
	size, context     int
	pixels            []float32
	captions, generic []int32
}

func (r reader) table(rows []persona.Row) *table {
	captions, generic := make([]string, len(rows)), make([]string, len(rows))
	for i, row := range rows {
		captions[i], generic[i] = row.Caption, row.Generic
	}
	return &table{len(rows), r.size, r.context, r.pixels(rows), r.ids(captions), r.ids(generic)}
}

// Rows implements unlearn.Stream.
func (t *table) Rows() int { return t.rows }

// Columns implements unlearn.Stream.
func (t *table) Columns() []string {
	return []string{unlearn.Image, unlearn.Caption, unlearn.Generic}
}

// Batch implements unlearn.Stream.
func (t *table) Batch(rows []int) ([]*tensors.Tensor, error) {
	area := 3 * t.size * t.size
	return []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(gather(t.pixels, rows, area), len(rows), 3, t.size, t.size),
		tensors.FromFlatDataAndDimensions(gather(t.captions, rows, t.context), len(rows), t.context),
		tensors.FromFlatDataAndDimensions(gather(t.generic, rows, t.context), len(rows), t.context),
	}, nil
}

// part is some rows of a table.
type part struct {
	of   *table
	rows []int
}

// pairs are the pictures and captions of several parts, one behind the other.
func pairs(parts ...part) []*tensors.Tensor {
	var pixels []float32
	var captions []int32
	count := 0
	for _, p := range parts {
		pixels = append(pixels, gather(p.of.pixels, p.rows, 3*p.of.size*p.of.size)...)
		captions = append(captions, gather(p.of.captions, p.rows, p.of.context)...)
		count += len(p.rows)
	}
	size, context := parts[0].of.size, parts[0].of.context
	return []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(pixels, count, 3, size, size), tensors.FromFlatDataAndDimensions(captions, count, context),
	}
}

func gather[T any](values []T, rows []int, width int) []T {
	taken := make([]T, 0, len(rows)*width)
	for _, row := range rows {
		taken = append(taken, values[row*width:(row+1)*width]...)
	}
	return taken
}
