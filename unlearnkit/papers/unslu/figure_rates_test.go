package unslu_test

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
)

func ExampleRatesFigure() {
	var curves []unslu.Curve
	for _, c := range []unslu.Curve{{Column: "F1_T", Original: .7, Gold: .71}, {Column: "F1_F", Original: 1, Gold: .72},
		{Column: "MIA", Original: .63, Gold: .51}} {
		for i := range 9 {
			rate := 1e-4 * math.Pow(10, float64(i)/3)
			level := c.Original * (1 - .9/(1+math.Exp(-float64(i-5))))
			if c.Column == "MIA" {
				level = .5 + (c.Original-.5)/(1+math.Exp(float64(i-4)))
			}
			if i == 8 {
				level = math.NaN()
			}
			c.Rates = append(c.Rates, rate)
			c.Cells = append(c.Cells, certify.Cell{Estimate: level, Lo: level - .03, Hi: level + .03})
		}
		curves = append(curves, c)
	}
	figure, err := unslu.RatesFigure("ITALIC/XLS-R 53-IT", curves, []float64{1e-4, 1e-3}, 5)
	fmt.Println(figure.Caption)
	golden.Compare("rates", figure, err)
	// Output:
	// Marks were measured: means over 5 worlds. Bands: 95 % over worlds, by Student's t, cut off at 0 and 1. Broken lines: gold, the model trained without the forget speakers, in the colour of its score. F1_T and F1_F are macro F1; MIA is the accuracy of a membership attack on the forget clips, .5 by chance; it diverged at 0.0464
	// rates-light.png: as drawn before
	// rates-dark.png: as drawn before
}
