package chart_test

import (
	"math"
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

func ExampleNullCalibration() {
	random := rand.New(rand.NewPCG(5, 0))
	calibrated, discrete := make([]float64, 4000), make([]float64, 4000)
	for i := range calibrated {
		calibrated[i] = random.Float64()
		discrete[i] = math.Ceil(random.Float64()*9) / 9
	}
	figure, err := chart.NullCalibration("p-values of two tests without an effect", []chart.Sample{
		{Name: "t-test", Values: calibrated}, {Name: "exact test, nine outcomes", Values: discrete},
	}, 20)
	golden.Compare("null", figure, err)
	// Output:
	// null-light.png: as drawn before
	// null-dark.png: as drawn before
}

func ExamplePowerCurve() {
	curve := func(name string, effect float64) chart.Series {
		s := chart.Series{Name: name}
		for _, n := range []float64{5, 10, 20, 50, 100, 200, 500, 1000} {
			power := .5 * math.Erfc((1.96-effect*math.Sqrt(n))/math.Sqrt2)
			half := 1.96 * math.Sqrt(power*(1-power)/400)
			s.X, s.Y = append(s.X, n), append(s.Y, power)
			s.Lo, s.Hi = append(s.Lo, max(0, power-half)), append(s.Hi, min(1, power+half))
		}
		return s
	}
	figure, err := chart.PowerCurve("How many observations an effect needs", "400 simulations a point, 95 % bands",
		[]chart.Series{
			curve("large effect, d = 0.8", .8), curve("medium, d = 0.5", .5), curve("small, d = 0.2", .2),
		}, .8)
	golden.Compare("power", figure, err)
	// Output:
	// power-light.png: as drawn before
	// power-dark.png: as drawn before
}

func ExampleIntervalForest() {
	figure, err := chart.IntervalForest("A large p-value does not show equality",
		"90 % intervals of the difference; margin .02", "difference to gold",
		[]chart.Estimate{
			{Name: "10 pairs, p = .41", Value: .011, Lo: -.012, Hi: .034},
			{Name: "30 pairs, p = .33", Value: .008, Lo: -.006, Hi: .022},
			{Name: "300 pairs, p = .08", Value: .005, Lo: .0004, Hi: .0098},
			{Name: "3000 pairs, p < .001", Value: .006, Lo: .0045, Hi: .0075},
			{Name: "300 pairs, p < .001", Value: .036, Lo: .031, Hi: .041},
			{Name: "100 pairs, p < .001", Value: -.034, Lo: -.042, Hi: -.026},
		}, .02)
	golden.Compare("forest", figure, err)
	// Output:
	// forest-light.png: as drawn before
	// forest-dark.png: as drawn before
}
