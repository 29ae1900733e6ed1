package study_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

type modelSpec struct{ Seed int }

// scoresSpec determines the scores of a model. Its field makes the model an input of the run.
type scoresSpec struct{ Model study.Input }

var (
	modelStage  = study.Stage[modelSpec]{Name: "example/model", Version: 1}
	scoresStage = study.Stage[scoresSpec]{Name: "example/scores", Version: 1}
)

// Execute computes the missing runs of a plan and keeps the stored ones.
func ExamplePlan_Execute() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	s, err := store.Open(folder)
	if err != nil {
		panic(err)
	}
	var plan study.Plan
	model := modelStage.Add(&plan, "model", 10, modelSpec{Seed: 1})
	scores := scoresStage.Add(&plan, "scores", 1, scoresSpec{Model: model.Input()})
	makers := study.NewMakers(
		modelStage.By(func(_ context.Context, _ modelSpec, _ study.Inputs, w *store.Work, _ study.Progress) error {
			fmt.Println("making the model")
			return os.WriteFile(w.Path("model"), []byte("weights"), 0o644)
		}),
		scoresStage.By(func(_ context.Context, spec scoresSpec, in study.Inputs, w *store.Work,
			_ study.Progress) error {
			weights, err := in.Of(spec.Model).ReadFile("model")
			fmt.Printf("making scores of %s\n", weights)
			return errors.Join(err, os.WriteFile(w.Path("scores"), []byte("1"), 0o644))
		}),
	)
	fmt.Println(plan.Execute(context.Background(), s, makers, study.Options{Workers: 2}))
	fmt.Println(plan.Execute(context.Background(), s, makers, study.Options{Workers: 2}))
	artifact, err := s.Get(scores.Key())
	fmt.Println(artifact.Manifest.Stage, err)
	// Output:
	// making the model
	// making scores of weights
	// <nil>
	// <nil>
	// example/scores <nil>
}
