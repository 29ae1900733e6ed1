package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// fragile lays out by how much Clean likes pictures of people that are to be kept better than Compromised does, by
// which model chooses them: those that Compromised likes least are those that it has been unlucky with, so that any
// other model likes them better.
func (r *Results) fragile() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("What Clean keeps better than Compromised (%s)", r.Preset.Name),
		Corner: "Rows", Columns: []report.Column{{Name: "Clean"}, {Name: "Compromised"}, {Name: "Difference"},
			{Name: "p"}}}
	lowestOf := func(model func(w WorldScores) Scores) func(w WorldScores) func(s *Score) bool {
		return func(w WorldScores) func(s *Score) bool {
			named := model(w).fragile()
			return func(s *Score) bool { return named[s.ID] }
		}
	}
	for _, rows := range []struct {
		name string
		are  func(w WorldScores) func(s *Score) bool
	}{
		{"the tenth that Compromised likes least (FragSim)", lowestOf(compromisedOf)},
		{"the tenth that Clean likes least", lowestOf(cleanOf)},
		{"the tenth that a model of other data likes least",
			lowestOf(func(w WorldScores) Scores { return w.Independent })},
		{"all pictures of strangers", func(WorldScores) func(s *Score) bool { return in(persona.RetainDisjoint) }},
		{"pictures of known people (VisIdInt)", func(w WorldScores) func(s *Score) bool {
			people := w.Clean.people()
			return func(s *Score) bool { return s.Split == string(persona.RetainJoint) && people[s.Identity] }
		}},
	} {
		panel := &certify.Panel{}
		for name, model := range map[string]func(w WorldScores) Scores{clean: cleanOf, compromised: compromisedOf} {
			samples := make([]certify.Sample, len(r.Worlds))
			for i, w := range r.Worlds {
				for _, o := range model(w).outcomes(rows.are(w), cosine) {
					samples[i].Values = append(samples[i].Values, o.Value)
					samples[i].Units = append(samples[i].Units, o.Unit)
				}
			}
			panel.Add(name, certify.Repeated(Worlds, certify.Family{Name: "pictures"}, samples))
		}
		e := panel.Estimate(certify.Difference(certify.Mean(clean), certify.Mean(compromised)))
		line := report.Row{Name: rows.name}
		for _, name := range []string{clean, compromised} {
			value := panel.Estimate(certify.Mean(name)).Value
			line.Cells = append(line.Cells, report.Number(fmt.Sprintf("%.3f", value), value))
		}
		p := e.TwoSided(0)
		line.Cells = append(line.Cells, report.Number(fmt.Sprintf("%+.3f\n[%+.3f, %+.3f]", e.Value, e.Lo, e.Hi),
			e.Value),
			report.Number(certify.PText(p, e.Basis, 2), p))
		t.Rows = append(t.Rows, line)
	}
	t.Note = fmt.Sprintf("Mean cosines of pictures with their generic captions; intervals of 95 %% and p of each "+
		"row by itself, Student's t over %s.", Worlds.Count(len(r.Worlds)))
	return t, nil
}
