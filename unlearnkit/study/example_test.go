package study_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

type modelSpec struct{ Seed int }

// scoresSpec names the model that is judged: that makes it an input.
type scoresSpec struct{ Model study.Input }

var (
	modelStage  = study.Stage[modelSpec]{Name: "example/model", Version: 1}
	scoresStage = study.Stage[scoresSpec]{Name: "example/scores", Version: 1}
)

// A plan makes what is missing, and only that.
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

func ExampleCertify() {
	// Two worlds of two people with two pictures each: does the model find them as often as its target?
	cell := certify.Certify([]certify.Sample{
		{Values: []float64{1, 1, 0, 1}, Targets: []float64{1, 0, 0, 1}, Cluster: []int{0, 0, 1, 1}},
		{Values: []float64{1, 0, 1, 1}, Targets: []float64{1, 0, 1, 1}, Cluster: []int{0, 0, 1, 1}},
	}, 0.1, 1, "example")
	fmt.Printf("%.3f beside %.3f of %d examples in %d worlds: %s\n", cell.Estimate, cell.Target, cell.N, cell.Seeds,
		cell.Verdict)
	// Output: 0.750 beside 0.625 of 8 examples in 2 worlds: unresolved
}

func ExampleJudge() {
	var panel certify.Panel
	var clean, leaky []certify.Sample
	for world := range 5 {
		shift := 0.01 * float64(world)
		clean = append(clean, certify.Sample{Values: []float64{0.1, 0.2 + shift, 0.1}, Cluster: []int{0, 1, 2}})
		leaky = append(leaky, certify.Sample{Values: []float64{0.8, 0.9, 0.7 + shift}, Cluster: []int{0, 1, 2}})
	}
	panel.Add("clean", "people", clean)
	panel.Add("leaky", "people", leaky)
	for _, j := range certify.Judge("salmu", "mini", 5, &panel, 1, []certify.Claim{
		{Name: "Compromised leaks more than Clean", Of: func(m certify.Means) float64 { return m("leaky") - m("clean") }},
		{Name: "the method of another table"},
	}) {
		fmt.Println(j.Claim+":", j.Verdict)
	}
	// Output:
	// Compromised leaks more than Clean: holds
	// the method of another table: untestable
}
