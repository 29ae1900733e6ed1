package remem_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	figures "github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// drawn returns a figure of results with artificial scores.
func drawn(t *testing.T, name string) *chart.Figure {
	t.Helper()
	figure, err := figures.Figures.Figure(name, drawnResults(t))
	if err != nil {
		t.Fatal(err)
	}
	return figure
}

// data reads the data of a figure's panels.
func data[Chart any](t *testing.T, figure *chart.Figure) (panels []Chart) {
	t.Helper()
	text, err := json.Marshal(figure.Data())
	if err != nil {
		t.Fatal(err)
	}
	several := struct{ Panels []json.RawMessage }{}
	if err := json.Unmarshal(text, &several); err != nil {
		t.Fatal(err)
	}
	if len(several.Panels) == 0 {
		several.Panels = []json.RawMessage{text}
	}
	for _, one := range several.Panels {
		var graph Chart
		if err := json.Unmarshal(one, &graph); err != nil {
			t.Fatal(err)
		}
		panels = append(panels, graph)
	}
	return panels
}

var laidOut = map[string]*report.Table{}

// level returns the number in a cell of a table.
func level(t *testing.T, table, row, column string) float64 {
	t.Helper()
	if laidOut[table] == nil {
		var err error
		if laidOut[table], err = drawnResults(t).Table(table, false); err != nil {
			t.Fatal(err)
		}
	}
	laid := laidOut[table]
	for i, c := range laid.Columns {
		for _, r := range laid.Rows {
			if c.Name == column && r.Name == row {
				return r.Cells[i].Value
			}
		}
	}
	t.Fatalf("table %s has no %s of %s", table, column, row)
	return 0
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) < 1e-6) {
		t.Errorf("%s is drawn at %v, the table has %v", what, got, want)
	}
}

