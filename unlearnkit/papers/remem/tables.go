package remem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Numbers of the paper's tables.
const (
	shapesTable   = "1"
	methodsTable  = "2"
	learntTable   = "3"
	choicesTable  = "4"
	namesTable    = "5"
	promptTable   = "6"
	profileTable  = "7"
	judgeTable    = "8"
	picturesTable = "9"
)

// TableNumbers lists the tables of the paper that the study reproduces.
var TableNumbers = []string{shapesTable, methodsTable, learntTable, choicesTable, namesTable, promptTable,
	profileTable, judgeTable, picturesTable}

var titles = map[string]string{
	shapesTable:   "Benchmarks of forgetting people",
	methodsTable:  "Unlearning on ReMem",
	learntTable:   "Learning about people",
	choicesTable:  "Other abilities: multiple choice about pictures",
	namesTable:    "How surely names are remembered",
	promptTable:   "How a profile is made",
	profileTable:  "A profile",
	judgeTable:    "Instructions of the judges",
	picturesTable: "Pictures of three people",
}

// Names of the rows of models without unlearning.
const (
	beforeRow = "Before"
	goldRow   = "Gold"
	baseRow   = "Base Model"
)

// part holds rows of a table that are compared with the same gold model.
type part = study.Part

// line identifies a row of a table: the levels of its name, and a function that returns the row's model in a world.
type line struct {
	levels []string // levels of the row's name
	of     func(s *SizeScores) *Model
}

func (l line) name() string { return strings.Join(l.levels, "/") }

// model returns the row's name without the size.
func (l line) model() string { return l.levels[len(l.levels)-1] }

// lay collects the scores of rows of one size.
func (r *Results) lay(size int, columns []study.Metric, lines ...line) (p part) {
	for _, l := range lines {
		var evaluations []*study.Evaluation
		for world := range r.Worlds {
			evaluations = append(evaluations, l.of(&r.Worlds[world].Sizes[size]).evaluation())
		}
		p.Rows = append(p.Rows, study.RowOf(l.levels, l.model() == goldRow, evaluations...))
	}
	refs := make([]study.References, len(r.Worlds))
	for world := range refs {
		refs[world] = study.References{theGold: r.Worlds[world].Sizes[size].Gold.evaluation()}
	}
	p.Columns = study.Columns(columns, refs)
	return p
}

// last returns the index of the largest number of people to forget.
func (p Preset) last() int { return len(p.Forget) - 1 }

// methodLines returns the rows of the taught model, gold and the methods, for a number of people to forget. ratio is
// the index of that number.
func (r *Results) methodLines(size, ratio int) []line {
	name := r.Preset.Sizes[size].Name
	lines := []line{
		{[]string{name, beforeRow}, func(s *SizeScores) *Model { return s.Befores[ratio] }},
		{[]string{name, goldRow}, func(s *SizeScores) *Model { return s.golds[ratio] }},
	}
	for i, m := range r.Preset.Methods {
		lines = append(lines, line{[]string{name, m.Title}, func(s *SizeScores) *Model { return s.Methods[ratio][i] }})
	}
	return lines
}

// parts returns the parts of a table of scores, from top to bottom.
func (r *Results) parts(number string) (parts []part, err error) {
	for size := range r.Preset.Sizes {
		name := r.Preset.Sizes[size].Name
		switch number {
		case methodsTable:
			parts = append(parts, r.lay(size, methodColumns(), r.methodLines(size, r.Preset.last())...))
		case learntTable:
			if !r.Preset.Whole {
				return nil, &study.Lacks{Preset: r.Preset.Name, Why: "does not ask the base model about everybody"}
			}
			parts = append(parts, r.lay(size, learntColumns(),
				line{[]string{name}, func(s *SizeScores) *Model { return s.Base }},
				line{[]string{name + "*"}, func(s *SizeScores) *Model { return s.Taught }}))
		case choicesTable:
			if r.Preset.Choices == 0 {
				return nil, &study.Lacks{Preset: r.Preset.Name, Why: "asks no multiple-choice questions"}
			}
			parts = append(parts, r.lay(size, choicesColumns(), append([]line{
				{[]string{name, baseRow}, func(s *SizeScores) *Model { return s.Public }}},
				r.methodLines(size, r.Preset.last())...)...))
		case namesTable:
			if size > 0 {
				break
			}
			if len(r.Preset.Shapes) == 0 {
				return nil, &study.Lacks{Preset: r.Preset.Name, Why: "teaches people in one shape alone"}
			}
			lines := []line{{[]string{publicRow}, func(s *SizeScores) *Model { return s.Public }}}
			for i, shape := range r.Preset.Shapes {
				lines = append(lines, line{[]string{shapeName(shape.Name)},
					func(s *SizeScores) *Model { return s.Shapes[i] }})
			}
			parts = append(parts, r.lay(size, nameColumns(), lines...))
		default:
			return nil, fmt.Errorf("the study has no table %q; it has %s", number, strings.Join(TableNumbers, ", "))
		}
	}
	return parts, nil
}

