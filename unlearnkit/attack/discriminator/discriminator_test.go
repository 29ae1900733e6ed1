package discriminator

import (
	"math"
	"slices"
	"testing"
)

// The unlearned model's pictures come before the original's.
func TestLessons_Order(t *testing.T) {
	original, unlearned := []float32{1, .5, 1, 0, 0, 0}, []float32{-1, -.5, -1, 0, .25, 0}
	l := NewLessons(original, unlearned, 2, .34, Streams{"concept", 1})
	if want := []float32{-1, -.5, -1, 0, .25, 0, 1, .5, 1, 0, 0, 0}; !slices.Equal(l.Pictures.Values, want) ||
		!slices.Equal(l.Labels, []int32{0, 0, 0, 1, 1, 1}) || len(l.Learnt) != 4 {
		t.Errorf("got %v %v %v, want l.Pictures.Values %v, l.Labels %v, length 4 of l.Learnt",
			l.Pictures.Values, l.Labels, l.Learnt, want, []int32{0, 0, 0, 1, 1, 1})
	}
	l.Learnt = []int{0, 1, 3}
	training, validation := l.Accuracy(func(row int) float64 { return []float64{.1, .9, .2, .8, .3, .7}[row] })
	if math.Abs(training-2./3) > 1e-15 || math.Abs(validation-2./3) > 1e-15 {
		t.Errorf("%v of what is learnt is told right, %v of the others", training, validation)
	}
}

func TestCosines_Zero(t *testing.T) {
	if got := Cosines([]float64{3, 4}, [][]float64{{6, 8}, {0, 0}, {4, -3}}); !slices.Equal(got, []float64{1, 0, 0}) {
		t.Errorf("got %v, want %v", got, []float64{1, 0, 0})
	}
	if got := Cosines([]float64{0, 0}, [][]float64{{1, 0}}); got[0] != 0 {
		t.Errorf("got %v, want [0] 0", got)
	}
}
