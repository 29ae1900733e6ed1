package stat

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// shape is the arrangement of columns that a test needs.
type shape uint8

const (
	paired   shape = iota // two columns, row by row
	unpaired              // two columns, each by itself
	single                // one column
	many                  // several columns, row by row
	pValues               // one column of p-values
)

// comparison is one application of a test: its columns and its result.
type comparison struct {
	names    []string
	columns  [][]float64
	clusters []float64
	remarks  []string // changes made to the data
	outcome  outcome
}

// readComparisons reads the columns of every comparison that the flags ask for.
func readComparisons(test statTest, files []string, flags statFlags) ([]comparison, error) {
	if flags.missing != "error" && flags.missing != "drop" {
		return nil, cli.Usagef("--missing %q is not error or drop", flags.missing)
	}
	first, last := files[0], files[len(files)-1]
	read := columnReader{}
	if test.shape == many {
		var places []columnPlace
		for _, name := range flags.columns {
			places = append(places, columnPlace{first, name})
		}
		c, err := read.comparison(test, flags, places...)
		return []comparison{c}, err
	}
	xs, ys := flags.x, flags.y
	if len(xs) == 0 {
		xs = []string{""}
	}
	if len(ys) == 0 {
		ys = []string{""}
	}
	var comparisons []comparison
	for _, x := range xs {
		for _, y := range ys {
			places := []columnPlace{{first, x}}
			if test.wantsY(flags) {
				places = append(places, columnPlace{last, y})
			}
			c, err := read.comparison(test, flags, places...)
			if err != nil {
				return nil, err
			}
			comparisons = append(comparisons, c)
		}
	}
	return comparisons, nil
}

// columnPlace identifies a column; an empty name means the only column of its file.
type columnPlace struct{ file, name string }

// columnReader caches columns, because several comparisons share them.
type columnReader map[columnPlace]safefile.Column

func (r columnReader) column(at columnPlace) (safefile.Column, error) {
	if column, ok := r[at]; ok {
		return column, nil
	}
	var names []string
	if at.name != "" {
		names = []string{at.name}
	}
	frame, err := safefile.ReadNumbers(at.file, names...)
	if err != nil {
		return safefile.Column{}, err
	}
	if len(frame.Columns) != 1 {
		return safefile.Column{}, cli.Usagef("%s has %d columns: name one with --x", at.file, len(frame.Columns))
	}
	r[at] = frame.Columns[0]
	return r[at], nil
}

// comparison reads the columns of one comparison and treats missing values as the flags say.
func (r columnReader) comparison(test statTest, flags statFlags, places ...columnPlace) (comparison, error) {
	var c comparison
	if flags.clusters != "" {
		places = append(places, columnPlace{places[0].file, flags.clusters})
	}
	byRow := test.shape == paired || test.shape == many || flags.clusters != "" ||
		test.shape == single && len(places) > 1
	var columns [][]float64
	var names, files []string
	for _, at := range places {
		column, err := r.column(at)
		if err != nil {
			return c, err
		}
		values := column.Values
		if !byRow { // a shorter column of a file ends where its last value is
			values = values[:len(values)-column.Blank]
		}
		if len(values) == 0 {
			return c, fmt.Errorf("read %s: column %q has no values", at.file, column.Name)
		}
		columns, names, files = append(columns, values), append(names, column.Name), append(files, at.file)
	}
	c.names = names
	if flags.clusters != "" {
		c.names = names[:len(names)-1]
	}
	if byRow {
		for i := range columns {
			if len(columns[i]) != len(columns[0]) {
				return c, fmt.Errorf("%s needs pairs: column %q of %s has %d rows, column %q of %s has %d",
					test.name, names[0], files[0], len(columns[0]), names[i], files[i], len(columns[i]))
			}
		}
	}
	dropped, err := treatMissing(columns, names, files, flags.missing == "drop", byRow)
	if err != nil {
		return c, err
	}
	if dropped > 0 {
		c.remarks = append(c.remarks, fmt.Sprintf("%d missing dropped", dropped))
	}
	c.columns = columns[:len(c.names)]
	if flags.clusters != "" {
		c.clusters = columns[len(columns)-1]
	}
	return c, nil
}

// treatMissing rejects missing values, or omits them and returns their number. Paired columns lose the whole row.
func treatMissing(columns [][]float64, names, files []string, drop, byRow bool) (int, error) {
	missing := make([]map[int]bool, len(columns))
	for i, column := range columns {
		missing[i] = map[int]bool{}
		for row, value := range column {
			if !math.IsNaN(value) {
				continue
			}
			if !drop {
				return 0, fmt.Errorf("read %s: row %d, column %q: the value is missing or NaN; --missing drop omits "+
					"it", files[i], row+1, names[i])
			}
			missing[i][row] = true
		}
	}
	if byRow {
		for _, rows := range missing[1:] {
			for row := range rows {
				missing[0][row] = true
			}
		}
		for i := range missing {
			missing[i] = missing[0]
		}
	}
	dropped := len(missing[0])
	for i, column := range columns {
		if !byRow && i > 0 {
			dropped += len(missing[i])
		}
		kept := make([]float64, 0, len(column)-len(missing[i]))
		for row, value := range column {
			if !missing[i][row] {
				kept = append(kept, value)
			}
		}
		columns[i] = kept
	}
	return dropped, nil
}
