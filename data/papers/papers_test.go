package papers_test

import (
	"fmt"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"pgregory.net/rapid"
)

func open(t *testing.T, paper, item string) []papers.Cell {
	t.Helper()
	cells, err := papers.Open(paper, item)
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

func distinct(cells []papers.Cell, of func(papers.Cell) string) int {
	seen := map[string]bool{}
	for _, c := range cells {
		seen[of(c)] = true
	}
	return len(seen)
}

func TestList_Shapes(t *testing.T) {
	for _, want := range []struct {
		paper, item          string
		cells, rows, columns int
	}{
		{"salmu", "table4", 15, 3, 5},
		{"salmu", "table5", 390, 39, 10},
		{"salmu", "table6", 50, 5, 10},
		{"salmu", "evaluator", 20, 2, 10},
		{"remem", "table1", 20, 4, 5},
		{"remem", "table2", 120, 10, 12},
		{"remem", "table3", 16, 4, 4},
		{"remem", "table4", 12, 6, 2},
		{"remem", "table5", 6, 3, 2},
		{"remem", "table6", 20, 20, 1},
		{"remem", "table7", 15, 15, 1},
		{"remem", "table8", 19, 19, 1},
		{"remem", "table9", 9, 3, 3},
		{"unslu", "table1", 100, 10, 10},
		{"unslu", "table2", 200, 10, 20},
		{"unslu", "table3", 200, 10, 20},
		{"unslu", "table4", 25, 5, 5},
		{"unslu", "table5", 30, 5, 6},
		{"unslu", "accuracy", 100, 10, 10},
		{"concealment", "table1", 70, 10, 7},
		{"concealment", "table2", 56, 8, 7},
		{"concealment", "table3", 56, 8, 7},
		{"concealment", "table4", 39, 13, 3},
	} {
		cells := open(t, want.paper, want.item)
		rows := distinct(cells, func(c papers.Cell) string { return c.Row })
		columns := distinct(cells, func(c papers.Cell) string { return c.Column })
		if len(cells) != want.cells || rows != want.rows || columns != want.columns {
			t.Errorf("%s %s: %d cells, %d rows, %d columns, want %d, %d, %d",
				want.paper, want.item, len(cells), rows, columns, want.cells, want.rows, want.columns)
		}
	}
}

// The sums come from a second reading of the papers, as a stream of numbers without columns. The i-th number has weight
// i, so swapped, shifted, missing and misread cells all change the sum.
func TestNumbers_SecondReading(t *testing.T) {
	for _, want := range []struct {
		paper, item string
		numbers     int64
		sum         string
	}{
		{"salmu", "table4", 15, "33.492"},
		{"salmu", "table5", 390, "13579.982"},
		{"salmu", "table6", 50, "167.653"},
		{"remem", "table2", 120, "396622.43"},
		{"remem", "table3", 16, "8605.62"},
		{"remem", "table4", 12, "5597.06"},
		{"remem", "table5", 6, "287.37"},
		{"remem", "table9", 9, "225"},
		{"unslu", "table1", 100, "25358.951"},
		{"unslu", "table2", 200, "544000.33"},
		{"unslu", "table3", 200, "293662.17"},
		{"unslu", "table4", 25, "25524.522"},
		{"unslu", "table5", 30, "262.791"},
		{"concealment", "table1", 40, "315.47"},
		{"concealment", "table2", 32, "203.9"},
		{"concealment", "table3", 32, "250.99"},
	} {
		sum, position := new(big.Rat), int64(0)
		for _, c := range open(t, want.paper, want.item) {
			if !c.Numeric() {
				continue
			}
			position++
			value, ok := new(big.Rat).SetString(c.Value)
			if !ok {
				t.Fatalf("%+v", c)
			}
			sum.Add(sum, value.Mul(value, new(big.Rat).SetInt64(position)))
		}
		expected, _ := new(big.Rat).SetString(want.sum)
		if position != want.numbers || sum.Cmp(expected) != 0 {
			t.Errorf("%s %s: %d numbers with weighted sum %s, want %d with %s",
				want.paper, want.item, position, sum.FloatString(3), want.numbers, want.sum)
		}
	}
}

func TestCells_Whole(t *testing.T) {
	words := map[string]bool{"Method": true, "Unlearned Concept": true, "Concept Class": true, "Concept": true,
		"Figure": true, "Prompt": true, "Text": true,
		"psi relation": true, "Outcome": true, "Test Set": true, "Single-hop QA": true, "Multi-hop QA": true}
	for _, item := range papers.List() {
		cells := open(t, item.Paper, item.Name)
		seen := map[string]bool{}
		for _, c := range cells {
			if c.Row == "" || c.Column == "" || c.Value == "" || c.Source == "" {
				t.Errorf("%+v has an empty field", c)
			}
			if at := c.Row + "\x00" + c.Column; seen[at] {
				t.Errorf("%s %s: two cells at %q, %q", c.Paper, c.Item, c.Row, c.Column)
			} else {
				seen[at] = true
			}
			if c.Column != "Example" && c.Numeric() == words[c.Column] { // an example has words and a number
				t.Errorf("%s %s, %s, %s: %q", c.Paper, c.Item, c.Row, c.Column, c.Value)
			}
			if c.Unit != "" && c.Unit != "x" && c.Unit != "%" {
				t.Errorf("%+v has an unknown unit", c)
			}
			if strings.ContainsAny(c.Row+c.Column+c.Value, "\u2212\u2013×*†<") && c.Column != "Text" &&
				!strings.ContainsAny(c.Row+c.Column, "*") {
				t.Errorf("%+v keeps typography of the page", c)
			}
		}
	}
}

func TestMarks_Table2(t *testing.T) {
	marks, err := papers.Marks()
	if err != nil {
		t.Fatal(err)
	}
	cells := open(t, "remem", "table2")
	for _, m := range marks {
		if !slices.ContainsFunc(cells, func(c papers.Cell) bool {
			return c.Row == m.Row && c.Column == m.Column
		}) || m.Mark != "second" {
			t.Errorf("%+v", m)
		}
	}
	if len(marks) != 26 {
		t.Errorf("%d marks, the page has 26", len(marks))
	}
}

func TestREADME_CountsCells(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range papers.List() {
		cells, numbers := open(t, item.Paper, item.Name), 0
		for _, c := range cells {
			if c.Numeric() {
				numbers++
			}
		}
		line := fmt.Sprintf("| %s/%s.csv | %d | %d |", item.Paper, item.Name, len(cells), numbers)
		if !strings.Contains(string(readme), line) {
			t.Errorf("README.md lacks the line %s", line)
		}
	}
}

func TestOpen_Unknown(t *testing.T) {
	for _, at := range [][2]string{{"unslu", "table9"}, {"unslu", "../salmu/table5"}, {"unslu", "marks"},
		{"clip", "table1"}} {
		if _, err := papers.Open(at[0], at[1]); err == nil || !strings.Contains(err.Error(), at[0]) {
			t.Errorf("%v: got the error %v, want one with %q", at, err, at[0])
		}
	}
	if _, err := papers.Open("remem", "marks"); err == nil {
		t.Error("the marks are not cells")
	}
}

// An interval is half a unit in the last printed digit to each side.
func TestInterval_LastDigit(t *testing.T) {
	for value, want := range map[string][2]float64{
		".508": {.5075, .5085}, "1.00": {.995, 1.005}, "0.80": {.795, .805}, "-0.429": {-.4295, -.4285},
		"206.9": {206.85, 206.95},
		"1748":  {1747.5, 1748.5}, "5e-07": {4.5e-07, 5.5e-07}, "2.5e-4": {2.45e-4, 2.55e-4}, "0": {-.5, .5},
		"33.650": {33.6495, 33.6505},
	} {
		lo, hi, err := papers.Cell{Value: value}.Interval()
		if err != nil || lo != want[0] || hi != want[1] {
			t.Errorf("%s: [%v, %v] %v, want %v", value, lo, hi, err, want)
		}
	}
	for _, value := range []string{"", "?", "Forget", "1,000", "0x10", "1e", ".", "NaN"} {
		if _, _, err := (papers.Cell{Value: value}).Interval(); err == nil {
			t.Errorf("%q has an interval", value)
		}
		if _, err := (papers.Cell{Value: value}).Float(); err == nil {
			t.Errorf("%q is a number", value)
		}
	}
}

// An interval contains every number that prints as the value.
func TestInterval_HoldsPrinted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-2000, 2000).Draw(t, "x")
		digits := rapid.IntRange(0, 6).Draw(t, "digits")
		cell := papers.Cell{Value: fmt.Sprintf("%.*f", digits, x)}
		lo, hi, err := cell.Bounds()
		exact := new(big.Rat).SetFloat64(x)
		if err != nil || exact.Cmp(lo) < 0 || exact.Cmp(hi) > 0 {
			t.Fatalf("%v prints as %s, outside [%v, %v] %v", x, cell.Value, lo, hi, err)
		}
	})
}

func Example() {
	cells, err := papers.Open("unslu", "table1")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range cells {
		if c.Row == "NG" && c.Column == "FSC/wav2vec 2.0/GUM" {
			lo, hi, _ := c.Interval()
			fmt.Printf("%s prints %s: a number in [%v, %v]\n", c.Source, c.Value, lo, hi)
		}
	}
	// Output: Table 1 prints .816: a number in [0.8155, 0.8165]
}
