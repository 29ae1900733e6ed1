package unslu

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Names of the tables that the paper lacks.
const (
	ratesTable    = "rates"
	readingsTable = "readings"
	drawsTable    = "draws"
	speakersTable = "speakers"
	gainsTable    = "backbones"
	worldsTable   = "worlds"
)

func furtherTables() []study.Extra[*Results] {
	return []study.Extra[*Results]{
		{Name: ratesTable, About: "the rates that were chosen, on validation and on test clips",
			Of: study.Sure((*Results).rates)},
		{Name: selectionTable, About: "chosen rates in their grids, and the gain from choosing on the same " +
			"worlds", Of: study.Sure((*Results).selectionTable)},
		{Name: componentsTable, About: "GUM's three parts, and how far MIA is from gold's",
			Of: study.Sure((*Results).components)},
		{Name: readingsTable, About: "GUM and NoMUS in every reading, with two measures of time",
			Of: study.Sure((*Results).readings)},
		{Name: drawsTable, About: "how MIA and the chosen rates depend on the draws of the attack",
			Of: study.Sure((*Results).draws)},
		{Name: attacksTable, About: "the paper's attack and a stronger one, and where they disagree",
			Of: (*Results).attacks},
		{Name: scaleTable, About: "sizes, and gold's scores here and in the paper", Of: (*Results).scale},
		{Name: heardTable, About: "the paper's attack with test clips of sentences that gold has heard",
			Of: (*Results).heard},
		{Name: printedTable, About: "which claims the paper's own tables support",
			Of: func(*Results) (*report.Table, error) { return printed() }},
		{Name: speakersTable, About: "how much surer models are of each forget speaker's clips than gold",
			Of: study.Sure((*Results).speakers)},
		{Name: worldsTable, About: "claims whose verdict differs between five worlds and ten", Of: (*Results).worlds},
		{Name: gainsTable, About: "gain from pre-training, compared with random weights", Of: (*Results).gains},
	}
}

// rates tabulates the rate chosen for each method on validation clips, and by how much choosing on test clips, as the
// paper does, inflates the score.
func (r *Results) rates() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("Rates that were chosen (%s)", r.Preset.Name), Corner: "Method",
		Columns: []report.Column{{Name: "tried", Words: true}, {Name: "by validation"}, {Name: "by test"},
			{Name: "GUM"}, {Name: "GUM, chosen by test"}, {Name: "what that inflates"}}}
	byPasses := gumOf("GUM by passes", onSplit(Test), passes, metric.GUMOnAccuracy, theGold)
	for i, b := range r.Preset.Benchmarks {
		ours := r.Chosen(i, Validation, metric.GUMOnAccuracy)
		papers := r.Chosen(i, Test, metric.GUMOnAccuracy)
		for m, method := range b.Methods {
			at := func(rate int) func(world int) float64 {
				return r.score(i, line{of: func(b *BenchmarkScores) *Model { return b.Methods[m][rate] }}, byPasses)
			}
			inflated := report.Word("the same rate")
			if papers[m] != ours[m] {
				inflated = short(r.estimate(func(world int) float64 {
					return at(papers[m])(world) - at(ours[m])(world)
				}))
			}
			tried := ""
			for _, rate := range method.Rates {
				tried += rateName(rate) + " "
			}
			t.Rows = append(t.Rows, report.Named(b.levels(method.Title)...).With(
				report.Word(tried), report.Word(rateName(method.Rates[ours[m]])),
				report.Word(rateName(method.Rates[papers[m]])), short(r.estimate(at(ours[m]))),
				short(r.estimate(at(papers[m]))), inflated))
		}
	}
	t.Note = "The rate with the largest mean GUM over worlds, with time counted in passes: chosen on " +
		"validation clips, which no table shows, or on the test clips, as the paper does. GUM is on the test " +
		"clips; the gain from the second choice is not a merit of the method." + withoutSpread
	return t
}

