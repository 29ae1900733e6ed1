// Package spelling guesses which of some names was meant.
package spelling

// Nearest gives the candidate that takes the fewest edits, or nothing when all take too many.
func Nearest(name string, candidates []string) string {
	best, least := "", len(name)/2+2
	for _, candidate := range candidates {
		if d := edits(name, candidate); d < least {
			best, least = candidate, d
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
