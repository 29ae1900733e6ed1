package metric

import (
	"fmt"
	"math"
	"strings"
)

// ErrorRate is how far answers are from what was said.
type ErrorRate struct {
	// Rate is Errors / Length, over all rows at once; it can exceed 1, and is NaN where nothing was said.
	Rate   float64
	Errors int // the least number of insertions, deletions and replacements that make the references of the answers
	Length int // of the references
	Rows   []Errors
}

// Errors are those of a row.
type Errors struct{ Errors, Length int }

// WordErrorRate compares words, which are what stands between white space.
func WordErrorRate(references, answers []string) ErrorRate {
	return errorRate(references, answers, strings.Fields)
}

// LetterErrorRate compares letters, spaces among them; white space around a text does not count.
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

// editDistance is Levenshtein's (1966).
func editDistance(a, b []string) int {
	row := make([]int, len(b)+1) // distances of the beginnings of b from a beginning of a
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