func TestFigures_EveryTheme(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	for _, d := range figures.Figures {
		figure := drawn(t, d.Name)
		if figure.Title == "" || len(figure.Caption) < 60 || strings.Contains(figure.Caption, "NaN") {
			t.Errorf("%s: title %q, caption %q", d.Name, figure.Title, figure.Caption)
		}
		for _, page := range theme.Themes {
			picture, err := plots.Draw(figure, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, _, err := picture.In(page).PNG(1); err != nil {
				t.Errorf("%s: %v", d.Name, err)
			}
		}
	}
}

func TestFigure1_LearntFromTable(t *testing.T) {
	for _, series := range data[chart.Radar](t, drawn(t, "1"))[0].Series {
		for i, column := range []string{"ROUGE", "GPT", "EM"} {
			near(t, series.Name+" "+column, series.Values[i], level(t, "learning", "Shape/"+series.Name, column))
		}
	}
	panels := data[chart.Lines](t, drawn(t, "3"))
	for i, columns := range [][]string{{"EM", "ROUGE", "EM_t"}, {"Perplexity"}, {"EM_t, single", "EM_t, multi"}} {
		for k, column := range columns {
			series := panels[i].Series[k]
			if len(series.X) != 3 {
				t.Errorf("%d points of %s", len(series.X), column)
			}
			for at, x := range series.X {
				row := fmt.Sprintf("Questions/%g", x)
				if i == 2 {
					row = fmt.Sprintf("By name/%g %%", x)
				}
				near(t, column+" of "+row, series.Y[at], level(t, "learning", row, column))
				if series.Lo[at] > series.Y[at] || series.Lo[at] < 0 || i != 1 && series.Hi[at] > 100 {
					t.Errorf("%s of %s has the band [%v, %v]", column, row, series.Lo[at], series.Hi[at])
				}
			}
		}
	}
}

// The means of the dots are the values of Table 5.
func TestFigure2_MeansAreTable5(t *testing.T) {
	type graph struct{ Groups []chart.PointGroup }
	groups := data[graph](t, drawn(t, "2"))[0].Groups
	for i, group := range groups {
		people := 16 // the people of two worlds
		if i == 3 {
			people = 2 // public people in the artificial scores
		}
		inverse, minK := 0., 0.
		for _, point := range group.Points {
			inverse, minK = inverse+point.X/float64(people), minK+point.Y/float64(people)
		}
		if len(group.Points) != people {
			t.Errorf("%s has %d dots for %d people", group.Name, len(group.Points), people)
		}
		near(t, group.Name, minK, level(t, "5", group.Name, "Min-k%"))
		near(t, group.Name, inverse, level(t, "5", group.Name, "Inverse Perplexity"))
	}
	if len(groups) != 4 {
		t.Errorf("%d sets", len(groups))
	}
}

// Methods are drawn at the values of the table of ratios.
func TestFigures6And7_Ratios(t *testing.T) {
	names := map[string]string{"taught": "Before", "gold": "Gold"}
	for figure, size := range map[string]string{"6": "S", "7": "L"} {
		for i, panel := range data[chart.Lines](t, drawn(t, figure)) {
			if len(panel.Series) != 5 || len(panel.Guides) != 2 {
				t.Fatalf("%d methods and %d levels beside them", len(panel.Series), len(panel.Guides))
			}
			for _, series := range append(panel.Series, panel.Guides...) {
				name := series.Name
				if other := names[name]; other != "" {
					name = other
				}
				for at, x := range series.X {
					row := fmt.Sprintf("%s/%s/%g", size, name, x)
					near(t, row+" "+panel.Title, series.Y[at], level(t, "ratios", row, figures.RatioColumns[i]))
				}
			}
		}
	}
}

func TestExposureFigure_Mean(t *testing.T) {
	for i, panel := range data[chart.DotRows](t, drawn(t, "exposure")) {
		sums, counts := make([]float64, len(panel.Lines)), make([]float64, len(panel.Lines))
		for _, series := range panel.Series {
			for _, dot := range series.Dots {
				sums[dot.Line] += dot.Value
				counts[dot.Line]++
			}
		}
		for line, name := range []string{"Before", "Gold", "GA", "GD", "KL", "DPO", "NPO", "PO"} {
			want := level(t, "ratios", fmt.Sprintf("%s/%s/4", []string{"S", "L"}[i], name), "Exp")
			near(t, name, sums[line]/counts[line], want)
			if counts[line] != 8 || !strings.HasSuffix(panel.Lines[line], fmt.Sprintf(", mean %.1f", want)) {
				t.Errorf("%s has %v dots and is called %q", name, counts[line], panel.Lines[line])
			}
		}
		near(t, "gold's line", panel.Targets[1].Value, sums[1]/counts[1])
	}
}

func TestVerdictsFigure_Thresholds(t *testing.T) {
	type graph struct { // chart.Verdict cannot be read from JSON
		Rows []struct {
			Name, Verdict string
			Value         float64
		}
		Region chart.Region
	}
	panels := data[graph](t, drawn(t, "verdicts"))
	for i, a := range drawnResults(t).Verdicts() {
		near(t, a.Method, panels[0].Rows[i].Value, a.Left.Value)
		near(t, a.Method, panels[1].Rows[i].Value, a.Gain.Value)
		if want := a.Method + ": " + string(a.Verdict); panels[0].Rows[i].Name != want {
			t.Errorf("%q, want %q", panels[0].Rows[i].Name, want)
		}
	}
	if panels[0].Region.Hi != figures.MostLeft || panels[1].Region.Hi != figures.MostGain {
		t.Errorf("regions %+v and %+v", panels[0].Region, panels[1].Region)
	}
	figure, err := figures.VerdictsFigure(assessed(), 5)
	if err != nil {
		t.Fatal(err)
	}
	panels = data[graph](t, figure)
	for i, want := range []string{"smaller", "smaller", "unresolved", "larger", "smaller"} {
		if got := panels[0].Rows[i]; got.Verdict != want {
			t.Errorf("%s is marked as %s", got.Name, got.Verdict)
		}
	}
}

func TestFigures_DivergedModel(t *testing.T) {
	if caption := drawn(t, "6").Caption; !strings.Contains(caption, "DPO of 1 diverged in 1 of 2 worlds") {
		t.Errorf("caption %q", caption)
	}
	ratios, err := figures.RatiosFigure("S", []int{1, 2, 3, 4}, forgetful(), 5)
	if err != nil {
		t.Fatal(err)
	}
	kl := data[chart.Lines](t, ratios)[0].Series[1]
	if len(kl.X) != 3 || len(kl.Gaps) != 1 || kl.Gaps[0] != 2 || !strings.Contains(ratios.Caption, "KL of 2 diverged") {
		t.Errorf("%+v, caption %q", kl, ratios.Caption)
	}
	verdicts, err := figures.VerdictsFigure(assessed(), 5)
	left := "Left out: KL of size L (a verdict needs a model that did not diverge)"
	if err != nil || !strings.HasSuffix(verdicts.Caption, left) {
		t.Errorf("%v, caption %q", err, verdicts.Caption)
	}
	models := exposed()
	models[3] = figures.Exposed{Model: "DPO",
		Mean: certify.Cell{Estimate: math.NaN(), Warning: "diverged in 5 of 5 worlds"}}
	exposure, err := figures.ExposureFigure([]string{"S"}, [][]figures.Exposed{models}, 4, 5)
	if err != nil || !strings.HasSuffix(exposure.Caption, "DPO of size S diverged in 5 of 5 worlds") ||
		len(data[chart.DotRows](t, exposure)[0].Lines) != 4 {
		t.Errorf("%v, caption %q", err, exposure.Caption)
	}
}

func TestMaps_Nothing(t *testing.T) {
	for name, says := range map[string]string{"2": "Real Set has no map: of 4 questions",
		"5": "MLLMU-bench has no map"} {
		if caption := drawn(t, name).Caption; !strings.Contains(caption, says) {
			t.Errorf("%s: got %q, want %q in it", name, caption, says)
		}
	}
	site := data[chart.HeatMap](t, drawn(t, "5"))[0].Panels[2]
	want := drawnResults(t).Map(3, "hidden state") // the map of the model taught with ReMem's questions
	near(t, "the first layer of the picture", site.Values[0][0], want.Effects[0][0])
}

func TestFigures_PresetLacks(t *testing.T) {
	for _, test := range []struct {
		figure string
		change func(p *figures.Preset)
		says   string
	}{
		{"1", func(p *figures.Preset) { p.Shapes = nil }, "teaches people in one shape alone"},
		{"2", func(p *figures.Preset) { p.Shapes = []profile.Shape{profile.FullShape} },
			"teaches nobody in the shape of FIUBench"},
		{"2", func(p *figures.Preset) { p.Traced = 0 }, "traces nothing"},
		{"3", func(p *figures.Preset) { p.Counts = nil }, "teaches one person by one number and kind of questions alone"},
		{"4", func(p *figures.Preset) { p.Download = &figures.Download{} }, "has published people and does not show them"},
		{"5", func(p *figures.Preset) { p.Shapes = nil },
			"does not teach people in the formats of MLLMU-Bench and ReMem"},
		{"5", func(p *figures.Preset) { p.Traced = 0 }, "traces nothing"},
		{"6", func(p *figures.Preset) { p.Forget = []int{4} }, "forgets one number of people alone"},
		{"7", func(p *figures.Preset) { p.Sizes = p.Sizes[:1] }, "has no results of models of a second size"},
		{"pictures", func(p *figures.Preset) { p.Download = &figures.Download{} },
			"has published people and does not show them"},
	} {
		r := *drawnResults(t)
		test.change(&r.Preset)
		_, err := figures.Figures.Figure(test.figure, &r)
		var lacks *study.Lacks
		if !errors.As(err, &lacks) || lacks.Preset != "mini" || lacks.Why != test.says {
			t.Errorf("%s: %v, want %s", test.figure, err, test.says)
		}
	}
}

func TestVerdictsFigure_NothingLearnt(t *testing.T) {
	r := *drawnResults(t)
	r.Worlds = slices.Clone(r.Worlds)
	for i := range r.Worlds {
		r.Worlds[i].Sizes = slices.Clone(r.Worlds[i].Sizes)
		for k := range r.Worlds[i].Sizes {
			size := &r.Worlds[i].Sizes[k]
			size.Befores = slices.Clone(size.Befores)
			size.Befores[len(size.Befores)-1] = size.Gold
		}
	}
	_, err := figures.Figures.Figure("verdicts", &r)
	var lacks *study.Lacks
	if !errors.As(err, &lacks) || !strings.HasSuffix(lacks.Why, "a verdict needs a taught model that knows more than gold") {
		t.Error(err)
	}
}

func TestSheet_People(t *testing.T) {
	rows, err := drawnResults(t).Sheet()
	if err != nil {
		t.Fatal(err)
	}
	type grid struct {
		Rows   []string
		Spans  []chart.Span
		Images [][]struct{ Width int }
	}
	got := data[grid](t, drawn(t, "pictures"))[0]
	for i, row := range rows {
		if got.Rows[i] != row.Name || len(got.Images[i]) != 14 ||
			got.Images[i][0].Width != row.Anchors[0].Bounds().Size().X {
			t.Errorf("row %d: %s, %d pictures", i, got.Rows[i], len(got.Images[i]))
		}
	}
	if got.Spans[1] != (chart.Span{Name: "training", Columns: 5}) {
		t.Errorf("got %+v, want Spans[1] %v", got.Spans, (chart.Span{Name: "training", Columns: 5}))
	}
}

func TestPipeline_Counts(t *testing.T) {
	made, err := drawnResults(t).Pipeline()
	if err != nil {
		t.Fatal(err)
	}
	if made.People != 8 || made.Public != 4 || made.Single != 70 || made.Multi != 30 || made.Test != 28 ||
		made.Filter.Kept != 8*(20+28) {
		t.Errorf("got %+v, want People 8, Public 4, Single 70, Multi 30, Test 28, Filter.Kept 8*(20+28)", made)
	}
	text := fmt.Sprint(drawn(t, "4").Data())
	for _, says := range []string{"8 people of 14", "70 with and 30", "gold learns 4 people of 8", "1, 2, 4 of 8",
		fmt.Sprint(made.Filter.Candidates), "GA, GD, KL, DPO, NPO, PO"} {
		if !strings.Contains(text, says) {
			t.Errorf("%q is not in %s", says, text)
		}
	}
}

func TestFigures_OneWorld(t *testing.T) {
	r := *drawnResults(t)
	r.Worlds = r.Worlds[:1]
	for _, d := range figures.Figures {
		figure, err := d.Figure(&r)
		if err != nil {
			t.Errorf("%s: %v", d.Name, err)
		} else if strings.Contains(figure.Caption, "Student") || strings.Contains(figure.Caption, "NaN") {
			t.Errorf(`%s: got %s, want no "Student", no "NaN"`, d.Name, figure.Caption)
		}
	}
}

func TestVerdictsFigure_HelpUntried(t *testing.T) {
	all := assessed()
	for i := range all {
		all[i].Gain.Value, all[i].Gain.Lo, all[i].Gain.Hi = math.NaN(), math.NaN(), math.NaN()
	}
	figure, err := figures.VerdictsFigure(all, 5)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(data[struct{}](t, figure)); n != 1 || strings.Contains(figure.Caption, "(b)") ||
		!strings.Contains(figure.Caption, "Help is not known of 9") {
		t.Errorf("%d panels, caption %q", n, figure.Caption)
	}
}

func TestFigures_Refused(t *testing.T) {
	_, noShapes := figures.ShapesFigure(nil, 20, 5)
	_, noModels := figures.RatiosFigure("S", []int{1}, nil, 5)
	_, noVerdict := figures.VerdictsFigure(nil, 5)
	_, noPeople := figures.PicturesFigure(nil)
	_, noMaps := figures.SitesFigure(nil)
	for i, err := range []error{noShapes, noModels, noVerdict, noPeople, noMaps} {
		if err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%d: %v", i, err)
		}
	}
}
