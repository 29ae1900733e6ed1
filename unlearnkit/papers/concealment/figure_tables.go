package concealment

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// recoveryTable tabulates the data of [RecoveryFigure]: how often the judge sees the erased concept at each ratio.
func (r *Results) recoveryTable() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("How often erased concepts come back (%s)", r.Preset.Name),
		Corners: []string{"Erased", "Completed by"}}
	for _, psi := range r.Preset.Attack.Psi {
		t.Columns = append(t.Columns, report.Column{Name: "ψ " + psi})
	}
	recoveries, err := r.recoveries()
	if err != nil {
		return nil, err
	}
	for _, recovery := range recoveries {
		for i, c := range recovery.Curves {
			row := report.Named(recovery.Title, []string{"the method", "gold"}[i])
			for _, p := range c.Points {
				row.Cells = append(row.Cells, report.Interval("%.2f", p.Value, p.Lo, p.Hi))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	t.Note = "Share of pictures in which the judge sees the erased concept, over the prompts that ask for it; " +
		"95 % intervals over noises and, for methods, training seeds."
	return t, nil
}

// gateTable tabulates how often models draw what their prompts ask for: the original on the gate's pictures, and
// networks with each kind of output at the end of training.
func (r *Results) gateTable() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("How often models draw what is asked for (%s)", r.Preset.Name), Corner: "Model",
		Columns: []report.Column{{Name: "Pictures"}, {Name: "Object"}, {Name: "Style"}}}
	add := func(name string, p AccuracyPoint) {
		row := report.Row{Name: name,
			Cells: []report.Cell{report.Number(fmt.Sprint(p.Pictures), float64(p.Pictures))}}
		for _, share := range []stat.Effect{p.Object, p.Style} {
			row.Cells = append(row.Cells, report.Interval("%.3f", share.Value, share.Lo, share.Hi))
		}
		t.Rows = append(t.Rows, row)
	}
	add("original, at the gate", r.Gate())
	for i, f := range r.further {
		add(fmt.Sprintf("original of seed %d, at the gate", r.Preset.seed(i+1)),
			accuracy(r.Preset.Base.Training.Steps, f.Original))
	}
	for _, a := range r.Accuracies() {
		add("puts out "+a.Output, a.Points[len(a.Points)-1])
	}
	t.Note = "At the end of training, with Wilson's 95 % intervals. Methods are judged on a model that draws " +
		"nine tenths of objects and styles as prompted."
	return t, nil
}

// aloneTable tabulates what models draw for each prompt without help. For the pictures of the original and of gold, it
// counts how many show the erased concept and how many obey the prompt.
func (r *Results) aloneTable() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("What prompts give without help (%s)", r.Preset.Name),
		Corner: "Prompt", Columns: words("Here", "Erased", "Class")}
	t.Columns = append(t.Columns, numbers("Original shows it", "Original obeys", "Gold shows it", "Gold obeys")...)
	t.Columns = append(t.Columns, words("Gold mostly draws")...)
	others := r.trained() != "once"
	if others {
		t.Columns = append(t.Columns, words("Other trainings of gold show it")...)
	}
	for i := range r.Attacks {
		a := &r.Attacks[i]
		row := report.Row{Name: fmt.Sprintf("%s: %s", a.Prompt.Method, a.Prompt.Paper),
			Cells: []report.Cell{report.Word(a.Prompt.Prompt), report.Word(a.Prompt.Erased), report.Word(a.class())}}
		for _, views := range []Views{a.Gold.Original, a.Gold.Unlearned} {
			var shows, obeys share
			for _, v := range views {
				shows.add(a.Erasure.Concept.Covers(v.Labels))
				obeys.add(View{Prompt: a.Prompt.Prompt, Labels: v.Labels}.obeyed())
			}
			for _, s := range []share{shows, obeys} {
				row.Cells = append(row.Cells, report.Number(fmt.Sprintf("%.2f", s.share()), s.share()))
			}
		}
		most, count := a.Gold.Unlearned.mostSeen()
		row.Cells = append(row.Cells, report.Word(fmt.Sprintf("%s, %d", most, count)))
		if others {
			row.Cells = append(row.Cells, report.Word(a.othersShow()))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Note = fmt.Sprintf("Shares of %d pictures, according to the judge; for gold, also the object that it "+
		"draws most often. Gold has never learnt the word for the erased concept, except swirl, which occurs "+
		"in an artist's name.", r.Preset.Attack.Set)
	return t, nil
}

// othersShow lists, for the other trainings of gold, how often their pictures show the erased concept.
func (a *AttackScores) othersShow() string {
	var all []string
	for _, other := range a.Others {
		var shows share
		for _, v := range other.Unlearned {
			shows.add(a.Erasure.Concept.Covers(v.Labels))
		}
		all = append(all, fmt.Sprintf("%.2f", shows.share()))
	}
	return strings.Join(all, " ")
}
