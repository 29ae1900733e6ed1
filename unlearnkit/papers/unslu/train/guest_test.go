package train

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/guesttest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/classifying"
)

// unlearnedFolder runs a method again and returns the folder of its model.
func unlearnedFolder(t *testing.T, l *Lab, s *store.Store, run *study.Run) string {
	t.Helper()
	spec, _ := unslu.Unlearned.Spec(run)
	start, err := s.Local(store.Key(spec.Start))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	_, err = s.Do(t.Context(), store.Stage{Name: "test/export", Version: 1}, "", nil,
		func(ctx context.Context, w *store.Work) error {
			method, err := l.Method(spec.Method, spec.Version)
			if err != nil {
				return err
			}
			d, c, m, err := l.begin(w, spec.Corpus, start)
			if err != nil {
				return err
			}
			defer m.store.Finalize()
			return lab.Run(ctx, classifying.Job{Device: d, Store: m.store,
				Task:   classifying.Wav2Vec2(m.config, unlearn.Streams{unlearn.Forget: c.forget, unlearn.Retain: c.retain}),
				Method: method, Values: spec.Values, Budgets: []int{1}, Seed: spec.Seed,
				Snapshot: func(context.Context, int) error { return m.saveWhole(dir) }}, w)
		})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestImport_OwnMethod(t *testing.T) {
	if testing.Short() {
		t.Skip("trains the models of a world")
	}
	d := devicetest.Open(t)
	s, err := unslu.Study.OpenStore(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	smoke := unslu.Smoke()
	smoke.Benchmarks = smoke.Benchmarks[:1]
	plan := unslu.NewPlan(smoke.Only(smoke.Benchmarks[0].Methods[1]))
	l := NewLab(func() (*device.Device, error) { return d, nil })
	l.Guests = guest.Models{}
	if err := plan.Execute(t.Context(), s, l.Makers(), study.Options{Workers: 2}); err != nil {
		t.Fatal(err)
	}
	host := guesttest.Host{Paper: "unslu", Store: s, Plan: plan.PresetPlan(), Makers: l.Makers(), Models: l.Guests}
	evaluate := func(folder string) error {
		return host.Evaluate(t, "mine", smoke.Benchmarks[0].Name(), guest.Model{Path: folder})
	}
	found, _ := host.Read(t, smoke.Benchmarks[0].Table)
	before := found.Claims()
	folder := unlearnedFolder(t, l, s, plan.Worlds[0].Benchmarks[0].Methods[0][0])
	if err := evaluate(folder); err != nil {
		t.Fatal(err)
	}
	found, cells := host.Read(t, smoke.Benchmarks[0].Table)
	guesttest.Shown(t, unslu.Study, found, "mine", before, 2, "table"+smoke.Benchmarks[0].Table)
	byTitle := map[string][]certify.Cell{}
	for _, row := range cells {
		for _, c := range row {
			if c.Column != "GUM" && c.Column != "Speedup" { // these need the unknown training time
				byTitle[c.Levels[2]] = append(byTitle[c.Levels[2]], c)
			}
		}
	}
	method := byTitle[smoke.Benchmarks[0].Methods[1].Title]
	if len(method) != 5 {
		t.Fatalf("the method has %d cells, want 5", len(method))
	}
	guesttest.Equal(t, "mine", method, byTitle["mine (guest)"], 0)
	config := filepath.Join(folder, lab.ConfigFile)
	content, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(content), `"num_attention_heads": 2`, `"num_attention_heads": 4`, 1)
	if err := os.WriteFile(config, []byte(other), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := evaluate(folder); err == nil || !strings.Contains(err.Error(), "its configuration describes another model") {
		t.Errorf("a model with other heads is judged: %v", err)
	}
}