// publicRow names the row of the base model on the public people that it knows. The paper calls these people the Real
// Set.
const publicRow = "Real Set"

// shapeName returns the paper's name for a shape's benchmark.
func shapeName(name string) string {
	switch name {
	case "full":
		return "ReMem (Ours)"
	case "MLLMU-Bench":
		return "MLLMU-bench"
	}
	return name
}

// Cells returns the certified cells of a table, row by row. The name of a row is, for example, "S/GA".
func (r *Results) Cells(number string) ([]certify.Cell, error) {
	if slices.Contains(TableNumbers, number) && !needsResults(number) {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "certifies nothing in table " + number +
			", which is of texts and people"}
	}
	parts, err := r.parts(number)
	if err != nil {
		return nil, err
	}
	var cells []certify.Cell
	for _, p := range parts {
		cells = append(cells, table.Cells(p.Rows, p.Columns)...)
	}
	certify.Adjust(cells) // correct over all cells of the table
	if number == choicesTable {
		r.printChoices(cells)
	} else {
		named := map[string]string{}
		for _, cell := range cells {
			named[cell.Row] = r.printedRow(cell.Levels)
		}
		study.Print(cells, "remem", "table"+number, func(row string) string { return named[row] })
	}
	if number == methodsTable {
		cells = r.withGuests(parts, cells)
	}
	return cells, nil
}

// printChoices sets the paper's multiple-choice values. In the paper's table, each size is a column. The paper does not
// describe how often it asks each question, so its values are compared with a single pass.
func (r *Results) printChoices(cells []certify.Cell) {
	for _, s := range r.Preset.Sizes {
		var own []certify.Cell
		for _, cell := range cells {
			if cell.Levels[0] == s.Name && cell.Column == singlePass {
				cell.Row, cell.Column = cell.Levels[1], s.Model
				own = append(own, cell)
			}
		}
		study.Print(own, "remem", "table"+choicesTable, func(row string) string { return row })
		for i := range cells {
			for _, printed := range own {
				if cells[i].Row == s.Name+"/"+printed.Row && cells[i].Column == singlePass {
					cells[i].Printed = printed.Printed
				}
			}
		}
	}
}

// printedRow returns the paper's name of a row, in which the paper's model replaces our size.
func (r *Results) printedRow(levels []string) string {
	printed := slices.Clone(levels)
	for _, s := range r.Preset.Sizes {
		switch levels[0] {
		case s.Name:
			printed[0] = s.Model
		case s.Name + "*":
			printed[0] = s.Model + "*"
		}
	}
	return strings.Join(printed, "/")
}

// Table returns a table of results. If certified is false, it has only values, with the best and the second best marked
// as in the paper.
func (r *Results) Table(number string, certified bool) (*report.Table, error) {
	return r.Below(r.table(number, certified))
}

func (r *Results) table(number string, certified bool) (*report.Table, error) {
	if t, err := r.words(number); t != nil || err != nil {
		return t, err
	}
	if t, err := study.ExtraTable(furtherTables(), r, number); t != nil || err != nil {
		return t, err
	}
	cells, err := r.Cells(number)
	if err != nil {
		return nil, err
	}
	columns := columnsOf(number)
	t := &report.Table{Title: fmt.Sprintf("Table %s. %s (%s)", number, titles[number], r.Preset.Name),
		Corners: []string{"Size", "Model"}}
	if number == namesTable {
		t.Corners = []string{"Taught in the shape of"}
	}
	for _, c := range columns {
		t.Columns = append(t.Columns, report.Column{Name: c.Name, Better: c.Better})
	}
	for at := 0; at < len(cells); at += len(columns) {
		levels := cells[at].Levels
		model := ""
		line := report.Row{Name: cells[at].Row, Levels: levels, Guest: cells[at].Guest}
		if len(levels) > 1 {
			line.Group, model = levels[0], levels[1]
		}
		if line.Guest {
			line.Group = "guest/" + line.Group // an imported model does not affect other rows' marks
		}
		line.Reference = slices.Contains([]string{beforeRow, goldRow, baseRow}, model)
		for _, cell := range cells[at : at+len(columns)] {
			judged := certified && model != goldRow
			line.Cells = append(line.Cells, study.Cell(cell, percent(cell, judged), judged))
		}
		t.Rows = append(t.Rows, line)
	}
	if !certified {
		r.rank(t)
	}
	t.Note = r.note(number, certified, cells) + study.Warnings(cells) + r.doubts.Below(cells)
	return t, nil
}

