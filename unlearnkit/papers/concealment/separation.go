package concealment

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// separation holds, for all methods and concepts, what the original's help brings back, and the paper's scores of the
// same pictures.
type separation struct {
	pairs []separated
	score map[string]Column // columns by the name of the score
}

// separated holds the gain and the scores of one method and concept.
type separated struct {
	group
	back bool // the gain is significantly larger than gold's
	gain []float64
	own  map[string][]float64 // scores of each training, by the name of the score
	gold map[string]float64
}

// separatingScores returns the paper's scores for forget rows. Its KID is the distance from the unlearned model's
// pictures minus the distance from the original's pictures.
func (p Preset) separatingScores() map[string]Column {
	whole := p.allRatios()
	return map[string]Column{
		"CCS":      p.ccs(Disjoint, whole),
		"d of CRS": p.crs(whole),
		"KID":      p.kids("KID", "", Disjoint, whole, func(from [2]float64) float64 { return from[1] - from[0] }, 0, 1),
	}
}

// separation measures all methods and concepts on the ratios below ψ = .55.
func (r *Results) separation() separation {
	below, _, _ := r.Preset.areas()
	s := separation{score: r.Preset.separatingScores()}
	parts := r.concepts(below)
	r.decide(parts, ownThresholds)
	for _, v := range parts {
		back, _ := v.Gain.Surely(0)
		pair := separated{group: v.group, back: back, gain: v.Gain.Each, own: map[string][]float64{},
			gold: map[string]float64{}}
		for name, c := range s.score {
			pair.gold[name] = r.overRows(c, v.group.rows, func(row *AttackScores) *Attacked { return row.Gold })
			for training := range r.Preset.Seeds {
				pair.own[name] = append(pair.own[name], r.overRows(c, v.group.rows,
					func(row *AttackScores) *Attacked { return row.Unlearned[training] }))
			}
		}
		s.pairs = append(s.pairs, pair)
	}
	return s
}

// overRows returns the mean of a score over rows. All rows have equal weight.
func (r *Results) overRows(c Column, rows []*AttackScores, of func(row *AttackScores) *Attacked) float64 {
	var means []float64
	for _, row := range rows {
		means = append(means, mean(r.sample(c, row, of(row)).Values))
	}
	return mean(means)
}

// tau returns the rank correlation between a score and the gain beyond gold, over the pairs of method and concept in
// one training. If beside is true, gold's score is subtracted first.
func (s separation) tau(name string, training int, beside bool) float64 {
	var scores, gains []float64
	for _, pair := range s.pairs {
		if training >= len(pair.gain) {
			return math.NaN()
		}
		scores, gains = append(scores, pair.value(name, training, beside)), append(gains, pair.gain[training])
	}
	return stat.Kendall(scores, gains).Statistic
}

// value returns a score of one training. If beside is true, gold's score is subtracted.
func (p separated) value(name string, training int, beside bool) float64 {
	if beside {
		return p.own[name][training] - p.gold[name]
	}
	return p.own[name][training]
}

// pictureAUC returns the area under the curve of CCS as a detector of what the judge sees: the probability that a
// picture with the concept has a higher P(original) than a picture without, over all pictures of a pair at the paper's
// ratios.
func (r *Results) pictureAUC(pair separated) float64 {
	var shown, hidden []float64
	for _, psi := range r.Preset.paperPsi(false) {
		at := singlePsi(psi, r.Preset.Attack.Psi)
		score, seen := r.Preset.ccs(Disjoint, at), r.Preset.recovered(at)
		for _, row := range pair.rows {
			for _, a := range row.Unlearned {
				scores, sights := r.sample(score, row, a), r.sample(seen, row, a)
				for i, value := range scores.Values {
					if sights.Values[i] == 1 {
						shown = append(shown, value)
					} else {
						hidden = append(hidden, value)
					}
				}
			}
		}
	}
	return (1 + stat.CliffDelta(shown, hidden).Value) / 2
}

