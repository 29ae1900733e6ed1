package unslu

import (
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// Clock says what a model's cost is measured by.
type Clock struct {
	Name    string
	Seconds func(cost, gold Cost) float64 // of a model beside its gold model
}

// paperGoldSeconds is how long the paper's gold models of SLURP* took, by the fit to its printed values. It gives the
// passes a scale: GUM depends on the unit of time.
const paperGoldSeconds = 69133

// Clocks are the one on the wall, as in the paper, and that of passes, which is the same on every machine.
var (
	Wall   = Clock{"wall", func(cost, _ Cost) float64 { return cost.Seconds }}
	Passes = Clock{"passes", func(cost, gold Cost) float64 { return paperGoldSeconds * cost.Passes / gold.Passes }}
)

// beside is what the paper's metric looks at: a model, the one that it was made of, and gold.
func (b *BenchmarkScores) beside(m *Model, split string, clock Clock) metric.GUMInput {
	original, gold, own := b.Original.On(split), b.Gold.On(split), m.On(split)
	return metric.GUMInput{
		AccuracyGold: gold.Known.Accuracy, AccuracyUnlearned: own.Known.Accuracy,
		F1Gold: gold.Known.MacroF1, F1Unlearned: own.Known.MacroF1,
		MIAOriginal: original.Attack.MIA, MIAGold: gold.Attack.MIA, MIAUnlearned: own.Attack.MIA,
		SecondsGold: clock.Seconds(b.Gold.Cost, b.Gold.Cost), SecondsUnlearned: clock.Seconds(m.Cost, b.Gold.Cost),
	}
}

// unchanged tells whether a model is one that unlearns nothing.
func (b *BenchmarkScores) unchanged(m *Model) bool { return m == b.Original || m == b.Gold }

// gum is the metric of a model; those that unlearn nothing have 0 by definition.
func (b *BenchmarkScores) gum(m *Model, split string, clock Clock, variant metric.GUMVariant) float64 {
	if b.unchanged(m) {
		return 0
	}
	return metric.GUM(b.beside(m, split, clock), variant).GUM
}

// speedup is how many times faster a model was made than gold; that of the models that unlearn nothing is 1, as the
// paper prints it.
func (b *BenchmarkScores) speedup(m *Model, clock Clock) float64 {
	if b.unchanged(m) {
		return 1
	}
	return metric.Speedup(clock.Seconds(b.Gold.Cost, b.Gold.Cost), clock.Seconds(m.Cost, b.Gold.Cost))
}
