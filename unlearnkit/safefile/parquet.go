package safefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// maxRows limits the rows of a Parquet file, because run-length encoding lets a small file claim many.
const maxRows = 1 << 27

// readParquet reads flat columns of a Parquet file. Nulls are NaN; strings must hold numbers unless words are wanted.
func readParquet(file *os.File, names []string, words bool) (*Frame, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, WithoutPath(err)
	}
	return parseParquet(file, info.Size(), names, words)
}

// ReadParquet reads the named columns of a Parquet file, or all columns, with strings as words.
func ReadParquet(path string, names ...string) (*Frame, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, WithoutPath(err))
	}
	defer file.Close()
	frame, err := readParquet(file, names, true)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	frame.Path = path
	return frame, nil
}

// isText reports whether a leaf column holds strings.
func isText(file *parquet.File, path []string) bool {
	leaf, found := file.Schema().Lookup(path...)
	return found && leaf.Node.Type().Kind() == parquet.ByteArray
}

// typeOf returns the storage type of a column of numbers, AsDouble for wider types.
func typeOf(file *parquet.File, path []string) NumberType {
	leaf, found := file.Schema().Lookup(path...)
	if !found {
		return AsDouble
	}
	switch kind := leaf.Node.Type().Kind(); {
	case kind == parquet.Float && leaf.Node.Optional():
		return AsOptionalFloat
	case leaf.Node.Optional():
		return AsDouble
	case kind == parquet.Float:
		return AsFloat
	case kind == parquet.Int32:
		return AsInteger
	case kind == parquet.Boolean:
		return AsTruth
	}
	return AsDouble
}

// parseParquet reads columns like readParquet, from any source.
func parseParquet(source io.ReaderAt, size int64, names []string, words bool) (frame *Frame, err error) {
	err = guardParquet(func() error {
		file, err := openParquet(source, size)
		if err == nil {
			frame, err = readColumns(file, wholeFile, names, words)
		}
		return err
	})
	return frame, err
}

// guardParquet converts a panic of the library, which some damaged files cause, to an error.
func guardParquet(do func() error) (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("damaged Parquet file: %s", oneLine(fmt.Sprint(problem)))
		}
	}()
	return do()
}

// openParquet reads a file's footer. It returns an error for files that could not be read within the limits.
func openParquet(source io.ReaderAt, size int64) (*parquet.File, error) {
	if err := checkParquetFooter(source, size); err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(source, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, fmt.Errorf("not a whole Parquet file: %s", oneLine(err.Error()))
	}
	if file.NumRows() > maxRows {
		return nil, fmt.Errorf("%d rows, at most %d are read", file.NumRows(), maxRows)
	}
	return file, checkParquetCodecs(file)
}

func readColumns(file *parquet.File, of span, names []string, words bool) (*Frame, error) {
	paths := file.Schema().Columns()
	has := make([]string, len(paths))
	for i, path := range paths {
		has[i] = strings.Join(path, ".")
	}
	positions, err := choose(has, names)
	if err != nil {
		return nil, err
	}
	frame := &Frame{Columns: make([]Column, len(positions))}
	for i, at := range positions {
		column := Column{Name: has[at]}
		if words && isText(file, paths[at]) {
			column.Texts, err = newLeaf(file, at).texts(of)
		} else {
			column.Type = typeOf(file, paths[at])
			column.Values, err = newLeaf(file, at).numbers(of)
		}
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", has[at], err)
		}
		frame.Columns[i] = column
		if column.Len() != frame.Columns[0].Len() {
			return nil, fmt.Errorf("column %q has %d values, column %q %d: lists inside cells are not read",
				has[at], column.Len(), has[positions[0]], frame.Columns[0].Len())
		}
	}
	if frame.Rows() == 0 {
		return nil, errors.New("it has no rows")
	}
	return frame, nil
}

// checkParquetFooter returns an error for a footer longer than the file, for which the library would allocate memory.
func checkParquetFooter(source io.ReaderAt, size int64) error {
	const magic = "PAR1"
	end := make([]byte, 8)
	if size < int64(len(magic)+len(end)) {
		return fmt.Errorf("not a whole Parquet file: %d bytes", size)
	}
	if _, err := source.ReadAt(end, size-8); err != nil {
		return fmt.Errorf("not a whole Parquet file: %w", WithoutPath(err))
	}
	if string(end[4:]) != magic {
		return fmt.Errorf("not a whole Parquet file: it does not end with %s", magic)
	}
	if footer := int64(binary.LittleEndian.Uint32(end)); footer > size-12 {
		return fmt.Errorf("not a whole Parquet file: its footer claims %d bytes, the file has %d", footer, size)
	}
	return nil
}

// checkParquetCodecs returns an error for obsolete codecs, and for codecs whose decoders in the library allocate
// without limit on damaged data (LZ4).
func checkParquetCodecs(file *parquet.File) error {
	for _, group := range file.Metadata().RowGroups {
		for _, chunk := range group.Columns {
			switch codec := chunk.MetaData.Codec; codec {
			case format.Uncompressed, format.Snappy, format.Gzip, format.Zstd:
			default:
				return fmt.Errorf("column %q is compressed with %s; write it with zstd, snappy, gzip or none",
					strings.Join(chunk.MetaData.PathInSchema, "."), codec)
			}
		}
	}
	return nil
}

func parquetNumber(value parquet.Value) (float64, error) {
	if value.IsNull() {
		return math.NaN(), nil
	}
	switch value.Kind() {
	case parquet.Boolean:
		if value.Boolean() {
			return 1, nil
		}
		return 0, nil
	case parquet.Int32:
		return float64(value.Int32()), nil
	case parquet.Int64:
		return float64(value.Int64()), nil
	case parquet.Float:
		return float64(value.Float()), nil
	case parquet.Double:
		return value.Double(), nil
	case parquet.ByteArray:
		return parseNumber(string(value.ByteArray()))
	}
	return 0, fmt.Errorf("values of type %s are not numbers", value.Kind())
}

// oneLine shortens another library's message and puts it on one line.
func oneLine(message string) string {
	message = strings.Join(strings.Fields(message), " ")
	if len(message) > 160 {
		message = message[:160] + "…"
	}
	return message
}
