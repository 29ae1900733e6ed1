package unslu

import (
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// panel returns the mean scores of all models, except models that diverged in some world.
func (r *Results) panel() *certify.Panel {
	panel := &certify.Panel{}
	add := func(prefix string, p part) { addPart(panel, prefix, p) }
	columns := append(mainColumns(), noMUS("NoMUS", f1(Test)), wall.time())
	for i, b := range r.Preset.Benchmarks {
		add("", r.part(i, b.levels(), columns, r.allRows(i)...))
		add("", r.part(i, b.levels(), []study.Metric{efficacy()}, r.methodRows(i)...))
	}
	for name, benchmarks := range map[string][]string{leadingRanks: all, leadingEnglish: english,
		leadingMultilingual: multilingual} {
		if r.has(benchmarks) {
			panel.Add(name, r.repeated(func(world int) float64 { return r.leading(world, benchmarks) }))
		}
	}
	for _, p := range r.epochsParts() {
		add("epochs/", p)
	}
	if p, swept := r.ratesPart(); swept {
		add("rates/", p)
	}
	return panel
}

// addPart adds the mean scores of the rows of a part to the panel, except models that diverged in some world. Their
// names begin with prefix.
func addPart(panel *certify.Panel, prefix string, p part) {
	for _, row := range p.Rows {
		if slices.ContainsFunc(row.Scores, (*study.Evaluation).Lost) {
			continue
		}
		for _, c := range p.Columns {
			outcomes, _ := table.Outcomes(row, c)
			panel.Add(certify.ScoreOf(prefix+row.Name, c.Name), table.Repeated(c.Metric, outcomes))
		}
	}
}

// gumOfMeans returns GUM computed from a method's means over worlds, as the authors' code computes it from means over
// seeds. The column GUM is instead the mean over worlds of each world's GUM.
func gumOfMeans(benchmark, row string) certify.Quantity {
	mean := func(row, column string) certify.Quantity { return value(benchmark, row, column) }
	known, knownGold := mean(row, "Acc_T"), mean(goldRow, "Acc_T")
	mia, miaGold, miaOriginal := mean(row, "MIA"), mean(goldRow, "MIA"), mean(originalRow, "MIA")
	seconds, secondsGold := mean(row, "Seconds"), mean(goldRow, "Seconds")
	return func(m certify.Means) float64 {
		return metric.GUM(metric.GUMInput{AccuracyGold: knownGold(m), AccuracyUnlearned: known(m),
			MIAOriginal: miaOriginal(m), MIAGold: miaGold(m), MIAUnlearned: mia(m),
			SecondsGold: secondsGold(m), SecondsUnlearned: seconds(m)}, metric.GUMOnAccuracy).GUM
	}
}

// value returns the mean over worlds of a row's score in a column.
func value(benchmark, row, column string) certify.Quantity {
	return certify.Score(benchmark+"/"+row, column)
}

// rivals lists the methods that the paper compares with Negative Gradient.
var rivals = []string{"FT", "NG+", "CF-k", "UNSIR", "BT", "BT-L", "SCRUB"}

// sets lists the data sets. Each has benchmarks with two backbones.
var sets = []string{"FSC", "SLURP*", "ITALIC", "de-De", "fr-FR"}

// mean returns the mean over benchmarks of a row's score in a column.
func mean(benchmarks []string, row, column string) certify.Quantity {
	var each []certify.Quantity
	for _, b := range benchmarks {
		each = append(each, value(b, row, column))
	}
	return certify.Average(each...)
}

// onSet returns the two benchmarks of a data set.
func onSet(set string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(b string) bool { return b[:len(set)+1] != set+"/" })
}

// has reports whether the preset has all the named benchmarks, with Negative Gradient on each.
func (r *Results) has(benchmarks []string) bool {
	for _, name := range benchmarks {
		at := r.Preset.place(name)
		if at < 0 || !slices.ContainsFunc(r.methodRows(at), func(l line) bool { return l.name == "NG" }) {
			return false
		}
	}
	return true
}

// tie is the difference up to which two distances from the gold model's MIA are equal. It is far below the smallest
// difference of two shares of right attacks, and far above rounding.
const tie = 1e-9

// leading returns the share of a world's benchmarks on which Negative Gradient ranks first or second: at most one
// method has an MIA nearer to the gold model's. A method that ties with it is not nearer.
func (r *Results) leading(world int, benchmarks []string) (share float64) {
	for _, name := range benchmarks {
		at := r.Preset.place(name)
		own, nearer := r.fromGold(at, world, r.lineOf(at, "NG")), 0
		for _, l := range r.methodRows(at) {
			if r.fromGold(at, world, l) < own-tie {
				nearer++
			}
		}
		if nearer <= 1 && !math.IsNaN(own) {
			share += 1 / float64(len(benchmarks))
		}
	}
	return share
}

// fromGold returns the distance between a row's MIA and the gold model's MIA in a world.
func (r *Results) fromGold(benchmark, world int, l line) float64 {
	return r.score(benchmark, l, fromGold())(world)
}

// Names of means in the panel: the share of benchmarks on which Negative Gradient ranks first or second by the attack.
const (
	leadingRanks        = "NG is first or second"
	leadingEnglish      = "NG is first or second, English"
	leadingMultilingual = "NG is first or second, multilingual"
)
