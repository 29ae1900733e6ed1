package chart_test

import (
	"encoding/json"
	"image"
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

type checked interface {
	Figure() (*chart.Figure, error)
}

var one = []float64{1}

func TestCharts_Refused(t *testing.T) {
	nan, two := math.NaN(), []float64{1, 2}
	series := func(s chart.Series) checked { return chart.Lines{Series: []chart.Series{s}} }
	matrix := func(m chart.Matrix) checked { return chart.HeatMap{Panels: []chart.Matrix{m}} }
	spokes := []string{"a", "b", "c"}
	sound := make([]float32, 100)
	picture := image.NewGray(image.Rect(0, 0, 1, 1))
	tests := []struct {
		graph checked
		want  string
	}{
		{chart.Lines{}, "lines: nothing to draw"},
		{series(chart.Series{Name: "s"}), `lines: series "s": nothing to draw`},
		{series(chart.Series{Name: "s", X: two, Y: one}), `lines: series "s": 1 of Y for 2 values; give one for each`},
		{series(chart.Series{Name: "s", X: one, Y: []float64{nan}}),
			`lines: series "s": Y: value 1 is NaN; leave out values that are not numbers`},
		{series(chart.Series{Name: "s", X: []float64{2, 1}, Y: two}),
			`lines: series "s": X does not run from left to right; sort the points`},
		{series(chart.Series{Name: "s", X: one, Y: one, Lo: one}),
			`lines: series "s": 0 of Hi for 1 values; give one for each`},
		{series(chart.Series{Name: "s", X: one, Y: one, Hi: one}),
			`lines: series "s": 1 of Hi for 0 values; give one for each`},
		{series(chart.Series{Name: "s", X: one, Y: one, Lo: []float64{2}, Hi: one}),
			`lines: series "s": band at 1: interval from 2 to 1; the lower end comes first`},
		{chart.Lines{X: chart.Axis{Log: true}, Series: []chart.Series{{X: []float64{0}, Y: one}}},
			"lines: x axis: 0 on a logarithmic axis; use values above 0"},
		{chart.Lines{Y: chart.Axis{Min: 2, Max: 1}, Series: []chart.Series{{X: one, Y: one}}},
			"lines: y axis: range from 2 to 1; the smaller end comes first"},
		{chart.Lines{Y: chart.Axis{Min: 1e16, Max: 1e16 + 2}, Series: []chart.Series{{X: one, Y: one}}},
			"lines: y axis: range from 1e+16 to 1.0000000000000002e+16 is too narrow for ticks; subtract a constant " +
				"first"},
		{chart.Histogram{}, "histogram: nothing to draw"},
		{chart.Histogram{Samples: make([]chart.Sample, 4)},
			"histogram: 4 samples over each other; give at most 3, or panels"},
		{chart.Histogram{X: chart.Axis{Max: 1}, Samples: []chart.Sample{{Name: "p", Values: two}}},
			`histogram: sample "p": values from 1 to 2 on an axis from 0 to 1; widen the axis`},
		{chart.Histogram{Bins: -1, Samples: []chart.Sample{{Values: one}}},
			"histogram: -1 bins; use 1 to 200, or 0 for a choice by the sample's size"},
		{chart.DotWhisker{}, "dots: nothing to draw"},
		{chart.DotWhisker{Rows: []chart.Estimate{{Name: "r", Lo: 1}}},
			`dots: row "r": interval from 1 to 0; the lower end comes first`},
		{chart.DotWhisker{Rows: []chart.Estimate{{Name: "r", Printed: &nan}}},
			`dots: row "r": printed value: value 1 is NaN; leave out values that are not numbers`},
		{chart.Radar{Spokes: spokes[:2]}, "radar: 2 spokes; an outline needs at least 3"},
		{chart.Radar{Spokes: spokes, Series: []chart.RadarSeries{{}}}, "radar: Max is 0; give the outer ring's value"},
		{chart.Radar{Spokes: spokes, Max: 1, Series: []chart.RadarSeries{{Name: "s", Values: []float64{0, 1, 2}}}},
			`radar: series "s": 2 is outside 0 to 1`},
		{chart.Radar{Spokes: spokes, Max: 1, Series: []chart.RadarSeries{{Name: "s", Values: []float64{0, 1, nan}}}},
			`radar: series "s": NaN is outside 0 to 1`},
		{chart.HeatMap{}, "heat map: nothing to draw"},
		{matrix(chart.Matrix{Name: "m", Rows: spokes, Columns: spokes[:1], Values: [][]float64{{1}}}),
			`heat map: panel "m": 3 of row names for 1 values; give one for each`},
		{matrix(chart.Matrix{Name: "m", Rows: spokes[:1], Columns: spokes, Values: [][]float64{{1}}}),
			`heat map: panel "m", row "a": 1 of values for 3 values; give one for each`},
		{chart.ImageGrid{}, "image grid: nothing to draw"},
		{chart.ImageGrid{Images: [][]image.Image{{picture}, {}}},
			"image grid: row 2 has 0 images, the first has 1; fill the row"},
		{chart.ImageGrid{Images: [][]image.Image{{nil}}}, "image grid: row 1, column 1: no pixels"},
		{chart.ImageGrid{Columns: spokes, Images: [][]image.Image{{picture}}},
			"image grid: 3 of column names for 1 values; give one for each"},
		{chart.ImageGrid{Spans: []chart.Span{{Name: "s", Columns: 2}}, Images: [][]image.Image{{picture}}},
			"image grid: 2 of columns in spans for 1 values; give one for each"},
		{chart.ImageGrid{Spans: []chart.Span{{Name: "s"}}, Images: [][]image.Image{{picture}}},
			`image grid: span "s" has 0 columns; give 1 or more`},
		{chart.Lines{Series: []chart.Series{{X: one, Y: one}}, Guides: []chart.Series{{Name: "g", X: one}}},
			`lines: series "g": nothing to draw`},
		{chart.Flow{}, "flow: nothing to draw"},
		{chart.Flow{Columns: 2, Steps: make([]chart.FlowStep, 1)}, "flow: 2 columns for 1 steps; use 1 to 1"},
		{chart.DotRows{Lines: spokes, Series: []chart.DotSeries{{Name: "s"}}, Targets: []chart.Target{{Value: 1}}},
			"dot rows: nothing to draw"},
		{chart.Scatter{}, "scatter: nothing to draw"},
		{chart.Scatter{BetterX: chart.Lower, Groups: []chart.PointGroup{{Points: make([]chart.NamedPoint, 1)}}},
			"scatter: one score has a better direction and the other has none; a front needs both"},
		{chart.Bars{}, "bars: nothing to draw"},
		{chart.Bars{Groups: spokes, Series: []chart.BarSeries{{Name: "s", Values: one}}},
			`bars: series "s": 1 of values for 3 values; give one for each`},
		{chart.Bars{Y: chart.Axis{Log: true}, Groups: spokes[:1], Series: []chart.BarSeries{{Values: one}}},
			"bars: a bar starts at 0, which no logarithmic axis has; use Lines or DotWhisker"},
		{chart.Panels{}, "panels: nothing to draw"},
		{chart.Panels{Columns: 2, Figures: make([]*chart.Figure, 27)}, "panels: 27 figures; letters name 26"},
		{chart.Panels{Columns: 2, Figures: make([]*chart.Figure, 1)}, "panels: 2 columns for 1 figures; use 1 to 1"},
		{chart.Panels{Columns: 1, Figures: make([]*chart.Figure, 1)}, "panels: figure 1 is nil"},
		{chart.Stack{}, "stack: nothing to draw"},
		{chart.Stack{Rows: []chart.StackRow{{Height: 1, Figures: make([]*chart.Figure, 1)}}},
			"stack: row 1: 0 of letters for 1 values; give one for each"},
		{chart.Stack{Rows: []chart.StackRow{{Letters: "a", Figures: make([]*chart.Figure, 1)}}},
			"stack: row 1: 0 inches high; give a height above 0"},
		{chart.Stack{Rows: []chart.StackRow{{Height: 1, Letters: "a", Figures: make([]*chart.Figure, 1)}}},
			"stack: row 1: figure 1 is nil"},
		{chart.Sheet{Title: "s"}, `sheet "s": no pixels`},
		{chart.Relay{}, "relay: nothing to draw"},
		{chart.Relay{Runners: spokes[:2], Rows: []chart.RelayRow{{Name: "r", Steps: []int{1}}}},
			`relay: "r": 1 of numbers of steps for 2 values; give one for each`},
		{chart.Relay{Runners: spokes[:2], Rows: []chart.RelayRow{{Name: "r", Steps: []int{3, -1}}}},
			`relay: "r": -1 steps by b; give 0 or more`},
		{chart.Relay{Runners: spokes[:1], Rows: []chart.RelayRow{{Steps: []int{3}}, {Name: "r", Steps: []int{2}}}},
			`relay: "r": 2 steps, the first row has 3; share the same steps in all`},
		{chart.Ranges{}, "ranges: nothing to draw"},
		{chart.Ranges{Lines: []chart.RangeLine{{Heading: true}}}, "ranges: nothing to draw"},
		{chart.Ranges{Lines: []chart.RangeLine{{Name: "l", Needles: []float64{nan}}}},
			`ranges: "l": value 1 is NaN; leave out values that are not numbers`},
		{chart.Ranges{Lines: []chart.RangeLine{{Name: "l", Band: &chart.Region{Lo: 2, Hi: 1}}}},
			`ranges: "l": interval from 2 to 1; the lower end comes first`},
		{chart.Spectrogram{Rate: 8000}, "spectrogram: nothing to draw"},
		{chart.Spectrogram{Samples: sound}, "spectrogram: 0 samples a second; recordings have 1000 to 384000"},
		{chart.Spectrogram{Samples: sound, Rate: 8000, Window: -1},
			"spectrogram: windows of -1 samples; use 8 to 65536, or 0 for 32 ms"},
		{chart.Spectrogram{Samples: sound, Rate: 8000, Hop: 300},
			"spectrogram: a window of 256 samples every 300; use 1 to 256, or 0 for a quarter of it"},
		{chart.Spectrogram{Samples: []float32{0, float32(nan)}, Rate: 8000},
			"spectrogram: sample 2 is NaN; leave out values that are not numbers"},
		{chart.Spectrogram{Samples: sound, Rate: 8000, Quietest: -20, Loudest: -40},
			"spectrogram: levels: interval from -20 to -40; the lower end comes first"},
		{chart.Spectrogram{Samples: sound, Rate: 8000, Loudest: nan},
			"spectrogram: levels: value 2 is NaN; leave out values that are not numbers"},
		{chart.Spectrogram{Samples: make([]float32, 3e6), Rate: 8000},
			"spectrogram: 375.0 s make 6047004 levels, at most 4194304 are drawn; show a part, or raise Hop"},
		{chart.DotRows{}, "dot rows: lines: nothing to draw"},
		{chart.DotRows{Lines: spokes, Series: make([]chart.DotSeries, 1)}, "dot rows: nothing to draw"},
		{chart.DotRows{Lines: spokes, Series: []chart.DotSeries{{Name: "s", Dots: []chart.Dot{{Line: 3}}}}},
			"dot rows: s: a dot on line 3 of 3; lines count from 0"},
		{chart.DotRows{Lines: spokes, Series: []chart.DotSeries{{Name: "s", Dots: []chart.Dot{{Value: nan}}}}},
			"dot rows: s, a: value 1 is NaN; leave out values that are not numbers"},
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

// The front has every point that no other point beats.
func TestFront(t *testing.T) {
	points := []chart.NamedPoint{{Name: "a", X: 1, Y: 1}, {Name: "b", X: 2, Y: 3}, {Name: "c", X: 3, Y: 2},
		{Name: "d", X: 2, Y: 3}, {Name: "e", X: 4, Y: 0}}
	tests := []struct {
		x, y chart.Better
		want string
	}{
		{chart.Higher, chart.Higher, "bdce"},
		{chart.Lower, chart.Lower, "ae"},
		{chart.Lower, chart.Higher, "abd"},
		{chart.Higher, chart.Lower, "e"},
		{chart.Unranked, chart.Unranked, ""},
	}
	for _, test := range tests {
		got := ""
		for _, p := range (chart.Scatter{BetterX: test.x, BetterY: test.y,
			Groups: []chart.PointGroup{{Points: points}}}).Front() {
			got += p.Name
		}
		if got != test.want {
			t.Errorf("%v, %v: front %q, want %q", test.x, test.y, got, test.want)
		}
	}
}

func TestBetter_JSON(t *testing.T) {
	text, err := json.Marshal([]chart.Better{chart.Unranked, chart.Higher, chart.Lower})
	if want := `["unranked","higher","lower"]`; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, want)
	}
}
