package page

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

func TestBoard(t *testing.T) {
	t.Parallel()
	all := inputs(t)
	files := write(t, all[:1])
	board := identified(t, pageNodes(t, files["salmu.html"]))["salmu-board-scores-table"]
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
		{study.Mark{Name: "Direct Similarity Minimization"}, "Direct Similarity Minimization"},
		{study.Mark{Name: "Greg Rutkowski, Ablating Concepts"}, "Greg Rutkowski, Ablating Concepts"},
		{study.Mark{Name: "mine (guest)", Guest: true}, "mine (guest)"},
		{study.Mark{Name: "Generic captions trained in PyTorch (guest, 1 of 5 worlds)", Guest: true},
			"Generic captions trained in… (guest)"},
	} {
		if got := shortName(test.mark); got != test.want {
			t.Errorf("%q is cut to %q, want %q", test.mark.Name, got, test.want)
		}
	}
}

// The leaderboard shows what was forgotten and kept together, and the nearest to both targets first.
func TestBoard_Pairs(t *testing.T) {
	sign := signOf("matched")
	row := func(score, name string, far float64) boardRow {
		return boardRow{Score: score, Name: name, Far: far, Sign: sign}
	}
	b := &board{Rows: []boardRow{row("5 F", "destroys", .1), row("5 F", "both", .8), row("5 F", "alone", .2),
		row("5 F", "no margin", math.NaN()), {Score: "5 F", Name: "target"}, {Score: "5 K", Name: "target"},
		row("5 K", "both", .9), row("5 K", "destroys", 9), row("5 K", "no margin", .1)}}
	b.pair("5 F", "5 K")
	var got []string
	for _, p := range b.Pairs {
		got = append(got, p.Forgot.Name+" "+p.Shown())
	}
	want := []string{"target ", "both 0.9", "destroys 9.0", "no margin "}
	if !slices.Equal(got, want) {
		t.Errorf("got the rows %q, want %q", got, want)
	}
}

// Each study's leaderboard has rows with both verdicts.
func TestBoard_PairsOfStudies(t *testing.T) {
	t.Parallel()
	for _, p := range inputs(t) {
		shelf := newShelf(p)
		if _, err := shelf.tables(); err != nil {
			t.Fatal(err)
		}
		both := 0
		for _, pair := range shelf.board().Pairs {
			if pair.Forgot.Sign != nil && pair.Kept.Sign != nil {
				both++
			}
		}
		if both == 0 {
			t.Errorf("%s: no row has verdicts on %s and %s", p.Study.Paper, p.Study.Story.Board.Forgot,
				p.Study.Story.Board.Kept)
		}
	}
}

// The names of all rows fit left of the axes, which begin at the same place.
func TestNewCharts(t *testing.T) {
	long := study.NewMark("Greg Rutkowski, Ablating Concepts", .5, .4, .6, 2)
	charts := newCharts([]study.Panel{{Title: "a", Rows: []study.Mark{long}}, {Title: "none"},
		{Title: "b", Rows: []study.Mark{study.NewMark("short", .5, .4, .6, 2)}}})
	if len(charts) != 2 || charts[0].Left != charts[1].Left || charts[0].Left < 180 || charts[0].Left > 230 ||
		charts[0].Rows[0].Short != long.Name {
		t.Errorf("got %d charts: %+v", len(charts), charts)
	}
}
