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

// WriteRows writes a Parquet file whose columns are the fields of a struct, named by tags:
//
//	type Row struct {
//		ID     string   `parquet:"id,dict"`
//		Cosine *float32 `parquet:"cosine"` // nil if missing
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

// writerOptions returns the options of all Parquet files. The program's name has no version, so that every version
// writes the same bytes for the same rows.
func writerOptions() []parquet.WriterOption {
	return []parquet.WriterOption{parquet.Compression(codec), parquet.CreatedBy("unlearnlab", "", "")}
}

// codec is shared by all files. It keeps its encoder, which takes longer to create than a small table takes to
// compress.
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

// TableWriter writes a Parquet file part by part. A part can be read without reading the others.
type TableWriter struct {
	buffered int // rows of the current group
	target   io.Writer
	notes    map[string]string
	columns  []Column // columns of the first part, without rows
	file     *parquet.GenericWriter[any]
}

// NewTableWriter begins a table. The notes are written into the file, see [Table.Note].
func NewTableWriter(target io.Writer, notes map[string]string) *TableWriter {
	return &TableWriter{target: target, notes: notes}
}

// Write writes the rows of a part. All parts must have columns of the same names and types in the same order.
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

// groupRows is the minimum number of rows of a group. In smaller groups the metadata of the columns would outweigh the
// rows.
const groupRows = 1 << 14

// Close writes the footer.
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
	options := append(writerOptions(), parquet.NewSchema("rows", orderedGroup{nodes, places}))
	for name, value := range w.notes {
		options = append(options, parquet.KeyValueMetadata(name, value))
	}
	w.file = parquet.NewGenericWriter[any](w.target, options...)
	return nil
}

// check returns an error if a part's columns differ from the first part's.
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

// orderedGroup is a group whose fields are in a given order instead of by name.
type orderedGroup struct {
	parquet.Group
	places map[string]int
}

func (o orderedGroup) Fields() []parquet.Field {
	fields := o.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int { return o.places[a.Name()] - o.places[b.Name()] })
	return fields
}

// node returns the storage of a column.
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

// value returns the value of a row, for the column at index at.
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
