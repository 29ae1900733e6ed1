package train

import (
	"cmp"
	"context"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

var (
	tinyWorld = concealment.World{Spec: concept.Spec{Seed: 1, ImageSize: 32, Train: 40, ClassifierTrain: 48,
		ClassifierTest: 8}}
	tinySampling = concealment.Sampling{Solver: "ddim", Steps: 4, Guidance: 3}
	tinyJudge    = concealment.JudgeSpec{World: tinyWorld, Blocks: []int{1, 1}, Widths: []int{8, 12}, Steps: 6,
		Batch: 8, Rate: 1e-2, Warmup: 2, Decay: .01}
	tinyBase = concealment.BaseSpec{
		World: tinyWorld,
		Network: concealment.Network{Channels: []int{8, 16}, Attending: 1, Heads: 2, FeedForward: 2, Context: 8,
			Output: "sample", Halvings: 2, Low: .7, Detail: 1.5},
		Training: concealment.Training{Steps: 12, Batch: 4, Rate: 1e-2, Warmup: 2, Decay: 1e-4, Clip: 1, Average: .5,
			Dropped: .1},
	}
)

// scene holds a judge, an original model, and another model, which attacks use as the unlearned model.
type scene struct{ judge, original, other *store.Artifact }

// underTest returns the name of the device that package devicetest opens.
func underTest() string { return cmp.Or(os.Getenv(device.Variable), "go") }

func newLab(t testing.TB) *Lab {
	t.Helper()
	d := devicetest.Open(t)
	l := NewLab(func() (*device.Device, error) { return d, nil })
	l.atOnce = 8 // a smaller batch is faster
	return l
}

// shared is the path of the store that all tests share.
var shared string

var tiny = sync.OnceValues(func() (*scene, error) {
	s := &scene{}
	kept, err := store.Open(shared)
	if err != nil {
		return nil, err
	}
	l := NewLab(func() (*device.Device, error) { return device.Open(underTest()) })
	other := tinyBase
	other.Seed, other.World.Without = 1, concept.Concept{Style: "swirl"}
	for _, made := range []struct {
		to    **store.Artifact
		stage store.Stage
		spec  any
		make  func(ctx context.Context, w *store.Work) error
	}{
		{&s.judge, concealment.Judge.Kind(), tinyJudge, func(ctx context.Context, w *store.Work) error {
			return l.Judge(ctx, tinyJudge, study.Inputs{}, w, nil)
		}},
		{&s.original, concealment.Base.Kind(), tinyBase, func(ctx context.Context, w *store.Work) error {
			return l.Base(ctx, tinyBase, study.Inputs{}, w, nil)
		}},
		{&s.other, concealment.Base.Kind(), other, func(ctx context.Context, w *store.Work) error {
			return l.Base(ctx, other, study.Inputs{}, w, nil)
		}},
	} {
		artifact, err := kept.Do(context.Background(), made.stage, made.spec, nil, made.make)
		if err != nil {
			return nil, err
		}
		*made.to = artifact
	}
	return s, nil
})

func TestMain(m *testing.M) {
	var err error
	if shared, err = os.MkdirTemp("", "concealment"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(shared)
	os.Exit(code)
}

func onScene(t testing.TB) *scene {
	t.Helper()
	devicetest.Watch(t, 2*time.Minute)
	s, err := tiny()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// do runs a function that writes an artifact, in a store of its own.
func do(t testing.TB, stage store.Stage, spec any, make func(w *store.Work) error) (*store.Artifact, error) {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s.Do(t.Context(), stage, spec, nil, func(_ context.Context, w *store.Work) error { return make(w) })
}

func must(t testing.TB, stage store.Stage, spec any, make func(w *store.Work) error) *store.Artifact {
	t.Helper()
	artifact, err := do(t, stage, spec, make)
	if err != nil {
		t.Fatal(err)
	}
	return artifact
}

// heard returns a progress callback. It checks that progress rises to its end.
func heard(t testing.TB) study.Progress {
	t.Helper()
	last, total := -1, 0
	t.Cleanup(func() {
		if last != total {
			t.Errorf("the progress ends at %d of %d", last, total)
		}
	})
	return func(done, of int) {
		if done < last {
			t.Errorf("the progress goes from %d back to %d of %d", last, done, of)
		}
		last, total = done, of
	}
}
