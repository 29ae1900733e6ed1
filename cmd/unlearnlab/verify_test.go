package main

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/labs"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// copied returns a copy of a store, and its folder.
func copied(t *testing.T, s *store.Store) (home string, copy *store.Store) {
	t.Helper()
	home = t.TempDir()
	if err := os.CopyFS(home, os.DirFS(s.Folder())); err != nil {
		t.Fatal(err)
	}
	copy, err := salmu.Study.OpenStore(home)
	if err != nil {
		t.Fatal(err)
	}
	return home, copy
}

// forged replaces a run's result by the result of a changed spec.
func forged(t *testing.T, s *store.Store, run *study.Run, change func(spec *salmu.UnlearnedSpec)) {
	t.Helper()
	_, makers, err := labs.PlanAndMakers("salmu", study.Request{Preset: "smoke"},
		func() (*device.Device, error) { return device.Open("") })
	if err != nil {
		t.Fatal(err)
	}
	spec, _ := salmu.Unlearned.Spec(run)
	change(&spec)
	var plan study.Plan
	plan.Join(run.Needs...)
	other := salmu.Unlearned.Add(&plan, "forged", 1, spec)
	if err := plan.Make(t.Context(), s, makers, study.Options{}, other); err != nil {
		t.Fatal(err)
	}
	made, err := s.Get(other.Key())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Remove(run.Key()); err != nil {
		t.Fatal(err)
	}
	_, err = s.Do(t.Context(), run.Stage, json.RawMessage(run.Spec()), made.Manifest.Inputs,
		func(_ context.Context, w *store.Work) error {
			for name, note := range made.Manifest.Notes {
				w.Note(name, note)
			}
			for _, name := range made.Names() {
				content, err := made.ReadFile(name)
				if err != nil {
					return err
				}
				if err := os.WriteFile(w.Path(name), content, 0o644); err != nil {
					return err
				}
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
}

// A changed learning rate gives another result; a different order of summation gives the same one up to rounding.
func TestVerify_ChangedRate(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	plan, made := smoke(t)
	run := plan.Worlds[0].Methods[2] // Direct Similarity Minimization
	home, s := copied(t, made)
	forged(t, s, run, changed(run, "rate", func(own float64) float64 { return own * 1.00001 }))
	code, stdout, stderr := cmd.Run("verify", string(run.Key()), "--home", home)
	if code != cli.ExitCheck ||
		!strings.Contains(stdout, "another result\n  steps.parquet, step 1: the rate is 3.00002999") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}

	if _, stdout, _ = cmd.Run("verify", string(run.Key()), "--home", home, "--json"); !strings.Contains(stdout,
		"{\n  \"ok\": false,\n  \"key\": ") {
		t.Errorf("got %v, want %q in it", stdout, "{\n  \"ok\": false,\n  \"key\": ")
	}

	// Without vector instructions, the sums are computed in a different order.
	own := []string{"verify", string(run.Key()), "--device", "go:plain"}
	code, stdout, stderr = cmd.Run(own...)
	if code != cli.ExitDone || !strings.Contains(stdout, "computed again, the same but for rounding\n") &&
		!strings.Contains(stdout, "every byte the same") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
	if measured := succeedQuietly(t, append(own, "--measure", "go:plain")...); !strings.HasPrefix(measured,
		"stage,method,device,file,column,") {
		t.Errorf(`got %v, want "stage,method,device,file,column," at its beginning`, measured)
	}
}

// changed returns a function that replaces one setting in a copy of the run's settings.
func changed(run *study.Run, setting string, change func(own float64) float64) func(spec *salmu.UnlearnedSpec) {
	return func(spec *salmu.UnlearnedSpec) {
		own, _ := salmu.Unlearned.Spec(run)
		spec.Values = maps.Clone(own.Values)
		spec.Values[setting] = change(own.Values[setting])
	}
}

// A result's inputs may differ between kinds of processors. If they do not ship, verify can neither confirm nor refute
// the result on another kind. The test changes the method's decay, which the recorded steps do not include.
func TestVerify_UnshippedInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	plan, made := smoke(t)
	run := plan.Worlds[0].Methods[2]
	home, _ := copied(t, made)
	elsewhere, err := store.Open(home, store.MadeBy("xla:cpu", "avx2"))
	if err != nil {
		t.Fatal(err)
	}
	forged(t, elsewhere, run, changed(run, "decay", func(float64) float64 { return 1000 }))
	code, stdout, stderr := cmd.Run("verify", string(run.Key()), "--home", home)
	if code != cli.ExitFailed || !strings.Contains(stdout, "computed again from other inputs, another result\n") ||
		!strings.Contains(stdout, " does not ship and was computed here\n") ||
		!strings.Contains(stderr, "neither confirms nor refutes the result: its inputs do not ship, and only "+
			"xla:cpu, avx2") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}

// succeedQuietly returns the standard output of a successful command. It ignores messages about the device.
func succeedQuietly(t *testing.T, args ...string) string {
	t.Helper()
	code, stdout, stderr := cmd.Run(args...)
	if code != cli.ExitDone {
		t.Fatalf("%v: exit %d\n%s", args, code, stderr)
	}
	return stdout
}

func TestVerify_MissingResult(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	plan, made := smoke(t)
	home, s := copied(t, made)
	run := plan.Ends()[slices.IndexFunc(plan.Ends(), func(r *study.Run) bool { return salmu.Judgement.Made(r) })]
	if err := s.Remove(run.Key()); err != nil {
		t.Fatal(err)
	}
	stdout := succeedQuietly(t, "verify", string(run.Key()), "--home", home)
	if !strings.Contains(stdout, "there was no shipped or stored result, so it was computed") {
		t.Errorf(`got %v, want "there was no shipped or stored result, so it was computed" in it`, stdout)
	}
	if stdout = succeedQuietly(t, "verify", string(run.Key()), "--home", home); !strings.Contains(stdout,
		"every byte the same") {
		t.Errorf(`got %v, want "every byte the same" in it`, stdout)
	}
	if stdout = succeedQuietly(t, "verify", string(run.Key()), "--home", home, "--json"); !strings.Contains(stdout,
		"\"ok\": true") {
		t.Errorf("got %v, want %q in it", stdout, "\"ok\": true")
	}
	if err := s.Remove(run.Key()); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(home, "artifacts", string(run.Key()[:2]), string(run.Key()))
	cmd.Refused(t, cli.ExitFailed, "the artifact is not in the store", "verify", folder, "--home", home)
}

func TestVerify_OtherPreset(t *testing.T) {
	key := string(salmu.NewPlan(salmu.Mini()).Ends()[0].Key()[:12])
	cmd.Refused(t, cli.ExitUsage, "the preset smoke has no result \""+key+"\"; leave out --preset to search all",
		"verify", key, "--preset", "smoke")
}
