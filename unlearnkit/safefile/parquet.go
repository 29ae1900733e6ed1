package safefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// maxRows bounds the rows of a Parquet file, whose run-length encoding lets a small file claim many.
const maxRows = 1 << 27

// readParquet reads flat columns of a Parquet file. Nulls are NaN; strings must hold numbers unless words are wanted.
func readParquet(file *os.File, names []string, words bool) (*Frame, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, withoutPath(err)
	}
	return parseParquet(file, info.Size(), names, words)
}

// ReadParquet reads the named columns of a Parquet file, or all of them, those of strings as words.
func ReadParquet(path string, names ...string) (*Frame, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, withoutPath(err))
	}
	defer file.Close()
	frame, err := readParquet(file, names, true)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	frame.Path = path
	return frame, nil
}

// isText tells whether a leaf column holds strings.
func isText(file *parquet.File, path []string) bool {
	leaf, found := file.Schema().Lookup(path...)
	return found && leaf.Node.Type().Kind() == parquet.ByteArray
}

func readParquetNumbers(file *os.File, names []string) (*Frame, error) {
	return readParquet(file, names, false)
}

// parseParquet is readParquet over any source. The library panics on some damaged files; here that is one more error.
func parseParquet(source io.ReaderAt, size int64, names []string, words bool) (frame *Frame, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			frame, err = nil, fmt.Errorf("damaged Parquet file: %s", oneLine(fmt.Sprint(problem)))
		}
	}()
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
	paths := file.Schema().Columns()
	has := make([]string, len(paths))
	for i, path := range paths {
		has[i] = strings.Join(path, ".")
	}
	positions, err := choose(has, names)
	if err != nil {
		return nil, err
	}
	if err := checkParquetCodecs(file); err != nil {
		return nil, err
	}
	frame = &Frame{Columns: make([]Column, len(positions))}
	for i, at := range positions {
		column := Column{Name: has[at]}
		if words && isText(file, paths[at]) {
			column.Texts, err = parquetTexts(file, at)
		} else {
			column.Values, err = parquetColumn(file, at)
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

// checkParquetFooter refuses what the library would first allocate for: a footer longer than the file.
func checkParquetFooter(source io.ReaderAt, size int64) error {
	const magic = "PAR1"
	end := make([]byte, 8)
	if size < int64(len(magic)+len(end)) {
		return fmt.Errorf("not a whole Parquet file: %d bytes", size)
	}
	if _, err := source.ReadAt(end, size-8); err != nil {
		return fmt.Errorf("not a whole Parquet file: %w", withoutPath(err))
	}
	if string(end[4:]) != magic {
		return fmt.Errorf("not a whole Parquet file: it does not end with %s", magic)
	}
	if footer := int64(binary.LittleEndian.Uint32(end)); footer > size-12 {
		return fmt.Errorf("not a whole Parquet file: its footer claims %d bytes, the file has %d", footer, size)
	}
	return nil
}

// checkParquetCodecs refuses codecs whose decoders in the library grow without bound on damaged data (LZ4) or that are
// obsolete.
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

// parquetColumn reads one leaf column of numbers through all row groups.
func parquetColumn(file *parquet.File, at int) ([]float64, error) {
	values := []float64{}
	err := eachValue(file, at, func(value parquet.Value) error {
		number, err := parquetNumber(value)
		values = append(values, number)
		return err
	})
	return values, err
}

// parquetTexts reads one leaf column of words; a missing one is empty.
func parquetTexts(file *parquet.File, at int) ([]string, error) {
	texts := []string{}
	err := eachValue(file, at, func(value parquet.Value) error {
		if value.IsNull() {
			texts = append(texts, "")
			return nil
		}
		texts = append(texts, string(value.ByteArray()))
		return nil
	})
	return texts, err
}

// eachValue calls take with every value of a leaf column.
func eachValue(file *parquet.File, at int, take func(parquet.Value) error) error {
	buffer := make([]parquet.Value, 1024)
	row := 0
	for _, group := range file.RowGroups() {
		pages := group.ColumnChunks()[at].Pages()
		for {
			page, err := pages.ReadPage()
			if err == io.EOF {
				break
			}
			if err == nil {
				row, err = eachOfPage(page, buffer, row, take)
				parquet.Release(page)
			} else {
				err = fmt.Errorf("after row %d: damaged data: %s", row, oneLine(err.Error()))
			}
			if err != nil {
				pages.Close()
				return err
			}
		}
		pages.Close()
	}
	return nil
}

func eachOfPage(page parquet.Page, buffer []parquet.Value, row int, take func(parquet.Value) error) (rows int,
	err error) {
	reader := page.Values()
	for {
		n, err := reader.ReadValues(buffer)
		for _, value := range buffer[:n] {
			if row == maxRows {
				return row, fmt.Errorf("more than %d values", maxRows)
			}
			row++
			if bad := take(value); bad != nil {
				return row, fmt.Errorf("row %d: %w", row, bad)
			}
		}
		if err == io.EOF {
			return row, nil
		}
		if err != nil {
			return row, fmt.Errorf("after row %d: damaged data: %s", row, oneLine(err.Error()))
		}
		if n == 0 {
			return row, fmt.Errorf("after row %d: a page without values", row)
		}
	}
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

// WriteParquet writes columns of equal length; numbers as doubles, words as UTF-8. The format keeps columns in
// alphabetical order.
func WriteParquet(path string, columns []Column) error {
	if err := sameLength(columns); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	sorted := append([]Column(nil), columns...)
	sort.Slice(sorted, func(i, j int) bool { return sorted[i].Name < sorted[j].Name })
	fields := parquet.Group{}
	for i, column := range sorted {
		if i > 0 && column.Name == sorted[i-1].Name {
			return fmt.Errorf("write %s: two columns are named %q", path, column.Name)
		}
		node := parquet.Leaf(parquet.DoubleType)
		if column.Texts != nil {
			node = parquet.String()
		}
		fields[column.Name] = parquet.Compressed(node, &parquet.Zstd)
	}
	return WriteFile(path, func(target io.Writer) error {
		return writeParquetRows(parquet.NewGenericWriter[any](target, parquet.NewSchema("rows", fields)), sorted)
	})
}

func writeParquetRows(writer *parquet.GenericWriter[any], columns []Column) error {
	row := make(parquet.Row, len(columns))
	for i := range columns[0].Len() {
		for j, column := range columns {
			if column.Texts != nil {
				row[j] = parquet.ByteArrayValue([]byte(column.Texts[i])).Level(0, 0, j)
			} else {
				row[j] = parquet.DoubleValue(column.Values[i]).Level(0, 0, j)
			}
		}
		if _, err := writer.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
	return writer.Close()
}

// oneLine shortens another library's message to one line.
func oneLine(message string) string {
	message = strings.Join(strings.Fields(message), " ")
	if len(message) > 160 {
		message = message[:160] + "…"
	}
	return message
}
