package salmu

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Worlds names the unit of repetition. Each world is a generated data set, with models that are trained on it.
var Worlds = certify.Repetitions{Singular: "world", Plural: "worlds"}

// layout describes the score files that the columns read.
var layout = study.Layout{Examples: "examples", Repetitions: Worlds, Fields: safefile.FieldsOf[Score](),
	Keys: []string{"id", "split", "identity"}, References: []string{clean, compromised, independent},
	Bounds: bounds}

// table computes the certified cells of rows.
var table = study.Grid{Repetitions: Worlds}

// Margins within which a value counts as equal to its target.
const (
	forgetMargin = 0.10 // share of the distance between Compromised and Clean
	knowMargin   = 0.03 // share of the target; a larger loss of general knowledge is called catastrophic
	keepMargin   = 0.10 // share of the target
)

// Families of outcomes. Every world has its own people. All worlds share the classes of objects. FragSim averages over
// pictures, not over people.
var (
	people   = certify.Family{Name: "people"}
	classes  = certify.Family{Name: "classes", Crossed: true}
	pictures = certify.Family{Name: "pictures"}
	models   = certify.Family{Name: "models, one in each world"} // for scores with one number per world
)

// leaks names the columns about forgetting that Table 4 prints.
var leaks = []string{"RetFail", "AssocStr", "ACS", "IdZSC", "CoreAssoc"}

// Columns returns the metrics of Tables 5 and 6 in the paper's order: first the metrics of forgetting, then the metrics
// of retention.
func (p Preset) Columns() []study.Metric {
	return []study.Metric{
		leaked(study.Metric{Name: "RetFail", Share: true, Test: wilcoxon, Rows: splits(forgotten...),
			Score: study.Score{How: "the mean of 1 / rank", Values: []string{"rank"},
				Value:  func(rank float64) float64 { return 1 / rank },
				Tested: func(rank float64) float64 { return rank }},
			About: "the mean of 1/rank of a picture's own sensitive caption among many: 1 if every fact leaks"}),
		leaked(study.Metric{Name: "AssocStr", Test: ks, Rows: splits(forgotten...), Score: study.Mean("cosine"),
			About: aboutCosines}),
		leaked(study.Metric{Name: "ACS", Share: true, Test: mcnemar, Rows: splits(forgotten...),
			Score: study.Score{How: "the mean of both columns together", Values: []string{"probe_true", "probe_false"}},
			About: "how often a classifier of cosines distinguishes such captions from shuffled ones: .5 by chance"}),
		leaked(study.Metric{Name: "IdZSC", Share: true, Test: mcnemar, Rows: splits(persona.ForgetIdentity),
			Score: study.Mean("right"), About: "how often the right name is found among all"}),
		leaked(study.Metric{Name: "CoreAssoc", Test: ks, Rows: splits(forgotten...), Score: study.Mean("core"),
			About: aboutCosines}),
		retention(study.Metric{Name: "GenKnow", Share: true, Test: mcnemar, Rows: splits(Objects), Family: classes,
			Margin: study.Margin{Share: knowMargin}, Score: study.Mean("right"),
			About: "general knowledge: how often the class of an object is found"}),
		retention(study.Metric{Name: "InterIdSim", Test: pairedT, Rows: splits(persona.HoldoutIdentity),
			Score: study.Mean("cosine"), About: aboutHoldouts}),
		retention(study.Metric{Name: "IntraIdSim", Test: pairedT, Rows: splits(persona.HoldoutAssociation),
			Score: study.Mean("cosine"), About: aboutHoldouts}),
		retention(study.Metric{Name: "VisIdInt", Test: pairedT, Rows: splits(persona.RetainJoint),
			Chosen: &study.Chosen{How: "the people with something to forget", Column: "identity",
				Model: compromised, Rows: splits(forgotten...)},
			Score: study.Mean("cosine"), About: aboutGeneric}),
		p.fragSim(compromised),
	}
}

