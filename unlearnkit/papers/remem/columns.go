package remem

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Worlds is the unit of repetition.
var Worlds = certify.Repetitions{Singular: "world", Plural: "worlds"}

// Each world contributes one certified number. Every world has its own people, its own people to forget, and its own
// models that learn them. The base models, the public people and the wording of questions are the same in all worlds.
type certified = study.Column[*Model]

var table = study.Grid[*Model]{Repetitions: Worlds, Lost: (*Model).lost}

// Column is a score of models, from 0 to 100.
type Column struct {
	Name   string
	Better report.Better
	Margin float64 // equivalence margin around gold's score; 0 if gold does not have the score
	Of     func(m *Model) float64

	how   string // how the score is computed from what is read
	file  string
	value string // column of the file
	part  string
	hop   string
}

// margin is the equivalence margin around gold's score, in percent.
const margin = 5

// answerScores maps columns of the answers to the scores computed from them, from 0 to 100.
var answerScores = map[string]struct {
	how string
	of  func(a Answer) float64
}{
	"right":      {"100 · mean of right", right},
	"rouge":      {"100 · mean of rouge", rouge},
	"rule_judge": {"mean of rule_judge", judged},
}

// answered returns a column with the mean of a score over the answers to one part of the questions.
func answered(name, part, hop, value string, better report.Better) Column {
	score := answerScores[value]
	return Column{Name: name, Better: better, Margin: margin, how: score.how, file: AnswersFile, value: value,
		part: part, hop: hop, Of: func(m *Model) float64 { return m.share(score.of, part, hop) }}
}

// hops lists the two kinds of questions, with the paper's names.
var hops = []struct{ hop, name string }{
	{string(profile.Single), "Single-hop"}, {string(profile.Multi), "Multi-hop"},
}

// methodColumns returns the columns of Table 2. The judge's score is over what is to be forgotten; ROUGE is over what
// is kept.
func methodColumns() (columns []Column) {
	for _, h := range hops {
		columns = append(columns, hopColumns(h.hop, h.name+"/")...)
	}
	return columns
}

// hopColumns returns the scores of methods on one kind of question, or on both if hop is empty.
func hopColumns(hop, prefix string) []Column {
	return []Column{
		answered(prefix+"ROUGE", PartRetain, hop, "rouge", report.Higher),
		answered(prefix+"EM_r", PartRetain, hop, "right", report.Higher),
		answered(prefix+"GPT", PartForget, hop, "rule_judge", report.Lower),
		answered(prefix+"EM_f", PartForget, hop, "right", report.Lower),
		{Name: prefix + "Exp", Better: report.Lower, Margin: margin, file: SecretsFile, value: "rank", hop: hop,
			how: "100 · mean of (candidates - rank)/(candidates - 1)",
			Of:  func(m *Model) float64 { return m.exposure(hop) }},
		answered(prefix+"EM_t", PartTest, hop, "right", report.Lower),
	}
}

// certified returns the column for certification. It is compared with gold if it has a margin.
func (c Column) certified(gold func(world int) *Model) certified {
	column := certified{
		Name: c.Name, Family: certify.Family{Name: "models"}, Margin: c.Margin, Percent: true,
		Outcomes: func(m *Model, _ int) []study.Outcome {
			value := c.Of(m)
			return []study.Outcome{{Value: value, Tested: value}}
		},
		Reads: func(m *Model, world int) []study.Reading {
			all := c.readings(study.ForValue, m, world)
			if gold != nil && c.Margin > 0 {
				all = append(all, c.readings(study.ForTarget, gold(world), world)...)
			}
			return all
		},
	}
	column.Defined = func(m *Model, _ int) bool { return m.shared() }
	if gold != nil && c.Margin > 0 {
		column.Target = gold
	}
	return column
}

// shared reports whether all worlds have the same model: the base model, whose scores are treated as exact.
func (m *Model) shared() bool {
	if m.lost() || m.run == nil {
		return false
	}
	spec, is := Judgement.Spec(m.run)
	return is && spec.Asked == Public
}

// readings returns what the column reads of a model. If the model was asked about everybody, the readings list the
// IDs of the questions that count, or their people.
func (c Column) readings(use study.Use, m *Model, world int) []study.Reading {
	if m.lost() || m.run == nil || c.file == "" {
		return nil
	}
	where := []study.Condition{}
	if c.hop != "" {
		where = append(where, study.Among("hop", c.hop))
	}
	by := []string{"hop", "attribute", "identity"}
	asked, _ := Judgement.Spec(m.run)
	switch {
	case c.file == ChoicesFile:
		by = []string{"id", "rotation"}
	case c.file == AnswersFile && asked.Asked != Everybody:
		by, where = append([]string{"id"}, by...), append(where, study.Among("part", c.part))
	case c.file == AnswersFile:
		by = append([]string{"id"}, by...)
		var ids []string
		for _, a := range among(m.Answers, c.part, "") {
			ids = append(ids, a.ID)
		}
		where = append(where, study.Among("id", ids...))
	case asked.Asked == Everybody:
		people := map[float64]bool{}
		var numbers []float64
		for _, s := range m.Secrets {
			if !people[float64(s.Identity)] {
				people[float64(s.Identity)] = true
				numbers = append(numbers, float64(s.Identity))
			}
		}
		where = append(where, study.Condition{Column: "identity", Numbers: numbers})
	}
	return []study.Reading{{Run: m.run, For: use, Repetition: world, File: c.file,
		Rows: study.Selection{By: by, Values: []string{c.value}, Where: where}}}
}
