package safefile

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
)

// span is a range of rows of a file.
type span struct{ first, rows int64 }

var wholeFile = span{0, math.MaxInt64}

// leaf reads a column. It decodes pages of plain numbers and words as a whole, which is ten times as fast as value by
// value. Other values, such as booleans, are read one by one.
type leaf struct {
	file    *parquet.File
	at      int
	level   byte // definition level of a present value; 0 if all are present
	lists   bool // cells hold lists
	rows    int  // rows read so far
	buffer  []parquet.Value
	of      parquet.Dictionary // dictionary that known and spelled were read from
	known   []float64
	spelled []string
}

func newLeaf(file *parquet.File, at int) *leaf {
	l := &leaf{file: file, at: at}
	if column, found := file.Schema().Lookup(file.Schema().Columns()[at]...); found {
		l.level, l.lists = byte(column.MaxDefinitionLevel), column.MaxRepetitionLevel > 0
	}
	return l
}

// numbers reads the column as numbers, with NaN for missing values.
func (l *leaf) numbers(of span) (values []float64, err error) {
	values = []float64{}
	err = l.eachPage(of, func(page parquet.Page) error {
		if more, plain := l.plainNumbers(values, page); plain {
			values = more
			return nil
		}
		return l.eachValue(page, func(value parquet.Value) error {
			number, err := parquetNumber(value)
			values = append(values, number)
			return err
		})
	})
	return cut(values, of), err
}

// texts reads the column as words, with "" for missing values.
func (l *leaf) texts(of span) (texts []string, err error) {
	texts = []string{}
	err = l.eachPage(of, func(page parquet.Page) error {
		if more, plain := l.plainTexts(texts, page); plain {
			texts = more
			return nil
		}
		return l.eachValue(page, func(value parquet.Value) error {
			texts = append(texts, string(value.ByteArray()))
			return nil
		})
	})
	return cut(texts, of), err
}

// cut drops the values of the last page beyond the requested rows.
func cut[T any](values []T, of span) []T { return values[:min(int64(len(values)), of.rows)] }

// eachPage reads the pages with the rows of a span. The first page begins with the span's first row.
func (l *leaf) eachPage(of span, take func(page parquet.Page) error) error {
	end := of.rows
	if of.first > 0 {
		end += of.first
	}
	begins := int64(0)
	for _, group := range l.file.RowGroups() {
		ends := begins + group.NumRows()
		if ends > of.first && begins < end || l.lists {
			if err := l.eachOfGroup(group, max(0, of.first-begins), of, take); err != nil {
				return err
			}
		}
		begins = ends
	}
	return nil
}

func (l *leaf) eachOfGroup(group parquet.RowGroup, skip int64, of span, take func(page parquet.Page) error) error {
	pages := group.ColumnChunks()[l.at].Pages()
	defer pages.Close()
	if skip > 0 {
		if err := pages.SeekToRow(skip); err != nil {
			return fmt.Errorf("damaged data: %s", oneLine(err.Error()))
		}
	}
	for int64(l.rows) < of.rows {
		page, err := pages.ReadPage()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("after row %d: damaged data: %s", l.rows, oneLine(err.Error()))
		}
		err = take(page)
		parquet.Release(page)
		if err != nil {
			return err
		}
	}
	return nil
}

// eachValue reads a page value by value.
func (l *leaf) eachValue(page parquet.Page, take func(parquet.Value) error) error {
	if l.buffer == nil {
		l.buffer = make([]parquet.Value, 1024)
	}
	reader := page.Values()
	for {
		n, err := reader.ReadValues(l.buffer)
		for _, value := range l.buffer[:n] {
			if err := l.count(1); err != nil {
				return err
			}
			if bad := take(value); bad != nil {
				return fmt.Errorf("row %d: %w", l.rows, bad)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("after row %d: damaged data: %s", l.rows, oneLine(err.Error()))
		}
		if n == 0 {
			return fmt.Errorf("after row %d: a page without values", l.rows)
		}
	}
}

func (l *leaf) count(rows int) error {
	if l.rows += rows; l.rows > maxRows {
		return fmt.Errorf("more than %d values", maxRows)
	}
	return nil
}

// plainNumbers appends the numbers of a page, if it is a page of plain numbers.
func (l *leaf) plainNumbers(dst []float64, page parquet.Page) (numbers []float64, plain bool) {
	if l.lists || l.count(int(page.NumValues())) != nil {
		return dst, false
	}
	levels, data := page.DefinitionLevels(), page.Data()
	dictionary := page.Dictionary()
	if dictionary == nil {
		numbers, plain = appendNumbers(dst, levels, l.level, data)
	} else if l.loadDictionary(dictionary); l.known != nil {
		numbers, plain = spread(dst, levels, l.level, data.Int32(), math.NaN(), func(i int32) float64 {
			return l.known[i]
		}), true
	}
	if !plain {
		l.rows -= int(page.NumValues())
		return dst, false
	}
	return numbers, true
}

// plainTexts appends the words of a page, if it is a page of words.
func (l *leaf) plainTexts(dst []string, page parquet.Page) (texts []string, plain bool) {
	if l.lists || l.count(int(page.NumValues())) != nil {
		return dst, false
	}
	levels, data := page.DefinitionLevels(), page.Data()
	if dictionary := page.Dictionary(); dictionary != nil {
		l.loadDictionary(dictionary)
		return spread(dst, levels, l.level, data.Int32(), "", func(i int32) string { return l.spelled[i] }), true
	}
	return spread(dst, levels, l.level, words(data), "", func(word string) string { return word }), true
}

// loadDictionary reads a dictionary, unless it is the dictionary that was read last.
func (l *leaf) loadDictionary(dictionary parquet.Dictionary) {
	if dictionary == l.of {
		return
	}
	l.of, l.known, l.spelled = dictionary, nil, nil
	data := dictionary.Page().Data()
	if data.Kind() == encoding.ByteArray {
		l.spelled = words(data)
	} else {
		l.known, _ = appendNumbers(nil, nil, 0, data)
	}
}

// words returns the words of plain data.
func words(data encoding.Values) []string {
	content, ends := data.ByteArray()
	if len(ends) == 0 {
		return nil
	}
	all := string(content)
	split := make([]string, len(ends)-1)
	for i := range split {
		split[i] = all[ends[i]:ends[i+1]]
	}
	return split
}

func appendNumbers(dst []float64, levels []byte, level byte, data encoding.Values) (numbers []float64, plain bool) {
	missing := math.NaN()
	switch data.Kind() {
	case encoding.Int32:
		return spread(dst, levels, level, data.Int32(), missing, func(v int32) float64 { return float64(v) }), true
	case encoding.Int64:
		return spread(dst, levels, level, data.Int64(), missing, func(v int64) float64 { return float64(v) }), true
	case encoding.Float:
		return spread(dst, levels, level, data.Float(), missing, func(v float32) float64 { return float64(v) }), true
	case encoding.Double:
		return spread(dst, levels, level, data.Double(), missing, func(v float64) float64 { return v }), true
	}
	return dst, false
}

// spread appends one value per row: the next stored value if the definition level marks it as present, and missing
// otherwise.
func spread[S, T any](dst []T, levels []byte, level byte, stored []S, missing T, read func(S) T) []T {
	if level == 0 {
		dst = slices.Grow(dst, len(stored))
		for _, value := range stored {
			dst = append(dst, read(value))
		}
		return dst
	}
	dst = slices.Grow(dst, len(levels))
	for _, there := range levels {
		if there != level {
			dst = append(dst, missing)
			continue
		}
		dst, stored = append(dst, read(stored[0])), stored[1:]
	}
	return dst
}
