package train

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// tiny returns the smoke preset with a single benchmark and some of its methods.
func tiny(benchmark string, methods ...string) unslu.Preset {
	p := unslu.Smoke()
	p.Benchmarks = slices.DeleteFunc(p.Benchmarks, func(b unslu.Benchmark) bool { return b.Name() != benchmark })
	b := &p.Benchmarks[0]
	b.Methods = slices.DeleteFunc(b.Methods, func(m unslu.Method) bool { return !slices.Contains(methods, m.Name) })
	p.Backbones = slices.DeleteFunc(p.Backbones, func(known unslu.BackbonePreset) bool {
		return known.Name != b.Backbone && known.Name != b.Untaught
	})
	p.Epochs, p.Rates = unslu.EpochSweep{}, unslu.RateSweep{}
	return p
}

func made(t *testing.T, ctx context.Context, s *store.Store, p unslu.Preset) (*unslu.Plan, error) {
	t.Helper()
	plan := unslu.NewPlan(p)
	lab := NewLab(func() (*device.Device, error) { return devicetest.Open(t), nil })
	return plan, plan.Execute(ctx, s, lab.Makers(), study.Options{})
}

func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// same checks that two stores have the same bytes for every run, except for measured seconds.
func same(t *testing.T, plan *unslu.Plan, one, other *store.Store) {
	t.Helper()
	for _, run := range plan.Runs() {
		a, err := one.Get(run.Key())
		if err != nil {
			t.Fatal(err)
		}
		b, err := other.Get(run.Key())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Names(), b.Names()) {
			t.Errorf("%s: %v and %v", run.Title, a.Names(), b.Names())
		}
		for _, name := range a.Names() {
			first, err := a.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			second, err := b.ReadFile(name)
			if err != nil || name != unslu.CostFile && !bytes.Equal(first, second) {
				t.Errorf("%s: %s is another, %v", run.Title, name, err)
			}
		}
	}
}

// The runs make the same bytes as ever, under the same vector instructions.
func TestRun_SameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	s, digests := open(t), map[string]string{}
	plan, err := made(t, t.Context(), s, tiny("SLURP*/wav2vec 2.0", "negative", "bad-teaching"))
	if err != nil {
		t.Fatal(err)
	}
	for _, run := range plan.Runs() {
		digests[run.Title] = unlearntest.ArtifactDigest(t, s, run, unslu.CostFile)
	}
	t.Run("digests", func(t *testing.T) { unlearntest.CompareDigests(t, "testdata/digests.json", digests) })
	r, err := plan.Read(s)
	if err != nil {
		t.Fatal(err)
	}
	b := r.Worlds[0].Benchmarks[0]
	if b.Original.Cost().Passes <= b.Gold.Cost().Passes || b.Methods[0][0].Cost().Passes >= b.Gold.Cost().Passes {
		t.Errorf("passes: original %v, gold %v, NG %v", b.Original.Cost(), b.Gold.Cost(), b.Methods[0][0].Cost())
	}
	counts := map[string]int{}
	for i, s := range b.Gold.Scores {
		counts[s.Split]++
		if o := b.Original.Scores[i]; o.ID != s.ID || s.Loss <= 0 || o.Loss == s.Loss {
			t.Errorf("%s: a loss of %v under gold and %v under the original", s.ID, s.Loss, o.Loss)
		}
	}
	if counts[unslu.Forget] != 40 || counts[unslu.Validation] != 80 || counts[unslu.Test] != 80 {
		t.Errorf("%v clips", counts)
	}
	if _, err := r.Table("2", true); err != nil {
		t.Error(err)
	}
	if b.Untaught.Scores[0].Loss == b.Original.Scores[0].Loss || len(r.Gains()) != 1 {
		t.Errorf("without pre-training the loss is %v too", b.Original.Scores[0].Loss)
	}
}

func TestTraining_Interrupted(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	p := tiny("FSC/wav2vec 2.0")
	whole, torn := open(t), open(t)
	plan, err := made(t, t.Context(), whole, p)
	if err != nil {
		t.Fatal(err)
	}
	training := plan.Worlds[0].Benchmarks[0].OriginalTraining
	lab := NewLab(func() (*device.Device, error) { return devicetest.Open(t), nil })
	interruptions := 0
	for {
		ctx, cancel := context.WithCancel(t.Context())
		makers := interrupting(lab, cancel, 12)
		err := plan.Make(ctx, torn, makers, study.Options{}, training)
		cancel()
		if err == nil {
			break
		}
		if interruptions++; interruptions > 50 || !strings.Contains(err.Error(), context.Canceled.Error()) {
			t.Fatal(err)
		}
	}
	if interruptions < 3 {
		t.Errorf("%d interruptions", interruptions)
	}
	if _, err := made(t, t.Context(), torn, p); err != nil {
		t.Fatal(err)
	}
	same(t, plan, whole, torn)
}

// interrupting returns stages that train with a lab and are interrupted after some steps.
func interrupting(l *Lab, stop func(), steps int) study.Makers {
	return study.NewMakers(unslu.Base.By(func(ctx context.Context, spec unslu.BaseSpec, in study.Inputs, w *store.Work,
		_ study.Progress) error {
		left := steps
		return l.Base(ctx, spec, in, w, func(int, int) {
			if left--; left == 0 {
				stop()
			}
		})
	}), unslu.Backbone.By(l.Backbone))
}

func TestRun_CannotLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: trains")
	}
	spoilt := func(spoil func(c *unslu.Corpus)) unslu.Preset {
		p := tiny("FSC/wav2vec 2.0")
		spoil(&p.Benchmarks[0].Corpus)
		return p
	}
	for says, p := range map[string]unslu.Preset{
		"0 speakers with more than 900 training clips": spoilt(func(c *unslu.Corpus) { c.MoreThan = 900 }),
		"no recordings in the language":                spoilt(func(c *unslu.Corpus) { c.World.Language = "nl" }),
		"100 samples are too few":                      spoilt(func(c *unslu.Corpus) { c.Samples = 100 }),
	} {
		_, err := made(t, t.Context(), open(t), p)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %q", err, says)
		}
	}
}
