package unslu

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Worlds names the unit of repetition. Each world is a generated data set, with models that are trained on it.
var Worlds = certify.Repetitions{Singular: "world", Plural: "worlds"}

// Names of the models that columns compare with. theLongest is the gold model with the largest number of epochs in
// Table 5.
const (
	theOriginal = "original"
	theGold     = "gold"
	theLongest  = "longest"
)

// layout describes the score files that the columns read.
var layout = study.Layout{Examples: "clips", Repetitions: Worlds, Fields: safefile.FieldsOf[Score](),
	Keys:       []string{"id", "split", "label"},
	Files:      map[string][]safefile.Field{CostFile: safefile.FieldsOf[Cost]()},
	References: []string{theOriginal, theGold, theLongest}, Bounds: bounds}

// Cells are certified from one number per world. Worlds have their own speakers and models. All worlds share the
// backbones, and the voices that speakers are composed of.
var (
	oneModel = certify.Family{Name: "models, one in each world"}
	table    = study.Grid{Repetitions: Worlds}
)

// Margins within which a score counts as equal to the gold model's. The margin of the attack is half the distance
// between the paper's originals and gold models.
const (
	knownMargin  = .03
	attackMargin = .05
)

// mainColumns returns the columns of Tables 1 to 3.
func mainColumns() []study.Metric {
	return []study.Metric{f1(Test), f1(Forget), mia(Test), gum("GUM"), speedup("Speedup", wall), accuracy(Test),
		accuracy(Forget)}
}

// metricsColumns returns the columns of Table 4.
func metricsColumns() []study.Metric {
	return []study.Metric{f1(Test), mia(Test), speedup("Speedup", wall), noMUS("NoMUS", f1(Test)), gum("GUM")}
}

// epochsColumns returns the columns of Table 5. GUM uses the time of the gold model with the same number of epochs. The
// printed GUM uses one time for all rows, as the last column does.
func epochsColumns() []study.Metric {
	oneTime := gumOf("GUM, one time", onSplit(Test), wall, metric.GUMOnAccuracy, theLongest)
	oneTime.Score.How, oneTime.Better = "GUM with the seconds of the longest budget's gold model", report.Unranked
	return []study.Metric{f1(Test), ofModel(theGold, "F1_T(g)", f1(Test)), mia(Test),
		ofModel(theGold, "MIA(g)", mia(Test)), ofModel(theOriginal, "MIA(o)", mia(Test)), gum("GUM"), oneTime}
}

// allColumns returns the columns of all tables.
func allColumns() []study.Metric {
	return slices.Concat(mainColumns(), metricsColumns(), epochsColumns(), readingColumns(), componentColumns())
}

// splitLetters maps splits to the suffixes of column names.
var splitLetters = map[string]string{Test: "_T", Forget: "_F", Validation: "_V"}

// f1 returns the metric macro F1 on a split.
func f1(split string) study.Metric {
	const how = "macro F1 of predicted against label"
	return recognition("F1", split, how, func(c metric.Classification) float64 { return c.MacroF1 })
}

// accuracy returns the metric accuracy on a split. The paper's repository adds this metric and computes GUM from it.
func accuracy(split string) study.Metric {
	const how = "the share of clips with predicted = label"
	return recognition("Acc", split, how, func(c metric.Classification) float64 { return c.Accuracy })
}

// recognition returns a metric of how well models recognise the intents of a split. Its target is the gold model.
func recognition(name, split, how string, of func(c metric.Classification) float64) study.Metric {
	return besideGold(study.Metric{Name: name + splitLetters[split], Rows: splits(split),
		Margin: study.Margin{Absolute: knownMargin}, Score: study.Number(how, func(rows study.Rows) float64 {
			return of(metric.Classify(whole(rows.Numbers("label")), whole(rows.Numbers("predicted"))))
		}, "label", "predicted"),
		About: "macro F1 and accuracy on clips of other speakers, the test set; F1_F and Acc_F are on the " +
			"clips to forget"})
}

// mia returns the metric MIA, the accuracy of the paper's membership attack. Its target is the gold model.
func mia(split string) study.Metric { return onSplit(split).mia() }

