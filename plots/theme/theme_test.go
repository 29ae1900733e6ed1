package theme

import (
	"image/color"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// vision maps linear RGB to what a dichromat sees: Machado, Oliveira and Fernandes 2009, severity 1.
var vision = map[string][3][3]float64{
	"normal":      {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
	"protanope":   {{.152286, 1.052583, -.204868}, {.114503, .786281, .099216}, {-.003882, -.048116, 1.051998}},
	"deuteranope": {{.367322, .860646, -.227968}, {.280085, .672501, .047413}, {-.011820, .042940, .968881}},
	"tritanope":   {{1.255528, -.076749, -.178779}, {-.078411, .930809, .147602}, {.004733, .691367, .303900}},
}

func seen(c color.NRGBA, matrix [3][3]float64) lab {
	in, out := linearRGB(c), [3]float64{}
	for i, row := range matrix {
		for j, weight := range row {
			out[i] += weight * in[j]
		}
		out[i] = min(1, max(0, out[i]))
	}
	return toLab(out)
}

// closest returns the smallest distance between two of the colours, in hundredths of OKLab. A difference below about 2
// is not visible.
func closest(colors []color.NRGBA, matrix [3][3]float64) float64 {
	least := 1e9
	for i, a := range colors {
		for _, b := range colors[:i] {
			least = min(least, 100*seen(a, matrix).distance(seen(b, matrix)))
		}
	}
	return least
}

func TestSeries_EveryVision(t *testing.T) {
	for _, theme := range Themes {
		for name, matrix := range vision {
			if d := closest(theme.Series[:], matrix); d < 9 {
				t.Errorf("%s, %s: two of the eight series are %.1f apart, want 9", theme.Name, name, d)
			}
			if d := closest(theme.Series[:4], matrix); d < 12 {
				t.Errorf("%s, %s: two of the first four series are %.1f apart, want 12", theme.Name, name, d)
			}
		}
	}
}

func TestDistance_Deuteranopes(t *testing.T) {
	confused := []color.NRGBA{rgb(0x8B8000), rgb(0xB35900)}
	if normal, deuteranope := closest(confused, vision["normal"]),
		closest(confused, vision["deuteranope"]); deuteranope > normal/2 {
		t.Errorf("olive and brown are %.1f apart, for deuteranopes %.1f", normal, deuteranope)
	}
}

// WCAG 2.2 requires a contrast of at least 4.5 for text and 3 for graphics.
func TestTheme_Contrast(t *testing.T) {
	for _, theme := range Themes {
		text := map[string]color.NRGBA{"ink": theme.Ink, "muted": theme.Muted}
		for name, c := range text {
			if got := contrast(c, theme.Background); got < 4.5 {
				t.Errorf("%s: %s has a contrast of %.1f to the page, want 4.5", theme.Name, name, got)
			}
			if got := contrast(c, theme.Region); got < 4.5 {
				t.Errorf("%s: %s has a contrast of %.1f to a region, want 4.5", theme.Name, name, got)
			}
		}
		for i, c := range append(theme.Series[:], theme.Faint) {
			if got := contrast(c, theme.Background); got < 3 {
				t.Errorf("%s: colour %d has a contrast of %.1f to the page, want 3", theme.Name, i, got)
			}
		}
		if grid := contrast(theme.Grid, theme.Background); grid > 1.5 {
			t.Errorf("%s: the grid has a contrast of %.1f and competes with the data", theme.Name, grid)
		}
		for _, m := range []Map{theme.Sequential, theme.Diverging} {
			for v := 0.; v <= 1; v += .01 {
				if got := contrast(theme.On(m.At(v)), m.At(v)); got < 3.9 {
					t.Errorf("%s: a number on the map's colour at %.2f has a contrast of %.1f", theme.Name, v, got)
				}
			}
		}
	}
}

func TestContrast(t *testing.T) {
	if got := contrast(rgb(0x000000), rgb(0xFFFFFF)); got != 21 {
		t.Errorf("black on white %v, want 21", got)
	}
	if got := contrast(rgb(0x777777), rgb(0xFFFFFF)); got < 4.47 || got > 4.49 {
		t.Errorf("#777777 on white %v, want 4.48", got)
	}
}

func TestSeries_MarkAndColour(t *testing.T) {
	style := Light.At(6 * vg.Inch)
	type look struct {
		shape draw.GlyphDrawer
		color color.Color
	}
	known := map[look]int{}
	for i := range 72 {
		mark := style.Mark(i)
		if first, ok := known[look{mark.Shape, mark.Color}]; ok {
			t.Errorf("series %d looks like series %d", i, first)
		}
		known[look{mark.Shape, mark.Color}] = i
		if style.Line(i).Color != mark.Color {
			t.Errorf("series %d: line and mark differ in colour", i)
		}
	}
	for i := range seriesShapes {
		if shape := style.Mark(i).Shape; shape == Ring || shape == Hollow {
			t.Errorf("series %d takes the shape that is kept for verdicts and printed values", i)
		}
	}
}

func TestVerdict_Shapes(t *testing.T) {
	style := Dark.At(6 * vg.Inch)
	shapes := map[draw.GlyphDrawer]chart.Verdict{}
	for _, v := range []chart.Verdict{chart.Matched, chart.UnderForgotten, chart.OverForgotten, chart.Unresolved,
		chart.NoVerdict} {
		if other, ok := shapes[style.Verdict(v).Shape]; ok {
			t.Errorf("%s has the shape of %s", v, other)
		}
		shapes[style.Verdict(v).Shape] = v
	}
	var zero chart.Verdict
	if zero != chart.Unresolved {
		t.Errorf("the zero verdict is %s and claims something", zero)
	}
	if len(chart.Verdicts) != 8 {
		t.Errorf("%d verdicts in the legend's order, want 8", len(chart.Verdicts))
	}
}

func TestType_Sizes(t *testing.T) {
	tests := []struct{ inches, points float64 }{{3.3, 7.5}, {6, 10}, {12, 20}}
	for _, test := range tests {
		style := Light.At(vg.Length(test.inches) * vg.Inch)
		if got := style.Label().Font.Size.Points(); got != test.points {
			t.Errorf("%g inches: labels of %g points, want %g", test.inches, got, test.points)
		}
		if got := style.Note().Font.Size.Points(); got < 6.5 {
			t.Errorf("%g inches: notes of %g points", test.inches, got)
		}
		if got := style.Scaled(.1).Em.Points(); got < 7.5 {
			t.Errorf("%g inches: type scaled to %g points", test.inches, got)
		}
	}
}
