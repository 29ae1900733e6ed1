package remem

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// shownAnswers is the number of questions that the table of sayings shows for each size.
const shownAnswers = 10

// sayingsTable tabulates the models' answers to some of the questions about people to forget, in the first world.
func (r *Results) sayingsTable() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("Answers of the models (%s)", r.Preset.Name),
		Corners: []string{"Size", "Question"},
		Note: fmt.Sprintf("%d questions of D_f in the first world, drawn evenly from all people to forget; the "+
			`table "answers" has all. Gold never learnt these people.`, shownAnswers)}
	t.Columns = []report.Column{{Name: "Truth", Words: true}}
	for _, l := range r.methodLines(0, r.Preset.last()) {
		t.Columns = append(t.Columns, report.Column{Name: l.model(), Words: true})
	}
	for size, preset := range r.Preset.Sizes {
		lines, s := r.methodLines(size, r.Preset.last()), &r.Worlds[0].Sizes[size]
		asked := among(s.Befores[r.Preset.last()].Answers, PartForget, "")
		for i := range min(shownAnswers, len(asked)) {
			question := asked[(2*i+1)*len(asked)/(2*shownAnswers)] // the middle of each tenth of the questions
			row := report.Named(preset.Name, question.Question).With(report.Word(question.Keyword))
			for _, l := range lines {
				row.Cells = append(row.Cells, report.Word(l.of(s).answerTo(question.ID)))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// answerTo returns a model's answer to a question about a person to forget.
func (m *Model) answerTo(id string) string {
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
