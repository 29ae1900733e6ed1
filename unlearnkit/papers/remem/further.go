package remem

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// furtherTables lists the tables that the paper lacks.
func furtherTables() []study.Extra[*Results] {
	return []study.Extra[*Results]{
		{Name: scaleTable, About: "sizes of the paper and here", Of: study.Sure((*Results).scale)},
		{Name: "verdicts", About: "which methods erase, mask, damage or leave people, compared with gold",
			Of: study.Sure((*Results).verdictTable)},
		{Name: "thresholds", About: "which verdicts other thresholds give", Of: study.Sure((*Results).thresholdTable)},
		{Name: "otherwise", About: "the same questions in other words, in reverse and in the first person",
			Of: study.Sure((*Results).otherwiseTable)},
		{Name: "help", About: "what rounding of weights and relearning of other facts recover",
			Of: (*Results).helpTable},
		{Name: "ratios", About: "how many people are forgotten, in numbers (Figures 6 and 7)",
			Of: study.Sure((*Results).ratioTable)},
		{Name: "learning", About: "what is learnt about one person, by questions (Figure 3), in numbers",
			Of: (*Results).learningTable},
		{Name: "maps", About: "through which activations answers pass (Figures 2 and 5), in numbers",
			Of: (*Results).mapTable},
		{Name: "sayings", About: "answers to ten questions to forget, in words", Of: study.Sure((*Results).sayingsTable)},
		{Name: refusingPreset, About: "claims whose verdict differs in ten worlds from a base model that refuses",
			Of: func(r *Results) (*report.Table, error) {
				return r.differing(r, r.second(Refusing()), "refusing has a base model that refuses questions about "+
					"strangers, one rate and lessons of equal steps")
			}},
		{Name: matchedPreset, About: "claims whose verdict differs in these worlds if each method has its own " +
			"learning rate", Of: func(r *Results) (*report.Table, error) {
			return r.differing(r.second(Refusing()), r.second(Matched()), "refusing has one rate for all methods, "+
				"matched for each method the largest rate of a grid that keeps four fifths of gold's right answers")
		}},
		{Name: printedTable, About: "the claims on the paper's own tables",
			Of: func(*Results) (*report.Table, error) { return printed() }},
		{Name: "answers", About: "every answer in words, for another judge", Of: study.Sure((*Results).answerTable)},
	}
}

