package labs_test

import (
	"context"
	"fmt"

	"github.com/unlearnlab/unlearnlab/internal/testkit/third"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/export"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/labs"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// A study is registered once, with the code that computes it. Only the study is required. Steps, Export and Download
// make device cost, data export and data import work.
func ExampleRegister() {
	remove := labs.Register(labs.Lab{Study: third.Study, Makers: third.Makers,
		Steps: func() []labs.Step {
			return []labs.Step{{Stage: "third/forgotten", Name: "ascent", Model: "listener", Rows: 60,
				Costs: func(context.Context, *device.Device) ([]unlearn.PhaseCost, error) { return nil, nil }}}
		},
		Export: func(preset string, _ func() (*device.Device, error)) (*export.Study, error) {
			return &export.Study{Worlds: make([]export.World, 3),
				Files: map[string][]byte{"README.md": []byte("three seeds at the preset " + preset)}}, nil
		},
		Download: &labs.Download{About: "sixty clips", Names: []string{"third"},
			Find: func(dir string) []string { return []string{dir} }},
	})
	fmt.Println(papers.Papers())
	steps, err := labs.Steps("third")
	fmt.Println(steps[0].Name, err)
	remove()
	_, err = labs.Steps("third")
	fmt.Println(papers.Papers(), err)
	// Output:
	// [salmu remem unslu concealment third]
	// ascent <nil>
	// [salmu remem unslu concealment] the study third has no training steps of a published size
}
