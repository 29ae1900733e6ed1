package concealment_test

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
)

func ExampleChoose() {
	cat := concept.Erasures()[4]
	seen := func(cats, dogs int) concealment.Views {
		var views concealment.Views
		for i := range 10 {
			asked, other := concealment.View{Prompt: "cat sketch", Number: i},
				concealment.View{Prompt: "dog sketch", Number: i}
			asked.Labels.Style, other.Labels.Style = concept.Sketch, concept.Sketch
			if i < cats {
				asked.Labels.Object = concept.Cat
			}
			if i < dogs {
				other.Labels.Object = concept.Dog
			}
			views = append(views, asked, other)
		}
		return views
	}
	setting, err := concealment.Choose("esd-x", cat, []concealment.RateViews{
		{Rate: 1e-3, Views: map[int]concealment.Views{0: seen(10, 10), 1: seen(4, 10), 2: seen(1, 9), 3: seen(0, 5)}},
	})
	fmt.Printf("%+v %v\n", setting, err)
	// Output: {Method:esd-x Erased:Grumpy Cat Rate:0.001 Budget:2 Reached:true} <nil>
}

func ExamplePreset_Handovers() {
	handovers, err := concealment.Mini().Handovers()
	if err != nil {
		panic(err)
	}
	for _, h := range handovers[2:5] {
		fmt.Printf("ψ = %s: %d of %d steps by the original, signal %.3f\n", h.Psi, h.Original, len(h.Timesteps),
			h.Signal)
	}
	// Output:
	// ψ = .01: 0 of 20 steps by the original, signal 0.008
	// ψ = .05: 1 of 20 steps by the original, signal 0.014
	// ψ = .15: 3 of 20 steps by the original, signal 0.037
}

func ExamplePlan_Of() {
	plan := concealment.NewPlan(concealment.Quick())
	runs, err := plan.Of("ESD-x")
	fmt.Println(len(runs), err)
	_, err = plan.Of("esd-z")
	fmt.Println(err)
	// Output:
	// 15 <nil>
	// there is no method "esd-z"; do you mean esd-x?
}
