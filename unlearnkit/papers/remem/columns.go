package remem

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Worlds are what the study repeats.
var Worlds = certify.Repetitions{Singular: "world", Plural: "worlds"}

// What is certified is one number a world: people, what is to be forgotten, and all models that learn them are a
// world's own. The base models, the public people and the wording of questions are the same in all.
type (
	row       = study.Row[*Model]
	certified = study.Column[*Model]
)

var table = study.Grid[*Model]{Repetitions: Worlds, Lost: (*Model).lost}

// Column is a score of models, from 0 to 100.
type Column struct {
	Name   string
	Better report.Better
	Margin float64 // within what a score counts as gold's; 0 of one that gold does not have
	Of     func(m *Model) float64

	how   string // the score comes of what is read
	file  string
	value string // the column of the file
	part  string
	hop   string
}

// margin is within how many percent a score counts as gold's.
const margin = 5

// answerScores are the scores of an answer from 0 to 100, by the columns that they are computed from.
var answerScores = map[string]struct {
	how string
	of  func(a Answer) float64
}{
	"right":      {"100 · mean of right", right},
	"rouge":      {"100 · mean of rouge", rouge},
	"rule_judge": {"mean of rule_judge", judged},
}

// answered returns the column of a score over the answers to a part of the questions.
func answered(name, part, hop, value string, better report.Better) Column {
	score := answerScores[value]
	return Column{Name: name, Better: better, Margin: margin, how: score.how, file: AnswersFile, value: value,
		part: part, hop: hop, Of: func(m *Model) float64 { return m.share(score.of, part, hop) }}
}

// hops are the two kinds of questions, as the paper names them.
var hops = []struct{ hop, name string }{
	{string(profile.Single), "Single-hop"}, {string(profile.Multi), "Multi-hop"},
}

// methodColumns are those of Table 2. The judge's score is of what is to be forgotten, ROUGE of what is kept.
func methodColumns() (columns []Column) {
	for _, h := range hops {
		columns = append(columns, hopColumns(h.hop, h.name+"/")...)
	}
	return columns
}

// hopColumns are the scores of methods on one kind of question, or on both where none is named.
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

// certified is the column as it is certified, beside gold where it has a margin.
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

// shared reports whether all worlds have the same model: the base model, whose scores are known as they are.
func (m *Model) shared() bool {
	if m.lost() || m.run == nil {
		return false
	}
	spec, is := Judgement.Spec(m.run)
	return is && spec.Asked == Public
}

// readings are what the column reads of a model. Of one that was asked about everybody, the questions that count are
// named by their IDs, or their people.
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
