package certify_test

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

func ExampleCertify() {
	// The data are two worlds of two people with two pictures each. Does the model recognise the people as often as its
	// target?
	worlds, people := certify.Repetitions{Singular: "world", Plural: "worlds"}, certify.Family{Name: "people"}
	whose := []int{0, 0, 1, 1}
	model := certify.Repeated(worlds, people, []certify.Sample{
		{Values: []float64{1, 1, 0, 1}, Units: whose},
		{Values: []float64{1, 0, 1, 1}, Units: whose},
	})
	target := certify.Repeated(worlds, people, []certify.Sample{
		{Values: []float64{1, 0, 0, 1}, Units: whose},
		{Values: []float64{1, 0, 1, 1}, Units: whose},
	})
	cell := certify.Certify(model.Share(), target, 0.1)
	fmt.Printf("%.3f beside %.3f of %d examples: %s\n%v\n", cell.Estimate, cell.Target, cell.N, cell.Verdict,
		cell.Basis)
	// Output:
	// 0.750 beside 0.625 of 8 examples: unresolved
	// Student's t, 2 worlds (repeated), 4 people (nested), 1 degrees of freedom
}

func ExampleJudgeClaims() {
	var clean, leaky []certify.Sample
	for world := range 5 {
		shift := 0.01 * float64(world)
		clean = append(clean, certify.Sample{Values: []float64{0.1, 0.2 + shift, 0.1}, Units: []int{0, 1, 2}})
		leaky = append(leaky, certify.Sample{Values: []float64{0.8, 0.9, 0.7 + shift}, Units: []int{0, 1, 2}})
	}
	worlds, people := certify.Repetitions{Singular: "world", Plural: "worlds"}, certify.Family{Name: "people"}
	var panel certify.Panel
	panel.Add("clean", certify.Repeated(worlds, people, clean))
	panel.Add("leaky", certify.Repeated(worlds, people, leaky))
	for _, j := range certify.JudgeClaims("salmu", "mini", 5, &panel, []certify.Claim{
		{Name: "Compromised leaks more than Clean",
			Of: certify.Above(certify.Mean("leaky"), certify.Mean("clean"))},
		{Name: "the method of another table"},
	}) {
		fmt.Println(j.Claim+":", j.Verdict)
	}
	// Output:
	// Compromised leaks more than Clean: holds
	// the method of another table: untestable
}

// A method was trained five times and gold once. Each training draws pictures from the same 79 noises.
func ExampleCompare() {
	noises := certify.Family{Name: "noises", Crossed: true}
	var trainings []certify.Sample
	gold := certify.Sample{}
	for training := range 5 {
		var s certify.Sample
		for noise := range 79 {
			s.Units = append(s.Units, noise)
			s.Values = append(s.Values, float64((noise*7+training)%5/3)) // two of five pictures show the concept
		}
		trainings = append(trainings, s)
	}
	for noise := range 79 {
		gold.Units = append(gold.Units, noise)
		gold.Values = append(gold.Values, float64(noise%10/9))
	}
	seeds := certify.Repetitions{Singular: "training seed", Plural: "training seeds"}
	c := certify.Compare(certify.Repeated(seeds, noises, trainings), certify.Once(noises, gold))
	fmt.Printf("%+.2f [%+.2f, %+.2f], %v\n", c.Estimate, c.Lo, c.Hi, c.Basis.Units)
	// Output: +0.31 [+0.22, +0.40], [{training seeds 5 repeated} {noises 79 crossed}]
}
