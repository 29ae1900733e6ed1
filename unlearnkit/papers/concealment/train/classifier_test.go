package train

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/discriminator"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// withWeights returns a folder with the configuration of one model and the weights of another.
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

func bits(t *testing.T, c *discriminator.Classifier) map[string][]float32 {
	t.Helper()
	all := map[string][]float32{}
	for variable := range c.Scope().IterVariables() {
		all[variable.Path()] = tensors.MustCopyFlatData[float32](variable.MustValue())
	}
	return all
}

// head_only moves only the last layer; full_triplet moves all layers.
func TestClassifier_MovedLayers(t *testing.T) {
	s, l := onScene(t), newLab(t)
	d := devicetest.Open(t)
	world, err := open(tinyWorld)
	if err != nil {
		t.Fatal(err)
	}
	pictures := rendered(world, concept.Train, nil)
	half := len(pictures.Values) / 2
	fit := fitting(tinyAttack().Fit)
	err = l.withJudge(d, s.judge, 32, func(j *judge) error {
		c, err := j.fresh(5)
		if err != nil {
			return err
		}
		before := bits(t, c)
		for path, values := range before {
			if own := j.Store.GetVariable(path); !resnet.Head(path) &&
				!slices.Equal(values, tensors.MustCopyFlatData[float32](own.MustValue())) {
				t.Errorf("%s does not begin as the judge's", path)
			}
		}
		lessons := discriminator.NewLessons(pictures.Values[:half], pictures.Values[half:], pictures.Each, fit.Held,
			classifierStreams(5))
		first := map[string]map[string][]float32{}
		// The weights that one classifier has learnt must not influence the next one.
		for _, name := range slices.Concat(concealment.Classifiers, concealment.Classifiers) {
			if c, err = j.fresh(5); err != nil {
				return err
			}
			if err := c.Fit(t.Context(), name, lessons, fit, classifierStreams(5), func(int, int) {}); err != nil {
				return err
			}
			after := bits(t, c)
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
		lessons.Learnt = slices.DeleteFunc(lessons.Learnt, func(row int) bool {
			return lessons.Labels[row] == discriminator.ByUnlearned
		})
		if err := c.Fit(t.Context(), "head_only", lessons, fit, classifierStreams(5), nil); err == nil ||
			!strings.Contains(err.Error(), "pictures of one model only") {
			t.Errorf("pictures of one model: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestClassifier_CannotLearn(t *testing.T) {
	s, spec := onScene(t), tinyAttack()
	spec.Fit.Rate = 1e30
	in := inputs(&spec, s.original, s.other, s.judge)
	_, err := do(t, concealment.Attack.Kind(), spec, func(w *store.Work) error {
		return newLab(t).Attack(t.Context(), spec, in, w, nil)
	})
	if err == nil || !strings.Contains(err.Error(), "choose a lower rate than 1e+30") {
		t.Errorf(`got the error %v, want one with "choose a lower rate than 1e+30"`, err)
	}
}
