package metric_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// testdata/gen_errorrate.py makes the texts, and computes their error rates with jiwer.
func TestErrorRates_EqualJiwer(t *testing.T) {
	content, err := os.ReadFile("testdata/errorrate.json")
	if err != nil {
		t.Fatal(err)
	}
	var fixture struct {
		Words, Letters float64
		Rows           []struct {
			Said, Heard    string
			Words, Letters float64
		}
	}
	if err := json.Unmarshal(content, &fixture); err != nil || len(fixture.Rows) == 0 {
		t.Fatalf("%d rows: %v", len(fixture.Rows), err)
	}
	var said, heard []string
	for _, row := range fixture.Rows {
		said, heard = append(said, row.Said), append(heard, row.Heard)
	}
	words, letters := metric.WordErrorRate(said, heard), metric.LetterErrorRate(said, heard)
	if math.Abs(words.Rate-fixture.Words) > 1e-12 || math.Abs(letters.Rate-fixture.Letters) > 1e-12 {
		t.Errorf("the rates are %g and %g, jiwer's %g and %g", words.Rate, letters.Rate, fixture.Words, fixture.Letters)
	}
	for i, row := range fixture.Rows {
		share := func(e metric.Errors) float64 { return float64(e.Errors) / float64(e.Length) }
		if w, l := share(words.Rows[i]), share(letters.Rows[i]); math.Abs(w-row.Words) > 1e-12 ||
			math.Abs(l-row.Letters) > 1e-12 {
			t.Errorf("%q heard as %q: %g and %g, jiwer's %g and %g", row.Said, row.Heard, w, l, row.Words, row.Letters)
		}
	}
}

func TestErrorRates_Empty(t *testing.T) {
	rate := metric.WordErrorRate([]string{" "}, []string{"a word"})
	if !math.IsNaN(rate.Rate) || rate.Errors != 2 || rate.Length != 0 {
		t.Errorf("got %+v, want Rate NaN, Errors 2, Length 0", rate)
	}
}

// WordErrorRate counts one wrong word and one word too many.
func ExampleWordErrorRate() {
	rate := metric.WordErrorRate([]string{"turn it off"}, []string{"turn it on again"})
	fmt.Printf("%d errors in %d words: %.3f\n", rate.Errors, rate.Length, rate.Rate)
	// Output: 2 errors in 3 words: 0.667
}
