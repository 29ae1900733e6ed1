// Command remem_pilot tries increasing learning rates for ReMem's methods until a method retains too little, and prints
// the shares of right answers by which the presets' rates are chosen. It takes an hour; an interrupted pilot continues
// from its store, and published runs are not made again.
//
//	GOEXPERIMENT=simd go run ./scripts/remem_pilot -store FOLDER [-preset refusing-pilot] [-only TEXT] [-export FOLDER]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func main() {
	folder := flag.String("store", "", "folder of the pilot's store")
	preset := flag.String("preset", "pilot", "pilot, refusing-pilot or another preset")
	only := flag.String("only", "", "only the runs whose titles contain this text")
	export := flag.String("export", "", "folder in which the results are published")
	flag.Parse()
	log.SetFlags(log.Ltime)
	if *folder == "" {
		log.Fatal("-store is required: the folder of the pilot's store")
	}
	if err := pilot(context.Background(), *folder, *preset, *only, *export); err != nil {
		log.Fatal(err)
	}
}

func pilot(ctx context.Context, folder, name, only, export string) error {
	s, err := remem.Study.OpenStore(folder)
	if err != nil {
		return err
	}
	preset, err := presetOf(name)
	if err != nil {
		return err
	}
	plan := remem.NewPlan(preset)
	lab := train.NewLab(func() (*device.Device, error) { return device.Open("") })
	found := rates{worst: map[string]float64{}}
	for _, run := range plan.Runs() {
		if !strings.Contains(run.Title, only) || found.hopeless(run) {
			continue
		}
		began := time.Now()
		if err := plan.Make(ctx, s, lab.Makers(), study.Options{}, run); err != nil {
			return errors.Join(err, publishPilot(plan, s, export))
		}
		artifact, err := s.Get(run.Key())
		if err != nil {
			return err
		}
		log.Printf("%s: %.1f s (%.1f)", run.Title, artifact.Manifest.Wall, time.Since(began).Seconds())
		if !remem.Judgement.Made(run) || !artifact.Has(remem.AnswersFile) {
			continue
		}
		scores, err := remem.ReadScores(artifact)
		if err != nil {
			return err
		}
		right := map[string]float64{}
		for _, part := range []string{remem.PartTrain, remem.PartRetain, remem.PartForget, remem.PartTest} {
			right[part] = share(scores.Answers, part)
		}
		fmt.Println(found.line(run, right))
	}
	return publishPilot(plan, s, export)
}

func presetOf(name string) (remem.Preset, error) {
	for _, p := range []remem.Preset{remem.Pilot(), remem.RefusingPilot()} {
		if p.Name == name {
			return p, nil
		}
	}
	return remem.Named(name)
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

// line returns a row of unlearnkit/papers/remem/testdata/rates.csv for the gold model and for unlearned models. For
// other models it returns their shares of right answers.
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

// publishPilot publishes the runs of a plan that a store has. If folder is empty, it does nothing.
func publishPilot(plan *remem.Plan, s *store.Store, folder string) error {
	if folder == "" {
		return nil
	}
	var runs []publish.Run
	for _, run := range plan.Runs() {
		artifact, err := s.Get(run.Key())
		if errors.Is(err, store.ErrAbsent) {
			continue
		}
		if err != nil {
			return err
		}
		if published, passedOn := plan.Published(run, artifact); passedOn {
			runs = append(runs, published)
		}
	}
	log.Printf("publish %d runs in %s", len(runs), folder)
	return publish.Write(folder, runs)
}