// overPairs returns the rank correlation between a score and the gain, both averaged over trainings. Its test is over
// the pairs of method and concept.
func (s separation) overPairs(name string, beside bool) stat.KendallResult {
	var scores, gains []float64
	for _, pair := range s.pairs {
		sum := 0.0
		for training := range pair.own[name] {
			sum += pair.value(name, training, beside) / float64(len(pair.own[name]))
		}
		scores, gains = append(scores, sum), append(gains, mean(pair.gain))
	}
	return stat.Kendall(scores, gains)
}

// separatingNames lists the names of the scores in the order of the table.
var separatingNames = []string{"CCS", "d of CRS", "KID"}

// separationTable tabulates the paper's scores and what the original's help brings back, for each method and concept.
func (r *Results) separationTable() (*report.Table, error) {
	s := r.separation()
	if len(s.pairs) < 3 || r.Preset.Seeds < 2 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has too few pairs, or one training of each"}
	}
	t := &report.Table{Title: fmt.Sprintf("The paper's scores and how often concepts come back, below ψ .55 "+
		"(%s)", r.Preset.Name),
		Corner: "Method", Columns: append(words("More than gold?"), numbers("Gain beyond gold", "Same pictures")...)}
	for _, name := range separatingNames {
		t.Columns = append(t.Columns, numbers(name, name+", gold", name+" less gold")...)
	}
	panel := &certify.Panel{}
	for _, pair := range s.pairs {
		line := report.Row{Name: pair.name, Cells: []report.Cell{yes(pair.back), formatted("%+.2f", mean(pair.gain)),
			formatted("%.2f", r.pictureAUC(pair))}}
		for _, name := range separatingNames {
			own, gold := r.outcomes(s.score[name], pair.rows...)
			at := pair.name + ", " + name
			panel.Add(at, own)
			panel.Add(goldOf(at), gold)
			line.Cells = append(line.Cells, formatted("%.2f", mean(pair.own[name])), formatted("%.2f", pair.gold[name]),
				differing(panel.Estimate(certify.Difference(certify.Mean(at), certify.Mean(goldOf(at))))))
		}
		t.Rows = append(t.Rows, line)
	}
	for _, beside := range []bool{false, true} {
		t.Rows = append(t.Rows, s.tauRow(beside))
	}
	t.Note = fmt.Sprintf("n: %s, %d pairs. More than gold: whether help surely brings back more than it brings "+
		"gold, as in table verdicts. Same pictures: the "+
		"AUC of CCS for what the judge sees in single pictures; the classifier of CCS starts from the judge's weights. "+
		"CCS and d of CRS are computed as in the paper's code and averaged over "+
		"its ψ. KID: the distance to the unlearned model's pictures minus the distance to the original's. Each "+
		"95 %% interval is uncorrected. Last rows: Kendall's tau-b of each score with the gain, over the "+
		"pairs, and its p-value.",
		TrainingSeeds.Count(r.Preset.Seeds), len(s.pairs))
	return t, nil
}

// tauRow returns the row with the rank correlations over the pairs of method and concept.
func (s separation) tauRow(beside bool) report.Row {
	dash := report.Word("–")
	line := report.Row{Name: "tau-b with the gain, the score by itself", Cells: []report.Cell{dash, dash, dash}}
	if beside {
		line.Name = "tau-b with the gain, the score less gold's"
	}
	for _, name := range separatingNames {
		tau := s.overPairs(name, beside)
		p := certify.PText(tau.P)
		cell := report.Cell{Text: fmt.Sprintf("%.2f (p %s)", tau.Statistic, p), Value: tau.Statistic, Unit: "tau-b, p " + p}
		if beside {
			line.Cells = append(line.Cells, dash, dash, cell)
		} else {
			line.Cells = append(line.Cells, cell, dash, dash)
		}
	}
	return line
}
