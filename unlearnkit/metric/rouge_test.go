package metric_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// loadReference decodes testdata/name, which a script in that folder made with another library.
func loadReference(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

// wantNear checks a number against its reference, with an absolute and relative tolerance. NaN equals only NaN.
func wantNear(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > tolerance*max(1, math.Abs(want)) {
		t.Errorf("%s = %.17g, want %.17g within %g", what, got, want, tolerance)
	}
}

func TestROUGEL_EqualsGoogle(t *testing.T) {
	var reference struct {
		Cases []struct {
			Reference, Prediction string
			Tokens                []string
			Precision, Recall, F1 float64
		}
	}
	loadReference(t, "rouge_google.json", &reference)
	if len(reference.Cases) < 300 {
		t.Fatalf("%d cases", len(reference.Cases))
	}
	for _, c := range reference.Cases {
		if c.Tokens != nil {
			if diff := cmp.Diff(c.Tokens, append([]string{}, metric.ROUGETokens(c.Reference)...)); diff != "" {
				t.Errorf("tokens of %q:\n%s", c.Reference, diff)
			}
		}
		got := metric.ROUGEL(c.Reference, c.Prediction)
		if got.Precision != c.Precision || got.Recall != c.Recall || math.Abs(got.F1-c.F1) > 1e-15 {
			t.Errorf("%q against %q: %+v, want P %v R %v F1 %v", c.Prediction, c.Reference, got, c.Precision, c.Recall,
				c.F1)
		}
	}
}

// quadraticSubsequence returns the length of the longest common subsequence, computed by the textbook recurrence.
func quadraticSubsequence(a, b []byte) int {
	row := make([]int, len(b)+1)
	for i := range a {
		diagonal := 0
		for j := range b {
			above := row[j+1]
			if a[i] == b[j] {
				row[j+1] = diagonal + 1
			} else {
				row[j+1] = max(row[j], above)
			}
			diagonal = above
		}
	}
	return row[len(b)]
}

func TestLCS_EqualsRecurrence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.IntRange(1, 6).Draw(t, "letters")
		text := rapid.SliceOfN(rapid.Map(rapid.IntRange(0, letters), func(i int) byte { return byte('a' + i) }), 0, 200)
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		want := quadraticSubsequence(a, b)
		if got := metric.LongestCommonSubsequence(a, b); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
		if got := metric.LongestCommonSubsequence(b, a); got != want {
			t.Fatalf("exchanged: %d, want %d", got, want)
		}
	})
}

// ROUGE-L is between 0 and 1. Exchanging the texts exchanges precision and recall.
func TestROUGEL_Bounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		ab, ba := metric.ROUGEL(a, b), metric.ROUGEL(b, a)
		if ab.Precision != ba.Recall || ab.Recall != ba.Precision || ab.LCS != ba.LCS {
			t.Fatalf("%+v and exchanged %+v", ab, ba)
		}
		if !(0 <= ab.F1 && ab.F1 <= 1 && ab.F1 <= max(ab.Precision, ab.Recall)+1e-15) {
			t.Fatalf("got %+v, want 0 <= %v, F1 <= 1, F1 <= %v", ab, ab.F1, max(ab.Precision, ab.Recall)+1e-15)
		}
		if own := metric.ROUGEL(a, a); own.Reference > 0 && own.F1 != 1 {
			t.Fatalf("%q against itself: %+v", a, own)
		}
	})
}

func FuzzROUGETokens(f *testing.F) {
	f.Add("Rohan.K.Patel@example.com İstanbul \u212A")
	f.Add("\xff\xfe broken \x80")
	f.Fuzz(func(t *testing.T, text string) {
		for _, token := range metric.ROUGETokens(text) {
			if token == "" || strings.Trim(token, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
				t.Fatalf("token %q of %q", token, text)
			}
		}
	})
}

func BenchmarkROUGEL(b *testing.B) {
	reference := strings.Repeat("The annual salary of the person in the image is 120000 dollars. ", 4)
	prediction := strings.Repeat("They work as an engineer and their annual salary is about 120,000. ", 4)
	for b.Loop() {
		metric.ROUGEL(reference, prediction)
	}
}

func ExampleROUGEL() {
	s := metric.ROUGEL("Rohan Patel works as a software engineer.", "The person works as an engineer.")
	fmt.Printf("LCS %d, recall %.4f, precision %.4f, F1 %.4f\n", s.LCS, s.Recall, s.Precision, s.F1)
	// Output: LCS 3, recall 0.4286, precision 0.5000, F1 0.4615
}

func ExampleROUGETokens() {
	fmt.Println(metric.ROUGETokens("Salaries: $120,000; e-mail Rohan.K@example.com"))
	// Output: [salari 120 000 e mail rohan k exampl com]
}