// readings tabulates the metrics in their alternative interpretations.
func (r *Results) readings() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("Readings of the metrics (%s)", r.Preset.Name), Corner: "Method"}
	readings := readingColumns()
	for _, c := range readings {
		t.Columns = append(t.Columns, report.Column{Name: c.Name})
	}
	t.Columns = slices.Insert(t.Columns, 1, report.Column{Name: "GUM of means"})
	panel := r.panel()
	for i, b := range r.Preset.Benchmarks {
		for _, l := range r.allRows(i) {
			row := report.Named(b.levels(l.name)...)
			for _, c := range readings {
				row.Cells = append(row.Cells, short(r.alone(i, l, c)))
			}
			row.Cells = slices.Insert(row.Cells, 1, r.ofMeans(panel, b.Name(), l.name))
			t.Rows = append(t.Rows, row)
		}
	}
	t.Note = leaders(t) + fmt.Sprintf("GUM is computed in each world and then averaged. GUM of means is "+
		"computed once from the mean accuracy, MIA and seconds, as the authors' code does over seeds, with an "+
		"interval by linear approximation. The paper's text computes GUM from macro F1 and NoMUS from "+
		"accuracy; its tables do the reverse, and so do ours. By passes: a clip through the network costs 1, "+
		"its gradient 2; GUM depends on the unit, so gold takes as long as the paper's on SLURP*, %d s. Ten "+
		"splits: the attack of the first draw alone, as in the paper, where all else here averages %d draws (table "+
		"draws); the rates are the same. CGUM is a later form by the authors; its classes are counted in each world.", paperGoldSeconds, attackDraws) + withoutSpread + r.aheadNote()
	return t
}

// leaders returns a sentence about the first two columns: on how many benchmarks Negative Gradient has the largest
// value.
func leaders(t *report.Table) string {
	var parts []string
	for at, c := range t.Columns[:2] {
		best, own := map[string]float64{}, map[string]float64{}
		for _, row := range t.Rows {
			benchmark, method := apart(row.Levels)
			if value := row.Cells[at].Value; !math.IsNaN(value) {
				best[benchmark] = max(best[benchmark], value)
			}
			if method == "NG" {
				own[benchmark] = row.Cells[at].Value
			}
		}
		ahead := 0
		for benchmark, value := range own {
			if value > 0 && value == best[benchmark] {
				ahead++
			}
		}
		parts = append(parts, fmt.Sprintf("%s in %d of %d benchmarks", c.Name, ahead, len(best)))
	}
	return "NG has the largest " + strings.Join(parts, " and the largest ") + ". "
}

// ofMeans formats GUM computed from a row's means over worlds, with its interval if it has one.
func (r *Results) ofMeans(panel *certify.Panel, benchmark, row string) report.Cell {
	switch {
	case row == originalRow || row == goldRow:
		return report.Number("0.000", 0)
	case !panel.Has(certify.ScoreOf(benchmark+"/"+row, "Seconds")): // the model diverged in a world
		return report.Number("–", math.NaN())
	}
	e := panel.Estimate(gumOfMeans(benchmark, row))
	if e.Lo == e.Hi { // GUM is at its bound, where small changes of the means have no effect
		e.Lo, e.Hi = math.NaN(), math.NaN()
	}
	return short(certify.Cell{Estimate: e.Value, Lo: e.Lo, Hi: e.Hi})
}

// alone certifies a row's score in a column over worlds, without a target. It adds no interval if the value is fixed by
// definition.
func (r *Results) alone(benchmark int, l line, m study.Metric) certify.Cell {
	first := &r.Worlds[0].Benchmarks[benchmark]
	if own := l.of(first); m.Fixed != nil && (own == first.Original || own == first.Gold) {
		return certify.Defined(r.repeated(r.score(benchmark, l, m)))
	}
	return r.estimate(r.score(benchmark, l, m))
}
