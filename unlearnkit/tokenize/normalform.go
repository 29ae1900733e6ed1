package tokenize

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// longestRun is the number of consecutive marks from which [norm] inserts a U+034F, which the originals do not.
const longestRun = 30

// normalForm returns text in the normalisation form. Unlike form.String, it is correct for runs of marks of any length.
func normalForm(form norm.Form, text string) string {
	if !hasLongRun(form, text) {
		return form.String(text)
	}
	return normalFormOfRuns(form, text)
}

// normalFormOfRuns runs the algorithm of the Unicode Standard, section 3.11, with the tables of package norm.
func normalFormOfRuns(form norm.Form, text string) string {
	decomposition := norm.NFD
	if form == norm.NFKC || form == norm.NFKD {
		decomposition = norm.NFKD
	}
	var marked []markedRune
	for _, r := range text {
		for _, part := range decomposition.String(string(r)) {
			marked = append(marked, markedRune{part, combiningClass(part)})
		}
	}
	reorder(marked)
	if form == norm.NFC || form == norm.NFKC {
		marked = compose(marked)
	}
	var normalized strings.Builder
	for _, m := range marked {
		normalized.WriteRune(m.r)
	}
	return normalized.String()
}

// A markedRune is a character with its canonical combining class, 0 for a character that begins a new sequence.
type markedRune struct {
	r     rune
	class uint8
}

func combiningClass(r rune) uint8 { return norm.NFD.PropertiesString(string(r)).CCC() }

// hasLongRun reports whether text may decompose to a run of marks that norm would break. One character decomposes to at
// most four marks.
func hasLongRun(form norm.Form, text string) bool {
	run := 0
	for _, r := range text {
		if r < 0x300 {
			run = 0
			continue
		}
		properties := form.PropertiesString(string(r))
		if properties.CCC() == 0 && properties.BoundaryBefore() {
			run = 0
		}
		run++
		if 4*run > longestRun {
			return true
		}
	}
	return false
}

// reorder sorts each run of marks by class (Unicode, section 3.11, D109).
func reorder(marked []markedRune) {
	for start := 0; start < len(marked); start++ {
		end := start
		for end < len(marked) && marked[end].class != 0 {
			end++
		}
		slices.SortStableFunc(marked[start:end], func(a, b markedRune) int { return int(a.class) - int(b.class) })
		start = end
	}
}

// compose joins characters to the preceding starter if nothing in between blocks them (Unicode, section 3.11, D117).
func compose(marked []markedRune) []markedRune {
	composed := marked[:0]
	starter := -1
	last := uint8(0) // class of the last character kept since the starter
	for _, m := range marked {
		if starter >= 0 && (last < m.class || starter == len(composed)-1) {
			if joined, ok := join(composed[starter].r, m.r); ok {
				composed[starter].r = joined
				continue
			}
		}
		if m.class == 0 {
			starter = len(composed)
		}
		last = m.class
		composed = append(composed, m)
	}
	return composed
}

// join composes two characters into one. It returns false if they do not compose.
func join(first, second rune) (rune, bool) {
	joined := []rune(norm.NFC.String(string([]rune{first, second})))
	return joined[0], len(joined) == 1
}
