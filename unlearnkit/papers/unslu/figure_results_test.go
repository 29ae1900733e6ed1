package unslu_test

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	figures "github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
)

func ExampleResultsFigure() {
	var cells []certify.Cell
	for b, backbone := range []string{"wav2vec 2.0", "HuBERT"} {
		for i, row := range []string{"Orig.", "Gold", "NG", "CF-k"} {
			for k, column := range []string{"F1_T", "F1_F", "MIA", "GUM"} {
				value := .2 + .15*float64(i) + .05*float64(k) - .04*float64(b)
				cell := certify.Cell{Row: "FSC/" + backbone + "/" + row, Levels: []string{"FSC", backbone, row},
					Column: column, Estimate: value, Lo: value - .3,
					Hi: value + .1, Printed: ".9", Verdict: []certify.Verdict{certify.UnderForgotten, "",
						certify.OverForgotten, certify.Matched}[i]}
				if b == 1 && i == 3 && column == "MIA" {
					cell.Estimate = math.NaN() // the model diverged
				}
				cells = append(cells, cell)
			}
		}
	}
	figure, err := figures.ResultsFigure("1", cells, 5)
	fmt.Println(figure.Caption)
	golden.Compare("table1", figure, err)
	// Output:
	// n: 5 worlds. Dots: our means with 95 % by Student's t over worlds, cut off at 0 and 1; marks and colours compare the interval of the difference from gold with the margin. GUM is not compared. Open marks: printed values, of models a thousand times as large on recorded voices; FSC/HuBERT/CF-k has no MIA
	// table1-light.png: as drawn before
	// table1-dark.png: as drawn before
}
