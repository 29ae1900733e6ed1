// Package spelling finds the name that a misspelt name was meant to be.
package spelling

import (
	"slices"
	"strings"
)

// Match returns the index of name in candidates, or -1. Case matters only if several candidates differ in nothing else.
// What a candidate ends with in parentheses may be left out: "mine" matches "mine (guest, 1 of 5 worlds)".
func Match(name string, candidates []string) int {
	if found := match(name, candidates); found >= 0 {
		return found
	}
	var bare []string
	for _, candidate := range candidates {
		if at := strings.LastIndex(candidate, " ("); at >= 0 && strings.HasSuffix(candidate, ")") {
			candidate = candidate[:at]
		}
		bare = append(bare, candidate)
	}
	found := match(name, bare)
	for i := range bare {
		if found >= 0 && strings.EqualFold(bare[i], name) && candidates[i] != candidates[found] {
			return -1
		}
	}
	return found
}

func match(name string, candidates []string) int {
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

// Nearest returns the candidate that needs the fewest edits, or "" if all need too many. Case decides only between
// candidates that are otherwise equally near.
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

// edits returns the Levenshtein distance in bytes.
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
