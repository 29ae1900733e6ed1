package chart_test

import (
	"image"
	"math"
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// The numbers in these examples are made up. The papers' numbers are in data/papers.

func ExampleLines() {
	rates := []float64{1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4}
	figure, err := chart.Lines{
		Title:   "Retrieval failure against the learning rate",
		Caption: "Means of five seeds with 95 % intervals; the broken line is the model that never saw the data",
		X:       chart.Axis{Label: "learning rate", Log: true},
		Y:       chart.Axis{Label: "RetFail"},
		Series: []chart.Series{
			{
				Name: "Generic Captions", X: rates,
				Y:       []float64{.118, .095, .052, .021, .008, .006},
				Lo:      []float64{.110, .085, .043, .014, .004, .002},
				Hi:      []float64{.126, .105, .061, .028, .012, .010},
				Printed: []chart.Point{{X: 1e-5, Y: .047}},
			},
			{
				Name: "Negative Gradient", X: rates,
				Y:  []float64{.119, .108, .081, .033, .002, .001},
				Lo: []float64{.111, .098, .069, .022, .000, .000},
				Hi: []float64{.127, .118, .093, .044, .006, .003},
			},
		},
		Targets: []chart.Target{{Name: "Clean", Value: .001}, {Name: "Compromised", Value: .124}},
	}.Figure()
	golden.Compare("lines", figure, err)
	// Output:
	// lines-light.png: as drawn before
	// lines-dark.png: as drawn before
}

func ExampleRadar() {
	figure, err := chart.Radar{
		Title:   "What fine-tuning taught before anything was unlearned",
		Caption: "ROUGE, GPT-score and exact match after stage 1 on three benchmarks",
		Spokes:  []string{"ROUGE", "GPT-score", "EM", "EM, held out"},
		Max:     100,
		Series: []chart.RadarSeries{
			{Name: "FIUBench", Values: []float64{62, 41, 28, 11}},
			{Name: "MLLMU-Bench", Values: []float64{71, 48, 35, 9}},
			{Name: "ReMem", Values: []float64{94, 96, 95, 88}},
		},
		Target: &chart.Target{Name: "learned", Value: 100},
	}.Figure()
	golden.Compare("radar", figure, err)
	// Output:
	// radar-light.png: as drawn before
	// radar-dark.png: as drawn before
}

func ExampleHeatMap() {
	layers := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15"}
	tokens := []string{"image", "What", "is", "this", "person", "’s", "job", "?"}
	effect := func(peak, row float64) [][]float64 {
		values := make([][]float64, len(tokens))
		for i := range values {
			for l := range layers {
				d, r := float64(l)-peak, float64(i)-row
				values[i] = append(values[i], .42*math.Exp(-d*d/9-r*r/1.5))
			}
		}
		return values
	}
	figure, err := chart.HeatMap{
		Title:   "Where the answer is restored",
		Caption: "Indirect effect of restoring the clean activation at each token and layer",
		XLabel:  "layer",
		Panels: []chart.Matrix{
			{Name: "MLLMU-Bench", Rows: tokens, Columns: layers, Values: effect(12, 6)},
			{Name: "ReMem", Rows: tokens, Columns: layers, Values: effect(3, 4)},
		},
		Scale: chart.Scale{Label: "indirect effect"},
	}.Figure()
	golden.Compare("heatmap", figure, err)
	// Output:
	// heatmap-light.png: as drawn before
	// heatmap-dark.png: as drawn before
}

// In a diverging scale the middle colour means 0. Small matrices can show their numbers.
func ExampleHeatMap_diverging() {
	figure, err := chart.HeatMap{
		Title:   "Difference to the gold model",
		Caption: "Mean difference of five scores for five methods",
		Panels: []chart.Matrix{{
			Rows:    []string{"GA", "GD", "KL", "DPO", "NPO"},
			Columns: []string{"ROUGE", "EM_r", "EM_f", "Exposure", "EM_t"},
			Values: [][]float64{
				{-31.2, -40.1, 2.1, -3.0, -12.4}, {-4.8, -6.0, 8.7, 4.1, -3.9}, {-28.8, -37.5, 2.9, -2.2, -11.0},
				{-9.1, -12.2, 22.4, 9.8, -4.4}, {-7.7, -10.6, 17.3, 7.5, -5.1},
			},
		}},
		Scale:    chart.Scale{Label: "difference, points", Diverging: true},
		Annotate: true,
		Decimals: 1,
	}.Figure()
	golden.Compare("heatmap-diverging", figure, err)
	// Output:
	// heatmap-diverging-light.png: as drawn before
	// heatmap-diverging-dark.png: as drawn before
}

func ExampleImageGrid() {
	original, recovered := []image.Image{}, []image.Image{}
	for i := range 8 {
		original = append(original, golden.Blob(.9, .8-.1*float64(i)))
		recovered = append(recovered, golden.Blob(.3+.08*float64(i), .9-.12*float64(i)))
	}
	figure, err := chart.ImageGrid{
		Title: "Partial diffusion brings the concept back",
		Caption: "First row: what the original model leaves after a share ψ of the steps; second: what the " +
			"unlearned model makes of it",
		ColumnsName: "ψ",
		Columns:     []string{".001", ".01", ".05", ".15", ".25", ".35", ".45", ".55"},
		Rows:        []string{"original, so far", "unlearned, to the end"},
		Images:      [][]image.Image{original, recovered},
	}.Figure()
	golden.Compare("strip", figure, err)
	// Output:
	// strip-light.png: as drawn before
	// strip-dark.png: as drawn before
}

// An image grid without names is a contact sheet. Panels place two of them side by side.
func ExamplePanels() {
	sheet := func(title string, hue float64) *chart.Figure {
		images := make([][]image.Image, 5)
		for i := range images {
			for j := range 5 {
				images[i] = append(images[i], golden.Blob(hue, float64(i*5+j)/30))
			}
		}
		figure, err := chart.ImageGrid{Title: title, Images: images}.Figure()
		if err != nil {
			panic(err)
		}
		return figure
	}
	curve := func(title string, slope float64) *chart.Figure {
		x, gold := []float64{.001, .01, .05, .15, .25, .35, .45, .55}, []float64{}
		y := []float64{}
		for _, psi := range x {
			y, gold = append(y, 1/(1+math.Exp(-slope*(psi-.2)))), append(gold, 1/(1+math.Exp(-slope*(psi-.5))))
		}
		figure, err := chart.Lines{
			Title: title, X: chart.Axis{Label: "ψ"}, Y: chart.Axis{Label: "P(original)", Max: 1},
			Series: []chart.Series{{Name: "unlearned", X: x, Y: y}, {Name: "gold", X: x, Y: gold}},
		}.Figure()
		if err != nil {
			panic(err)
		}
		return figure
	}
	figure, err := chart.Panels{
		Title:   "Concealment of one concept",
		Columns: 2,
		Figures: []*chart.Figure{sheet("original", .95), sheet("unlearned", .2), curve("forgotten prompt", 12),
			curve("retained prompt", 6)},
	}.Figure()
	golden.Compare("panels", figure, err)
	// Output:
	// panels-light.png: as drawn before
	// panels-dark.png: as drawn before
}

// normal returns n normal random numbers. The seed determines them.
func normal(seed uint64, n int, mean, spread float64) []float64 {
	random := rand.New(rand.NewPCG(seed, 0))
	values := make([]float64, n)
	for i := range values {
		values[i] = mean + spread*random.NormFloat64()
	}
	return values
}

func ExampleHistogram() {
	figure, err := chart.Histogram{
		Title:   "Synthetic portraits look to the model like real ones",
		Caption: "Mean cosine of 100 portraits each to five generic captions; KS D = 0.17, p = 0.11",
		X:       chart.Axis{Label: "mean cosine to five generic captions"},
		Samples: []chart.Sample{
			{Name: "real portraits", Values: normal(1, 100, .231, .012)},
			{Name: "synthetic portraits", Values: normal(2, 100, .235, .011)},
		},
		Bins: 18,
	}.Figure()
	golden.Compare("histogram", figure, err)
	// Output:
	// histogram-light.png: as drawn before
	// histogram-dark.png: as drawn before
}

func ExampleDotWhisker() {
	figure, err := chart.DotWhisker{
		Title:   "Forget accuracy against the gold model",
		Caption: "Five seeds each, 95 % intervals",
		X:       chart.Axis{Label: "macro F1 on the forget set"},
		Rows: []chart.Estimate{
			{Group: "SLURP*, wav2vec 2.0", Name: "Finetuning", Value: .74, Lo: .70, Hi: .78,
				Verdict: chart.UnderForgotten, Printed: new(.728)},
			{Group: "SLURP*, wav2vec 2.0", Name: "Negative Gradient", Value: .585, Lo: .572, Hi: .598,
				Verdict: chart.Matched, Printed: new(.604)},
			{Group: "SLURP*, wav2vec 2.0", Name: "UNSIR", Value: .61, Lo: .51, Hi: .71, Verdict: chart.Unresolved,
				Printed: new(.655)},
			{Group: "SLURP*, wav2vec 2.0", Name: "SCRUB", Value: .47, Lo: .44, Hi: .50, Verdict: chart.OverForgotten,
				Printed: new(.455)},
			{Group: "FSC, HuBERT", Name: "Finetuning", Value: .80, Lo: .77, Hi: .83, Verdict: chart.UnderForgotten,
				Printed: new(.812)},
			{Group: "FSC, HuBERT", Name: "Negative Gradient", Value: .59, Lo: .575, Hi: .605, Verdict: chart.Matched},
		},
		Target: &chart.Target{Name: "gold", Value: .588},
		Region: &chart.Region{Name: "gold ± .025", Lo: .563, Hi: .613},
	}.Figure()
	golden.Compare("dotwhisker", figure, err)
	// Output:
	// dotwhisker-light.png: as drawn before
	// dotwhisker-dark.png: as drawn before
}

func ExampleScatter() {
	figure, err := chart.Scatter{
		Title:   "What forgetting costs",
		Caption: "Forget accuracy against accuracy on general knowledge, 5x budget",
		X:       chart.Axis{Label: "RetFail (lower is better)"},
		Y:       chart.Axis{Label: "GenKnow (higher is better)"},
		BetterX: chart.Lower,
		BetterY: chart.Higher,
		Groups: []chart.PointGroup{
			{Name: "caption-based", Points: []chart.NamedPoint{
				{Name: "Generic Captions", X: .021, Y: .633}, {Name: "Shuffled Captions", X: .034, Y: .631},
				{Name: "Finetuning", X: .094, Y: .640},
			}},
			{Name: "gradient-based", Points: []chart.NamedPoint{
				{Name: "Negative Gradient", X: .004, Y: .598}, {Name: "Direct Similarity", X: .006, Y: .611},
				{Name: "Descent to Delete", X: .101, Y: .629},
			}},
			{Name: "multimodal", Points: []chart.NamedPoint{
				{Name: "VLUnlearn", X: .012, Y: .604}, {Name: "DELETE", X: .009, Y: .634},
				{Name: "CLIPErase", X: .041, Y: .612},
			}},
		},
	}.Figure()
	golden.Compare("scatter", figure, err)
	// Output:
	// scatter-light.png: as drawn before
	// scatter-dark.png: as drawn before
}

func ExampleBars() {
	figure, err := chart.Bars{
		Title:   "Exact match after unlearning",
		Caption: "Single-hop and multi-hop questions, five seeds, 95 % intervals",
		Groups:  []string{"GA", "GD", "KL", "DPO", "NPO"},
		Y:       chart.Axis{Label: "EM_f (%)"},
		Series: []chart.BarSeries{
			{
				Name: "single-hop", Values: []float64{3.1, 22.4, 3.6, 41.0, 35.7},
				Lo: []float64{1.2, 18.8, 1.6, 36.2, 31.0},
				Hi: []float64{5.0, 26.0, 5.6, 45.8, 40.4}, Printed: []float64{2.5, 24.6, 2.9, 43.9, 33.2},
			},
			{
				Name: "multi-hop", Values: []float64{2.2, 15.8, 2.0, 30.1, 26.6},
				Lo: []float64{.4, 11.7, .3, 25.0, 21.9},
				Hi: []float64{4.0, 19.9, 3.7, 35.2, 31.3}, Printed: []float64{1.7, 17.5, 2.5, 28.3, 27.5},
			},
		},
		Targets: []chart.Target{{Name: "gold", Value: 6.5}},
	}.Figure()
	golden.Compare("bars", figure, err)
	// Output:
	// bars-light.png: as drawn before
	// bars-dark.png: as drawn before
}

// Group names that do not fit side by side are rotated. Bars of negative values point down.
func ExampleBars_longNames() {
	figure, err := chart.Bars{
		Title: "Change of general knowledge",
		Groups: []string{"Generic Captions", "Shuffled Captions", "Direct Similarity", "Negative Gradient",
			"Descent to Delete", "VLUnlearn", "DELETE"},
		Y: chart.Axis{Label: "difference to Compromised"},
		Series: []chart.BarSeries{{
			Name: "5x budget", Values: []float64{-.005, -.007, -.027, -.040, -.009, -.034, .002},
			Lo: []float64{-.009, -.012, -.033, -.047, -.014, -.041, -.001},
			Hi: []float64{-.001, -.002, -.021, -.033, -.004, -.027, .005},
		}},
	}.Figure()
	golden.Compare("bars-long", figure, err)
	// Output:
	// bars-long-light.png: as drawn before
	// bars-long-dark.png: as drawn before
}
