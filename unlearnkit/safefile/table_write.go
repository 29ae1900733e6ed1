package safefile

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
)

// WriteRows writes a Parquet file whose columns are the fields of a struct, as tags name them:
//
//	type Row struct {
//		ID     string   `parquet:"id,dict"`
//		Cosine *float32 `parquet:"cosine"` // nil where there is none
//	}
func WriteRows[T any](path string, rows []T) error {
	return WriteFile(path, func(target io.Writer) error {
		writer := parquet.NewGenericWriter[T](target, writerOptions()...)
		if _, err := writer.Write(rows); err != nil {
			return err
		}
		return writer.Close()
	})
}

// writerOptions are those of all Parquet files that are written. The program's name stands without a version, so that
// the same rows are the same bytes whichever version writes them.
func writerOptions() []parquet.WriterOption {
	return []parquet.WriterOption{parquet.Compression(codec), parquet.CreatedBy("unlearnlab", "", "")}
}

// codec is one for all files: it keeps its encoder, which costs more to make than a small table to compress.
var codec = &zstd.Codec{Level: zstd.SpeedBestCompression}

// WriteParquet writes columns of equal length; numbers by their type, words as UTF-8.
func WriteParquet(path string, columns []Column) error {
	return WriteFile(path, func(target io.Writer) error {
		writer := NewTableWriter(target, nil)
		if err := writer.Write(columns); err != nil {
			return err
		}
		return writer.Close()
	})
}

// TableWriter writes a Parquet file part by part. A part is found without reading all others.
type TableWriter struct {
	buffered int // rows of the present group
	target   io.Writer
	notes    map[string]string
	columns  []Column // of the first part, without their rows
	file     *parquet.GenericWriter[any]
}

// NewTableWriter begins a table. The notes stand in the file beside the rows, see [Table.Note].
func NewTableWriter(target io.Writer, notes map[string]string) *TableWriter {
	return &TableWriter{target: target, notes: notes}
}

// Write writes the rows of a part. All parts have columns of the same names and types in the same order.
func (w *TableWriter) Write(columns []Column) error {
	if err := sameLength(columns); err != nil {
		return err
	}
	if w.file == nil {
		if err := w.begin(columns); err != nil {
			return err
		}
	}
	if err := w.check(columns); err != nil {
		return err
	}
	row := make(parquet.Row, len(columns))
	for i := range columns[0].Len() {
		for j, column := range columns {
			row[j] = column.value(i, j)
		}
		if _, err := w.file.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
	if w.buffered += columns[0].Len(); w.buffered < groupRows {
		return nil
	}
	w.buffered = 0
	return w.file.Flush()
}

// groupRows is how many rows a group has at least: in smaller ones, what the file says of each group's columns
// outweighs
// the rows.
const groupRows = 1 << 14

// Close ends the file.
func (w *TableWriter) Close() error {
	if w.file == nil {
		return errors.New("a table without rows")
	}
	return w.file.Close()
}

func (w *TableWriter) begin(columns []Column) error {
	nodes, places := parquet.Group{}, map[string]int{}
	for i, column := range columns {
		if _, twice := nodes[column.Name]; twice {
			return fmt.Errorf("two columns are named %q", column.Name)
		}
		nodes[column.Name], places[column.Name] = column.node(), i
		w.columns = append(w.columns, Column{Name: column.Name, Type: column.Type, Texts: column.Texts[:0:0]})
	}
	options := append(writerOptions(), parquet.NewSchema("rows", ordered{nodes, places}))
	for name, value := range w.notes {
		options = append(options, parquet.KeyValueMetadata(name, value))
	}
	w.file = parquet.NewGenericWriter[any](w.target, options...)
	return nil
}

// check refuses a part that is another table's.
func (w *TableWriter) check(columns []Column) error {
	for i, first := range w.columns {
		if i < len(columns) && columns[i].Name == first.Name && columns[i].Type == first.Type &&
			(columns[i].Texts == nil) == (first.Texts == nil) {
			continue
		}
		return fmt.Errorf("column %d of a part is not the %q of the parts before", i+1, first.Name)
	}
	if len(columns) > len(w.columns) {
		return fmt.Errorf("a part has the column %q more than the parts before", columns[len(w.columns)].Name)
	}
	return nil
}

// ordered is a group whose fields are in an order of their own, and not in that of their names.
type ordered struct {
	parquet.Group
	places map[string]int
}

func (o ordered) Fields() []parquet.Field {
	fields := o.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int { return o.places[a.Name()] - o.places[b.Name()] })
	return fields
}

// node is how a column is stored.
func (c Column) node() parquet.Node {
	if c.Texts != nil {
		return parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	switch c.Type {
	case AsFloat:
		return parquet.Encoded(parquet.Leaf(parquet.FloatType), &parquet.ByteStreamSplit)
	case AsOptionalFloat:
		return parquet.Optional(parquet.Encoded(parquet.Leaf(parquet.FloatType), &parquet.ByteStreamSplit))
	case AsInteger:
		return parquet.Encoded(parquet.Int(32), &parquet.RLEDictionary)
	case AsTruth:
		return parquet.Leaf(parquet.BooleanType)
	}
	return parquet.Encoded(parquet.Leaf(parquet.DoubleType), &parquet.ByteStreamSplit)
}

// value is that of a row in the column at a place.
func (c Column) value(row, at int) parquet.Value {
	if c.Texts != nil {
		return parquet.ByteArrayValue([]byte(c.Texts[row])).Level(0, 0, at)
	}
	number := c.Values[row]
	switch c.Type {
	case AsFloat:
		return parquet.FloatValue(float32(number)).Level(0, 0, at)
	case AsOptionalFloat:
		if math.IsNaN(number) {
			return parquet.NullValue().Level(0, 0, at)
		}
		return parquet.FloatValue(float32(number)).Level(0, 1, at)
	case AsInteger:
		return parquet.Int32Value(int32(number)).Level(0, 0, at)
	case AsTruth:
		return parquet.BooleanValue(number != 0).Level(0, 0, at)
	}
	return parquet.DoubleValue(number).Level(0, 0, at)
}
