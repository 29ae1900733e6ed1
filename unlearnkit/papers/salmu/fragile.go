package salmu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// fragile tabulates how much higher Clean's cosines of retained pictures are than Compromised's, for several models
// that choose the pictures. Pictures with Compromised's lowest cosines are partly low by chance, so any other model has
// higher cosines on them.
func (r *Results) fragile() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("Images that Clean retains better than Compromised (%s)", r.Preset.Name),
		Corner: "Rows", Columns: []report.Column{{Name: "Clean"}, {Name: "Compromised"}, {Name: "Difference"},
			{Name: "p"}}}
	refs := r.set.References()
	for _, rows := range r.fragileRows() {
		panel := &certify.Panel{}
		for _, model := range []string{clean, compromised} {
			addOutcomes(panel, model, pictures, r.Seeds(), func(i int) []study.Outcome {
				return rows.Outcomes(refs[i][model], refs[i])
			})
		}
		e := panel.Estimate(certify.Difference(certify.Mean(clean), certify.Mean(compromised)))
		line := report.Row{Name: rows.About}
		for _, name := range []string{clean, compromised} {
			line.Cells = append(line.Cells, plain(panel.Estimate(certify.Mean(name)).Value))
		}
		line.Cells = append(line.Cells, signed(e), differenceCell(e))
		t.Rows = append(t.Rows, line)
	}
	t.Note = "Mean cosines of pictures with their generic captions; " + r.byItself()
	return t, nil
}

// fragileRows returns metrics with the mean cosines of pictures, one for each model that chooses the pictures.
func (r *Results) fragileRows() (all []study.Metric) {
	for _, chooser := range []struct{ model, title string }{
		{compromised, "the tenth that Compromised likes least (FragSim)"}, {clean, "the tenth that Clean likes least"},
		{independent, "the tenth that a model of other data likes least"},
	} {
		if chooser.model == independent && r.set.References()[0][independent] == nil {
			continue
		}
		m := r.Preset.fragSim(chooser.model)
		m.About = chooser.title
		all = append(all, m)
	}
	known := r.Preset.column("VisIdInt")
	known.About = "pictures of known people (VisIdInt)"
	return append(all, retention(study.Metric{Name: "strangers", Rows: splits(persona.RetainDisjoint),
		Score: study.Mean("cosine"), About: "all pictures of strangers"}), known)
}

// selection describes a selection effect: Compromised selects the fragile pairs. It also compares a model with
// Compromised on the pairs that the independent model selects. It returns "" if the data name the pairs or a world
// lacks the independent model.
func (r *Results) selection(labels ...study.Label) string {
	if r.Preset.Download != nil || r.Seeds() == 0 {
		return ""
	}
	more, selected := 0.0, r.Preset.fragSim(independent)
	for i, refs := range r.set.References() {
		if refs[independent] == nil {
			return ""
		}
		more += selected.Mean(r.set.Find(r.set.Repetitions[i], labels...), refs) - selected.Mean(refs[compromised], refs)
	}
	return fmt.Sprintf("Compromised selects these pairs by the score that is compared; on pairs selected by a "+
		"model of other data the difference is %+.3f", more/float64(r.Seeds()))
}

// chosen tabulates the cosines of methods on the fragile pairs minus Compromised's, for two models that choose the
// pairs. Compromised's own choice is biased: its cosines on these pairs are partly low by chance. Models that differ
// more from Compromised are less affected.
func (r *Results) chosen() (*report.Table, error) {
	if r.Preset.Download != nil {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has fragile pairs that its data name"}
	}
	choosers := []struct{ name, model string }{{"chosen by Compromised (FragSim)", compromised},
		{"chosen by a model of other data", independent}}
	t := &report.Table{Corner: "Model",
		Title: fmt.Sprintf("FragSim minus the FragSim of Compromised, by the model that selects the pairs "+
			"(%s)", r.Preset.Name)}
	for _, chooser := range choosers {
		t.Columns = append(t.Columns, report.Column{Name: chooser.name}, report.Column{Name: "p, " + chooser.name})
	}
	t.Columns = append(t.Columns, report.Column{Name: "the choice makes"})
	models := []study.Row{r.baseRow("Clean", true, clean)}
	for _, row := range r.set.Rows(partKey.Is(ofMethods)) {
		if len(row.Levels) == 1 || row.Levels[1] == fmt.Sprintf("%dx", variantBudget) {
			models = append(models, row)
		}
	}
	own, refs := r.baseRow("Compromised", true, compromised), r.set.References()
	for _, model := range models {
		panel := &certify.Panel{}
		line := report.Row{Name: model.Name, Levels: model.Levels}
		var differences []certify.Quantity
		for _, chooser := range choosers {
			m := r.Preset.fragSim(chooser.model)
			for name, scores := range map[string][]*study.Evaluation{"its": model.Scores, "own": own.Scores} {
				addOutcomes(panel, name+chooser.name, m.Family, r.Seeds(), func(i int) []study.Outcome {
					return m.Outcomes(scores[i], refs[i])
				})
			}
			difference := certify.Difference(certify.Mean("its"+chooser.name), certify.Mean("own"+chooser.name))
			differences = append(differences, difference)
			e := panel.Estimate(difference)
			line.Cells = append(line.Cells, signed(e), differenceCell(e))
		}
		line.Cells = append(line.Cells, signed(panel.Estimate(certify.Difference(differences[0], differences[1]))))
		t.Rows = append(t.Rows, line)
	}
	t.Note = "Mean cosines of a tenth of the strangers' pictures with their generic captions, minus " +
		"Compromised's on the same pairs; " + r.byItself()
	return t, nil
}
