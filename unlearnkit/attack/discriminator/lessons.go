package discriminator

import (
	"math"
	"slices"
)

// Lessons holds the pictures that classifiers learn from.
type Lessons struct {
	Pictures Pictures
	Labels   []int32
	Learnt   []int // rows to learn from; the others are held out for validation
}

// NewLessons concatenates the pictures of two models, the unlearned model's first, and splits them at random.
func NewLessons(original, unlearned []float32, each int, held float64, from Streams) *Lessons {
	l := &Lessons{Pictures: Pictures{slices.Concat(unlearned, original), each}}
	l.Labels = slices.Concat(slices.Repeat([]int32{ByUnlearned}, len(unlearned)/each),
		slices.Repeat([]int32{byOriginal}, len(original)/each))
	count := len(l.Labels)
	l.Learnt = from.stream("split").Perm(count)[int(math.Round(held*float64(count))):]
	return l
}

// rowsOf returns the rows to learn from that have a label.
func (l *Lessons) rowsOf(label int32) []int {
	return slices.DeleteFunc(slices.Clone(l.Learnt), func(row int) bool { return l.Labels[row] != label })
}

// Accuracy returns the share of correctly classified pictures, among the rows to learn from and among the others.
func (l *Lessons) Accuracy(probabilities func(row int) float64) (training, validation float64) {
	right, count := [2]float64{}, [2]float64{}
	for row, label := range l.Labels {
		held := 1
		if slices.Contains(l.Learnt, row) {
			held = 0
		}
		count[held]++
		if (probabilities(row) > .5) == (label == byOriginal) {
			right[held]++
		}
	}
	return right[0] / count[0], right[1] / count[1]
}
