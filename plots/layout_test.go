package plots

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

var style = theme.Light.At(6 * vg.Inch)

func blank(width, height vg.Length) draw.Canvas {
	return draw.NewCanvas(&recorder.Canvas{}, width, height)
}

func TestText_Wrapped(t *testing.T) {
	type_ := style.Label()
	if got := wrap("one two three", type_, type_.Width("one two")+1); !slices.Equal(got, []string{"one two", "three"}) {
		t.Errorf("wrapped %q", got)
	}
	if got := wrap("incomprehensibilities a", type_, 10); !slices.Equal(got, []string{"incomprehensibilities", "a"}) {
		t.Errorf("wrapped %q", got)
	}
	if got := shorten("short", type_, 1000); got != "short" {
		t.Errorf("shortened %q", got)
	}
	long := shorten("The Bedroom in Arles by Van Gogh", type_, 60)
	if type_.Width(long) > 60 || long[:3] != "The" {
		t.Errorf("shortened %q", long)
	}
}

func TestLegend_Rows(t *testing.T) {
	entries := []entry{targetEntry("first name", 0), targetEntry("second name", 1), targetEntry("third name", 2)}
	wide, narrow := drawLegend(blank(600, 200), style, entries), drawLegend(blank(120, 200), style, entries)
	if rows := float64((wide.Max.Y - narrow.Max.Y) / (style.Em * 1.45)); math.Abs(rows-2) > 1e-9 {
		t.Errorf("three names in a narrow column take %.2f more rows than one, want 2", rows)
	}
}

// Names cover neither points nor each other.
func TestNames_NoOverlap(t *testing.T) {
	l := labels{canvas: blank(300, 300), style: style.Note(), gap: style.Em * .6}
	for _, p := range []vg.Point{{X: 100, Y: 100}, {X: 112, Y: 100}, {X: 290, Y: 100}, {X: 100, Y: 295}} {
		l.add("name", p)
	}
	placed := l.place()
	if len(placed) != 4 {
		t.Fatalf("%d of 4 names found a place", len(placed))
	}
	for i, a := range placed {
		for _, b := range placed[:i] {
			if shared(a.box, b.box) > 0 {
				t.Errorf("names at %v and %v overlap", a.box, b.box)
			}
		}
		if shared(a.box, l.canvas.Rectangle) < area(a.box)*.999 {
			t.Errorf("the name at %v leaves the canvas", a.box)
		}
	}
}

func TestNames_WithoutRoom(t *testing.T) {
	l := labels{canvas: blank(300, 300), style: style.Note(), gap: style.Em * .6}
	for range 40 {
		l.add("name", vg.Point{X: 150, Y: 150})
	}
	if placed := len(l.place()); placed == 0 || placed > 8 {
		t.Errorf("%d of 40 names at one point are written, want 1 to 8", placed)
	}
}

func TestShares_Bins(t *testing.T) {
	got := shares([]float64{0, .1, .25, .5, .99, 1, 1, 1}, []float64{0, .25, .5, .75, 1})
	if want := []float64{.25, .125, .125, .5}; !slices.Equal(got, want) {
		t.Errorf("shares %v, want %v", got, want)
	}
}

func TestCells_Grid(t *testing.T) {
	grid := cells{vg.Rectangle{Max: vg.Point{X: 40, Y: 30}}, 3, 4}
	first, last := grid.at(0, 0), grid.at(2, 3)
	if first.Min != (vg.Point{X: 0, Y: 20}) || last.Max != (vg.Point{X: 40, Y: 10}) {
		t.Errorf("first cell %v, last cell %v", first, last)
	}
	if got := stride(10, 25); got != 3 {
		t.Errorf("names of 25 at steps of 10: every %d, want 3", got)
	}
}

func TestThinOut(t *testing.T) {
	line := make([]vg.Point, 200)
	for i := range line {
		line[i].X = vg.Length(i)
	}
	if got := len(thinOut(line, 10)); got != 20 {
		t.Errorf("%d marks on a line of 200 points, want 20", got)
	}
	if got := len(thinOut(line[:12], 10)); got != 12 {
		t.Errorf("%d marks on a line of 12 points, want all", got)
	}
}

// Names of groups are broken into lines first, and turned only if that is not enough.
func TestGroupNames_BrokenThenTurned(t *testing.T) {
	tests := []struct {
		name   string
		label  string
		turned bool
	}{
		{"GA", "GA", false}, {"Negative Gradient", "Negative\nGradient", false},
		{"Negative Misunderstandings", "Negative Misun…", true},
	}
	for _, test := range tests {
		p := newPlot(blank(300, 200), style, chart.Axis{Max: 1}, chart.Axis{Max: 1}, nil, nil)
		barChart{chart.Bars{Groups: []string{test.name}}}.nameGroups(&p.X, style.Em*5)
		label := p.X.Tick.Marker.Ticks(0, 1)[0].Label
		if turned := p.X.Tick.Label.Rotation != 0; label != test.label || turned != test.turned {
			t.Errorf("%q is written %q, turned %v", test.name, label, turned)
		}
	}
}

// If there is little room, numbers are left out, and words are not.
func TestColumnNames_LittleRoom(t *testing.T) {
	tests := []struct {
		names []string
		want  int
	}{
		{[]string{"ROUGE", "EM_r", "EM_f", "Exposure"}, 4},
		{[]string{"0", "10", "20", "30"}, 2},
	}
	for _, test := range tests {
		var canvas recorder.Canvas
		grid := cells{vg.Rectangle{Max: vg.Point{X: style.Em * 6, Y: 20}}, 1, 4}
		grid.drawColumnNames(draw.NewCanvas(&canvas, 100, 100), style, test.names)
		written := 0
		for _, action := range canvas.Actions {
			if _, ok := action.(*recorder.FillString); ok {
				written++
			}
		}
		if written != test.want {
			t.Errorf("%d of the names %q are written, want %d", written, test.names, test.want)
		}
	}
}
