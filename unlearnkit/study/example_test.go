package study_test

import (
	"context"
	"fmt"
	"os"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
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
	write := func(text string) func(context.Context, *store.Work, []*store.Artifact, study.Progress) error {
		return func(_ context.Context, w *store.Work, _ []*store.Artifact, _ study.Progress) error {
			fmt.Println("making", text)
			return os.WriteFile(w.Path("text"), []byte(text), 0o644)
		}
	}
	var plan study.Plan
	model := plan.Add(study.Run{Title: "model", Stage: store.Stage{Name: "example/model", Version: 1},
		Spec: struct{ Seed int }{1}, Cost: 10, Make: write("model")})
	spec := struct{ Model store.Key }{model.Key()}
	scores := plan.Add(study.Run{Title: "scores", Stage: store.Stage{Name: "example/scores", Version: 1}, Spec: spec,
		Needs: []*study.Run{model}, Cost: 1, Make: write("scores")})
	fmt.Println(plan.Execute(context.Background(), s, study.Options{Workers: 2}))
	fmt.Println(plan.Execute(context.Background(), s, study.Options{Workers: 2}))
	artifact, err := s.Get(scores.Key())
	fmt.Println(artifact.Manifest.Stage, err)
	// Output:
	// making model
	// making scores
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
