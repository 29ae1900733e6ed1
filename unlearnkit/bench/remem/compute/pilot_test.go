package compute

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/publication"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// The pilot takes an hour; its store, in the folder of the variable, is gone on with, above what is published. It prints
// what the rates of the presets are chosen by. Another preset is made by UNLEARNLAB_PRESET, and what there is of it
// published in the folder of UNLEARNLAB_EXPORT, world by world.
func TestPilot(t *testing.T) {
	folder := os.Getenv("UNLEARNLAB_PILOT")
	if folder == "" {
		t.Skip("set UNLEARNLAB_PILOT to a folder for the store of the pilot")
	}
	s, err := store.Open(folder, store.Above(publication.Open(os.DirFS("../../../../data/results/remem"), "published")))
	if err != nil {
		t.Fatal(err)
	}
	preset := remem.Pilot()
	if name := os.Getenv("UNLEARNLAB_PRESET"); name != "" {
		if preset, err = remem.Named(name); err != nil {
			t.Fatal(err)
		}
	}
	plan := remem.NewPlan(preset)
	defer export(t, plan, s)
	lab := NewLab(func() (*device.Device, error) { return device.Open("") })
	for _, run := range plan.Runs() {
		if !strings.Contains(run.Title, os.Getenv("UNLEARNLAB_ONLY")) {
			continue
		}
		began := time.Now()
		if err := plan.Make(t.Context(), s, remem.Makers(lab), study.Options{}, run); err != nil {
			t.Fatal(err)
		}
		took := time.Since(began)
		artifact, err := s.Get(run.Key())
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %s: %.1f s (%.1f)", time.Now().Format(time.TimeOnly), run.Title, artifact.Manifest.Wall,
			took.Seconds())
		if !remem.Judgement.Made(run) || !artifact.Has(remem.AnswersFile) {
			continue
		}
		scores, err := remem.ReadScores(artifact)
		if err != nil {
			t.Fatal(err)
		}
		right, all := map[string]float64{}, map[string]float64{}
		for _, a := range scores.Answers {
			for _, part := range []string{a.Part, a.Part + " " + a.Hop} {
				all[part]++
				right[part] += metric.KeywordMatchWhole(a.Output, a.Keyword)
			}
		}
		for part := range right {
			t.Logf("    %s: %.3f of %.0f", part, right[part]/all[part], all[part])
		}
		exposure, ranked := 0., 0.
		for _, secret := range scores.Secrets {
			exposure += metric.Exposure(int(secret.Rank), int(secret.Candidates))
			ranked++
		}
		t.Logf("    Exposure %.1f of %.0f", exposure/ranked, ranked)
		single := 0.
		for _, c := range scores.Choices {
			if c.Chosen == c.Truth {
				single++
			}
		}
		t.Logf("    choices %.3f of %d", single/float64(max(1, len(scores.Choices))), len(scores.Choices))
		for i := 0; i < len(scores.Answers); i += len(scores.Answers)/6 + 1 {
			t.Logf("    %s | %s", scores.Answers[i].Question, scores.Answers[i].Output)
		}
	}
}

// export publishes what a store has of a plan.
func export(t *testing.T, plan *remem.Plan, s *store.Store) {
	folder := os.Getenv("UNLEARNLAB_EXPORT")
	if folder == "" {
		return
	}
	var runs []publication.Run
	for _, run := range plan.Runs() {
		artifact, err := s.Get(run.Key())
		if errors.Is(err, store.ErrAbsent) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if published, passedOn := plan.Published(run, artifact); passedOn {
			runs = append(runs, published)
		}
	}
	if err := publication.Write(folder, runs); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d runs published in %s", len(runs), folder)
}
