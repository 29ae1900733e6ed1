package remem

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Worlds names the unit of repetition. Each world is a generated set of people, with models that learn them.
var Worlds = certify.Repetitions{Singular: "world", Plural: "worlds"}

// theGold names the gold model, which was not taught about the people to forget. Columns compare with it.
const theGold = "gold"

// files describes the files that the columns read.
var files = study.Layout{Examples: "answers", Repetitions: Worlds, Fields: safefile.FieldsOf[Answer](),
	Files: map[string][]safefile.Field{secretsFile: safefile.FieldsOf[Secret](),
		choicesFile: safefile.FieldsOf[Choice]()},
	References: []string{theGold}}

// Cells are certified from one number per world. Every world has its own people, its own people to forget, and its own
// models. All worlds share the base models, the public people and the wording of questions.
var (
	models = certify.Family{Name: "models"}
	table  = study.Grid{Repetitions: Worlds}
)

// margin is the largest distance from the gold model's score that counts as equal, in percentage points.
const margin = 5

// hops lists the two kinds of questions, with the paper's names.
var hops = []struct{ hop, name string }{
	{string(profile.Single), "Single-hop"}, {string(profile.Multi), "Multi-hop"},
}

// methodColumns returns the columns of Table 2. The judge scores the answers about the people to forget. ROUGE scores
// the answers about retained people.
func methodColumns() (columns []study.Metric) {
	for _, h := range hops {
		columns = append(columns, hopColumns(h.hop, h.name+"/")...)
	}
	return columns
}

// hopColumns returns the scores of methods on one kind of question, or on both kinds if hop is empty. The target is the
// gold model's score.
func hopColumns(hop, prefix string) []study.Metric {
	columns := []study.Metric{
		answered(prefix+"ROUGE", PartRetain, hop, "rouge", report.Higher),
		answered(prefix+"EM_r", PartRetain, hop, "right", report.Higher),
		answered(prefix+"GPT", PartForget, hop, "rule_judge", report.Lower),
		answered(prefix+"EM_f", PartForget, hop, "right", report.Lower),
		exposure(prefix+"Exp", hop),
		answered(prefix+"EM_t", PartTest, hop, "right", report.Lower),
	}
	for i := range columns {
		columns[i].Target, columns[i].Margin = theGold, study.Margin{Absolute: margin}
	}
	return columns
}

// learntColumns returns the columns of Table 3. ROUGE, the judge's score and EM are over the taught questions. EM_t is
// over questions with unseen wording and layouts.
func learntColumns() []study.Metric {
	return []study.Metric{
		answered("ROUGE", PartTrain, "", "rouge", report.Higher),
		answered("GPT", PartTrain, "", "rule_judge", report.Higher),
		answered("EM", PartTrain, "", "right", report.Higher),
		answered("EM_t", PartTest, "", "right", report.Higher),
		macro("EM, macro", PartTrain),
		macro("EM_t, macro", PartTest),
	}
}

// learningColumns returns the scores of learning, on the taught questions and on questions with unseen wording and
// layouts.
func learningColumns() []study.Metric {
	return []study.Metric{
		answered("EM", PartTrain, "", "right", report.Higher),
		answered("ROUGE", PartTrain, "", "rouge", report.Higher),
		answered("GPT", PartTrain, "", "rule_judge", report.Higher),
		answered("EM_t", PartTest, "", "right", report.Higher),
		answered("EM_t, single", PartTest, hops[0].hop, "right", report.Higher),
		answered("EM_t, multi", PartTest, hops[1].hop, "right", report.Higher),
		perplexity("Perplexity", PartTest),
	}
}

// answered returns a metric: the mean of a score over the answers to one part of the questions.
func answered(name, part, hop, value string, better report.Better) study.Metric {
	return study.Metric{Name: name, Better: better, Family: models, Percent: true, By: byQuestion,
		Rows: append(ofHop(hop), study.Among("part", part)), Score: inPercent(value)}
}

// Names of columns that identify a row of the answers and of the secrets.
var (
	byQuestion = []string{"id", "hop", "attribute", "identity"}
	bySecret   = byQuestion[1:]
)

// ofHop returns the condition that keeps one kind of question. It returns no condition if hop is empty.
func ofHop(hop string) []study.Condition {
	if hop == "" {
		return nil
	}
	return []study.Condition{study.Among("hop", hop)}
}

// inPercent returns the mean of a column in percent. The judge's scores already are percentages.
func inPercent(column string) study.Score {
	if column == "rule_judge" {
		return study.Number("mean of rule_judge", func(rows study.Rows) float64 {
			return meanOf(rows.Numbers(column), 1)
		}, column)
	}
	return study.Number("100 · mean of "+column, func(rows study.Rows) float64 {
		return meanOf(rows.Numbers(column), 100)
	}, column)
}

// meanOf returns the mean of some values, multiplied by scale. It is NaN without values.
func meanOf(values []float64, scale float64) float64 {
	sum := 0.
	for _, v := range values {
		sum += scale * v
	}
	return sum / float64(len(values))
}

