package salmu_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

func ExampleGapFigure() {
	random := rand.New(rand.NewPCG(6, 0))
	gap := salmu.Gap{Model: "Compromised"}
	for range 100 {
		gap.Real = append(gap.Real, .2005+.0154*random.NormFloat64())
		gap.Generated = append(gap.Generated, .1966+.0139*random.NormFloat64())
	}
	gap.KS = stat.KS2(gap.Real, gap.Generated)
	figure, err := salmu.GapFigure(gap)
	fmt.Println(figure.Caption)
	golden.Compare("gap", figure, err)
	// Output:
	// Mean cosine of a portrait with five captions that fit any portrait; n = 100 and 100; Kolmogorov-Smirnov D = 0.180, p = 0.078
	// gap-light.png: as drawn before
	// gap-dark.png: as drawn before
}

func ExampleRatesFigure() {
	var curves []salmu.RateCurve
	for _, method := range []struct {
		name string
		rate float64
	}{{"Generic Captions", 3e-4}, {"Negative Gradient", 3e-5}} {
		leak := salmu.RateCurve{Method: method.name, Column: "RetFail", Target: .01}
		knows := salmu.RateCurve{Method: method.name, Column: "GenKnow", Target: .93}
		for _, factor := range []float64{.1, .3, 1, 3, 10, 30} {
			point := func(value float64) salmu.RatePoint {
				return salmu.RatePoint{Rate: factor * method.rate,
					Cell: certify.Cell{Estimate: value, Lo: value - .02, Hi: value + .03}}
			}
			if factor == 30 && method.name == "Negative Gradient" {
				leak.Points, knows.Points = append(leak.Points, point(math.NaN())),
					append(knows.Points, point(math.NaN()))
				continue
			}
			leak.Points = append(leak.Points, point(.05+.6*math.Exp(-factor)))
			knows.Points = append(knows.Points, point(.93-.02*math.Log1p(factor*factor)))
		}
		curves = append(curves, leak, knows)
	}
	figure, err := salmu.RatesFigure(curves, 5)
	fmt.Println(figure.Caption)
	golden.Compare("rates", figure, err)
	// Output:
	// After five passes; bands: 95 % over 5 worlds, by Student's t; broken lines: Clean's RetFail and Compromised's GenKnow; Negative Gradient diverged at 0.0009
	// rates-light.png: as drawn before
	// rates-dark.png: as drawn before
}

func ExampleCostsFigure() {
	var costs salmu.Costs
	for i, method := range []string{"Generic Captions", "Shuffled Captions", "Direct Similarity Minimization",
		"Negative Gradient", "Finetuning", "VLUnlearn", "DELETE", "CLIPERase"} {
		size, classes := salmu.CostCurve{Method: method}, salmu.CostCurve{Method: method}
		for k, parameters := range []int{131_000, 390_000, 1_030_000, 1_790_000} {
			lost := certify.Cell{Estimate: .05 + .06*float64(i)/float64(k+1)}
			size.Points = append(size.Points, salmu.CostPoint{Parameters: parameters, Cell: lost})
		}
		classes.Points = []salmu.CostPoint{{Classes: 40, Cell: certify.Cell{Estimate: .05 + .03*float64(i)}},
			{Classes: 100, Cell: certify.Cell{Estimate: .04 + .02*float64(i)}}}
		factors := salmu.CostCurve{Method: method,
			Points: []salmu.CostPoint{{Factor: .1, Cell: certify.Cell{Estimate: .01 * float64(i)}},
				{Factor: 1, Cell: certify.Cell{Estimate: .05 + .03*float64(i)}}}}
		costs.BySize, costs.ByClasses, costs.ByFactor = append(costs.BySize, size), append(costs.ByClasses, classes),
			append(costs.ByFactor, factors)
	}
	costs.BySize[1].Points[3].Estimate = math.NaN()
	costs.Orders = []salmu.Order{{Variant: "width 32", Leak: kendall(.5, .11), Know: kendall(.214, .55)},
		{Variant: "width 64", Leak: kendall(.643, .031), Know: kendall(.357, .28)}}
	figure, err := salmu.CostsFigure(costs)
	fmt.Println(figure.Caption)
	golden.Compare("costs", figure, err)
	// Output:
	// After five passes, in one world. Over these 2 models, Kendall's tau-b between the order of the methods here and in the paper is 0.50 to 0.64 for RetFail and 0.21 to 0.36 for GenKnow; the table orders lists each with its p-value
	// costs-light.png: as drawn before
	// costs-dark.png: as drawn before
}

func ExamplePriceFigure() {
	var curves []salmu.PriceCurve
	for i, method := range []string{"Direct Similarity Minimization", "DELETE"} {
		for k, factor := range []float64{1, .1, .004} {
			curve := salmu.PriceCurve{Method: method, Factor: factor}
			for passes := range 6 - k {
				left := .75 * math.Exp(-float64(passes)*[]float64{1, .9, .02}[k])
				curve.Points = append(curve.Points, salmu.PricePoint{Steps: 12 * passes, RetFail: left,
					Lost: (.75 - left) * (.3 - .1*float64(i)) / float64(k+1)})
			}
			curves = append(curves, curve)
		}
	}
	figure, err := salmu.PriceFigure(curves)
	fmt.Println(figure.Caption)
	golden.Compare("price", figure, err)
	// Output:
	// One world, so there are no intervals. Each mark is one budget of a run; the mark at the right end is Compromised, which has lost nothing. “As in Table 5”: the study's learning rate; “a tenth”: a tenth of it with more steps; “the paper's ratio”: the paper's proportion to the rate of pretraining. At equal RetFail the lower mark costs less. Marks more than 0.25 of RetFail apart are not joined, because nothing between them was measured
	// price-light.png: as drawn before
	// price-dark.png: as drawn before
}

func ExampleBudgetsFigure() {
	var trajectories []salmu.Trajectory
	for _, column := range []struct {
		name          string
		start, target float64
	}{{"RetFail", .6, .02}, {"GenKnow", .93, .93}} {
		for i, method := range []string{"Generic Captions", "Shuffled Captions", "Direct Similarity Minimization",
			"Negative Gradient", "Finetuning", "VLUnlearn", "DELETE", "CLIPERase"} {
			t := salmu.Trajectory{Method: method, Column: column.name, Start: column.start, Target: column.target}
			for _, passes := range []int{1, 5, 10, 15, 20} {
				value := column.start * math.Exp(-float64(passes*(i+1))/60)
				if method == "Direct Similarity Minimization" && passes == 20 {
					value = math.NaN()
				}
				t.Points = append(t.Points, salmu.TrajectoryPoint{Passes: passes, Cell: certify.Cell{Estimate: value, Lo: value - .05, Hi: value + .08}})
			}
			trajectories = append(trajectories, t)
		}
	}
	figure, err := salmu.BudgetsFigure(trajectories, 5)
	fmt.Println(figure.Caption)
	golden.Compare("budgets", figure, err)
	// Output:
	// Means over 5 worlds with 95 % intervals over worlds, by Student's t; points of one budget are drawn side by side. Budgets are snapshots of one run, which starts from Compromised. The target is Clean for RetFail and AssocStr, and Compromised for GenKnow and IntraIdSim. DELETE and CLIPERase nearly coincide
	// budgets-light.png: as drawn before
	// budgets-dark.png: as drawn before
}

func kendall(statistic, p float64) stat.KendallResult {
	return stat.KendallResult{Result: stat.Result{Statistic: statistic, P: p}}
}
