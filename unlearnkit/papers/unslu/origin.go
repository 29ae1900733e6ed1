package unslu

import (
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// model is one of those beside which a row stands, or its own.
type model = func(b *BenchmarkScores, m *Model) *Model

// reads is what a column reads of one of the models beside which a row stands.
type reads struct {
	use    study.Use
	of     model
	cost   bool // of its training, not scores
	values []string
	splits []string
}

// Models that columns read.
func itself(_ *BenchmarkScores, m *Model) *Model      { return m }
func theOriginal(b *BenchmarkScores, _ *Model) *Model { return b.Original }
func theGold(b *BenchmarkScores, _ *Model) *Model     { return b.Gold }
func theLongest(b *BenchmarkScores, _ *Model) *Model  { return b.longest }

// known are what a model recognises in a split.
func known(use study.Use, of model, split string) reads {
	return reads{use: use, of: of, values: []string{"label", "predicted"}, splits: []string{split}}
}

// losses are those that the attack looks at.
func losses(use study.Use, of model) reads {
	return reads{use: use, of: of, values: []string{"loss"}, splits: []string{Forget, Test}}
}

// secondsOf are those of a training.
func secondsOf(use study.Use, of model) reads {
	return reads{use: use, of: of, cost: true, values: []string{"seconds"}}
}

// besideGold is what a score of a model reads, and the same of the gold model as its target.
func besideGold(of func(use study.Use, of model) reads) []reads {
	return []reads{of(study.ForValue, itself), of(study.ForTarget, theGold)}
}

// ofGUM is what GUM reads: how well a model and gold recognise, the losses of both and of the original, and the times.
func ofGUM(time model) []reads {
	return []reads{
		known(study.ForValue, itself, Test), known(study.ForValue, theGold, Test),
		losses(study.ForValue, itself), losses(study.ForValue, theGold), losses(study.ForValue, theOriginal),
		secondsOf(study.ForValue, itself), secondsOf(study.ForValue, time),
	}
}

// readings are those of a column of a model in a world. What is read of a model that is its own target, or that of
// models which unlearn nothing and so have a GUM and a speed-up by definition, is left out.
func (c Column) readings(b *BenchmarkScores, m *Model, world int) (all []study.Reading) {
	if c.defined && b.unchanged(m) {
		return nil
	}
	for _, r := range c.reads {
		of := r.of(b, m)
		reading := study.Reading{Run: of.run, For: r.use, Repetition: world, File: ScoresFile,
			Rows: study.Selection{By: []string{"id", "speaker"}, Values: r.values}}
		if r.cost {
			reading.File, reading.Rows.By = CostFile, nil
		} else {
			reading.Rows.Where = []study.Condition{study.Among("split", r.splits...)}
		}
		same := func(other study.Reading) bool {
			return other.Run == reading.Run && other.File == reading.File &&
				slices.Equal(other.Rows.Values, reading.Rows.Values)
		}
		if !slices.ContainsFunc(all, same) {
			all = append(all, reading)
		}
	}
	return all
}

// Origin says what a cell of a table was computed from.
func (r *Results) Origin(number, name, columnName string) (*study.Origin, error) {
	parts, err := r.parts(number)
	if err != nil {
		return nil, err
	}
	readings, at, err := table.Find(parts, number, name, columnName)
	if err != nil {
		return nil, err
	}
	how := "in each world " + columnsOf(number)[at].how + ", then the mean of the worlds"
	if _, method := apart(study.RowNamed(parts, name).Levels); method == aheadTitle && columnsOf(number)[at].defined {
		how = strings.TrimSuffix(how+"."+r.aheadNote(), ".")
	}
	return &study.Origin{Study: Study, Preset: r.Preset.Name, Store: r.store, How: how, Readings: readings}, nil
}
