package compute

import (
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// lessons are the pictures that classifiers learn from.
type lessons struct {
	pictures material
	labels   []int32
	learnt   []int // the rows of them; the others are kept for validation
}

// newLessons lays pictures of two models out and splits them at random.
func newLessons(original, unlearned []float32, each int, fit concealment.Fit, root uint64) *lessons {
	l := &lessons{pictures: material{slices.Concat(unlearned, original), each}}
	l.labels = slices.Concat(slices.Repeat([]int32{byUnlearned}, len(unlearned)/each),
		slices.Repeat([]int32{byOriginal}, len(original)/each))
	cut(l.pictures.values)
	count := len(l.labels)
	l.learnt = seed.Stream(root, "concealment", "split").Perm(count)[int(math.Round(fit.Held*float64(count))):]
	return l
}

// of are the rows to learn from with a label.
func (l *lessons) of(label int32) []int {
	return slices.DeleteFunc(slices.Clone(l.learnt), func(row int) bool { return l.labels[row] != label })
}

// accuracy is the share of pictures of lessons that are told right, of those that are learnt from and of the others.
func (l *lessons) accuracy(probabilities func(row int) float64) (training, validation float64) {
	right, count := [2]float64{}, [2]float64{}
	for row, label := range l.labels {
		held := 1
		if slices.Contains(l.learnt, row) {
			held = 0
		}
		count[held]++
		if (probabilities(row) > .5) == (label == byOriginal) {
			right[held]++
		}
	}
	return right[0] / count[0], right[1] / count[1]
}