// macro returns a metric: the share of right answers for each attribute and kind of question, averaged over both.
func macro(name, part string) study.Metric {
	m := answered(name, part, "", "right", report.Higher)
	m.Score = study.Number("mean over attributes and hops of 100 · mean of right", func(rows study.Rows) float64 {
		attributes, hops, groups := rows.Words("attribute"), rows.Words("hop"), map[[2]string][]float64{}
		for i, right := range rows.Numbers("right") {
			at := [2]string{attributes[i], hops[i]}
			groups[at] = append(groups[at], right)
		}
		sum := 0.
		for _, right := range groups {
			sum += math.Round(1e9*meanOf(right, 100)) / 1e9 // rounded so that the order of the map does not matter
		}
		return sum / float64(len(groups))
	}, "right")
	return m
}

// perplexity returns a metric: the perplexity of the true answers to one part of the questions.
func perplexity(name, part string) study.Metric {
	m := answered(name, part, "", "log_prob", report.Lower)
	m.Percent, m.Score = false, study.Number("exp of minus the mean of log_prob", func(rows study.Rows) float64 {
		return math.Exp(-meanOf(rows.Numbers("log_prob"), 1))
	}, "log_prob")
	return m
}

// exposure returns a metric: the mean Exposure of the people to forget, over one kind of question or both.
func exposure(name, hop string) study.Metric {
	return study.Metric{Name: name, Better: report.Lower, Family: models, Percent: true, File: secretsFile, By: bySecret,
		Rows: ofHop(hop), Score: study.Number("100 · mean of (candidates - rank)/(candidates - 1)",
			func(rows study.Rows) float64 {
				candidates, exposures := rows.Numbers("candidates"), rows.Numbers("rank")
				for i, rank := range exposures {
					exposures[i] = metric.Exposure(int(rank), int(candidates[i]))
				}
				return meanOf(exposures, 1)
			}, "rank")}
}

// singlePass is the multiple-choice column that asks with a single order of the options.
const singlePass = "Single pass"

func choicesColumns() []study.Metric {
	return []study.Metric{choices(singlePass, "the first order", 1), choices("Circular", "all four orders", options)}
}

// choices returns a metric: the percentage of multiple-choice questions that are answered correctly in all of the first
// orders of the options. The parameter first is the number of these orders.
func choices(name, orders string, first int) study.Metric {
	return study.Metric{Name: name, Better: report.Higher, Family: models, Percent: true, File: choicesFile,
		By: []string{"id", "rotation"},
		Score: study.Number("the share of questions with chosen = truth in "+orders, func(rows study.Rows) float64 {
			wrong, ids, rotations := map[string]bool{}, rows.Words("id"), rows.Numbers("rotation")
			truths := rows.Numbers("truth")
			for i, chosen := range rows.Numbers("chosen") {
				wrong[ids[i]] = wrong[ids[i]] || chosen != truths[i] && rotations[i] < float64(first)
			}
			right := 0.
			for _, is := range wrong {
				if !is {
					right++
				}
			}
			return 100 * right / float64(len(wrong))
		}, "chosen")}
}

// nameColumns returns the columns of Table 5.
func nameColumns() []study.Metric {
	return namesBy("", "mean", func(values []float64) float64 { return meanOf(values, 1) })
}

// namesBy returns two metrics of how well names are memorised. Their titles begin with prefix. of summarises the
// percentages of all names.
func namesBy(prefix, how string, of func(percentages []float64) float64) (columns []study.Metric) {
	for _, c := range []struct{ name, column string }{
		{"Min-k%", "min_k"}, {"Inverse Perplexity", "inverse_perplexity"},
	} {
		columns = append(columns, study.Metric{Name: prefix + c.name, Better: report.Higher, Family: models,
			Percent: true, File: secretsFile, By: bySecret,
			Rows: []study.Condition{study.Among("attribute", profile.FullName)},
			Score: study.Number("100 · "+how+" of "+c.column+" of names", func(rows study.Rows) float64 {
				values := rows.Numbers(c.column)
				if len(values) == 0 {
					return math.NaN()
				}
				for i := range values {
					values[i] *= 100
				}
				return of(values)
			}, c.column)})
	}
	return columns
}

// relearnt returns a metric: the share of right answers about attributes that are not relearnt, after some passes of
// relearning.
func relearnt(passes int) study.Metric {
	return study.Metric{Name: "Told half", Family: models, Percent: true, File: RelearntFile(passes), By: byQuestion,
		Score: inPercent("right")}
}

// gain returns a metric: the percentage of right answers after the last budget of relearning, minus the percentage
// before it.
func (p Preset) gain() study.Metric {
	budgets := p.Relearning.budgets()
	return study.Metric{Name: "Gain", Family: models, Percent: true, Score: study.Combine(
		"right answers after relearning less those before", func(v []float64) float64 { return v[1] - v[0] },
		study.Own(relearnt(budgets[0])), study.Own(relearnt(budgets[len(budgets)-1])))}
}

// budgets returns the numbers of relearning passes after which a model is asked. The first is 0.
func (s RelearntSpec) budgets() []int { return append([]int{0}, s.Budgets...) }

// rightly returns a metric: the percentage of right answers to one part of the questions.
func rightly(part string) study.Metric { return answered("Right", part, "", "right", report.Higher) }
