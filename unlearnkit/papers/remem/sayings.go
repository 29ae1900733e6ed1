package remem

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// shownAnswers is how many questions the table of what models say has.
const shownAnswers = 10

// sayingsTable shows what models say to some of the questions that are to be forgotten, in the first world.
func (r *Results) sayingsTable() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("What models say (%s)", r.Preset.Name), Corners: []string{"Size", "Question"},
		Note: fmt.Sprintf("%d questions of D_f of the first world, drawn evenly from all people who are to be "+
			"forgotten; the table \"answers\" has all. Gold has never learnt these people.", shownAnswers)}
	t.Columns = []report.Column{{Name: "Truth", Words: true}}
	for _, l := range r.methodLines(0, r.Preset.last()) {
		t.Columns = append(t.Columns, report.Column{Name: l.model(), Words: true})
	}
	for size, preset := range r.Preset.Sizes {
		lines, s := r.methodLines(size, r.Preset.last()), &r.Worlds[0].Sizes[size]
		asked := among(s.Befores[r.Preset.last()].Answers, PartForget, "")
		for i := range min(shownAnswers, len(asked)) {
			question := asked[(2*i+1)*len(asked)/(2*shownAnswers)] // the middle of a tenth
			row := report.Named(preset.Name, question.Question).With(report.Word(question.Keyword))
			for _, l := range lines {
				row.Cells = append(row.Cells, report.Word(l.of(s).says(question.ID)))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// says is what a model has answered to a question about those who are to be forgotten.
func (m *Model) says(id string) string {
	if m.lost() {
		return "(diverged)"
	}
	at := slices.IndexFunc(m.Answers, func(a Answer) bool { return a.ID == id && a.Part == PartForget })
	switch {
	case at < 0:
		return "(not asked)"
	case m.Answers[at].Output == "":
		return "(nothing)"
	}
	return m.Answers[at].Output
}
