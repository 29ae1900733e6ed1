package page

import (
	"math"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func TestBoard(t *testing.T) {
	t.Parallel()
	all := inputs(t)
	files := write(t, all[:1])
	board := identified(t, pageNodes(t, files["salmu.html"]))["salmu-board-table"]
	cells, err := all[0].Results.Cells("5")
	if err != nil {
		t.Fatal(err)
	}
	want, guests := 0, 0
	for _, c := range cells {
		if c.Column == "RetFail" && !math.IsNaN(c.Estimate) {
			want++
		}
	}
	got := 0
	for row := range board.Descendants() {
		if score, _ := attribute(row, "data-score"); score != "5 RetFail" {
			continue
		}
		got++
		if _, hidden := attribute(row, "hidden"); hidden {
			t.Errorf("the row %q of the first score is hidden", textOf(row))
		}
		if class, _ := attribute(row, "class"); class == "guest" {
			guests++
			if text := textOf(row); !strings.HasPrefix(text, "mine (guest)0.") || !strings.HasSuffix(text, "= matched") {
				t.Errorf("the guest's row is %q", text)
			}
		}
	}
	if got != want || guests != 1 {
		t.Errorf("%d rows, %d of guests, want %d and 1", got, guests, want)
	}
}

// The leaderboard starts with a score that a guest has.
func TestBoard_Start(t *testing.T) {
	method, guest := boardRow{Score: "1 GUM"}, boardRow{Score: "1 MIA", Guest: true}
	for _, test := range []struct {
		rows []boardRow
		want string
	}{
		{[]boardRow{method, {Score: "1 MIA"}}, "1 GUM"},
		{[]boardRow{{Score: "1 MIA"}}, "1 MIA"},
		{[]boardRow{method, {Score: "1 F1"}, guest}, "1 MIA"},
		{[]boardRow{method, guest, {Score: "1 GUM", Guest: true}}, "1 GUM"},
	} {
		if got := (&board{Rows: test.rows}).start("1 GUM"); got != test.want {
			t.Errorf("%+v start with %q, want %q", test.rows, got, test.want)
		}
	}
}

func TestShortName(t *testing.T) {
	for _, test := range []struct {
		mark study.Mark
		want string
	}{
		{study.Mark{Name: "Descent to Delete"}, "Descent to Delete"},
		{study.Mark{Name: "Direct Similarity Minimization"}, "Direct Similarity Minim…"},
		{study.Mark{Name: "mine (guest)", Guest: true}, "mine (guest)"},
		{study.Mark{Name: "Generic in PyTorch (guest, 1 of 5 worlds)", Guest: true}, "Generic in PyTo… (guest)"},
	} {
		if got := shortName(test.mark); got != test.want {
			t.Errorf("%q is cut to %q, want %q", test.mark.Name, got, test.want)
		}
	}
}
