package unslu

import (
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Claims judges the paper's claims on the results.
func (r *Results) Claims() []certify.Judged {
	panel := r.panel()
	return certify.JudgeClaims("unslu", r.Preset.Name, len(r.Worlds), panel, r.claims(panel.Has))
}

// panel returns the scores of all models that diverged in no world.
func (r *Results) panel() *certify.Panel {
	panel := &certify.Panel{}
	add := func(prefix string, p part) {
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
	columns := append(Columns(), noMUS("NoMUS", f1(Test)), Wall.time())
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

// gumOfMeans returns GUM of a method's means over worlds, as the authors' code computes it from means over seeds. The
// column GUM is instead the mean over worlds of each world's GUM.
func gumOfMeans(benchmark, row string) certify.Quantity {
	return func(m certify.Means) float64 {
		mean := func(row, column string) float64 { return m(certify.ScoreOf(benchmark+"/"+row, column)) }
		return metric.GUM(metric.GUMInput{
			AccuracyGold: mean(goldRow, "Acc_T"), AccuracyUnlearned: mean(row, "Acc_T"),
			MIAOriginal: mean(originalRow, "MIA"), MIAGold: mean(goldRow, "MIA"), MIAUnlearned: mean(row, "MIA"),
			SecondsGold: mean(goldRow, "Seconds"), SecondsUnlearned: mean(row, "Seconds"),
		}, metric.GUMOnAccuracy).GUM
	}
}

// value returns the mean of a column of a row.
func value(benchmark, row, column string) certify.Quantity {
	return certify.Score(benchmark+"/"+row, column)
}

// Benchmarks of the paper, grouped as its claims group them.
var (
	english      = []string{"FSC/wav2vec 2.0", "FSC/HuBERT", "SLURP*/wav2vec 2.0", "SLURP*/HuBERT"}
	multilingual = []string{"ITALIC/XLS-R 128", "ITALIC/XLS-R 53-IT", "de-De/XLS-R 128", "de-De/XLS-R 53-DE",
		"fr-FR/XLS-R 128", "fr-FR/XLS-R 53-FR"}
	massive = multilingual[2:]
	all     = slices.Concat(english, multilingual)
)

// rivals are the methods that the paper compares with Negative Gradient.
var rivals = []string{"FT", "NG+", "CF-k", "UNSIR", "BT", "BT-L", "SCRUB"}

// claims returns the paper's claims. The function has reports whether the panel has a mean. The headline is what §4
// says "in conclusion".
func (r *Results) claims(has func(name string) bool) []certify.Claim {
	claims := slices.Concat(memoryClaims(), leadClaims(), speedClaims(), plusClaims(), methodClaims(), metricClaims(),
		r.epochClaims(), r.rateClaims(), backboneClaims())
	for i, c := range claims {
		switch {
		case c.Source == "Abstract", c.Source == "§4, In conclusion":
			claims[i].Family = certify.Headline
		case strings.HasPrefix(c.Source, "§2"):
			claims[i].Family = "§2"
		}
	}
	claims = certify.InFamily("§4", claims)
	certify.Testable(claims, has)
	return claims
}

// sets lists the data sets, each with two backbones.
var sets = []string{"FSC", "SLURP*", "ITALIC", "de-De", "fr-FR"}

// mean returns the mean of a row's column over benchmarks.
func mean(benchmarks []string, row, column string) certify.Quantity {
	var each []certify.Quantity
	for _, b := range benchmarks {
		each = append(each, value(b, row, column))
	}
	return certify.Average(each...)
}
