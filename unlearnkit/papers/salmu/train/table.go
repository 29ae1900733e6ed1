package train

import (
	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

// reader converts rows of a corpus to the inputs of a model.
type reader struct {
	corpus  corpus
	words   tokenizer
	size    int // width and height of an image in pixels
	context int // number of tokens of a text
}

// tokenizer is implemented by the tokenizers of small and of published models.
type tokenizer interface {
	// Context returns the token IDs of a text between start and end tokens, cut or padded to a length.
	Context(text string, length, padding int) []int
}

var _ tokenizer = (*tokenize.Pipeline)(nil)

// ids returns the concatenated token IDs of texts. Each text is cut or padded to the context.
func (r reader) ids(texts []string) []int32 {
	values := make([]int32, 0, len(texts)*r.context)
	for _, text := range texts {
		for _, id := range r.words.Context(text, r.context, 0) {
			values = append(values, int32(id))
		}
	}
	return values
}

// table provides rows of a corpus in batches.
type table struct {
	reader            reader
	rows              []persona.Row
	captions, generic []int32
}

func (r reader) table(rows []persona.Row) *table {
	captions, generic := make([]string, len(rows)), make([]string, len(rows))
	for i, row := range rows {
		captions[i], generic[i] = row.Caption, row.Generic
	}
	return &table{reader: r, rows: rows, captions: r.ids(captions), generic: r.ids(generic)}
}

// Rows implements unlearn.Stream.
func (t *table) Rows() int { return len(t.rows) }

// Columns implements unlearn.Stream.
func (t *table) Columns() []string {
	return []string{contrastive.Image, contrastive.Caption, contrastive.Generic}
}

// Batch implements unlearn.Stream.
func (t *table) Batch(rows []int) ([]*tensors.Tensor, error) {
	pixels, err := t.pictures(rows)
	if err != nil {
		return nil, err
	}
	size, context := t.reader.size, t.reader.context
	return []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(pixels, len(rows), 3, size, size),
		tensors.FromFlatDataAndDimensions(gather(t.captions, rows, context), len(rows), context),
		tensors.FromFlatDataAndDimensions(gather(t.generic, rows, context), len(rows), context),
	}, nil
}

// pictures returns the pixels of some rows, one picture after another.
func (t *table) pictures(rows []int) ([]float32, error) {
	area := 3 * t.reader.size * t.reader.size
	all := make([]float32, len(rows)*area)
	for i, row := range rows {
		if err := t.reader.corpus.draw(t.rows[row], t.reader.size, all[i*area:(i+1)*area]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// part selects some rows of a table.
type part struct {
	of   *table
	rows []int
}

// pairs returns the concatenated pictures and captions of several parts.
func pairs(parts ...part) ([]*tensors.Tensor, error) {
	var pixels []float32
	var captions []int32
	count := 0
	for _, p := range parts {
		drawn, err := p.of.pictures(p.rows)
		if err != nil {
			return nil, err
		}
		pixels = append(pixels, drawn...)
		captions = append(captions, gather(p.of.captions, p.rows, p.of.reader.context)...)
		count += len(p.rows)
	}
	size, context := parts[0].of.reader.size, parts[0].of.reader.context
	return []*tensors.Tensor{
		tensors.FromFlatDataAndDimensions(pixels, count, 3, size, size),
		tensors.FromFlatDataAndDimensions(captions, count, context),
	}, nil
}

func gather[T any](values []T, rows []int, width int) []T {
	taken := make([]T, 0, len(rows)*width)
	for _, row := range rows {
		taken = append(taken, values[row*width:(row+1)*width]...)
	}
	return taken
}