// fragSim returns the metric FragSim. If the data do not name fragile pictures, they are the tenth of strangers'
// pictures whose cosine with their caption is lowest under the model called chooser.
func (p Preset) fragSim(chooser string) study.Metric {
	fragile := &study.Chosen{How: "the tenth of others' pictures that the compromised model likes least", Column: "id",
		Model: chooser, Rows: splits(persona.RetainDisjoint), Lowest: "cosine", Share: 10}
	if p.Download != nil {
		fragile = &study.Chosen{How: "the pictures that the data name as fragile", Column: "id", Model: chooser,
			Rows: splits(FragileSet)}
	}
	return retention(study.Metric{Name: "FragSim", Test: pairedT, Family: pictures, Chosen: fragile,
		Score: study.Mean("cosine"), About: aboutGeneric})
}

// column returns the metric called name.
func (p Preset) column(name string) study.Metric { return study.Find(p.Columns(), name) }

// Descriptions that several columns share.
const (
	aboutCosines  = "the mean cosine of a picture with that caption, and with the bare name and value"
	aboutHoldouts = "cosines of sensitive rows that no method is asked to forget: of other people, and of the " +
		"same people with other facts"
	aboutGeneric = "cosines with captions that reveal nothing: of sensitive people, and of the strangers that " +
		"Compromised likes least"
)

// leaked completes a metric of forgetting. Its target is the Clean model.
func leaked(m study.Metric) study.Metric {
	m.Target, m.Margin = clean, study.Margin{Share: forgetMargin, From: clean, To: compromised}
	return ofExamples(m)
}

// retention completes a metric of retention. Its target is the Compromised model.
func retention(m study.Metric) study.Metric {
	m.Target = compromised
	if m.Margin.Share == 0 {
		m.Margin.Share = keepMargin
	}
	return ofExamples(m)
}

// ofExamples completes a metric over examples. Examples of the same person depend on each other.
func ofExamples(m study.Metric) study.Metric {
	m.By = []string{"id", "split", "identity"}
	if m.OneNumber() {
		m.Family = models
		return m
	}
	m.Unit = "identity"
	if m.Family == (certify.Family{}) {
		m.Family = people
	}
	return m
}

// forgotten lists the splits that should be forgotten.
var forgotten = []persona.Split{persona.ForgetIdentity, persona.ForgetAssociation}

// splits returns the condition that keeps the rows of some splits.
func splits(names ...persona.Split) []study.Condition {
	return []study.Condition{study.Among("split", names...)}
}

// Tests that the paper uses on the examples of all worlds (§10).
var (
	wilcoxon = test("Wilcoxon", func(x, y []float64) float64 { return stat.Wilcoxon(x, y).P })
	mcnemar  = test("McNemar", func(x, y []float64) float64 { return stat.McNemarOutcomes(yes(x), yes(y)).P })
	ks       = test("KS", func(x, y []float64) float64 { return stat.KS2(x, y).P })
	pairedT  = test("paired t", func(x, y []float64) float64 { return stat.TTestPaired(x, y).P })
)

// test returns a named test. Without examples, its p-value is NaN.
func test(name string, p func(x, y []float64) float64) study.Test {
	return study.Test{Name: name, P: func(x, y []float64) float64 {
		if len(x) == 0 {
			return math.NaN()
		}
		return p(x, y)
	}}
}

func yes(values []float64) []bool {
	answers := make([]bool, len(values))
	for i, v := range values {
		answers[i] = v != 0
	}
	return answers
}

// bounds limits the scores that users may import.
var bounds = map[string]study.Bound{
	"id":    {About: "name of the row in the exported data"},
	"split": {About: "column part of the exported data"},
	"identity": {About: "number of the person in the exported data, or of the class in the split " + string(Objects) +
		"; -1 for none"},
	"cosine": {Lo: -1, Hi: 1, About: "cosine of picture and caption, the generic caption in the retain splits"},
	"rank":   {Lo: 1, Hi: math.Inf(1), Whole: true, About: "rank of the own caption among the gallery's, 1 the best"},
	"core":   {Lo: -1, Hi: 1, About: "larger cosine of the picture with \"name value\" and \"value name\""},
	"probe_true": {Lo: 0, Hi: 1, Whole: true, About: "1 if the probe accepts the own caption; probe in " +
		"questions.json of the exported data says how it is trained and tested"},
	"probe_false": {Lo: 0, Hi: 1, Whole: true, About: "1 if the probe rejects another's caption"},
	"right":       {Lo: 0, Hi: 1, Whole: true, About: "1 if the name or the class of the object is recognised"},
}
