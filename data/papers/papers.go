// Package papers holds the numbers printed in four papers on machine unlearning, as tidy tables.
//
// The papers are SALMUBench ("salmu"), ReMem ("remem"), UnSLU-BENCH ("unslu") and Unlearning or Concealment?
// ("concealment"). An item of a paper is a table ("table5"), the numbers in a figure's caption ("figure2"), the numbers
// in its running text ("text"), or facts that a check needs and another source states ("accuracy", "evaluator",
// "splits"). A [Cell] keeps its number as printed, because the printed digits show its precision: [Cell.Interval] is
// the set of numbers that round to it.
package papers

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/csv"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
)

//go:embed */*.csv
var files embed.FS

// Names lists the papers that have a folder, alphabetically. Package unlearnkit/papers has their display order.
var Names = folders()

func folders() (names []string) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic("papers: " + err.Error())
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A Cell is one printed number (or word) and its place in the paper.
type Cell struct {
	Paper  string // "salmu"
	Item   string // "table5"
	Row    string // header levels joined by a slash: "Generic Captions/5x"
	Column string // "RetFail"; "FSC/wav2vec 2.0/F1_T"
	Value  string // value as printed, with an ASCII minus for any dash and no thousands separators
	Spread string // printed spread, empty where the paper prints none
	Unit   string // "x" for a ratio of times, "%" for a percentage, else empty
	N      string // number of observations, empty where the paper does not print it
	Source string // place of the cell in the paper: "Table 5", "§9", "Figure 2a caption"
}

// Levels splits the row's name into its header levels, outermost first.
func (c Cell) Levels() []string { return strings.Split(c.Row, "/") }

// An Item names one file of numbers.
type Item struct {
	Paper string
	Name  string
}

// A Mark records that a paper typesets a cell as best or second best.
type Mark struct {
	Row    string
	Column string
	Mark   string
}

var (
	cellHeader = []string{"row", "column", "value", "spread", "unit", "n", "source"}
	markHeader = []string{"row", "column", "mark"}
)

// List returns every item that [Open] reads: papers in the order of [Names], items by name, numbered items by number.
func List() []Item {
	var items []Item
	for _, paper := range Names {
		entries, err := files.ReadDir(paper)
		if err != nil {
			panic("papers: " + err.Error())
		}
		first := len(items)
		for _, e := range entries {
			if name := strings.TrimSuffix(e.Name(), ".csv"); name != "marks" {
				items = append(items, Item{paper, name})
			}
		}
		slices.SortFunc(items[first:], func(a, b Item) int {
			word, number := split(a.Name)
			otherWord, otherNumber := split(b.Name)
			return cmp.Or(cmp.Compare(word, otherWord), cmp.Compare(number, otherNumber))
		})
	}
	return items
}

// ItemName returns the name of a numbered item with its kind, such as "table5", and any other name as it is.
func ItemName(kind, name string) string {
	if strings.Trim(name, "0123456789") == "" {
		return kind + name
	}
	return name
}

// split splits an item's name into its letters and its number.
func split(name string) (word string, number int) {
	word = strings.TrimRight(name, "0123456789")
	number, _ = strconv.Atoi(name[len(word):])
	return word, number
}

// Raw returns the bytes of an item's CSV file.
func Raw(paper, item string) ([]byte, error) {
	b, err := files.ReadFile(path.Join(paper, item+".csv"))
	if err != nil || strings.ContainsAny(item, "/.") {
		return nil, fmt.Errorf("papers: %q has no item %q; it has %s", paper, item, offer(paper))
	}
	return b, nil
}

// ItemsOf returns the names of a paper's items in the order of [List], or nil if the paper is unknown.
func ItemsOf(paper string) []string {
	var names []string
	for _, item := range List() {
		if item.Paper == paper {
			names = append(names, item.Name)
		}
	}
	return names
}

// offer lists a paper's items for an error message, or the papers if the paper is unknown.
func offer(paper string) string {
	if names := ItemsOf(paper); names != nil {
		return strings.Join(names, ", ")
	}
	return "none, the papers are " + strings.Join(Names, ", ")
}

// Open reads an item's cells in page order: rows from the top, cells from the left.
func Open(paper, item string) ([]Cell, error) {
	records, err := read(paper, item, cellHeader)
	if err != nil {
		return nil, err
	}
	cells := make([]Cell, len(records))
	for i, r := range records {
		cells[i] = Cell{paper, item, r[0], r[1], r[2], r[3], r[4], r[5], r[6]}
	}
	return cells, nil
}

// Marks reads the second-best marks of ReMem's Table 2. The paper's bold marks are missing in the text from which the
// tables were read.
func Marks() ([]Mark, error) {
	records, err := read("remem", "marks", markHeader)
	if err != nil {
		return nil, err
	}
	marks := make([]Mark, len(records))
	for i, r := range records {
		marks[i] = Mark{r[0], r[1], r[2]}
	}
	return marks, nil
}

func read(paper, item string, header []string) ([][]string, error) {
	b, err := Raw(paper, item)
	if err != nil {
		return nil, err
	}
	records, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("papers: read %s/%s.csv: %w", paper, item, err)
	}
	if len(records) == 0 || !slices.Equal(records[0], header) {
		return nil, fmt.Errorf("papers: %s/%s.csv: the header is not %s", paper, item, strings.Join(header, ","))
	}
	return records[1:], nil
}
