package chart_test

import (
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// The needles show which values are in the possible range.
func ExampleRanges() {
	random := rand.New(rand.NewPCG(3, 0))
	var printed []float64
	for range 30 {
		printed = append(printed, float64(50+random.IntN(40))/100)
	}
	half := &chart.Region{Lo: .5, Hi: 1}
	figure, err := chart.Ranges{
		Title:   "A balanced accuracy below one half means that two classes are mixed up",
		Caption: "What the score can be, what it is of guessing or better, and 30 made-up values",
		X:       chart.Axis{Label: "balanced accuracy"},
		Lines: []chart.RangeLine{
			{Name: "Two classes", Heading: true},
			{Name: "any classifier", Band: &chart.Region{Lo: 0, Hi: 1}, Depth: .3},
			{Name: "guessing, or better", Band: half, Depth: 1},
			{Name: "30 values", Needles: printed, Behind: half, Series: 1},
		},
	}.Figure()
	golden.Compare("ranges", figure, err)
	// Output:
	// ranges-light.png: as drawn before
	// ranges-dark.png: as drawn before
}

func ExampleDotRows() {
	random := rand.New(rand.NewPCG(4, 0))
	lines := []string{"Table 1", "Table 2", "Table 3"}
	sums, means := chart.DotSeries{Name: "sums"}, chart.DotSeries{Name: "means"}
	for line := range lines {
		for range 12 {
			sums.Dots = append(sums.Dots, chart.Dot{Line: line, Value: random.NormFloat64() * .02})
			means.Dots = append(means.Dots, chart.Dot{Line: line, Value: random.NormFloat64() * .03})
		}
	}
	means.Dots[7].Value, means.Dots[7].Name = .21, "row 8"
	figure, err := chart.DotRows{
		Title: "One printed mean is not that of its row", Caption: "Recomputed minus printed, 36 rows of three tables",
		X: chart.Axis{Label: "recomputed − printed"}, Lines: lines, Series: []chart.DotSeries{sums, means},
		Region: &chart.Region{Name: "rounding", Lo: -.05, Hi: .05},
	}.Figure()
	golden.Compare("dotrows", figure, err)
	// Output:
	// dotrows-light.png: as drawn before
	// dotrows-dark.png: as drawn before
}

func ExampleRelay() {
	figure, err := chart.Relay{
		Title: "Three ways to share twenty steps", From: "begin", To: "end",
		Runners: []string{"first", "second", "third"},
		Rows: []chart.RelayRow{
			{Name: "alone", Steps: []int{20, 0, 0}, Note: "nobody else runs"},
			{Name: "halves", Steps: []int{10, 10, 0}, Note: "10 + 10"},
			{Name: "all", Steps: []int{5, 12, 3}, Note: "5 + 12 + 3"},
		},
	}.Figure()
	golden.Compare("relay", figure, err)
	// Output:
	// relay-light.png: as drawn before
	// relay-dark.png: as drawn before
}
