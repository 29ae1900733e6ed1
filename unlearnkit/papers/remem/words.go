package remem

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// words returns a table of texts, pictures or people. Such tables do not depend on scores. It returns nil for other
// tables.
func (r *Results) words(number string) (*report.Table, error) {
	switch number {
	case shapesTable:
		return shapeTable(), nil
	case promptTable:
		return ruleTable(), nil
	case judgeTable:
		return rubricTable(), nil
	case profileTable, picturesTable:
		if r.Preset.Download != nil {
			return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has published people and does not show them"}
		}
	}
	switch number {
	case profileTable:
		return r.profileTable()
	case picturesTable:
		return r.pictureTable()
	}
	return nil, nil
}

// shapeTable returns Table 1: the numbers and kinds of questions that teach models about people here.
func shapeTable() *report.Table {
	t := &report.Table{Title: "Table 1. " + titles[shapesTable], Corner: "Benchmark",
		Note: "The shapes in which the same people are taught here; in the paper the people differ too."}
	for _, name := range []string{"Images/ID", "QA/ID", "Test Set", "Single-hop QA", "Multi-hop QA"} {
		t.Columns = append(t.Columns, report.Column{Name: strings.ReplaceAll(name, "/ID", " per ID")})
	}
	yes := func(is bool) report.Cell {
		if is {
			return report.Word("yes")
		}
		return report.Word("no")
	}
	for _, s := range profile.Shapes() {
		t.Rows = append(t.Rows, report.Row{Name: shapeName(s.Name), Cells: []report.Cell{
			report.Number(fmt.Sprint(s.Pictures), float64(s.Pictures)),
			report.Number(fmt.Sprint(s.Questions()), float64(s.Questions())),
			yes(s.Test), yes(s.Single > 0), yes(s.Multi > 0)}})
	}
	return t
}

// ruleTable returns Table 6. In the paper, a language model writes profiles from a prompt. Here, a generator follows
// rules.
func ruleTable() *report.Table {
	t := &report.Table{Title: "Table 6. " + titles[promptTable], Corner: "Field",
		Columns: []report.Column{{Name: "The paper's prompt", Words: true},
			{Name: "The generator here", Words: true}},
		Note: "In the paper a language model fills in what was not drawn before. Here everything is drawn, so " +
			"a world is the same on every machine; tests check that the facts fit each other."}
	for _, rule := range [][3]string{
		{"full_name", "written", "drawn from names that are usual where somebody comes from; nobody shares one"},
		{"email", "of the name, at example.com", "of the name, in four forms, at example.com"},
		{"phone_number", "beginning with 555", "555 and seven digits; nobody shares one"},
		{"date_of_birth", "YYYY-MM-DD", "YYYY-MM-DD, over five decades; grey hair is 40 or older"},
		{"address", "street address only", "a number, a street of 30 names and 6 kinds; nobody shares one"},
		{"gender", "drawn before", "as the looks, and non-binary for one in ten"},
		{"race_or_ethnicity", "drawn before", "nationality of the name's country"},
		{"marital_status", "drawn before", "drawn, as the age allows"},
		{"religion", "drawn before", "drawn without regard to name and looks"},
		{"job", "written", "drawn, as age and education allow"},
		{"annual_salary_usd", "realistic for the job", "within the job's range, more with the years; nobody " +
			"shares one"},
		{"education_level", "drawn before", "the degree that the job needs, or one degree more"},
		{"medical_condition", "drawn before", "drawn, as the age allows"},
		{"financial_tag", "drawn before", "drawn, as age, salary and education allow"},
		{"visual_description", "written", "none: the looks are drawn as numbers"},
	} {
		t.Rows = append(t.Rows, report.Row{Name: rule[0],
			Cells: []report.Cell{report.Word(rule[1]), report.Word(rule[2])}})
	}
	return t
}

// profileTable returns Table 7: the profile of the person who is forgotten first in the first world.
func (r *Results) profileTable() (*report.Table, error) {
	world, err := r.firstWorld()
	if err != nil {
		return nil, err
	}
	division, err := world.Private.Divide(world.Spec.Seed, 1)
	if err != nil {
		return nil, err
	}
	person := world.Private.People[division.Forgotten[0]]
	t := &report.Table{Title: fmt.Sprintf("Table 7. %s (%s)", titles[profileTable], r.Preset.Name), Corner: "Field",
		Columns: []report.Column{{Name: "Value", Words: true}},
		Note: fmt.Sprintf("Profile of %s, a fictional person, the first to be forgotten in the first world.",
			person.Name())}
	for _, a := range profile.Attributes() {
		t.Rows = append(t.Rows, report.Row{Name: string(a), Cells: []report.Cell{report.Word(person.Facts[a])}})
	}
	return t, nil
}

// rubricTable returns Table 8: the prompt for a language model as judge, and the rules that replace it.
func rubricTable() *report.Table {
	system, user := metric.JudgePrompt(metric.JudgeCase{Question: "What is the job of the person in this image?",
		GroundTruth: "The job of the person in the image is a baker.", Output: "They are a baker."})
	t := &report.Table{Title: "Table 8. " + titles[judgeTable], Corner: "Part",
		Columns: []report.Column{{Name: "Text", Words: true}},
		Note: "The score bands are the paper's, in our own words. The tables use rules instead of a language " +
			"model: 100 for the same words, at least 80 if all personal facts are there, 0 if none is and the " +
			"answer declines or is about something else. unlearnlab judge asks a language model."}
	for _, part := range [][2]string{{"System", system}, {"User", user}} {
		t.Rows = append(t.Rows, report.Row{Name: part[0], Cells: []report.Cell{report.Word(part[1])}})
	}
	return t
}

// pictureTable returns Table 9 as numbers. The figure shows the pictures.
func (r *Results) pictureTable() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("Table 9. %s (%s)", titles[picturesTable], r.Preset.Name), Corner: "World",
		Note: "How many generated pictures pass the identity filter, and how many of these a review drops. The " +
			"generator knows the truth: some pictures show somebody else, some are torn. The figure pictures " +
			"shows them."}
	for _, name := range []string{"Generated", "Passed", "Rate", "Of strangers", "Strangers passed", "Torn",
		"Torn passed", "Sound, dropped", "Kept"} {
		t.Columns = append(t.Columns, report.Column{Name: name})
	}
	for world := range r.Preset.Worlds {
		made, err := people(r.Preset.world(world).Spec)
		if err != nil {
			return nil, err
		}
		f := made.Private.Filter
		row := report.Row{Name: fmt.Sprint(world)}
		for _, n := range []float64{float64(f.Candidates), float64(f.Passed), f.Rate(), float64(f.Strangers),
			float64(f.StrangersPassed), float64(f.Torn), float64(f.TornPassed), float64(f.SoundDropped),
			float64(f.Kept)} {
			row.Cells = append(row.Cells, report.Number(strings.TrimSuffix(fmt.Sprintf("%.2f", n), ".00"), n))
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// Sheet returns the pictures of Table 9: three people of the first world.
func (r *Results) Sheet() ([]profile.SheetRow, error) {
	world, err := r.firstWorld()
	if err != nil {
		return nil, err
	}
	return world.Private.Sheet(0, 1, 2)
}
