package train

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

func tinyErasure(method string) concealment.ErasureSpec {
	values := map[string]float64{"rate": 1e-3, "batch": 4, "steps": 4}
	if method == "sdd" {
		values["average"] = .5
	}
	if strings.HasPrefix(method, "ablating") {
		values["anchors"], values["rate"] = 8, 1e-2
	} else {
		values["trajectories"], values["stops"] = 4, 2
	}
	return concealment.ErasureSpec{Erasure: concept.Erasures()[4], Method: method,
		Version: catalogue.Denoising.Entry(method).Version, Values: values}
}

func tinyTuning(method string) concealment.TuningSpec {
	return concealment.TuningSpec{ErasureSpec: tinyErasure(method), Budgets: []int{1, 3}, Forget: 3, Retain: 5,
		Sampling: tinySampling}
}

func (s *scene) erase(t *testing.T, l *Lab, method string) *store.Artifact {
	t.Helper()
	spec := concealment.ErasedSpec{ErasureSpec: tinyErasure(method), Budget: 2}
	spec.Start = study.Input(s.original.Key)
	return must(t, concealment.Erased.Kind(), spec, func(w *store.Work) error {
		return l.Erase(t.Context(), spec, study.NewInputs(s.original), w, heard(t))
	})
}

func contents(t *testing.T, dir string) map[string][]float64 {
	t.Helper()
	file, err := safefile.Open(filepath.Join(dir, lab.WeightsFile))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	all := map[string][]float64{}
	for _, name := range file.Names() {
		tensor, _ := file.Tensor(name)
		all[name] = make([]float64, tensor.Elements())
		if err := file.Float64(name, all[name]); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// Every method moves its group of weights, and notes how far.
func TestErase_MovesGroup(t *testing.T) {
	s, l := onScene(t), newLab(t)
	before := contents(t, s.original.Dir)
	for method, group := range map[string]string{"esd-x": "attn2", "esd-u": "", "sdd": "attn2",
		"ablating-model": "attn2.to_", "ablating-noise-embedding": "token_embedding", "esd-x-newer": "attn2"} {
		erased := s.erase(t, l, method)
		var square, move float64
		for name, values := range contents(t, erased.Dir) {
			moved := !slices.Equal(values, before[name])
			if moved && group != "" && !strings.Contains(name, group) || moved && group == "" &&
				strings.Contains(name, "attn2") {
				t.Errorf("%s has moved %s", method, name)
			}
			for i, value := range values {
				square += before[name][i] * before[name][i]
				move += (value - before[name][i]) * (value - before[name][i])
			}
		}
		var notes struct {
			All     float64 `json:"distance"`
			Trained float64 `json:"distance_trained"`
			Count   int     `json:"parameters_trained"`
		}
		raw, err := json.Marshal(erased.Manifest.Notes)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &notes); err != nil {
			t.Fatal(err)
		}
		if want := math.Sqrt(move / square); !(want > 0) || math.Abs(notes.All-want) > .02*want ||
			notes.Trained <= notes.All || notes.Count == 0 {
			t.Errorf("%s: %+v; the weights that were kept have moved by %v", method, notes, want)
		}
		t.Logf("%s: %+v", method, notes)
	}
}

// Another method has left graphs and weights in memory before the second run of ESD-x. The third run has a new lab.
func TestErase_SameBytes(t *testing.T) {
	s, l := onScene(t), newLab(t)
	first := s.erase(t, l, "esd-x")
	s.erase(t, l, "sdd")
	if err := store.Same(first, s.erase(t, l, "esd-x")); err != nil {
		t.Error(err)
	}
	if err := store.Same(first, s.erase(t, newLab(t), "esd-x")); err != nil {
		t.Error(err)
	}
}

func (s *scene) tune(t *testing.T, ctx context.Context, in *store.Store, l *Lab, spec concealment.TuningSpec,
	progress study.Progress) (*store.Artifact, error) {
	t.Helper()
	spec.Start, spec.Judge = study.Input(s.original.Key), study.Input(s.judge.Key)
	return in.Do(ctx, concealment.Tuning.Kind(), spec, nil, func(ctx context.Context, w *store.Work) error {
		return l.Tune(ctx, spec, study.NewInputs(s.original, s.judge), w, progress)
	})
}

func emptyStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTuning_Interrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	s, l := onScene(t), newLab(t)
	for _, method := range []string{"esd-x", "sdd"} {
		calm, err := s.tune(t, t.Context(), emptyStore(t), l, tinyTuning(method), heard(t))
		if err != nil {
			t.Fatal(err)
		}
		kept := emptyStore(t)
		for _, stop := range []int{1, 3} { // interrupt before and after the first judged pictures, at step 2 of 6
			ctx, cancel := context.WithCancel(t.Context())
			first := -1
			_, err := s.tune(t, ctx, kept, l, tinyTuning(method), func(done, _ int) {
				if first < 0 {
					first = done
				}
				if done >= stop {
					cancel()
				}
			})
			cancel()
			if !errors.Is(err, context.Canceled) || stop > 1 && first < 2 {
				t.Fatalf("%s: stopped at step %d, having begun with %d: %v", method, stop, first, err)
			}
		}
		resumed, err := s.tune(t, t.Context(), kept, l, tinyTuning(method), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Same(calm, resumed); err != nil {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// Tuning judges pictures of the concept and of retained prompts, before the method and after each budget.
func TestTuning_Looks(t *testing.T) {
	s, l, spec := onScene(t), newLab(t), tinyTuning("esd-x")
	tuned, err := s.tune(t, t.Context(), emptyStore(t), l, spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{study.StepsFile, concealment.LookFile(0), concealment.LookFile(1),
		concealment.LookFile(3)}; !slices.Equal(tuned.Names(), want) {
		t.Errorf("tuning leaves %v, want %v", tuned.Names(), want)
	}
	forget, retain := spec.Erasure.Tuning()
	for _, budget := range []int{0, 1, 3} {
		views, err := concealment.ReadViews(tuned, concealment.LookFile(budget))
		if err != nil {
			t.Fatal(err)
		}
		for i, view := range views {
			from := retain
			if i < spec.Forget {
				from = forget
			}
			if !slices.Contains(from, view.Prompt) || view.Number != 0 {
				t.Errorf("after %d passes, picture %d: %+v", budget, i, view)
			}
		}
		if len(views) != spec.Forget+spec.Retain {
			t.Errorf("after %d passes: %d pictures", budget, len(views))
		}
	}
}

func TestPrompts_InTurns(t *testing.T) {
	asked := inTurns([]string{"cat", "dog", "rose"}, 7)
	counts := map[string]int{}
	for i, view := range asked {
		if view.Number != i/3 {
			t.Errorf("picture %d: %+v", i, view)
		}
		counts[view.Prompt]++
	}
	if values := slices.Sorted(maps.Values(counts)); !slices.Equal(values, []int{2, 2, 3}) {
		t.Errorf("got %v, want values %v", counts, []int{2, 2, 3})
	}
	if got := inTurns(nil, 3); len(got) != 0 {
		t.Errorf("%v of no prompts", got)
	}
}

func TestNamed_FirstText(t *testing.T) {
	for _, erasure := range concept.Erasures() {
		texts, err := namedPrompts(erasure, false)
		if err != nil {
			t.Fatal(err)
		}
		name, err := tokens(erasure.Prompt, erasure.Anchor)
		if err != nil {
			t.Fatal(err)
		}
		columns, err := texts.Batch([]int{0, texts.Rows() - 1})
		if err != nil {
			t.Fatal(err)
		}
		if texts.Rows() != len(erasure.Pairs())+1 ||
			!slices.Equal(texts.prompts[:concept.ContextLength], name[:concept.ContextLength]) ||
			!slices.Equal(texts.anchors[:concept.ContextLength], name[concept.ContextLength:]) ||
			len(columns) != len(texts.Columns()) {
			t.Errorf("%s: %d texts of %d pairs", erasure.Paper, texts.Rows(), len(erasure.Pairs()))
		}
		if alone, err := namedPrompts(erasure, true); err != nil ||
			!slices.Equal(alone.prompts, name[:concept.ContextLength]) {
			t.Errorf("%s alone: %v, %v", erasure.Paper, alone, err)
		}
	}
}

func TestErase_Refused(t *testing.T) {
	s, l := onScene(t), newLab(t)
	for _, test := range []struct {
		says   string
		change func(spec *concealment.ErasedSpec)
	}{
		{`no method is called "esd-y"; did you mean "esd-x"?`, func(spec *concealment.ErasedSpec) {
			spec.Method = "esd-y"
		}},
		{`no method is called "direct"; there are esd-x`, func(spec *concealment.ErasedSpec) {
			spec.Method = "direct"
		}},
		{"method esd-x has version 1 here, but the run has version 2", func(spec *concealment.ErasedSpec) {
			spec.Version = 2
		}},
		{`"unicorn" is no word of this world`, func(spec *concealment.ErasedSpec) { spec.Erasure.Prompt = "unicorn" }},
		{`has no setting "speed"; it has rate`, func(spec *concealment.ErasedSpec) { spec.Values["speed"] = 1 }},
		{`a budget of 0 passes`, func(spec *concealment.ErasedSpec) { spec.Budget = 0 }},
		{`diverged`, func(spec *concealment.ErasedSpec) { spec.Values["rate"] = 1e30 }},
	} {
		spec := concealment.ErasedSpec{ErasureSpec: tinyErasure("esd-x"), Budget: 1}
		spec.Start = study.Input(s.original.Key)
		test.change(&spec)
		_, err := do(t, concealment.Erased.Kind(), spec, func(w *store.Work) error {
			return l.Erase(t.Context(), spec, study.NewInputs(s.original), w, nil)
		})
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v; want one line with %q", err, test.says)
		}
	}
}
