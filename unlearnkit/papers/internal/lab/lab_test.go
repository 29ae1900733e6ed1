package lab

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/internal/testkit/unlearntest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

func TestMethod_Version(t *testing.T) {
	own := func(names ...string) (all []contrastive.Method) {
		for _, name := range names {
			all = append(all, contrastive.Method{Entry: catalogue.Entry{Name: name, Version: 3}})
		}
		return all
	}
	for _, test := range []struct {
		own     []contrastive.Method
		name    string
		version int
		says    string
	}{
		{nil, "generic", 1, ""},
		{own("halfway"), "halfway", 3, ""},
		{nil, "generic", 2, "method generic has version 1 here, but the run has version 2: plan the study " +
			"with the method's own entry"},
		{own("halfway"), "halfway", 1, "method halfway has version 3 here, but the run has version 1"},
		{nil, "generik", 1, `no method is called "generik"; did you mean "generic"?`},
		{own("generic"), "generic", 3, `2 methods are called "generic": give your own another name`},
	} {
		l := New(func() (*device.Device, error) { return nil, nil }, contrastive.Methods(), test.own)
		m, err := l.Method(test.name, test.version)
		if test.says == "" && (err != nil || m.Name != test.name) || test.says != "" &&
			(err == nil || !strings.HasPrefix(err.Error(), test.says) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%s, version %d: %v, want %s", test.name, test.version, err, test.says)
		}
	}
}

// made runs a function that writes an artifact, and returns the artifact.
func made(t *testing.T, run func(ctx context.Context, w *store.Work) error) (*store.Artifact, error) {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s.Do(t.Context(), store.Stage{Name: "lab/test", Version: 1}, t.Name(), nil, run)
}

// words returns [Looks] that write a word to each file and count how often they do.
func words(w *store.Work, word string, count *int) Looks {
	return Looks{Work: w, File: func(at int) string { return string(rune('a' + at)) },
		Make: func(_ context.Context, path string) error {
			*count++
			return os.WriteFile(path, []byte(word), 0o644)
		}}
}

// A run stores its log, and the result of the look after each budget.
func TestJudged_LogAndLooks(t *testing.T) {
	unlearntest.Watch(t)
	seen := 0
	artifact, err := made(t, func(ctx context.Context, w *store.Work) error {
		if err := os.WriteFile(filepath.Join(w.Resume(), "b"), []byte("earlier"), 0o644); err != nil {
			return err
		}
		return Judged(ctx, unlearntest.NewJob(t, contrastive.GenericCaptions(), 1, 2), words(w, "now", &seen))
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"b", "c", study.StepsFile}; !slices.Equal(artifact.Names(), want) || seen != 1 {
		t.Errorf("%v, want %v; %d looks", artifact.Names(), want, seen)
	}
	if content, err := artifact.ReadFile("b"); err != nil || string(content) != "earlier" {
		t.Errorf("a look that was there is now %s, %v", content, err)
	}
}

func TestJudged_Diverged(t *testing.T) {
	unlearntest.Watch(t)
	job := unlearntest.NewJob(t, unlearntest.Own(func(m contrastive.Models, b unlearn.Batch) *graph.Node {
		return graph.Log(graph.Neg(graph.Exp(graph.ReduceAllSum(m.Policy.Image(b.Of(unlearn.Forget, "image"))))))
	}), 1)
	seen := 0
	artifact, err := made(t, func(ctx context.Context, w *store.Work) error {
		return Judged(ctx, job, words(w, "now", &seen))
	})
	if err != nil {
		t.Fatal(err)
	}
	notes, err := json.Marshal(artifact.Manifest.Notes)
	if err != nil || !strings.Contains(string(notes), "own: step 1 of 3") || seen != 0 ||
		!slices.Equal(artifact.Names(), []string{study.StepsFile}) {
		t.Errorf("%v, %d looks, %s, %v", artifact.Names(), seen, notes, err)
	}
	if _, err := made(t, func(ctx context.Context, w *store.Work) error { return Run(ctx, job, w) }); err == nil {
		t.Error("a run that is not judged is a result although it diverged")
	}
}

func TestJudged_LookFails(t *testing.T) {
	unlearntest.Watch(t)
	full := errors.New("the disk is full")
	_, err := made(t, func(ctx context.Context, w *store.Work) error {
		looks := words(w, "", new(int))
		looks.Make = func(context.Context, string) error { return full }
		return Judged(ctx, unlearntest.NewJob(t, contrastive.GenericCaptions(), 1), looks)
	})
	if !errors.Is(err, full) {
		t.Error(err)
	}
}

func TestReadConfig_BadFolder(t *testing.T) {
	dir := t.TempDir()
	parse := func(text []byte) (n int, err error) { return n, json.Unmarshal(text, &n) }
	if _, err := ReadConfig(dir, parse); err == nil || !strings.Contains(err.Error(), filepath.Join(dir, ConfigFile)) {
		t.Error(err)
	}
	for text, want := range map[string]string{"7": "", "many": "read " + filepath.Join(dir, ConfigFile) + ": "} {
		if err := os.WriteFile(filepath.Join(dir, ConfigFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		n, err := ReadConfig(dir, parse)
		if want == "" && (err != nil || n != 7) || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: %d, %v", text, n, err)
		}
	}
}
