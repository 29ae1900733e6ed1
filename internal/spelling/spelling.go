// Package spelling guesses which of some names was meant.
package spelling

import (
	"slices"
	"strings"
)

// Match is the place of a name among candidates, -1 if it is none of them. Case counts only where several candidates
// differ in nothing else.
func Match(name string, candidates []string) int {
	if exact := slices.Index(candidates, name); exact >= 0 {
		return exact
	}
	found := -1
	for i, candidate := range candidates {
		switch {
		case !strings.EqualFold(candidate, name):
		case found >= 0 && candidates[found] != candidate:
			return -1
		case found < 0:
			found = i
		}
	}
	return found
}

// Nearest gives the candidate that takes the fewest edits, or nothing when all take too many. Case counts only between
// candidates that are equally near without it.
func Nearest(name string, candidates []string) string {
	best, least, cased := "", len(name)/2+2, 0
	for _, candidate := range candidates {
		d, exactly := edits(strings.ToLower(name), strings.ToLower(candidate)), edits(name, candidate)
		if d < least || d == least && best != "" && exactly < cased {
			best, least, cased = candidate, d, exactly
		}
	}
	return best
}

// edits is the Levenshtein distance.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