// otherwiseTable tabulates the answers about the people to forget when questions are worded in other ways.
func (r *Results) otherwiseTable() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("Asked otherwise (%s)", r.Preset.Name), Corners: []string{"Size", "Model"},
		Note: fmt.Sprintf("n: %s. Percent of correct answers about the people to forget: to the taught "+
			"questions, to other questions about the same pictures, from a value to the name, and as asked by "+
			"the person in the picture.", r.count())}
	parts := []string{PartForget, PartTest, PartParaphrase, PartReverse, PartFirstPerson}
	for _, part := range []string{"As learnt", "Unseen words", "Paraphrase", "In reverse", "First person"} {
		t.Columns = append(t.Columns, report.Column{Name: part})
	}
	for size := range r.Preset.Sizes {
		for _, l := range r.methodLines(size, r.Preset.last()) {
			row := report.Named(l.levels...)
			for _, part := range parts {
				row.Cells = append(row.Cells, number("%.1f", r.overWorlds(size, func(s *SizeScores) float64 {
					return l.of(s).score(rightly(part))
				})))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// helpTable tabulates how much forgotten knowledge two aids bring back: rounding the weights, and relearning other
// facts.
func (r *Results) helpTable() (*report.Table, error) {
	if len(r.Preset.Relearning.Budgets) == 0 && len(r.Preset.Bits) == 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "does not help models"}
	}
	t := &report.Table{Title: fmt.Sprintf("What help brings back (%s)", r.Preset.Name),
		Corners: []string{"Size", "Model"},
		Note: fmt.Sprintf("n: %s. Percent of correct answers about the people to forget. Rounded: after "+
			"rounding the weights of the decoder's layers to that many bits. Told half: on the attributes that "+
			"the model is not told again, after that many passes over the others.", r.count())}
	t.Columns = append(t.Columns, report.Column{Name: "As it is"})
	for _, bits := range r.Preset.Bits {
		t.Columns = append(t.Columns, report.Column{Name: fmt.Sprintf("Rounded/%d bits", bits)})
	}
	budgets := r.Preset.Relearning.budgets()
	if len(budgets) == 1 {
		budgets = nil
	}
	for _, passes := range budgets {
		t.Columns = append(t.Columns, report.Column{Name: fmt.Sprintf("Told half/%d", passes)})
	}
	for size := range r.Preset.Sizes {
		for place, l := range r.methodLines(size, r.Preset.last()) {
			row := report.Named(l.levels...)
			add := func(of func(s *SizeScores) float64) {
				row.Cells = append(row.Cells, number("%.1f", r.overWorlds(size, of)))
			}
			add(func(s *SizeScores) float64 { return l.of(s).score(rightly(PartForget)) })
			for i := range r.Preset.Bits {
				add(func(s *SizeScores) float64 { return s.helped[place].Rounded[i].score(rightly(PartForget)) })
			}
			for _, passes := range budgets {
				add(func(s *SizeScores) float64 { return relearnt(passes).Mean(s.helped[place].Relearnt, nil) })
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t, nil
}

// ratioTable tabulates the data of Figures 6 and 7.
func (r *Results) ratioTable() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("How many are forgotten (%s)", r.Preset.Name),
		Corners: []string{"Size", "Model", "People"},
		Note: fmt.Sprintf("n: %s. Both kinds of questions together. ROUGE and EM_r are about the people who "+
			"are kept at every number. Gold never learnt any of the %d people of the largest number: at "+
			"smaller numbers it lacks more people than the methods forget.", r.count(),
			r.Preset.Forget[r.Preset.last()])}
	columns := hopColumns("", "")
	for _, c := range columns {
		t.Columns = append(t.Columns, report.Column{Name: c.Name})
	}
	for size := range r.Preset.Sizes {
		for place, l := range r.methodLines(size, 0) {
			for ratio, people := range r.Preset.Forget {
				row := report.Named(append(slices.Clone(l.levels), fmt.Sprint(people))...)
				own := r.methodLines(size, ratio)[place]
				for _, c := range columns {
					row.Cells = append(row.Cells, number("%.1f", r.overWorlds(size, func(s *SizeScores) float64 {
						return own.of(s).score(c)
					})))
				}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

// learningTable tabulates the data of Figures 1 and 3.
func (r *Results) learningTable() (*report.Table, error) {
	if len(r.Preset.Counts)+len(r.Preset.Shares)+len(r.Preset.Shapes) == 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "teaches people in one shape alone"}
	}
	steps := "The number of epochs is fixed, so more questions also mean more steps."
	if r.Preset.EqualSteps {
		steps = "All numbers of questions have equally many steps."
	}
	t := &report.Table{Title: fmt.Sprintf("What is learnt by what is taught (%s)", r.Preset.Name), Corner: "Taught",
		Note: fmt.Sprintf("n: %s, the smaller size. EM and ROUGE: on the taught questions. EM_t: on unseen "+
			"words and layouts about the same people, with and without the name. Perplexity: of the true "+
			"answers to the test questions. The paper's Figure 3 shows one person. %s", r.count(), steps)}
	columns := learningColumns()
	for _, c := range columns {
		t.Columns = append(t.Columns, report.Column{Name: c.Name})
	}
	add := func(how, what string, of func(s *SizeScores) *Model) {
		row := report.Named(how, what)
		for _, c := range columns {
			row.Cells = append(row.Cells, number("%.1f", r.overWorlds(0, func(s *SizeScores) float64 {
				return of(s).score(c)
			})))
		}
		t.Rows = append(t.Rows, row)
	}
	for i, shape := range r.Preset.Shapes {
		add("Shape", shapeName(shape.Name), func(s *SizeScores) *Model { return s.Shapes[i] })
	}
	for i, count := range r.Preset.Counts {
		add("Questions", fmt.Sprint(count), func(s *SizeScores) *Model { return s.Counts[i] })
	}
	for i, share := range r.Preset.Shares {
		add("By name", fmt.Sprintf("%d %%", share), func(s *SizeScores) *Model { return s.Shares[i] })
	}
	return t, nil
}

// answerTable lists every answer once, with the columns that a judge needs.
func (r *Results) answerTable() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("Answers (%s)", r.Preset.Name),
		Corners: []string{"World", "Size", "Model", "Part", "ID"},
		Note:    "Of the models of Table 2."}
	for _, name := range []string{"question", "truth", "output", "pii", "rule_judge"} {
		t.Columns = append(t.Columns, report.Column{Name: name, Words: name != "rule_judge"})
	}
	for world, w := range r.Worlds {
		for size := range r.Preset.Sizes {
			for _, l := range r.methodLines(size, r.Preset.last()) {
				m := l.of(&w.Sizes[size])
				for _, a := range m.Answers {
					t.Rows = append(t.Rows, report.Named(answerLevels(world, l, a)...).With(
						report.Word(a.Question), report.Word(a.Reference), report.Word(a.Output),
						report.Word(a.Keyword), number("%.2f", float64(a.Judged))))
				}
			}
		}
	}
	return t
}
