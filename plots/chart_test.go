package plots_test

import (
	"encoding/json"
	"image"
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/plots"
)

type checked interface {
	Figure() (*plots.Spec, error)
}

var one = []float64{1}

func TestChartsRefuseWhatTheyCannotDraw(t *testing.T) {
	nan, two := math.NaN(), []float64{1, 2}
	series := func(s plots.Series) checked { return plots.Lines{Series: []plots.Series{s}} }
	matrix := func(m plots.Matrix) checked { return plots.HeatMap{Panels: []plots.Matrix{m}} }
	spokes := []string{"a", "b", "c"}
	sound := make([]float32, 100)
	picture := image.NewGray(image.Rect(0, 0, 1, 1))
	tests := []struct {
		graph checked
		want  string
	}{
		{plots.Lines{}, "lines: nothing to draw"},
		{series(plots.Series{Name: "s"}), `lines: series "s": nothing to draw`},
		{series(plots.Series{Name: "s", X: two, Y: one}), `lines: series "s": 1 of Y for 2 values; give one for each`},
		{series(plots.Series{Name: "s", X: one, Y: []float64{nan}}),
			`lines: series "s": Y: value 1 is NaN; leave out what is not a number`},
		{series(plots.Series{Name: "s", X: []float64{2, 1}, Y: two}),
			`lines: series "s": X does not run from left to right; sort the points`},
		{series(plots.Series{Name: "s", X: one, Y: one, Lo: one}),
			`lines: series "s": 0 of Hi for 1 values; give one for each`},
		{series(plots.Series{Name: "s", X: one, Y: one, Hi: one}),
			`lines: series "s": 1 of Hi for 0 values; give one for each`},
		{series(plots.Series{Name: "s", X: one, Y: one, Lo: []float64{2}, Hi: one}),
			`lines: series "s": band at 1: interval from 2 to 1; the lower end comes first`},
		{plots.Lines{X: plots.Axis{Log: true}, Series: []plots.Series{{X: []float64{0}, Y: one}}},
			"lines: x axis: 0 on a logarithmic axis; use values above 0"},
		{plots.Lines{Y: plots.Axis{Min: 2, Max: 1}, Series: []plots.Series{{X: one, Y: one}}},
			"lines: y axis: range from 2 to 1; the smaller end comes first"},
		{plots.Lines{Y: plots.Axis{Min: 1e16, Max: 1e16 + 2}, Series: []plots.Series{{X: one, Y: one}}},
			"lines: y axis: range from 1e+16 to 1.0000000000000002e+16 is too narrow for ticks; subtract a constant " +
				"first"},
		{plots.Histogram{}, "histogram: nothing to draw"},
		{plots.Histogram{Samples: make([]plots.Sample, 4)},
			"histogram: 4 samples over each other; give at most 3, or panels"},
		{plots.Histogram{X: plots.Axis{Max: 1}, Samples: []plots.Sample{{Name: "p", Values: two}}},
			`histogram: sample "p": values from 1 to 2 on an axis from 0 to 1; widen the axis`},
		{plots.Histogram{Bins: -1, Samples: []plots.Sample{{Values: one}}},
			"histogram: -1 bins; use 1 to 200, or 0 for a choice by the sample's size"},
		{plots.DotWhisker{}, "dots: nothing to draw"},
		{plots.DotWhisker{Rows: []plots.Estimate{{Name: "r", Lo: 1}}},
			`dots: row "r": interval from 1 to 0; the lower end comes first`},
		{plots.DotWhisker{Rows: []plots.Estimate{{Name: "r", Printed: &nan}}},
			`dots: row "r": printed value: value 1 is NaN; leave out what is not a number`},
		{plots.Radar{Spokes: spokes[:2]}, "radar: 2 spokes; an outline needs at least 3"},
		{plots.Radar{Spokes: spokes, Series: []plots.RadarSeries{{}}}, "radar: Max is 0; give the outer ring's value"},
		{plots.Radar{Spokes: spokes, Max: 1, Series: []plots.RadarSeries{{Name: "s", Values: []float64{0, 1, 2}}}},
			`radar: series "s": 2 lies outside 0 to 1`},
		{plots.Radar{Spokes: spokes, Max: 1, Series: []plots.RadarSeries{{Name: "s", Values: []float64{0, 1, nan}}}},
			`radar: series "s": NaN lies outside 0 to 1`},
		{plots.HeatMap{}, "heat map: nothing to draw"},
		{matrix(plots.Matrix{Name: "m", Rows: spokes, Columns: spokes[:1], Values: [][]float64{{1}}}),
			`heat map: panel "m": 3 of row names for 1 values; give one for each`},
		{matrix(plots.Matrix{Name: "m", Rows: spokes[:1], Columns: spokes, Values: [][]float64{{1}}}),
			`heat map: panel "m", row "a": 1 of values for 3 values; give one for each`},
		{plots.ImageGrid{}, "image grid: nothing to draw"},
		{plots.ImageGrid{Images: [][]image.Image{{picture}, {}}},
			"image grid: row 2 has 0 images, the first has 1; fill the row"},
		{plots.ImageGrid{Images: [][]image.Image{{nil}}}, "image grid: row 1, column 1: no pixels"},
		{plots.ImageGrid{Columns: spokes, Images: [][]image.Image{{picture}}},
			"image grid: 3 of column names for 1 values; give one for each"},
		{plots.ImageGrid{Spans: []plots.Span{{Name: "s", Columns: 2}}, Images: [][]image.Image{{picture}}},
			"image grid: 2 of columns in spans for 1 values; give one for each"},
		{plots.ImageGrid{Spans: []plots.Span{{Name: "s"}}, Images: [][]image.Image{{picture}}},
			`image grid: span "s" has 0 columns; give 1 or more`},
		{plots.Lines{Series: []plots.Series{{X: one, Y: one}}, Guides: []plots.Series{{Name: "g", X: one}}},
			`lines: series "g": nothing to draw`},
		{plots.Flow{}, "flow: nothing to draw"},
		{plots.Flow{Columns: 2, Steps: make([]plots.FlowStep, 1)}, "flow: 2 columns for 1 steps; use 1 to 1"},
		{plots.DotRows{Lines: spokes, Series: []plots.DotSeries{{Name: "s"}}, Targets: []plots.Target{{Value: 1}}},
			"dot rows: nothing to draw"},
		{plots.Scatter{}, "scatter: nothing to draw"},
		{plots.Scatter{BetterX: plots.Lower, Groups: []plots.PointGroup{{Points: make([]plots.NamedPoint, 1)}}},
			"scatter: one score has a better direction and the other has none; a front needs both"},
		{plots.Bars{}, "bars: nothing to draw"},
		{plots.Bars{Groups: spokes, Series: []plots.BarSeries{{Name: "s", Values: one}}},
			`bars: series "s": 1 of values for 3 values; give one for each`},
		{plots.Bars{Y: plots.Axis{Log: true}, Groups: spokes[:1], Series: []plots.BarSeries{{Values: one}}},
			"bars: a bar starts at 0, which no logarithmic axis has; use Lines or DotWhisker"},
		{plots.Panels{}, "panels: nothing to draw"},
		{plots.Panels{Columns: 2, Figures: make([]*plots.Spec, 27)}, "panels: 27 figures; letters name 26"},
		{plots.Panels{Columns: 2, Figures: make([]*plots.Spec, 1)}, "panels: 2 columns for 1 figures; use 1 to 1"},
		{plots.Panels{Columns: 1, Figures: make([]*plots.Spec, 1)}, "panels: figure 1 is nil"},
		{plots.Stack{}, "stack: nothing to draw"},
		{plots.Stack{Rows: []plots.StackRow{{Height: 1, Figures: make([]*plots.Spec, 1)}}},
			"stack: row 1: 0 of letters for 1 values; give one for each"},
		{plots.Stack{Rows: []plots.StackRow{{Letters: "a", Figures: make([]*plots.Spec, 1)}}},
			"stack: row 1: 0 inches high; give a height above 0"},
		{plots.Stack{Rows: []plots.StackRow{{Height: 1, Letters: "a", Figures: make([]*plots.Spec, 1)}}},
			"stack: row 1: figure 1 is nil"},
		{plots.Sheet{Title: "s"}, `sheet "s": no pixels`},
		{plots.Relay{}, "relay: nothing to draw"},
		{plots.Relay{Runners: spokes[:2], Rows: []plots.RelayRow{{Name: "r", Steps: []int{1}}}},
			`relay: "r": 1 of numbers of steps for 2 values; give one for each`},
		{plots.Relay{Runners: spokes[:2], Rows: []plots.RelayRow{{Name: "r", Steps: []int{3, -1}}}},
			`relay: "r": -1 steps by b; give 0 or more`},
		{plots.Relay{Runners: spokes[:1], Rows: []plots.RelayRow{{Steps: []int{3}}, {Name: "r", Steps: []int{2}}}},
			`relay: "r": 2 steps, the first row has 3; share the same steps in all`},
		{plots.Ranges{}, "ranges: nothing to draw"},
		{plots.Ranges{Lines: []plots.RangeLine{{Heading: true}}}, "ranges: nothing to draw"},
		{plots.Ranges{Lines: []plots.RangeLine{{Name: "l", Needles: []float64{nan}}}},
			`ranges: "l": value 1 is NaN; leave out what is not a number`},
		{plots.Ranges{Lines: []plots.RangeLine{{Name: "l", Band: &plots.Region{Lo: 2, Hi: 1}}}},
			`ranges: "l": interval from 2 to 1; the lower end comes first`},
		{plots.Spectrogram{Rate: 8000}, "spectrogram: nothing to draw"},
		{plots.Spectrogram{Samples: sound}, "spectrogram: 0 samples a second; recordings have 1000 to 384000"},
		{plots.Spectrogram{Samples: sound, Rate: 8000, Window: -1},
			"spectrogram: windows of -1 samples; use 8 to 65536, or 0 for 32 ms"},
		{plots.Spectrogram{Samples: sound, Rate: 8000, Hop: 300},
			"spectrogram: a window of 256 samples every 300; use 1 to 256, or 0 for a quarter of it"},
		{plots.Spectrogram{Samples: []float32{0, float32(nan)}, Rate: 8000},
			"spectrogram: sample 2 is NaN; leave out what is not a number"},
		{plots.Spectrogram{Samples: sound, Rate: 8000, Quietest: -20, Loudest: -40},
			"spectrogram: levels: interval from -20 to -40; the lower end comes first"},
		{plots.Spectrogram{Samples: sound, Rate: 8000, Loudest: nan},
			"spectrogram: levels: value 2 is NaN; leave out what is not a number"},
		{plots.Spectrogram{Samples: make([]float32, 3e6), Rate: 8000},
			"spectrogram: 375.0 s make 6047004 levels, at most 4194304 are drawn; show a part, or raise Hop"},
		{plots.DotRows{}, "dot rows: lines: nothing to draw"},
		{plots.DotRows{Lines: spokes, Series: make([]plots.DotSeries, 1)}, "dot rows: nothing to draw"},
		{plots.DotRows{Lines: spokes, Series: []plots.DotSeries{{Name: "s", Dots: []plots.Dot{{Line: 3}}}}},
			"dot rows: s: a dot on line 3 of 3; lines count from 0"},
		{plots.DotRows{Lines: spokes, Series: []plots.DotSeries{{Name: "s", Dots: []plots.Dot{{Value: nan}}}}},
			"dot rows: s, a: value 1 is NaN; leave out what is not a number"},
	}
	for _, test := range tests {
		figure, err := test.graph.Figure()
		if err == nil || figure != nil {
			t.Errorf("no error, want %q", test.want)
		} else if err.Error() != test.want {
			t.Errorf("got  %s\nwant %s", err, test.want)
		}
	}
}

