package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// numbered are the documents in whose prose every number has a source: a line of a comment of its section,
//
//	<!-- numbers
//	.15 .27: table concealment verdicts --preset mini --rows below | below ψ .55/ESD-x of Van Gogh | Excess
//	80 32: audit unslu | text
//	-->
//
// that names the numbers, the command, and of the table that it prints the row and the column of the cell that has
// them, as the command's --format csv has them; or "text" where they stand anywhere in what it prints. A number is as
// the cell's rounded to its digits, without its sign; in a source k and M
// behind it are thousands and millions, % hundredths. Numbers in words, from two on, need a source, too, or are named
// as numbers that no run can change:
//
//	two five: of the design
var numbered = []string{"../../docs/salmubench.md", "../../docs/concealment.md", "../../docs/unslu.md",
	"../../README.md"}

// What of a document is no prose, and which numbers in it need no source: names, places in the paper, ψ, versions,
// years, levels of confidence.
var (
	notProse = regexp.MustCompile("(?s)<!-- bin/unlearnlab.*?<!-- end -->|<!--.*?-->|```.*?```|`[^`]*`|\\]\\([^)]*\\)")
	unasked  = regexp.MustCompile(`(Tables?|Figures?|Equations?|Theorems?|Lemma|Proposition|Corollary|Type|§§?)\s*` +
		`\(?[\d.]+[a-e]?\)?((, | to | and |-)\(?[\d.]+\)?)*|\(\d+\)|ψ\s*[=≈≤≥<>]?\s*[.\d]+((, | and | to )[.\d]+)*|` +
		`95 %|wav2vec 2\.0|XLSR?-(R )?(128|53)|` +
		`\b(CVPR|ACL|Interspeech) \d{4}|(Go|Python|Stable Diffusion|since) \d[\d.x]*|Apache-2.0|(?m:^ *\d\. )`)
	inProse = regexp.MustCompile(`(^|[^\w./-])([−-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?)` +
		`(?: ?(k\b|M\b|%|thousand\b|million\b)|\b)`)
	sources = regexp.MustCompile(`(?s)<!-- numbers\n(.*?)-->`)
	source  = regexp.MustCompile(`^([^:]+): (.+)$`)
	inCell  = regexp.MustCompile(`(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?`)
)

// bare are what needs no source as it says nothing.
var bare = []string{"0", "1"}

// designed is in place of a command where a number is of the design and no result.
const designed = "of the design"

// spelt are numbers in words. Of one nothing is asked: it mostly is none.
var spelt = map[string]string{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
	"eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14",
	"fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20",
	"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
	"hundred": "100"}

var word = regexp.MustCompile(`[A-Za-z]+`)

