package metric

import (
	"fmt"
	"math"
	"strings"
)

// ErrorRate is a word or letter error rate, with its counts.
type ErrorRate struct {
	// Rate is Errors / Length, over all rows together. It can exceed 1. It is NaN if all references are empty.
	Rate   float64
	Errors int // smallest number of insertions, deletions and replacements
	Length int // total length of the references
	Rows   []Errors
}

// Errors holds the number of errors in a row and the length of its reference.
type Errors struct{ Errors, Length int }

// WordErrorRate returns the error rate in words, which are separated by white space.
func WordErrorRate(references, answers []string) ErrorRate {
	return errorRate(references, answers, strings.Fields)
}

// LetterErrorRate returns the error rate in letters, including spaces. It ignores white space at the ends of a text.
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

// editDistance returns the edit distance of Levenshtein (1966).
func editDistance(a, b []string) int {
	row := make([]int, len(b)+1) // distances between each prefix of b and the current prefix of a
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
