package cli

import (
	"strings"
	"testing"
)

// Paragraphs are filled, and the text of a list item is indented below its first word.
func TestNarrowed(t *testing.T) {
	got := narrowed(strings.Join([]string{"One paragraph of some", "words, and more.", "", "There are:",
		"  name   what this is, in a few words", "  longer what that is, too", "  one  two  of both a few words", "",
		`  unlearnlab run salmu \`, "    --preset mini --dry-run --device go", ""}, "\n"), 22)
	want := strings.Join([]string{"One paragraph of some", "words, and more.", "", "There are:",
		"  name   what this is,", "         in a few", "         words", "  longer what that is,", "         too",
		"  one  two  of both a", "            few words", "",
		`  unlearnlab run salmu \`, "    --preset mini --dry-run --device go", ""}, "\n")
	if got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