// mia returns the metric MIA of the attack.
func (a attackOn) mia() study.Metric {
	m := attackColumn("MIA", a.split, func(found Attack) float64 { return found.MIA })
	m.Score.How = fmt.Sprintf("the mean accuracy, over %d draws of ten splits, of a logistic regression on the "+
		"loss that separates forget from test clips", attackDraws)
	if a.draw != everyDraw {
		m = attackColumn(fmt.Sprintf("MIA, draw %d", a.draw), a.split,
			func(found Attack) float64 { return found.Draws[a.draw] })
	}
	m.Margin = study.Margin{Absolute: attackMargin}
	m.About = "how often an attack infers from the loss whether a clip is from the speakers to forget or from the " +
		"test set: .5 by chance"
	return besideGold(m)
}

// attackColumn returns a metric computed by of from the paper's attack, which separates the forget clips from the clips of
// a split.
func attackColumn(name, split string, of func(found Attack) float64) study.Metric {
	if split != Test {
		name += splitLetters[split]
	}
	return study.Metric{Name: name, Rows: splits(Forget, split), By: clip, Family: oneModel,
		Score: study.Number("", func(rows study.Rows) float64 {
			losses := func(split string) []float64 { return capped(rows.In("split", split).Numbers("loss")) }
			return of(attack(losses(Forget), losses(split), split))
		}, "loss")}
}

// speedup returns the metric that divides the gold model's training time by the model's. It is 1 for models that
// unlearn nothing, as in the paper's tables.
func speedup(name string, clock clock) study.Metric {
	return study.Metric{Name: name, Better: report.Higher, Family: oneModel,
		About: "gold's seconds of training over the method's",
		Fixed: map[string]float64{theOriginal: 1, theGold: 1},
		Score: study.Combine("gold's seconds over the model's", func(v []float64) float64 {
			return metric.Speedup(v[1], v[0])
		}, study.Own(clock.time()), study.Under(theGold, clock.time()))}
}

// gum returns the metric GUM as the paper's tables print it.
func gum(name string) study.Metric {
	return gumOf(name, onSplit(Test), wall, metric.GUMOnAccuracy, theGold)
}

// gumOf returns the metric GUM of an attack and the utility on its split, with a clock. The reference time is the training time of the
// model called retrained. GUM is 0 by definition for models that unlearn nothing.
func gumOf(name string, on attackOn, clock clock, utility metric.GUMVariant, retrained string) study.Metric {
	m := ofGUM(name, on, clock, utility, retrained, func(in metric.GUMInput, _ ...float64) float64 {
		return metric.GUM(in, utility).GUM
	})
	m.Score.How = "GUM of test accuracy, the attack on the loss, and seconds, compared with gold and the " +
		"original"
	m.About = "the harmonic mean of three: how near the test score is to gold's, how near MIA is to gold's, " +
		"and how much time is saved"
	m.Better, m.Fixed = report.Higher, map[string]float64{theOriginal: 0, theGold: 0}
	return m
}

// ofGUM returns a metric computed from the inputs of GUM and from more values. The inputs are utility, attack accuracy
// and time of the model and of the gold model, and the attack accuracy of the original.
func ofGUM(name string, on attackOn, clock clock, utility metric.GUMVariant, retrained string,
	of func(in metric.GUMInput, more ...float64) float64, more ...study.Ref) study.Metric {
	known, attack, time := accuracy(on.split), on.mia(), clock.time()
	if utility == metric.GUMOnF1 {
		known = f1(on.split)
	}
	return study.Metric{Name: name, Family: oneModel, Score: study.Combine("", func(v []float64) float64 {
		return of(metric.GUMInput{AccuracyUnlearned: v[0], F1Unlearned: v[0], AccuracyGold: v[1], F1Gold: v[1],
			MIAUnlearned: v[2], MIAGold: v[3], MIAOriginal: v[4], SecondsUnlearned: v[5], SecondsGold: v[6]},
			v[7:]...)
	}, append([]study.Ref{study.Own(known), study.Under(theGold, known), study.Own(attack), study.Under(theGold, attack),
		study.Under(theOriginal, attack), study.Own(time), study.Under(retrained, time)}, more...)...)}
}

// noMUS returns NoMUS, an older metric computed from a utility and the attack. Table 4 computes NoMUS from macro F1 and
// GUM from accuracy. The paper's text states the reverse.
func noMUS(name string, utility study.Metric) study.Metric {
	return study.Metric{Name: name, Better: report.Higher, Family: oneModel,
		About: "an older metric: of test score and MIA, without time",
		Score: study.Combine("NoMUS of macro F1 on test clips and the attack on loss", func(v []float64) float64 {
			return metric.NoMUS(v[0], v[1], metric.NoMUSWeight)
		}, study.Own(utility), study.Own(mia(Test)))}
}