// rank marks the best and the second best among the paper's methods. Other methods have no marks.
func (r *Results) rank(t *report.Table) {
	paper := report.Table{Columns: t.Columns}
	for _, row := range t.Rows {
		if !slices.Contains(r.extraMethods(), row.Levels[len(row.Levels)-1]) {
			paper.Rows = append(paper.Rows, row) // the row shares its cells with t
		}
	}
	paper.Rank()
}

// extraMethods returns the titles of methods that the paper's tables lack.
func (r *Results) extraMethods() (titles []string) {
	for _, m := range r.Preset.Methods {
		if !slices.Contains(paperMethods, m.Name) {
			titles = append(titles, m.Title)
		}
	}
	return titles
}

// percent formats a cell with two decimal places, as in the paper.
func percent(cell certify.Cell, certified bool) string {
	text := study.Text(cell, certified)
	if text == "diverged" || text == "–" {
		return text
	}
	star := ""
	if certified && cell.Differs() {
		star = "*"
	}
	text = fmt.Sprintf("%.2f%s", cell.Estimate, star)
	if certified && cell.Lo == cell.Lo {
		text += fmt.Sprintf("\n[%.1f, %.1f]", cell.Lo, cell.Hi)
	}
	if certified && cell.Verdict != "" {
		text += "\n" + string(cell.Verdict)
	}
	return text
}

func columnsOf(number string) []study.Metric {
	switch number {
	case learntTable:
		return learntColumns()
	case choicesTable:
		return choicesColumns()
	case namesTable:
		return nameColumns()
	}
	return methodColumns()
}

// note returns the note below a table: its questions, judge and models.
func (r *Results) note(number string, certified bool, cells []certify.Cell) string {
	text := "n: " + r.count()
	s := r.Worlds[0].Sizes[0]
	switch number {
	case methodsTable:
		counts, judge := []string{}, "rules give in place of a language model"
		if r.judged {
			judge = "a judge of your own gives"
		}
		for _, part := range []struct{ symbol, part string }{{"D'_r", PartRetain}, {"D_f", PartForget},
			{"D_t", PartTest}} {
			counts = append(counts, fmt.Sprintf("%d and %d of %s", len(among(s.Gold.Answers, part.part, hops[0].hop)),
				len(among(s.Gold.Answers, part.part, hops[1].hop)), part.symbol))
		}
		text += fmt.Sprintf("; questions with and without the name: %s. ROUGE is ROUGE-L recall on D'_r, GPT "+
			"the score that %s on D_f. Gold never learnt the people to forget, but it learnt the other values "+
			"in the ranking, so Exposure is compared with gold's and not with the 50 of a random ranking. %s",
			strings.Join(counts, ", "), judge, r.refusalNote())
	case learntTable:
		text += fmt.Sprintf("; %d questions of D and %d in unseen words and layouts. *: after teaching. ",
			len(among(s.Taught.Answers, PartTrain, "")), len(among(s.Taught.Answers, PartTest, "")))
	case choicesTable:
		text += fmt.Sprintf("; %d questions with four options about pictures of people that no model has "+
			"learnt. Guessing scores 25 and .39. %s", len(s.Public.Choices)/options, r.choiceNote())
	case namesTable:
		text += ". Mean over people of the probability of the name's least likely tenth of tokens, and of the " +
			"geometric mean of all its tokens, in percent. "
		if caveat := r.tokenCaveat(); caveat != "" {
			text += "But " + caveat + ". "
		}
	}
	if !certified {
		return text + "Best and second: the highest scores on what is kept, the lowest on what is to be " +
			"forgotten."
	}
	text += "Intervals: 95 %, by Wilson with Student's quantile, one number per world."
	if bases, _ := study.Bases(cells); len(bases) > 0 && len(r.Worlds) > 1 {
		text += fmt.Sprintf(" Verdicts by the interval of the difference from gold: matched within %d. A star: the "+
			"value differs from gold's. %s.", margin, certify.Describe(bases))
	}
	return text
}

// needsResults reports whether a table shows scores of models. Other tables show only texts and people.
func needsResults(number string) bool {
	return !slices.Contains([]string{shapesTable, promptTable, profileTable, judgeTable, picturesTable}, number)
}
