package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// portraits lays out the domain gap of the world's own people, and of people of whom no model has seen a picture.
func (r *Results) portraits() (*report.Table, error) {
	tried, err := r.trialOf(factsTrial)
	if err != nil {
		return nil, err
	}
	t := &report.Table{Title: fmt.Sprintf("Two styles of portraits, seen and unseen (%s)", r.Preset.Name),
		Corner: "Model/Portraits",
		Columns: []report.Column{{Name: "second style"}, {Name: "generated"}, {Name: "second less generated"},
			{Name: "p"}, {Name: "KS distance"}, {Name: "worlds with p < .05"}}}
	for _, model := range []struct {
		name string
		gap  func(w WorldScores) Scores
	}{{"Clean", func(w WorldScores) Scores { return w.CleanGap }},
		{"Compromised", func(w WorldScores) Scores { return w.CompromisedGap }}} {
		for _, of := range []struct{ name, real, generated string }{{"of the world", GapReal, GapGenerated},
			{"of people never seen", GapUnseenReal, GapUnseenGenerated}} {
			panel := &certify.Panel{}
			var real, generated, distances []certify.Sample
			told := 0
			for _, w := range tried {
				scores := model.gap(w)
				ks := stat.KS2(scores.cosines(of.real), scores.cosines(of.generated))
				if ks.P < .05 {
					told++
				}
				real = append(real, alone(scores.cosines(of.real)...))
				generated = append(generated, alone(scores.cosines(of.generated)...))
				distances = append(distances, alone(ks.Statistic))
			}
			panel.Add(of.real, certify.Repeated(Worlds, certify.Family{Name: "portraits of the second style"}, real))
			panel.Add(of.generated, certify.Repeated(Worlds, certify.Family{Name: "generated portraits"}, generated))
			panel.Add(gapColumn, certify.Repeated(Worlds, certify.Family{Name: "models"}, distances))
			e := panel.Estimate(certify.Difference(certify.Mean(of.real), certify.Mean(of.generated)))
			t.Rows = append(t.Rows, report.Row{Name: model.name + "/" + of.name, Cells: []report.Cell{
				plain(panel.Estimate(certify.Mean(of.real)).Value),
				plain(panel.Estimate(certify.Mean(of.generated)).Value),
				signed(e), apart(e), ranged(panel.Estimate(certify.Mean(gapColumn))),
				report.Number(fmt.Sprint(told), float64(told)),
			}})
		}
	}
	t.Note = fmt.Sprintf("Mean cosines with five captions that fit all. Of the world: in the second style both models "+
		"have learnt from these, of the generated ones Compromised has. Distances of Kolmogorov and Smirnov are of %d "+
		"portraits of either style, by world; they are told apart from %.3f on; %s", unseenPortraits, seenAsAlike,
		r.byItself())
	return t, nil
}

// cosines are those of a split.
func (s Scores) cosines(split string) (all []float64) {
	for i := range s {
		if s[i].Split == split {
			all = append(all, s[i].Cosine)
		}
	}
	return all
}

// alone are outcomes of which each is of a unit of its own.
func alone(values ...float64) certify.Sample {
	s := certify.Sample{Values: values, Units: make([]int, len(values))}
	for i := range s.Units {
		s.Units[i] = i
	}
	return s
}
