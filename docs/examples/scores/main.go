// Command scores writes docs/examples/scores.csv, simulated accuracies for trying the statistics: 40 identities under 5
// seeds.
//
// Run it in the repository: go run ./docs/examples/scores
package main

import (
	"fmt"
	"log"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

func main() {
	if err := safefile.WriteCSV("docs/examples/scores.csv", columns()); err != nil {
		log.Fatal(err)
	}
	fmt.Println("docs/examples/scores.csv")
}

// columns simulates the method "ours", which loses .02, the method "theirs", which loses nothing, and the retrained
// model "gold". Rows with the same seed share the effect of their training run.
func columns() []safefile.Column {
	const identities, seeds = 40, 5
	names := []string{"seed", "identity", "ours", "theirs", "gold", "ours_right", "gold_right"}
	values := make([][]float64, len(names))
	for s := range seeds {
		run := seed.Stream(1, "examples", "scores", s)
		oursRun, theirsRun := .01*run.NormFloat64(), .01*run.NormFloat64()
		for i := range identities {
			person := .7 + .1*run.NormFloat64()
			gold := person + .03*run.NormFloat64()
			ours := gold - .02 + oursRun + .03*run.NormFloat64()
			theirs := gold + theirsRun + .03*run.NormFloat64()
			row := []float64{float64(s), float64(i), thousandths(ours), thousandths(theirs), thousandths(gold),
				outcome(run.Float64() < ours), outcome(run.Float64() < gold)}
			for j, v := range row {
				values[j] = append(values[j], v)
			}
		}
	}
	table := make([]safefile.Column, len(names))
	for j, name := range names {
		table[j] = safefile.Column{Name: name, Values: values[j]}
	}
	return table
}

func thousandths(v float64) float64 { return math.Round(v*1000) / 1000 }

func outcome(right bool) float64 {
	if right {
		return 1
	}
	return 0
}
