package compute

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// withWeights is a model's folder with the weights of another.
func withWeights(t *testing.T, dir, weights string) string {
	t.Helper()
	mixed := t.TempDir()
	for name, from := range map[string]string{lab.ConfigFile: dir, lab.WeightsFile: weights} {
		content, err := os.ReadFile(filepath.Join(from, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(mixed, name), content, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return mixed
}

func (c *classifier) bits(t *testing.T) map[string][]float32 {
	t.Helper()
	all := map[string][]float32{}
	for variable := range c.scope().IterVariables() {
		all[variable.Path()] = tensors.MustCopyFlatData[float32](variable.MustValue())
	}
	return all
}

func TestHeadOnlyMovesTheLastLayerAloneAndFullTripletAllOfThem(t *testing.T) {
	s, l := onScene(t), newLab(t)
	d := devicetest.Open(t)
	world, err := open(tinyWorld)
	if err != nil {
		t.Fatal(err)
	}
	pictures := rendered(world, concept.Train, nil)
	half := len(pictures.values) / 2
	fit := tinyAttack().Fit
	err = l.withJudge(d, s.judge, 32, func(j *judge) error {
		c, err := j.fresh(5)
		if err != nil {
			return err
		}
		before := c.bits(t)
		for path, values := range before {
			if own := j.store.GetVariable(path); !resnet.Head(path) &&
				!slices.Equal(values, tensors.MustCopyFlatData[float32](own.MustValue())) {
				t.Errorf("%s does not begin as the judge's", path)
			}
		}
		lessons := newLessons(pictures.values[:half], pictures.values[half:], pictures.each, fit, 5)
		first := map[string]map[string][]float32{}
		// what one has learnt is nothing to the next
		for _, name := range slices.Concat(concealment.Classifiers, concealment.Classifiers) {
			if c, err = j.fresh(5); err != nil {
				return err
			}
			if err := c.fit(t.Context(), name, lessons, fit, 5, func(int, int) {}); err != nil {
				return err
			}
			after := c.bits(t)
			for path, values := range after {
				if moved, may := !slices.Equal(values, before[path]),
					name != "head_only" || resnet.Head(path); moved != may {
					t.Errorf("%s: %s has moved: %v", name, path, moved)
				}
				if first[name] != nil && !slices.Equal(values, first[name][path]) {
					t.Errorf("%s: %s is another the second time", name, path)
				}
			}
			first[name] = after
		}
		lessons.learnt = lessons.of(byOriginal)
		if err := c.fit(t.Context(), "head_only", lessons, fit, 5, nil); err == nil ||
			!strings.Contains(err.Error(), "pictures of one model only") {
			t.Errorf("pictures of one model: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestLessonsLayTheOtherModelsPicturesBeforeTheOriginals(t *testing.T) {
	original, unlearned := []float32{1, .5, 3, 0, 0, 0}, []float32{-1, -.5, -3, 0, .25, 0}
	l := newLessons(original, unlearned, 2, concealment.Fit{Held: .34}, 1)
	if want := []float32{-1, -.5, -1, 0, .25, 0, 1, .5, 1, 0, 0, 0}; !slices.Equal(l.pictures.values, want) ||
		!slices.Equal(l.labels, []int32{0, 0, 0, 1, 1, 1}) || len(l.learnt) != 4 {
		t.Errorf("%v %v %v", l.pictures.values, l.labels, l.learnt)
	}
	if original[2] != 3 {
		t.Error("the pictures themselves were cut")
	}
	l.learnt = []int{0, 1, 3}
	training, validation := l.accuracy(func(row int) float64 { return []float64{.1, .9, .2, .8, .3, .7}[row] })
	if math.Abs(training-2./3) > 1e-15 || math.Abs(validation-2./3) > 1e-15 {
		t.Errorf("%v of what is learnt is told right, %v of the others", training, validation)
	}
}

func TestCosinesOfFeaturesThatAreAllZeroAreZero(t *testing.T) {
	if got := cosines([]float64{3, 4}, [][]float64{{6, 8}, {0, 0}, {4, -3}}); !slices.Equal(got, []float64{1, 0, 0}) {
		t.Errorf("%v", got)
	}
	if got := cosines([]float64{0, 0}, [][]float64{{1, 0}}); got[0] != 0 {
		t.Errorf("%v", got)
	}
}

func TestAClassifierThatCannotLearnSaysSo(t *testing.T) {
	s, spec := onScene(t), tinyAttack()
	spec.Fit.Rate = 1e30
	_, err := do(t, concealment.Attack.Kind(), spec, func(w *store.Work) error {
		return newLab(t).Attack(t.Context(), spec, s.original, s.other, s.judge, w, nil)
	})
	if err == nil || !strings.Contains(err.Error(), "choose a lower rate than 1e+30") {
		t.Errorf("%v", err)
	}
}
