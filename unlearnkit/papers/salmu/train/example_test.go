package train_test

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"github.com/gomlx/gomlx/core/graph"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/optim"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu/train"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
)

// halfway returns a method that trains the pictures to be forgotten on generic captions and, at the same time, the
// retain sample on its own captions.
func halfway() contrastive.Method {
	return contrastive.Method{
		Entry: catalogue.Entry{
			Name: "halfway", Title: "Halfway", Version: 1,
			Settings: []catalogue.Setting{{Name: "rate", Default: 3e-4, Source: "that of Generic Captions"}},
		},
		Phases: func(p *unlearn.Plan) ([]contrastive.Phase, error) {
			return []contrastive.Phase{{
				Streams: []string{unlearn.Forget, unlearn.Retain}, Batch: 64, Rate: optim.Constant(p.Value("rate")),
				Loss: func(m contrastive.Models, b unlearn.Batch) *graph.Node {
					contrast := func(stream, text string) *graph.Node {
						return contrastive.Contrast(m.Policy, b.Of(stream, contrastive.Image), b.Of(stream, text))
					}
					forget := contrast(unlearn.Forget, contrastive.Generic)
					return graph.Add(forget, contrast(unlearn.Retain, contrastive.Caption))
				},
			}}, nil
		},
	}
}

// The example adds a user's own method to Table 5, with certified cells. The smoke preset only shows that the method
// runs, and takes seconds. Quick gives meaningful numbers.
func Example() {
	mine := halfway()
	preset := salmu.Smoke().Only(salmu.Method{Entry: mine.Entry, Budgets: []int{1, 2}})
	folder, err := os.MkdirTemp("", "study")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	s, err := salmu.Study.OpenStore(folder)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan := salmu.NewPlan(preset)
	lab := train.NewLab(func() (*device.Device, error) { return device.Open("go") }, mine)
	options := study.Options{Workers: runtime.NumCPU()}
	if err := plan.Execute(context.Background(), s, lab.Makers(), options); err != nil {
		fmt.Println(err)
		return
	}
	results, err := plan.Read(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	cells, err := results.Cells("5")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, cell := range cells {
		if cell.Column == "RetFail" {
			fmt.Printf("%s: %d examples in %s, an interval: %v\n", cell.Row, cell.N, salmu.Worlds.Count(cell.Seeds),
				cell.Lo < cell.Hi)
		}
	}
	// Output:
	// Target Scores: 32 examples in 1 world, an interval: true
	// Halfway/1x: 32 examples in 1 world, an interval: true
	// Halfway/2x: 32 examples in 1 world, an interval: true
}
