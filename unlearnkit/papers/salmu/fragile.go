package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// fragile lays out by how much Clean likes pictures of people that are to be kept better than Compromised does, by
// which model chooses them: those that Compromised likes least are those that it has been unlucky with, so that any
// other model likes them better.
func (r *Results) fragile() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("What Clean keeps better than Compromised (%s)", r.Preset.Name),
		Corner: "Rows", Columns: []report.Column{{Name: "Clean"}, {Name: "Compromised"}, {Name: "Difference"},
			{Name: "p"}}}
	for _, rows := range []struct {
		name string
		are  func(w WorldScores) func(s *Score) bool
	}{
		{"the tenth that Compromised likes least (FragSim)", lowest(compromisedOf)},
		{"the tenth that Clean likes least", lowest(cleanOf)},
		{"the tenth that a model of other data likes least", lowest(independentOf)},
		{"all pictures of strangers", func(WorldScores) func(s *Score) bool { return in(persona.RetainDisjoint) }},
		{"pictures of known people (VisIdInt)", func(w WorldScores) func(s *Score) bool {
			people := w.Clean.people()
			return func(s *Score) bool { return s.Split == string(persona.RetainJoint) && people[s.Identity] }
		}},
	} {
		panel := &certify.Panel{}
		for name, model := range map[string]func(w WorldScores) Scores{clean: cleanOf, compromised: compromisedOf} {
			addOutcomes(panel, name, certify.Family{Name: "pictures"}, len(r.Worlds), func(world int) []Outcome {
				w := r.Worlds[world]
				return model(w).outcomes(rows.are(w), cosine)
			})
		}
		e := panel.Estimate(certify.Difference(certify.Mean(clean), certify.Mean(compromised)))
		line := report.Row{Name: rows.name}
		for _, name := range []string{clean, compromised} {
			line.Cells = append(line.Cells, plain(panel.Estimate(certify.Mean(name)).Value))
		}
		line.Cells = append(line.Cells, signed(e), apart(e))
		t.Rows = append(t.Rows, line)
	}
	t.Note = "Mean cosines of pictures with their generic captions; " + r.byItself()
	return t, nil
}

// lowest are the rows of strangers' pictures that a model likes least.
func lowest(model func(w WorldScores) Scores) func(w WorldScores) func(s *Score) bool {
	return func(w WorldScores) func(s *Score) bool {
		named := model(w).fragile()
		return func(s *Score) bool { return named[s.ID] }
	}
}

// selection says that Compromised selects the fragile pairs, and by how much a model likes them better than Compromised
// does if another model selects them. It is empty where the data name the pairs.
func (r *Results) selection(scores func(w WorldScores) Scores) string {
	if r.Preset.Download != nil || len(r.Worlds) == 0 {
		return ""
	}
	more := 0.0
	for _, w := range r.Worlds {
		if w.Independent == nil {
			return ""
		}
		selected := lowest(independentOf)(w)
		more += meanCosine(scores(w), selected) - meanCosine(w.Compromised, selected)
	}
	return fmt.Sprintf("Compromised selects these pairs by the same score; on pairs that a model of other data "+
		"selects the difference is %+.3f", more/float64(len(r.Worlds)))
}

// meanCosine returns the mean cosine of selected rows.
func meanCosine(s Scores, selected func(*Score) bool) float64 {
	outcomes, sum := s.outcomes(selected, cosine), 0.0
	for _, o := range outcomes {
		sum += o.Value
	}
	return sum / float64(len(outcomes))
}

// chosen lays out by how much methods like the fragile pairs less than Compromised does, by which model has chosen
// the pairs. Those that Compromised has chosen itself it likes less than it would like them in another training, and
// any model that differs from it comes nearer to that.
func (r *Results) chosen() (*report.Table, error) {
	if r.Preset.Download != nil {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has fragile pairs that its data name"}
	}
	choosers := []struct {
		name string
		of   func(w WorldScores) Scores
	}{{"chosen by Compromised (FragSim)", compromisedOf}, {"chosen by a model of other data", independentOf}}
	t := &report.Table{Corner: "Model",
		Title: fmt.Sprintf("FragSim less that of Compromised, by who chooses the pairs (%s)", r.Preset.Name)}
	for _, chooser := range choosers {
		t.Columns = append(t.Columns, report.Column{Name: chooser.name}, report.Column{Name: "p, " + chooser.name})
	}
	t.Columns = append(t.Columns, report.Column{Name: "the choice makes"})
	models := []row{r.model("Clean", true, cleanOf, noRun)}
	for _, row := range r.methodRows(r.Preset.Methods, func(w WorldScores) []Budgets { return w.Methods },
		func(w World) []*study.Run { return w.Methods }) {
		if len(row.Levels) == 1 || row.Levels[1] == fmt.Sprintf("%dx", variantBudget) {
			models = append(models, row)
		}
	}
	for _, model := range models {
		panel := &certify.Panel{}
		line := report.Row{Name: model.Name, Levels: model.Levels}
		var differences []certify.Quantity
		for _, chooser := range choosers {
			for name, scores := range map[string]func(world int) Scores{
				"its": func(world int) Scores { return model.Scores[world] },
				"own": func(world int) Scores { return r.Worlds[world].Compromised },
			} {
				addOutcomes(panel, name+chooser.name, certify.Family{Name: "pictures"}, len(r.Worlds),
					func(world int) []Outcome {
						return scores(world).outcomes(lowest(chooser.of)(r.Worlds[world]), cosine)
					})
			}
			difference := certify.Difference(certify.Mean("its"+chooser.name), certify.Mean("own"+chooser.name))
			differences = append(differences, difference)
			e := panel.Estimate(difference)
			line.Cells = append(line.Cells, signed(e), apart(e))
		}
		line.Cells = append(line.Cells, signed(panel.Estimate(certify.Difference(differences[0], differences[1]))))
		t.Rows = append(t.Rows, line)
	}
	t.Note = "Mean cosines of a tenth of the pictures of strangers with their generic captions, less Compromised's " +
		"of the same; " + r.byItself()
	return t, nil
}
