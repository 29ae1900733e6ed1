package unslu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Column is a score of models.
type Column struct {
	Name   string
	Better report.Better
	Margin float64 // within what a score counts as gold's; 0 of one that gold does not have
	// Of is the score of a model in its world.
	Of func(b *BenchmarkScores, m *Model) float64

	defined bool // it is what it is by definition where nothing is unlearned
	reads   []reads
	how     string // the score comes of what is read
}

// Margins of what counts as gold's. That of the attack is half of what originals are above gold in the paper.
const (
	knownMargin  = .03
	attackMargin = .05
)

// recognition is how well models recognise a split, beside gold.
func recognition(name, split, how string, of func(c metric.Classification) float64) Column {
	return Column{
		Name: name, Better: report.Nearest, Margin: knownMargin, how: how,
		Of: func(_ *BenchmarkScores, m *Model) float64 {
			if split == Forget {
				return of(m.On(Test).Forget)
			}
			return of(m.On(split).Known)
		},
		reads: besideGold(func(use study.Use, of model) reads { return known(use, of, split) }),
	}
}

func f1(name, split string) Column {
	return recognition(name, split, "macro F1 of predicted against label",
		func(c metric.Classification) float64 { return c.MacroF1 })
}

// accuracy is what the paper's repository adds: GUM is computed from it.
func accuracy(name, split string) Column {
	return recognition(name, split, "the share of clips with predicted = label",
		func(c metric.Classification) float64 { return c.Accuracy })
}

func f1Test() Column   { return f1("F1_T", Test) }
func f1Forget() Column { return f1("F1_F", Forget) }

func mia() Column {
	return Column{
		Name: "MIA", Better: report.Nearest, Margin: attackMargin,
		how:   "the mean accuracy of a logistic regression on loss that tells forget from test, over ten splits",
		Of:    func(_ *BenchmarkScores, m *Model) float64 { return m.On(Test).Attack.MIA },
		reads: besideGold(losses),
	}
}

func gumWall() Column {
	return Column{
		Name: "GUM", Better: report.Higher, defined: true,
		how:   "GUM of test accuracy, the attack on loss and seconds, beside gold's and the original's",
		Of:    func(b *BenchmarkScores, m *Model) float64 { return b.gum(m, Test, Wall, metric.GUMOnAccuracy) },
		reads: ofGUM(theGold),
	}
}

func speedup() Column {
	return Column{
		Name: "Speedup", Better: report.Higher, defined: true, how: "gold's seconds over the model's",
		Of:    func(b *BenchmarkScores, m *Model) float64 { return b.speedup(m, Wall) },
		reads: []reads{secondsOf(study.ForValue, itself), secondsOf(study.ForValue, theGold)},
	}
}

// noMUS is computed from macro F1 as Table 4 is, and GUM from accuracy: the text has it the other way round.
func noMUS() Column {
	return Column{
		Name: "NoMUS", Better: report.Higher, how: "NoMUS of macro F1 on test clips and the attack on loss",
		Of:    noMUSOf("", metric.GUMOnF1).Of,
		reads: []reads{known(study.ForValue, itself, Test), losses(study.ForValue, itself)},
	}
}

// noMUSOf is NoMUS of either utility.
func noMUSOf(name string, utility metric.GUMVariant) Column {
	return Column{Name: name, Of: func(_ *BenchmarkScores, m *Model) float64 {
		on := m.On(Test)
		if utility == metric.GUMOnF1 {
			return metric.NoMUS(on.Known.MacroF1, on.Attack.MIA, metric.NoMUSWeight)
		}
		return metric.NoMUS(on.Known.Accuracy, on.Attack.MIA, metric.NoMUSWeight)
	}}
}

// Columns are those of Tables 1 to 3.
func Columns() []Column {
	return []Column{f1Test(), f1Forget(), mia(), gumWall(), speedup(), accuracy("Acc_T", Test),
		accuracy("Acc_F", Forget)}
}

func metricsColumns() []Column { return []Column{f1Test(), mia(), speedup(), noMUS(), gumWall()} }

// epochsColumns are those of Table 5, GUM with the gold model's time of each budget. In the printed values it has one
// time for all budgets: so the last column.
func epochsColumns() []Column {
	return []Column{f1Test(), f1Test().ofModel("F1_T(g)", theGold), mia(), mia().ofModel("MIA(g)", theGold),
		mia().ofModel("MIA(o)", theOriginal), gumWall(), {
			Name: "GUM, one time", defined: true, how: "GUM with the seconds of the longest budget's gold model",
			Of: func(b *BenchmarkScores, m *Model) float64 {
				in := b.beside(m, Test, Wall)
				in.SecondsGold = b.longest.Cost.Seconds
				return metric.GUM(in, metric.GUMOnAccuracy).GUM
			},
			reads: ofGUM(theLongest),
		}}
}

// ofModel is the same score of another model than the row's; it has no target.
func (c Column) ofModel(name string, of model) Column {
	own := c.Of
	c.Name, c.Better, c.Margin = name, report.Unranked, 0
	c.Of = func(b *BenchmarkScores, m *Model) float64 { return own(b, of(b, m)) }
	read := c.reads[0]
	read.of = of
	c.reads = []reads{read}
	return c
}

// Worlds are what the study repeats.
var Worlds = certify.Repetitions{Singular: "world", Plural: "worlds"}

// What is certified is one number a world: worlds have speakers and models of their own, but the backbones, and the
// voices that speakers are made of, are the same in all.
type (
	row       = study.Row[*Model]
	certified = study.Column[*Model]
)

// oneModel is the family of what is certified: one model a world.
var oneModel = certify.Family{Name: "models, one in each world"}

var table = study.Grid[*Model]{Repetitions: Worlds, Lost: (*Model).lost}

// certified is the column as it is certified beside gold.
func (c Column) certified(beside func(world int) *BenchmarkScores) certified {
	column := certified{
		Name: c.Name, Family: oneModel, Margin: c.Margin,
		Outcomes: func(m *Model, world int) []study.Outcome {
			value := c.Of(beside(world), m)
			return []study.Outcome{{Value: value, Tested: value}}
		},
		Reads: func(m *Model, world int) []study.Reading { return c.readings(beside(world), m, world) },
	}
	if c.defined {
		column.Defined = func(m *Model, world int) bool { return beside(world).unchanged(m) }
	}
	if c.Margin > 0 {
		column.Target = func(world int) *Model { return beside(world).Gold }
	}
	return column
}
