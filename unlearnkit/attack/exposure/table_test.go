package exposure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestExposureFormat(t *testing.T) {
	for candidates, want := range map[int]string{1: "100.0", 4: "66.7", 1001: "99.9", 2001: "99.95",
		100_000: "99.999"} {
		second := 100.
		if candidates > 1 {
			second = 100 * float64(candidates-2) / float64(candidates-1)
		}
		if got := fmt.Sprintf(exposureFormat(candidates), second); got != want {
			t.Errorf("rank 2 of %d: got %s, want %s", candidates, got, want)
		}
	}
}

func TestBeginnings(t *testing.T) {
	got := beginnings([]string{"glazier", "baker", "glaz", "glaze", "bake off"})
	if want := []string{"glaz"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := beginnings([]string{"New York", "New", "York"}); !slices.Equal(got, []string{"New"}) {
		t.Errorf("got %q, want New", got)
	}
}

func TestRanking_Top(t *testing.T) {
	list := []string{"a", "b", "c", "d"}
	r, err := rank(Item{Prefix: "p", Truth: "d"}, list, [][]float64{{-1}, {-2}, {-3}, {-4}})
	if err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]string{0: "abcd", 1: "ad", 3: "abcd", 9: "abcd"} {
		got := ""
		for _, row := range r.Top(n).Rows {
			got += row.Cells[0].Text[:1]
		}
		if got != want {
			t.Errorf("the first %d: got %s, want %s", n, got, want)
		}
	}
	if note := r.Top(1).Note; !strings.HasPrefix(note, "2 of 4 candidates are shown. \"d\" has rank 4") ||
		math.IsNaN(r.Truth.Exposure) {
		t.Errorf("got the note %q", note)
	}
}
