package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// portraits tabulates the domain gap on the world's own people, and on people that no model was trained on.
func (r *Results) portraits() (*report.Table, error) {
	trial, err := r.trialOf(factsTrial)
	if err != nil {
		return nil, err
	}
	t := &report.Table{Title: fmt.Sprintf("Two styles of portraits, seen and unseen (%s)", r.Preset.Name),
		Corners: []string{"Model", "Portraits"},
		Columns: []report.Column{{Name: "second style"}, {Name: "generated"}, {Name: "second less generated"},
			{Name: "p"}, {Name: "KS distance"}, {Name: "worlds with p < .05"}}}
	t.Rows = append(t.Rows, r.portraitRows(clean, trial)...)
	t.Rows = append(t.Rows, r.portraitRows(compromised, trial)...)
	t.Note = fmt.Sprintf("Mean cosines with five captions that fit any portrait. Of the world: both models "+
		"were trained on these portraits in the second style, and Compromised on the generated ones. The "+
		"Kolmogorov-Smirnov distances compare %d portraits of each style, by world; above %.3f a test at 5 %% "+
		"distinguishes the styles; %s", unseenPortraits, seenAsAlike,
		r.byItself())
	return t, nil
}

// portraitRows returns the rows of a model: on people of the world, on people that no model was trained on, and their
// difference.
func (r *Results) portraitRows(model string, trial int) (rows []report.Row) {
	panel := &certify.Panel{}
	apartOf := func(kind string) certify.Quantity {
		return certify.Difference(certify.Mean("second style, "+kind), certify.Mean("generated, "+kind))
	}
	const seen, unseen = "of the world", "of people never seen"
	for _, of := range []struct{ kind, real, generated string }{{seen, GapReal, GapGenerated},
		{unseen, GapUnseenReal, GapUnseenGenerated}} {
		var real, generated, distances []certify.Sample
		told := 0
		for world := range r.Preset.Trials[trial].Worlds {
			scores := r.portraitsOf(world, model, trialKey.Is(trial))
			ks := stat.KS2(scores.cosines(of.real), scores.cosines(of.generated))
			if ks.P < .05 {
				told++
			}
			real = append(real, independentSample(scores.cosines(of.real)...))
			generated = append(generated, independentSample(scores.cosines(of.generated)...))
			distances = append(distances, independentSample(ks.Statistic))
		}
		add := func(name, family string, samples []certify.Sample) {
			panel.Add(name+of.kind, certify.Repeated(Worlds, certify.Family{Name: family + " " + of.kind}, samples))
		}
		add("second style, ", "portraits of the second style", real)
		add("generated, ", "generated portraits", generated)
		add("distance ", "models", distances)
		e := panel.Estimate(apartOf(of.kind))
		rows = append(rows, report.Named(modelTitles[model], of.kind).With(
			plain(panel.Estimate(certify.Mean("second style, "+of.kind)).Value),
			plain(panel.Estimate(certify.Mean("generated, "+of.kind)).Value), signed(e), differenceCell(e),
			ranged(panel.Estimate(certify.Mean("distance "+of.kind))), report.Number(fmt.Sprint(told), float64(told)),
		))
	}
	more := panel.Estimate(certify.Difference(apartOf(unseen), apartOf(seen)))
	farther := panel.Estimate(certify.Difference(certify.Mean("distance "+unseen), certify.Mean("distance "+seen)))
	dash := report.Word("–")
	return append(rows, report.Named(modelTitles[model], "never seen less of the world").With(
		dash, dash, signed(more), differenceCell(more), signed(farther), dash))
}

// cosines returns the cosines of the examples in a split.
func (s Scores) cosines(split string) (all []float64) {
	for i := range s {
		if s[i].Split == split {
			all = append(all, s[i].Cosine)
		}
	}
	return all
}

// independent returns a sample whose outcomes are independent of each other.
func independentSample(values ...float64) certify.Sample {
	s := certify.Sample{Values: values, Units: make([]int, len(values))}
	for i := range s.Units {
		s.Units[i] = i
	}
	return s
}
