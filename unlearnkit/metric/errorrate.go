package metric

import (
	"fmt"
	"math"
	"strings"
)

// ErrorRate is the edit distance between answers and references.
type ErrorRate struct {
	// Rate is Errors / Length, over all rows at once. It can exceed 1, and is NaN if all references are empty.
	Rate   float64
	Errors int // smallest number of insertions, deletions and replacements
	Length int // total length of the references
	Rows   []Errors
}

// Errors counts the errors and the length of a row.
type Errors struct{ Errors, Length int }

// WordErrorRate compares words, which are separated by white space.
func WordErrorRate(references, answers []string) ErrorRate {
	return errorRate(references, answers, strings.Fields)
}

// LetterErrorRate compares letters, including spaces. White space at the ends of a text does not count.
func LetterErrorRate(references, answers []string) ErrorRate {
	return errorRate(references, answers, func(text string) []string {
		text = strings.TrimSpace(text)
		if text == "" {
			return nil
		}
		return strings.Split(text, "")
	})
}

func errorRate(references, answers []string, split func(string) []string) ErrorRate {
	if len(references) != len(answers) {
		panic(fmt.Sprintf("metric: %d references and %d answers", len(references), len(answers)))
	}
	rate := ErrorRate{Rate: math.NaN()}
	for i, reference := range references {
		parts := split(reference)
		row := Errors{editDistance(parts, split(answers[i])), len(parts)}
		rate.Rows = append(rate.Rows, row)
		rate.Errors += row.Errors
		rate.Length += row.Length
	}
	if rate.Length > 0 {
		rate.Rate = float64(rate.Errors) / float64(rate.Length)
	}
	return rate
}

// editDistance returns Levenshtein's (1966) distance.
func editDistance(a, b []string) int {
	row := make([]int, len(b)+1) // distances between prefixes of b and a prefix of a
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			replaced := diagonal
			if x != y {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