func TestEveryNumberOfTheDocumentsHasACommand(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	t.Parallel()
	printed := &printing{T: t, known: map[string]string{}}
	for _, document := range numbered {
		content, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		var made []string
		for _, section := range sectionsOf(string(content)) {
			made = append(made, printed.check(document, section))
		}
		if joined := strings.Join(made, ""); *update && joined != string(content) {
			if err := os.WriteFile(document, []byte(joined), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// sectionsOf cuts a document before its headings.
func sectionsOf(document string) (sections []string) {
	begin := 0
	for _, at := range regexp.MustCompile(`(?m)^#+ `).FindAllStringIndex(document, -1) {
		if at[0] > begin {
			sections = append(sections, document[begin:at[0]])
			begin = at[0]
		}
	}
	return append(sections, document[begin:])
}

// numbersOf are those of a section's prose that need a source.
func numbersOf(section string) (numbers []string) {
	prose := unasked.ReplaceAllString(notProse.ReplaceAllString(section, " ] "), " ")
	for _, found := range inProse.FindAllStringSubmatch(prose, -1) {
		if number := strings.TrimLeft(found[2], "−-"); number != "" && !slices.Contains(bare, number) {
			numbers = append(numbers, number+strings.NewReplacer("thousand", "k", "million", "M").Replace(found[3]))
		}
	}
	for _, found := range word.FindAllString(prose, -1) {
		if found = strings.ToLower(found); spelt[found] != "" && !slices.Contains(numbers, found) {
			numbers = append(numbers, found)
		}
	}
	return numbers
}

// printing is what commands print, each run once.
type printing struct {
	*testing.T
	known map[string]string
}

func (o *printing) of(line string) string {
	if text, known := o.known[line]; known {
		return text
	}
	split := words.FindAllString(line, -1)
	for i := range split {
		split[i] = strings.Trim(split[i], `"`)
	}
	code, stdout, stderr := command(split...)
	if code != exitDone {
		o.Errorf("bin/unlearnlab %s: exit %d, %s", line, code, stderr)
	}
	o.known[line] = stdout
	return stdout
}

// check compares the numbers of a section with their sources; with -update it writes those that have moved.
func (o *printing) check(document, section string) string {
	heading, _, _ := strings.Cut(section, "\n")
	wanted := numbersOf(section)
	sourced := map[string]bool{}
	made := section
	for _, block := range sources.FindAllStringSubmatch(section, -1) {
		for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
			parts := source.FindStringSubmatch(line)
			if parts == nil {
				o.Errorf("%s, %s: %q is no source; write NUMBERS: COMMAND | ROW | COLUMN", document, heading, line)
				continue
			}
			cell, err := o.cell(parts[2])
			if err != nil {
				o.Errorf("%s, %s: %s: %v", document, heading, line, err)
				continue
			}
			for _, number := range strings.Fields(parts[1]) {
				sourced[number] = true
				if !slices.Contains(wanted, number) {
					o.Errorf("%s, %s: %s has a source and is not in the text", document, heading, number)
				}
				switch nearest, same := nearestIn(number, cell); {
				case same, parts[2] == designed && spelt[number] != "":
				case *update && nearest != "":
					made = replaceNumber(made, number, nearest)
				default:
					o.Errorf("%s, %s: %s is not in %q of %q; go test -run Number -update ./cmd/unlearnlab writes %s",
						document, heading, number, cell, parts[2], nearest)
				}
			}
		}
	}
	for _, number := range wanted {
		if !sourced[number] {
			o.Errorf("%s, %s: %s has no command", document, heading, number)
		}
	}
	return made
}

// cell is the text in which a source says that its numbers are.
func (o *printing) cell(of string) (string, error) {
	place := strings.Split(of, " | ")
	if of == designed {
		return "", nil
	}
	if len(place) == 2 && place[1] == "text" {
		return o.of(place[0]), nil
	}
	if len(place) != 3 {
		return "", fmt.Errorf("give a row and a column, or text")
	}
	rows, err := csv.NewReader(strings.NewReader(o.of(place[0] + " --format csv"))).ReadAll()
	if err != nil || len(rows) == 0 {
		return "", fmt.Errorf("no table: %v", err)
	}
	if rows[0][0] == "row" { // a paper's numbers, one a line
		for _, row := range rows[1:] {
			if row[0] == place[1] && row[1] == place[2] {
				return row[2], nil
			}
		}
		return "", fmt.Errorf("the paper prints no such cell")
	}
	column := slices.Index(rows[0], place[2])
	if column < 0 {
		return "", fmt.Errorf("the columns are %q", rows[0])
	}
	var names []string
	for _, row := range rows[1:] {
		if row[0] == place[1] {
			return row[column], nil
		}
		names = append(names, row[0])
	}
	return "", fmt.Errorf("the rows are %q", names)
}

// nearestIn is the number of a text that is nearest to another, with its digits, "" where there is none; same tells
// whether it is the same.
func nearestIn(number, text string) (nearest string, same bool) {
	if digits, isWord := spelt[number]; isWord {
		nearest, same = nearestIn(digits, text)
		for name, value := range spelt {
			if value == nearest {
				nearest = name
			}
		}
		return nearest, same
	}
	scale, digits := 1., number
	for suffix, factor := range map[string]float64{"k": 1e3, "M": 1e6, "%": .01} {
		if rest, has := strings.CutSuffix(number, suffix); has {
			scale, digits = factor, rest
		}
	}
	plain := strings.ReplaceAll(digits, ",", "")
	want, err := strconv.ParseFloat(plain, 64)
	if err != nil {
		return "", false
	}
	_, decimals, _ := strings.Cut(plain, ".")
	least := math.Inf(1)
	for _, found := range inCell.FindAllString(strings.ReplaceAll(text, ",", ""), -1) {
		value, err := strconv.ParseFloat(found, 64)
		if err != nil {
			continue
		}
		value /= scale
		const halves = 1e-9 // what stands halfway may have been rounded either way before it was printed
		step := math.Pow(10, -float64(len(decimals)))
		if math.Abs(value-want) <= step/2+halves {
			return number, true
		}
		if away := math.Abs(value - want); away < least {
			least, nearest = away, strconv.FormatFloat(value, 'f', len(decimals), 64)
		}
	}
	if nearest == "" {
		return "", false
	}
	if strings.HasPrefix(digits, ".") {
		nearest = strings.TrimPrefix(nearest, "0")
	}
	return nearest + strings.TrimPrefix(number, digits), false
}

// replaceNumber writes another number wherever a section has one.
func replaceNumber(section, number, by string) string {
	whole := regexp.MustCompile(`(^|[^\w.])` + regexp.QuoteMeta(number) + `([^\w.]|\.\D|\.?$)`)
	return whole.ReplaceAllString(section, "${1}"+by+"${2}")
}

func TestNumbersOfProseAreFoundAndThoseOfNamesAreNot(t *testing.T) {
	const section = "## 3 things\n\nIn Table 5 and Figures 2 to 4 R2D2 has .15 [-.02, 1,024] at ψ = .25 and .35 " +
		"(`7`), 390 k of ViT-B/16 after 5x, see [9](x8.md), eq. (7), 95 % and 12 %.\n\n1. It is 2.5.\n\n<!-- " +
		"numbers\n4: a | text\n-->\nSix of ten, and two-sided.\n"
	if got := numbersOf(section); strings.Join(got, " ") != "3 .15 .02 1,024 390k 9 12% 2.5 six ten two" {
		t.Errorf("%q", got)
	}
	for _, test := range []struct {
		number, text, nearest string
		same                  bool
	}{{".15", "+0.15 [+0.03, +0.27]", ".15", true}, {".16", "0.15 0.03", ".15", false},
		{"390k", "389505", "390k", true},
		{"1.8M", "1765377", "1.8M", true}, {"2,001", "2001", "2,001", true}, {"12%", "0.13", "13%", false},
		{"twelve", "12", "twelve", true}, {"six", "7 of 10", "seven", false}} {
		if nearest, same := nearestIn(test.number, test.text); nearest != test.nearest || same != test.same {
			t.Errorf("%s in %q: %s, %v", test.number, test.text, nearest, same)
		}
	}
	if got := replaceNumber("of .15, .155 and x.15.", ".15", ".16"); got != "of .16, .155 and x.15." {
		t.Error(got)
	}
}