// ofModel returns a metric of a model other than the row's, for example the gold model. It has no target.
func ofModel(model, name string, m study.Metric) study.Metric {
	return study.Metric{Name: name, Better: report.Unranked, Family: oneModel,
		Score: study.Combine(m.Score.How, func(v []float64) float64 { return v[0] }, study.Under(model, m))}
}

// clock is a measure of a model's training cost.
type clock int

// wall is wall-clock time, as in the paper. passes counts how many clips pass through the network, a number that is
// equal on every machine.
const (
	wall clock = iota
	passes
)

// paperGoldSeconds is the training time of the paper's gold models of SLURP*, fitted to the printed GUM values. It
// converts passes to seconds, because GUM depends on the unit of time.
const paperGoldSeconds = 69133

// time returns the metric of training time, measured by the clock.
func (c clock) time() study.Metric {
	if c == wall {
		return spent("Seconds", "seconds")
	}
	return study.Metric{Name: "Seconds by passes", Score: study.Combine("", func(v []float64) float64 {
		return paperGoldSeconds * v[0] / v[1]
	}, study.Own(spent("Passes", "passes")), study.Under(theGold, spent("Passes", "passes")))}
}

// spent returns the metric that reads a column of the file with the training cost.
func spent(name, column string) study.Metric {
	return study.Metric{Name: name, File: CostFile, Family: oneModel,
		Score: study.Number(column, func(rows study.Rows) float64 {
			if cost := rows.Numbers(column); len(cost) > 0 {
				return cost[0]
			}
			return math.NaN() // the cost of an imported model is unknown
		}, column)}
}

// clip lists the columns that identify a row of the score file.
var clip = []string{"id", "speaker"}

// besideGold completes a metric whose target is the gold model.
func besideGold(m study.Metric) study.Metric {
	m.Better, m.Target, m.By, m.Family = report.Nearest, theGold, clip, oneModel
	return m
}

// splits returns the condition that keeps the clips of the named splits.
func splits(names ...string) []study.Condition {
	return []study.Condition{study.Among("split", names...)}
}

func whole(values []float64) []int {
	all := make([]int, len(values))
	for i, v := range values {
		all[i] = int(v)
	}
	return all
}

// capped limits losses to largestLoss.
func capped(losses []float64) []float64 {
	for i, loss := range losses {
		losses[i] = math.Min(loss, largestLoss)
	}
	return losses
}

// readingColumns returns the metrics in their alternative interpretations.
func readingColumns() []study.Metric {
	reading := func(name string, clock clock, utility metric.GUMVariant) study.Metric {
		return gumOf(name, onSplit(Test), clock, utility, theGold)
	}
	ten := gumOf("GUM, ten splits", attackOn{Test, 0}, wall, metric.GUMOnAccuracy, theGold)
	return []study.Metric{reading("GUM", wall, metric.GUMOnAccuracy), reading("GUM on F1", wall, metric.GUMOnF1),
		reading("GUM by passes", passes, metric.GUMOnAccuracy), ten, cgum(), noMUS("NoMUS on F1", f1(Test)),
		noMUS("NoMUS on accuracy", accuracy(Test)), speedup("Speedup", wall), speedup("Speedup, passes", passes)}
}

// cgum returns CGUM, the authors' later form of GUM.
func cgum() study.Metric {
	intents := study.Metric{Name: "intents", Score: study.Number("", func(rows study.Rows) float64 {
		labels := rows.Numbers("label")
		slices.Sort(labels)
		return float64(len(slices.Compact(labels)))
	}, "label")}
	m := ofGUM("CGUM", onSplit(Test), wall, metric.GUMOnF1, theGold, func(in metric.GUMInput, more ...float64) float64 {
		return metric.CGUM(in, metric.GUMOnF1, int(more[0])).GUM
	}, study.Under(theGold, intents))
	m.Fixed = map[string]float64{theOriginal: 0, theGold: 0}
	return m
}

// bounds limits the scores that users may import.
var bounds = map[string]study.Bound{
	"id":        {About: "name of the clip in the exported data"},
	"split":     {About: "forget, validation or test"},
	"speaker":   {About: "speaker of the clip in the exported data"},
	"label":     {About: "number of the intent in the exported data"},
	"predicted": {Lo: 0, Hi: math.Inf(1), Whole: true, About: "number of the intent that the model predicts"},
	"loss":      {Lo: 0, Hi: math.Inf(1), About: "cross-entropy of the clip, in nats"},
}