func TestTheFrontHoldsWhatNothingBeats(t *testing.T) {
	points := []plots.NamedPoint{{Name: "a", X: 1, Y: 1}, {Name: "b", X: 2, Y: 3}, {Name: "c", X: 3, Y: 2},
		{Name: "d", X: 2, Y: 3}, {Name: "e", X: 4, Y: 0}}
	tests := []struct {
		x, y plots.Better
		want string
	}{
		{plots.Higher, plots.Higher, "bdce"},
		{plots.Lower, plots.Lower, "ae"},
		{plots.Lower, plots.Higher, "abd"},
		{plots.Higher, plots.Lower, "e"},
		{plots.Unranked, plots.Unranked, ""},
	}
	for _, test := range tests {
		got := ""
		for _, p := range (plots.Scatter{BetterX: test.x, BetterY: test.y,
			Groups: []plots.PointGroup{{Points: points}}}).Front() {
			got += p.Name
		}
		if got != test.want {
			t.Errorf("%v, %v: front %q, want %q", test.x, test.y, got, test.want)
		}
	}
}

func TestDirectionsAreWordsInData(t *testing.T) {
	text, err := json.Marshal([]plots.Better{plots.Unranked, plots.Higher, plots.Lower})
	if want := `["unranked","higher","lower"]`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
}
