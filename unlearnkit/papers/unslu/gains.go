package unslu

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Gain compares an original with an original whose backbone was not pre-trained, on clips of speakers that neither was
// trained on.
type Gain struct {
	Benchmark       string
	Taught, Without certify.Cell // macro F1 on test clips, with and without pre-training
	Gained          certify.Cell // difference of Taught and Without, paired by world
}

// Gains returns a gain for each benchmark whose originals were also trained without pre-training.
func (r *Results) Gains() (all []Gain) {
	untaught := line{of: func(b *BenchmarkScores) *Model { return b.Untaught }}
	for i, b := range r.Preset.Benchmarks {
		if b.Untaught == "" {
			continue
		}
		taught, without := r.score(i, original, f1(Test)), r.score(i, untaught, f1(Test))
		all = append(all, Gain{Benchmark: b.Name(), Taught: r.estimate(taught), Without: r.estimate(without),
			Gained: r.estimate(func(world int) float64 { return taught(world) - without(world) })})
	}
	return all
}

// gains tabulates the gains from pre-training.
func (r *Results) gains() (*report.Table, error) {
	all := r.Gains()
	if len(all) == 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has no originals from first values"}
	}
	t := &report.Table{Title: fmt.Sprintf("Gain from pre-training (%s)", r.Preset.Name), Corner: "Benchmark",
		Columns: []report.Column{{Name: "pre-trained"}, {Name: "from first values"}, {Name: "gained"}}}
	for _, g := range all {
		t.Rows = append(t.Rows, report.Named(r.Preset.levels(g.Benchmark)...).With(
			short(g.Taught), short(g.Without), short(g.Gained)))
	}
	t.Note = "F1_T of the original, and of a model trained in the same way on the same clips from a backbone " +
		"without pre-training. The latter is the same for both backbones of a data set, which differ only in " +
		"pre-training. Means over worlds with 95 % intervals; each backbone was pre-trained once, so the " +
		"intervals leave out how another pre-training would differ."
	return t, nil
}
