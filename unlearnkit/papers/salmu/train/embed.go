package train

import (
	"context"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// Batch sizes for embedding, in ascending order. The last batch is padded to one of the sizes, so that few graphs are
// compiled. For large pictures, compiling two more graphs costs less than padding to a single size.
var (
	smallBatches = []int{128}
	largeBatches = []int{4, 16, 64}
)

// largePicture is the width in pixels from which pictures count as large.
const largePicture = 128

// embedder embeds pictures and texts. It reads the model's weights from a store, so it can be reused while they change.
type embedder struct {
	config        clip.Config
	batches       []int
	images, texts *device.Program
}

func newEmbedder(d *device.Device, config clip.Config, store *model.Store) (*embedder, error) {
	images, err := d.Compile("embed images", store, func(root *model.Scope, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{clip.EncodeImage(root.At(unlearn.Policy), config, inputs[0])}
	})
	if err != nil {
		return nil, err
	}
	texts, err := d.Compile("embed texts", store, func(root *model.Scope, inputs []*graph.Node) []*graph.Node {
		return []*graph.Node{clip.EncodeText(root.At(unlearn.Policy), config, inputs[0], nil)}
	})
	if err != nil {
		images.Close()
		return nil, err
	}
	batches := smallBatches
	if config.Vision.Image >= largePicture {
		batches = largeBatches
	}
	return &embedder{config, batches, images, texts}, nil
}

func (e *embedder) close() {
	e.images.Close()
	e.texts.Close()
}

// pictures embeds the pictures of some rows of a table.
func (e *embedder) pictures(ctx context.Context, t *table, rows []int) (metric.Matrix, error) {
	v := e.config.Vision
	return embed(ctx, e.images, e.batches, len(rows), e.config.Projection, []int{v.Channels, v.Image, v.Image},
		func(begin, end int) ([]float32, error) {
			return t.pictures(rows[begin:end])
		})
}

// words embeds texts. ids holds their concatenated token IDs.
func (e *embedder) words(ctx context.Context, ids []int32) (metric.Matrix, error) {
	length := e.config.Text.Context
	return embed(ctx, e.texts, e.batches, len(ids)/length, e.config.Projection, []int{length},
		func(begin, end int) ([]int32, error) {
			return ids[begin*length : end*length], nil
		})
}

func embed[T float32 | int32](ctx context.Context, program *device.Program, batches []int, count, width int,
	dimensions []int, of func(begin, end int) ([]T, error)) (metric.Matrix, error) {
	size := 1
	for _, d := range dimensions {
		size *= d
	}
	result := metric.Matrix{Dim: width, Data: make([]float32, 0, count*width)}
	for begin := 0; begin < count; {
		length := batchFor(batches, count-begin)
		end := min(count, begin+length)
		values, err := of(begin, end)
		if err != nil {
			return metric.Matrix{}, err
		}
		batch := make([]T, length*size)
		copy(batch, values)
		outputs, err := program.Run(ctx,
			tensors.FromFlatDataAndDimensions(batch, append([]int{length}, dimensions...)...))
		if err != nil {
			return metric.Matrix{}, err
		}
		embedded, err := tensors.CopyFlatData[float32](outputs[0])
		if err != nil {
			return metric.Matrix{}, err
		}
		result.Data = append(result.Data, embedded[:(end-begin)*width]...)
		begin = end
	}
	return result, nil
}

// batchFor returns the smallest batch size that holds the remaining examples. If all are too small, it returns the
// largest.
func batchFor(batches []int, left int) int {
	for _, length := range batches {
		if length >= left {
			return length
		}
	}
	return batches[len(batches)-1]
}

// table embeds the pictures and captions of all rows of a table.
func (e *embedder) table(ctx context.Context, t *table) (images, captions metric.Matrix, err error) {
	if images, err = e.pictures(ctx, t, all(t)); err != nil {
		return
	}
	captions, err = e.words(ctx, t.captions)
	return
}

// all returns the indices of all rows of a table.
func all(t *table) []int {
	rows := make([]int, t.Rows())
	for i := range rows {
		rows[i] = i
	}
	return rows
}
