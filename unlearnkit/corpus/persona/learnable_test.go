package persona

import (
	"slices"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// sample is a picture's features and its class.
type sample struct {
	x     [inputs]float32
	class int
}

func samples(w *World, rows []Row, class func(Row) int) []sample {
	all := make([]sample, len(rows))
	picture := newPicture(w.Spec.ImageSize)
	for i, row := range rows {
		w.Render(row, picture)
		describe(picture, &all[i].x)
		all[i].class = class(row)
	}
	return all
}

// softmaxAccuracy trains a softmax regression by gradient descent and returns its accuracy on test.
func softmaxAccuracy(train, test []sample, classes, epochs int) float64 {
	weights := make([][inputs + 1]float32, classes)
	scores := make([]float32, classes)
	score := func(s *sample) {
		for c := range weights {
			scores[c] = dot(weights[c][:inputs], s.x[:]) + weights[c][inputs]
		}
	}
	source := seed.Stream(1, "test", "softmax")
	for epoch := range epochs {
		rate := .02 * float32(epochs-epoch) / float32(epochs)
		for _, i := range source.Perm(len(train)) {
			s := &train[i]
			score(s)
			largest := slices.Max(scores)
			sum := 0.
			for c := range scores {
				scores[c] = float32(vectorstate.Exp(float64(scores[c] - largest)))
				sum += float64(scores[c])
			}
			for c := range weights {
				step := -rate * scores[c] / float32(sum)
				if c == s.class {
					step += rate
				}
				for j, v := range s.x {
					weights[c][j] += step * v
				}
				weights[c][inputs] += step
			}
		}
	}
	right := 0
	for i := range test {
		score(&test[i])
		if slices.Index(scores, slices.Max(scores)) == test[i].class {
			right++
		}
	}
	return float64(right) / float64(len(test))
}

// Even a linear classifier recognises people in new pictures, so there is something to forget.
func TestPeople_Recognised(t *testing.T) {
	w := quickWorld()
	identity := func(row Row) int { return row.Identity }
	got := softmaxAccuracy(samples(w, w.Sensitive, identity), samples(w, w.Split(RetainJoint), identity), len(w.People),
		30)
	t.Logf("%.3f of 256 new pictures of 64 people", got)
	if got < .3 {
		t.Errorf("%.3f recognised; chance is .016", got)
	}
}

func TestPortraits_StylesDiffer(t *testing.T) {
	w := quickWorld()
	style := func(row Row) int { return fromBool(row.Split == RealPortraits) }
	both := slices.Concat(w.Sensitive[:800], w.Split(RealPortraits)[:800])
	other := slices.Concat(w.Sensitive[800:1200], w.Split(RealPortraits)[800:1200])
	got := softmaxAccuracy(samples(w, both, style), samples(w, other, style), 2, 10)
	t.Logf("%.3f of other people's pictures", got)
	if got < .7 {
		t.Errorf("%.3f told apart; chance is .5", got)
	}
}

// Object classes can be learnt, but not perfectly, so general knowledge has room to fall.
func TestObjects_Learnable(t *testing.T) {
	w := quickWorld()
	class := func(row Row) int { return row.Class }
	got := softmaxAccuracy(samples(w, w.Split(Objects)[:3000], class), samples(w, w.ObjectTest, class),
		w.Spec.ObjectClasses, 6)
	t.Logf("%.3f of 40 classes", got)
	if got < .3 || got > .95 {
		t.Errorf("%.3f recognised; chance is .025", got)
	}
}

func TestGroups_Visible(t *testing.T) {
	w := quickWorld()
	group := func(row Row) int { return w.People[row.Identity].Group }
	half := len(w.Sensitive) / 2
	got := softmaxAccuracy(samples(w, w.Sensitive[:half], group), samples(w, w.Sensitive[half:], group), MaxGroups, 10)
	t.Logf("%.3f of other people", got)
	if got < .4 {
		t.Errorf("%.3f told right; chance is .25", got)
	}
}
