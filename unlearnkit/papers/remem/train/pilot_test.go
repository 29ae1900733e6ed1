package train

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// The pilot takes an hour. UNLEARNLAB_PILOT is the folder of its store, where an interrupted pilot continues; published
// runs are not made again. The pilot tries increasing rates until a method retains too little, and prints the shares of
// right answers by which the presets' rates are chosen.
//
// UNLEARNLAB_PRESET selects another preset, such as refusing-pilot, and UNLEARNLAB_ONLY only the runs whose titles
// contain its text. UNLEARNLAB_EXPORT is a folder to which the results are published.
func TestPilot(t *testing.T) {
	folder := os.Getenv("UNLEARNLAB_PILOT")
	if folder == "" {
		t.Skip("set UNLEARNLAB_PILOT to a folder for the store of the pilot")
	}
	s, err := store.Open(folder, store.Above(publish.Open(os.DirFS("../../../../data/results/remem"), "published")))
	if err != nil {
		t.Fatal(err)
	}
	preset := remem.Pilot()
	switch name := os.Getenv("UNLEARNLAB_PRESET"); name {
	case "":
	case remem.RefusingPilot().Name:
		preset = remem.RefusingPilot()
	default:
		if preset, err = remem.Named(name); err != nil {
			t.Fatal(err)
		}
	}
	plan := remem.NewPlan(preset)
	defer exportPilot(t, plan, s)
	lab := NewLab(func() (*device.Device, error) { return device.Open("") })
	found := rates{worst: map[string]float64{}}
	for _, run := range plan.Runs() {
		if !strings.Contains(run.Title, os.Getenv("UNLEARNLAB_ONLY")) || found.hopeless(run) {
			continue
		}
		began := time.Now()
		if err := plan.Make(t.Context(), s, lab.Makers(), study.Options{}, run); err != nil {
			t.Fatal(err)
		}
		artifact, err := s.Get(run.Key())
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s %s: %.1f s (%.1f)", time.Now().Format(time.TimeOnly), run.Title, artifact.Manifest.Wall,
			time.Since(began).Seconds())
		if !remem.Judgement.Made(run) || !artifact.Has(remem.AnswersFile) {
			continue
		}
		scores, err := remem.ReadScores(artifact)
		if err != nil {
			t.Fatal(err)
		}
		right := map[string]float64{}
		for _, part := range []string{remem.PartTrain, remem.PartRetain, remem.PartForget, remem.PartTest} {
			right[part] = share(scores.Answers, part)
		}
		t.Logf("    %s", found.line(run, right))
	}
}

// rates holds the results of the pilot from which the presets' learning rates are chosen.
type rates struct {
	kept  float64            // the gold model's share of right answers on the retain part
	worst map[string]float64 // share of right answers on the retain part by method, at the last rate
}

// hopeless reports whether a method has already broken the model at a smaller rate.
func (r rates) hopeless(run *study.Run) bool {
	if remem.Judgement.Made(run) {
		run = run.Needs[len(run.Needs)-1]
	}
	spec, is := remem.Unlearned.Spec(run)
	worst, tried := r.worst[spec.Method]
	return is && tried && worst < .8*r.kept && r.worst[spec.Method+" at"] != spec.Values["rate"]
}

// line returns a row of ../testdata/rates.csv for the gold model and for unlearned models. For other models it returns
// their shares of right answers.
func (r *rates) line(run *study.Run, right map[string]float64) string {
	size := strings.TrimPrefix(strings.SplitN(run.Title, ":", 2)[0], "world 0, size ")
	spec, is := remem.Unlearned.Spec(run.Needs[len(run.Needs)-1])
	if !is {
		if strings.HasSuffix(run.Title, "Gold, scores") {
			r.kept, r.worst = right[remem.PartRetain], map[string]float64{}
			return fmt.Sprintf("%s,gold,0,%.4f,%.4f", size, r.kept, right[remem.PartForget])
		}
		return fmt.Sprint(right)
	}
	r.worst[spec.Method], r.worst[spec.Method+" at"] = right[remem.PartRetain], spec.Values["rate"]
	return fmt.Sprintf("%s,%s,%g,%.4f,%.4f", size, spec.Method, spec.Values["rate"], right[remem.PartRetain],
		right[remem.PartForget])
}

// share returns the share of right answers to one part of the questions.
func share(answers []remem.Answer, part string) float64 {
	right, all := 0., 0.
	for _, a := range answers {
		if a.Part == part {
			all++
			right += metric.KeywordMatchWhole(a.Output, a.Keyword)
		}
	}
	return right / all
}

// exportPilot publishes the runs of a plan that a store has.
func exportPilot(t *testing.T, plan *remem.Plan, s *store.Store) {
	folder := os.Getenv("UNLEARNLAB_EXPORT")
	if folder == "" {
		return
	}
	var runs []publish.Run
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
	if err := publish.Write(folder, runs); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d runs published in %s", len(runs), folder)
}
