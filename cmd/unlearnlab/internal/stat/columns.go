package stat

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// shape is the kind of columns that a test needs.
type shape uint8

const (
	paired   shape = iota // two columns, row by row
	unpaired              // two columns, independent of each other
	single                // one column of numbers
	many                  // several columns, row by row
	pValues               // one column of p-values
)

// comparison is one use of a test: its columns and its outcome.
type comparison struct {
	names    []string
	columns  [][]float64
	clusters []string // labels; nil without clusters
	remarks  []string // notes on how the data were changed
	outcome  outcome
}

// mostToComplete is the maximum size of a file that is read to complete a column.
const mostToComplete = 16 << 20

// completeColumn offers the columns of the files among the arguments that begin with word.
func completeColumn(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	var found []string
	for _, path := range args[min(1, len(args)):] {
		if info, err := os.Stat(path); err != nil || info.Size() > mostToComplete {
			continue
		}
		frame, err := safefile.ReadWords(path)
		if err != nil {
			continue // running the test says why
		}
		for _, column := range frame.Columns {
			if strings.HasPrefix(column.Name, word) && !slices.Contains(found, column.Name) {
				found = append(found, column.Name)
			}
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// readComparisons reads the columns of all comparisons that the flags request.
func readComparisons(test statTest, files []string, flags statFlags) ([]comparison, error) {
	if flags.missing != "error" && flags.missing != "drop" {
		return nil, cli.Usagef("--missing %q is not error or drop", flags.missing)
	}
	first, last := files[0], files[len(files)-1]
	read := columnReader{flags: flags, read: map[columnPlace]series{}}
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

// comparison reads one comparison's columns and treats missing values as the flags specify.
func (r columnReader) comparison(test statTest, flags statFlags, places ...columnPlace) (comparison, error) {
	var c comparison
	byRow := test.shape == paired || test.shape == many || flags.clusters != "" ||
		test.shape == single && len(places) > 1
	var all []series
	for _, at := range places {
		s, err := r.series(at, byRow)
		if err != nil {
			return c, err
		}
		if !byRow { // a shorter column of a file ends at its last value
			s.values = s.values[:len(s.values)-s.blank]
		}
		if len(s.values) == 0 {
			return c, fmt.Errorf("read %s: column %q has no values", s.file, s.name)
		}
		all = append(all, s)
		c.names = append(c.names, s.name)
	}
	if byRow && flags.by != "" {
		align(all)
	}
	if byRow {
		for _, s := range all[1:] {
			if first := all[0]; len(s.values) != len(first.values) {
				return c, fmt.Errorf("%s needs pairs: column %q of %s has %d rows, column %q of %s has %d", test.name,
					first.name, first.file, len(first.values), s.name, s.file, len(s.values))
			}
		}
	}
	dropped, err := treatMissing(all, flags.missing == "drop", byRow)
	if err != nil {
		return c, err
	}
	if dropped > 0 {
		c.remarks = append(c.remarks, fmt.Sprintf("%d missing dropped", dropped))
	}
	for _, s := range all {
		c.columns = append(c.columns, s.values)
	}
	if flags.clusters != "" {
		c.clusters = all[0].clusters
	}
	return c, nil
}

// treatMissing rejects missing values, or omits them and returns how many it dropped. By row, a missing value drops the
// whole row.
func treatMissing(all []series, drop, byRow bool) (dropped int, err error) {
	missing := make([]map[int]bool, len(all))
	for i, s := range all {
		missing[i] = map[int]bool{}
		for row, value := range s.values {
			noCluster := s.clusters != nil && s.clusters[row] == ""
			if !math.IsNaN(value) && !noCluster {
				continue
			}
			if !drop && noCluster {
				return 0, fmt.Errorf("read %s: %s has no cluster; --missing drop omits it", s.file, s.place(row))
			}
			if !drop {
				return 0, fmt.Errorf("read %s: %s, column %q: the value is missing or NaN; --missing drop omits it",
					s.file, s.place(row), s.name)
			}
			missing[i][row] = true
		}
	}
	if byRow {
		for _, rows := range missing[1:] {
			maps.Copy(missing[0], rows)
		}
		for i := range missing {
			missing[i] = missing[0]
		}
	}
	dropped = len(missing[0])
	for i := range all {
		if !byRow && i > 0 {
			dropped += len(missing[i])
		}
		all[i].omit(missing[i])
	}
	return dropped, nil
}
