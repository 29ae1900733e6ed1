package main

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// shape is what columns a test wants.
type shape uint8

const (
	paired   shape = iota // two columns, row by row
	unpaired              // two columns, each by itself
	single                // one column
	many                  // several columns, row by row
	pValues               // one column of p-values
)

// comparison is one use of a test: its columns and what came out.
type comparison struct {
	names    []string
	columns  [][]float64
	clusters []float64
	remarks  []string // what was done to the data
	outcome  outcome
}

// readComparisons reads the columns of every comparison that the flags ask for.
func readComparisons(test statTest, files []string, flags statFlags) ([]comparison, error) {
	if flags.missing != "error" && flags.missing != "drop" {
		return nil, usagef("--missing %q is neither error nor drop", flags.missing)
	}
	first, last := files[0], files[len(files)-1]
	if test.shape == many {
		c, err := readOne(test, flags, source{first, flags.columns})
		return []comparison{c}, err
	}
	xs := flags.x
	if len(xs) == 0 {
		only, err := onlyColumn(first)
		if err != nil {
			return nil, err
		}
		xs = []string{only}
	}
	ys := flags.y
	if len(ys) == 0 && len(files) > 1 && test.wantsY(flags) {
		only, err := onlyColumn(last)
		if err != nil {
			return nil, err
		}
		ys = []string{only}
	}
	var comparisons []comparison
	for _, x := range xs {
		if !test.wantsY(flags) {
			c, err := readOne(test, flags, source{first, []string{x}})
			if err != nil {
				return nil, err
			}
			comparisons = append(comparisons, c)
			continue
		}
		for _, y := range ys {
			c, err := readOne(test, flags, source{first, []string{x}}, source{last, []string{y}})
			if err != nil {
				return nil, err
			}
			comparisons = append(comparisons, c)
		}
	}
	return comparisons, nil
}

// onlyColumn names the one column of a file.
func onlyColumn(file string) (string, error) {
	frame, err := safefile.ReadNumbers(file)
	if err != nil {
		return "", err
	}
	if len(frame.Columns) != 1 {
		return "", usagef("%s has %d columns: name one with --x", file, len(frame.Columns))
	}
	return frame.Columns[0].Name, nil
}

// source is columns of one file.
type source struct {
	file  string
	names []string
}

// readOne reads the columns of one comparison and treats missing values as the flags say.
func readOne(test statTest, flags statFlags, sources ...source) (comparison, error) {
	var c comparison
	var files []string
	for _, s := range sources {
		frame, err := safefile.ReadNumbers(s.file, s.names...)
		if err != nil {
			return c, err
		}
		for _, column := range frame.Columns {
			c.names = append(c.names, column.Name)
			c.columns = append(c.columns, column.Values)
			files = append(files, s.file)
		}
	}
	columns, names := c.columns, c.names
	if flags.clusters != "" {
		frame, err := safefile.ReadNumbers(sources[0].file, flags.clusters)
		if err != nil {
			return c, err
		}
		columns, names, files = append(columns, frame.Columns[0].Values), append(names, flags.clusters), append(files, sources[0].file)
	}
	byRow := test.shape == paired || test.shape == many || flags.clusters != ""
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

// treatMissing refuses missing values, or leaves out their rows (their values, where columns are not paired); it returns how many.
func treatMissing(columns [][]float64, names, files []string, drop, byRow bool) (int, error) {
	missing := make([]map[int]bool, len(columns))
	for i, column := range columns {
		missing[i] = map[int]bool{}
		for row, value := range column {
			if !math.IsNaN(value) {
				continue
			}
			if !drop {
				return 0, fmt.Errorf("read %s: row %d, column %q: the value is missing or NaN; --missing drop leaves it out", files[i], row+1, names[i])
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
