package train

import (
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func TestLook_SameBytes(t *testing.T) {
	s, l := onScene(t), newLab(t)
	spec := concealment.SamplesSpec{Prompts: []string{"cat swirl", "dog"}, Each: 3, Sampling: tinySampling, Seed: 2,
		Judge: study.Input(s.judge.Key)}
	look := func(l *Lab, model *store.Artifact) *store.Artifact {
		spec.Model = study.Input(model.Key)
		return must(t, concealment.Samples.Kind(), spec, func(w *store.Work) error {
			return l.Look(t.Context(), spec, study.NewInputs(model, s.judge), w, heard(t))
		})
	}
	first := look(l, s.original)
	look(l, s.other)
	for _, again := range []*store.Artifact{look(l, s.original), look(newLab(t), s.original)} {
		if err := store.Same(first, again); err != nil {
			t.Error(err)
		}
	}
	views, err := concealment.ReadViews(first, concealment.ViewsFile)
	if err != nil {
		t.Fatal(err)
	}
	for i, view := range views {
		if view.Prompt != spec.Prompts[i/3] || view.Number != i%3 || len(views) != 6 {
			t.Errorf("picture %d of %d: %+v", i, len(views), view)
		}
	}
	spec.Prompts = []string{"cat", "unicorn"}
	_, err = do(t, concealment.Samples.Kind(), spec, func(w *store.Work) error {
		return l.Look(t.Context(), spec, study.NewInputs(s.original, s.judge), w, nil)
	})
	if err == nil || !strings.Contains(err.Error(), `"unicorn" is no word`) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got the error %v, want one with %q", err, `"unicorn" is no word`)
	}
}

// A picture's index in its batch changes only its rounding.
func TestDraw_BatchPlace(t *testing.T) {
	s, l := onScene(t), newLab(t)
	err := l.withArtist(devicetest.Open(t), s.original, func(a *artist) error {
		draw := func(from, to int) []float32 {
			var prompts []string
			var seeds []uint64
			for i := from; i < to; i++ {
				prompts, seeds = append(prompts, []string{"cat", "dog swirl"}[i%2]), append(seeds, uint64(i))
			}
			pictures, err := a.draw(t.Context(), prompts, seeds, tinySampling, nil)
			if err != nil {
				t.Fatal(err)
			}
			return pictures
		}
		all, inPlace, elsewhere := draw(0, 19), draw(16, 19), draw(13, 19)
		each := len(inPlace) / 3
		if len(all) != 19*each || !slices.Equal(inPlace, all[16*each:]) {
			t.Error("at the same place a picture is another")
		}
		devicetest.Same(t, all[13*each:], elsewhere, 1e-4)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
