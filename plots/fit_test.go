package plots

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// lineOf returns a small line chart.
func lineOf(t *testing.T, title string) *chart.Figure {
	t.Helper()
	f, err := chart.Lines{Title: title, X: chart.Axis{Label: "passes"}, Y: chart.Axis{Label: "share of pictures"},
		Series: []chart.Series{{Name: title, X: []float64{0, 1}, Y: []float64{0, 1}}}}.Figure()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// rowsOf returns a list of n estimates.
func rowsOf(t *testing.T, n int) *chart.Figure {
	t.Helper()
	list := chart.DotWhisker{Title: "list", X: chart.Axis{Label: "score"}}
	for i := range n {
		list.Rows = append(list.Rows, chart.Estimate{Name: fmt.Sprintf("row %d", i), Value: .5, Lo: .4, Hi: .6})
	}
	f, err := list.Figure()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func figureOf(t *testing.T, f *chart.Figure, err error) *Figure {
	t.Helper()
	figure, err := Draw(f, err)
	if err != nil {
		t.Fatal(err)
	}
	return figure
}

func TestFit_ColumnsAndPages(t *testing.T) {
	grid := func(n, columns int) *Figure {
		p := chart.Panels{Title: "grid", Caption: "Panels.", Columns: columns}
		for i := range n {
			p.Figures = append(p.Figures, lineOf(t, fmt.Sprint(i)))
		}
		f, err := p.Figure()
		return figureOf(t, f, err)
	}
	lists := func(n int) *Figure {
		f, err := chart.Stack{Title: "lists", Rows: []chart.StackRow{{Height: 9, Letters: "ab",
			Figures: []*chart.Figure{rowsOf(t, n), rowsOf(t, n)}}}}.Figure()
		return figureOf(t, f, err)
	}
	for _, test := range []struct {
		name    string
		figure  *Figure
		width   float64
		columns string // number of panels in each row; pages are separated by a bar
	}{
		{"as planned", grid(4, 2), 6.8, "2 2"},
		{"fewer columns", grid(3, 3), 3.3, "2 1"},
		{"more columns for a single page", grid(8, 2), 6.8, "3 3 2"},
		{"more pages", grid(8, 2), 3.3, "2 2|2 2"},
		{"lists side by side", lists(40), 6.8, "2"},
		{"a page for each list", lists(40), 3.3, "1|1"},
		{"a list lower than its rows ask for", lists(70), 6.8, "2"},
	} {
		for _, bare := range []bool{true, false} {
			var pages []string
			for _, page := range test.figure.Fit(test.width, 9, bare) {
				var rows []string
				for _, l := range page.drawing.(fitted).lines {
					rows = append(rows, fmt.Sprint(len(l.blocks)))
				}
				pages = append(pages, strings.Join(rows, " "))
				if page.Width != test.width || page.Height > 9.001 || page.Height < .5 {
					t.Errorf("%s: a page of %.2f×%.2f inches, want a width of %g and at most 9", test.name, page.Width,
						page.Height, test.width)
				}
				if s := page.style(inches(page.Width)); s.Caption().Font.Size < 7 {
					t.Errorf("%s: letters of %.1f points, want at least 7", test.name, s.Caption().Font.Size)
				}
			}
			if got := strings.Join(pages, "|"); got != test.columns {
				t.Errorf("%s: got rows %q, want %q", test.name, got, test.columns)
			}
		}
	}
}

// Only titled figures have a title and a caption, the caption on the last page.
func TestFit_Bare(t *testing.T) {
	p := chart.Panels{Title: "grid", Caption: "Panels.", Columns: 2}
	for i := range 8 {
		p.Figures = append(p.Figures, lineOf(t, fmt.Sprint(i)))
	}
	f, err := p.Figure()
	figure := figureOf(t, f, err)
	bare, titled := figure.Fit(3.3, 9, true), figure.Fit(3.3, 9, false)
	if len(bare) != 2 || len(titled) != 2 {
		t.Fatalf("%d bare and %d titled pages, want 2 of each", len(bare), len(titled))
	}
	for i, page := range titled {
		s := page.style(inches(page.Width))
		caption, title := page.captionHeight(s, inches(3.3)), page.headHeight(s, inches(3))
		if (caption > 0) != (i == 1) || title <= 0 || !strings.Contains(page.Title, fmt.Sprintf("(%d of 2)", i+1)) {
			t.Errorf("page %d: title %q of height %.1f, caption of height %.1f", i+1, page.Title, title, caption)
		}
		if other := bare[i]; other.captionHeight(s, inches(3.3)) != 0 || other.headHeight(s, inches(3)) != 0 ||
			other.Title != "grid" || !(other.Height < page.Height) {
			t.Errorf("bare page %d has %q, %.2f inches high; the titled one is %.2f", i+1, other.Title, other.Height,
				page.Height)
		}
	}
	if plain := figure.Untitled(); plain.Width != figure.Width || !(plain.Height < figure.Bare().Height) {
		t.Errorf("without title %.2f×%.2f, with %.2f×%.2f", plain.Width, plain.Height, figure.Bare().Width,
			figure.Bare().Height)
	}
}

// Names of rows that do not fit beside a low picture are written above it.
func TestSheet_NamesAbove(t *testing.T) {
	p := sheet{chart.Sheet{Picture: image.NewGray(image.Rect(0, 0, 100, 20)), Axis: "ψ", Foot: "judge",
		Rows: []string{"seen by the original", "completed by Ablating Concepts"}}}
	s := theme.Light.At(3 * vg.Inch)
	if room, above := p.names(s, 9*vg.Inch); above != "" || room < s.Em*5 {
		t.Errorf("wide: names above %q and room %.0f", above, room)
	}
	room, above := p.names(s, 3*vg.Inch)
	if !strings.Contains(above, p.Rows[0]) || !strings.Contains(above, p.Rows[1]) || room > s.Em*4 {
		t.Errorf("narrow: names above %q and room %.0f", above, room)
	}
	if low, high := p.height(s, 3*vg.Inch), p.height(s, 9*vg.Inch); !(low < high) {
		t.Errorf("heights %.0f and %.0f", low, high)
	}
}

func TestFlow_FewerColumns(t *testing.T) {
	p := flow{chart.Flow{Columns: 4, Steps: slices.Repeat([]chart.FlowStep{{Name: "Identity filter"}}, 7)}}
	s := theme.Style{Theme: theme.Light, Em: fittedEm}
	for width, want := range map[float64]int{6.6: 4, 3.1: 2, .5: 1} {
		if got := p.columns(s, inches(width)); got != want {
			t.Errorf("%g inches: %d columns, want %d", width, got, want)
		}
	}
}
