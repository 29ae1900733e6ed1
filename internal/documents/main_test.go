package main

import (
	"fmt"
	"strings"
	"testing"
)

// verdicts is a table as the command prints it.
const verdicts = `**Erased? (mini)**

| Size | Method | Verdict | Left | p | Parameters |
|---|---|---|--:|--:|--:|
| S | NPO | not erased | +0.28 [+0.07, +0.50] | &lt; .001 (5 of 5) | 389505 |
|  | PO | **masked** | -0.04 [-0.16, +0.08] | 0.037 (5 of 5) | 1765377 |
|  | DPO | not erased | – |  | 12 |

n: 5 worlds. 66 of 80 rates.`

// printing returns commands that print the table for the line "table a", and a counter of the lines run.
func printing() (*commands, *int) {
	ran := 0
	run := func(line string) (string, error) {
		if ran++; line != "table a --format md" {
			return "", fmt.Errorf("bin/unlearnlab %s: no such table", line)
		}
		return verdicts, nil
	}
	return &commands{run: run, once: map[string]func() (string, error){}}, &ran
}

// body returns a document without its first line.
func body(document string) string {
	_, rest, _ := strings.Cut(document, "\n")
	return rest
}

func TestExpand_Functions(t *testing.T) {
	c, ran := printing()
	for source, want := range map[string]string{
		`{{cell "table a" "NPO" "Left"}}`:                    "0.28",
		`{{cell "table a" "S/NPO" "Left" "interval"}}`:       "0.28 [0.07, 0.50]",
		`{{cell "table a" "NPO" "Left" "low" "1"}}`:          "0.1",
		`{{cell "table a" "NPO" "Left" "high" "percent"}}`:   "50 %",
		`{{cell "table a" "S/PO" "Left" "abs"}}`:             "0.04",
		`{{cell "table a" "S/PO" "p" "p"}}`:                  "p = 0.037",
		`{{cell "table a" "NPO" "p" "p"}}`:                   "p < .001",
		`{{cell "table a" "S/PO" "Verdict" "text"}}`:         "masked",
		`{{cell "table a" "NPO" "Param" "million" "2"}}`:     "0.39",
		`{{cells "table a" "NPO" "Verdict" "p"}}`:            "not erased | &lt; .001 (5 of 5)",
		`{{count "table a" "Verdict" "not erased"}}`:         "2",
		`{{least "table a" "Left" "" "interval"}}`:           "-0.04 [-0.16, 0.08]",
		`{{most "table a" "Parameters" "PO" "million" "1"}}`: "1.8",
		"{{match `table a` `(\\d+) of \\d+ rates`}}":         "66",
		`{{rows "table a" "Method" "Left"}}`: "| Method | Left |\n| --- | --: |\n| NPO | +0.28 [+0.07, +0.50] |\n" +
			"| PO | -0.04 [-0.16, +0.08] |\n| DPO | – |\n\n`bin/unlearnlab table a`",
		`{{output "table a"}}`: verdicts + "\n\n`bin/unlearnlab table a`",
	} {
		got, err := c.expand("docs/src/a.md", source)
		if err != nil || body(got) != want {
			t.Errorf("%s\n got %q, %v\nwant %q", source, body(got), err, want)
		}
	}
	if *ran != 1 {
		t.Errorf("the command ran %d times, want 1", *ran)
	}
}

func TestExpand_Errors(t *testing.T) {
	c, _ := printing()
	for source, want := range map[string]string{
		`{{cell "table a" "KL" "Left"}}`: `docs/src/a.md:2: table a: no row has "KL" in its name: ` +
			`write a part of one of ["S/NPO" "S/PO" "S/DPO"]`,
		`{{cell "table a" "P" "Left"}}`: `docs/src/a.md:2: table a: 3 rows have "P" in their names: ` +
			`write more of one of ["S/NPO" "S/PO" "S/DPO"]`,
		`{{cell "table a" "NPO" "Lef t"}}`:        `no column has "Lef t" in its name`,
		`{{cell "table a" "S/DPO" "Left"}}`:       `docs/src/a.md:2: table a: the cell "–" has no number`,
		`{{cell "table a" "NPO" "Left" "round"}}`: `no option is "round"`,
		`{{count "table a" "Verdicts" "gone"}}`:   `no column has "Verdicts" in its name`,
		`{{least "table a" "Verdict" ""}}`:        `table a: no row with "" in its name has a number`,
		"{{match `table a` `(x+)`}}":              `prints nothing like "(x+)"`,
		`{{cell "table b" "NPO" "Left"}}`:         "bin/unlearnlab table b --format md: no such table",
		`{{cel "table a"}}`:                       `docs/src/a.md:2: function "cel" not defined`,
	} {
		got, err := c.expand("docs/src/a.md", "# Title\n"+source)
		if err == nil {
			err = fmt.Errorf("%s", got)
		}
		if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "executing") {
			t.Errorf("%s\n got %v\nwant %s", source, err, want)
		}
	}
}

func TestDifference(t *testing.T) {
	if err := difference("a.md", "one\ntwo\n", "one\ntwo\n"); err != nil {
		t.Error(err)
	}
	err := difference("a.md", "one\ntwo\n", "one\nthree\nfour\n")
	want := "a.md:2 is not current; run make docs\n  is     two\n  should three"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := difference("a.md", "one", "one\n"); err == nil {
		t.Error("a missing line is no difference")
	}
}
