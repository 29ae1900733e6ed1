package plots_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/plots"
)

// retraining are the seconds of full retraining that explain every printed GUM of a column best; the paper prints none.
var retraining = map[string]float64{
	"FSC/wav2vec 2.0": 2396, "FSC/HuBERT": 2093, "SLURP*/wav2vec 2.0": 69133, "SLURP*/HuBERT": 65067, "ITALIC/XLS-R 128": 29802,
	"ITALIC/XLS-R 53-IT": 30552, "de-De/XLS-R 128": 30015, "de-De/XLS-R 53-DE": 15640, "fr-FR/XLS-R 128": 15728, "fr-FR/XLS-R 53-FR": 16114,
}

// printedCells returns the numbers of an item by column and row, and the columns in their order.
func printedCells(paper string, items ...string) (values map[[2]string]float64, columns, rows []string) {
	values = map[[2]string]float64{}
	seen := map[string]bool{}
	for _, item := range items {
		cells, err := papers.Open(paper, item)
		if err != nil {
			panic(err)
		}
		for _, c := range cells {
			v := 0.
			if _, err := fmt.Sscan(c.Value, &v); err != nil {
				v = math.NaN()
			}
			column := c.Column[:max(0, strings.LastIndex(c.Column, "/"))]
			values[[2]string{c.Column, c.Row}] = v
			if !seen["column "+column] {
				columns = append(columns, column)
			}
			if !seen["row "+c.Row] {
				rows = append(rows, c.Row)
			}
			seen["column "+column], seen["row "+c.Row] = true, true
		}
	}
	return values, columns, rows
}

// gum is the harmonic mean of utility, efficacy and efficiency of UnSLU-BENCH, §3.
func gum(utility, utilityGold, mia, miaGold, miaOriginal, seconds, secondsGold float64) float64 {
	u := 1 - math.Abs(utilityGold-utility)
	least := min(mia, miaOriginal)
	gold := min(miaGold, (least+miaOriginal)/2)
	if gold == miaOriginal {
		return 0
	}
	e := 1 - math.Pow((least-gold)/(miaOriginal-gold), 2)
	t := 1 - math.Log(seconds+1)/math.Log(secondsGold+1)
	if u <= 0 || e <= 0 || t <= 0 {
		return 0
	}
	return 3 / (1/u + 1/e + 1/t)
}

func gumCells() []plots.GUMCell {
	values, columns, rows := printedCells("unslu", "table1", "table2", "table3")
	accuracy, _, _ := printedCells("unslu", "accuracy")
	var cells []plots.GUMCell
	for _, column := range columns {
		at := func(score, row string) float64 { return values[[2]string{column + "/" + score, row}] }
		of := func(row string) float64 { return accuracy[[2]string{column + "/Acc_T", row}] }
		for _, row := range rows[2:] {
			compute := func(utility, gold float64) float64 {
				total := retraining[column]
				return gum(utility, gold, at("MIA", row), at("MIA", rows[1]), at("MIA", rows[0]), total/at("Speedup", row), total)
			}
			cells = append(cells, plots.GUMCell{
				Column: column, Row: row, Printed: at("GUM", row),
				Accuracy: compute(of(row), of(rows[1])), F1: compute(at("F1_T", row), at("F1_T", rows[1])),
			})
		}
	}
	return cells
}

func ExampleGUMResiduals() {
	figure, err := plots.GUMResiduals(gumCells(), .0006)
	fmt.Println(figure.Caption)
	compare("gum", figure, err)
	// Output:
	// Recomputed minus printed GUM of 80 cells in 10 columns; rounding explains ±0.0006. Outside it lie 0 cells with accuracy and 32 with macro F1
	// gum-light.png: as drawn before
	// gum-dark.png: as drawn before
}

func crsCells() []plots.CRSCell {
	var cells []plots.CRSCell
	for _, table := range []string{"table1", "table2", "table3"} {
		printed, err := papers.Open("concealment", table)
		if err != nil {
			panic(err)
		}
		class := map[string]string{}
		for _, c := range printed {
			class[c.Row+" "+c.Column] = c.Value
			if c.Column == "CRS" {
				cell := plots.CRSCell{Row: c.Row, Retain: class[c.Row+" Concept Class"] == "Retain"}
				if _, err := fmt.Sscan(c.Value, &cell.Printed); err != nil {
					panic(err)
				}
				cells = append(cells, cell)
			}
		}
	}
	return cells
}

func ExampleCRSRange() {
	figure, err := plots.CRSRange(crsCells(), .7)
	fmt.Println(figure.Caption)
	compare("crs", figure, err)
	// Output:
	// Under the printed equations 0 of 26 tabulated values lie where alike pictures score; the values need features at cosines of at most 0.08, where 0 is orthogonal and 1 is equal
	// crs-light.png: as drawn before
	// crs-dark.png: as drawn before
}

func ExampleNullCalibration() {
	random := rand.New(rand.NewPCG(5, 0))
	calibrated, discrete := make([]float64, 4000), make([]float64, 4000)
	for i := range calibrated {
		calibrated[i] = random.Float64()
		discrete[i] = math.Ceil(random.Float64()*9) / 9
	}
	figure, err := plots.NullCalibration("p-values of two tests without an effect", []plots.Sample{
		{Name: "t-test", Values: calibrated}, {Name: "exact test, nine outcomes", Values: discrete},
	}, 20)
	compare("null", figure, err)
	// Output:
	// null-light.png: as drawn before
	// null-dark.png: as drawn before
}

func ExamplePowerCurve() {
	curve := func(name string, effect float64) plots.Series {
		s := plots.Series{Name: name}
		for _, n := range []float64{5, 10, 20, 50, 100, 200, 500, 1000} {
			power := .5 * math.Erfc((1.96-effect*math.Sqrt(n))/math.Sqrt2)
			half := 1.96 * math.Sqrt(power*(1-power)/400)
			s.X, s.Y = append(s.X, n), append(s.Y, power)
			s.Lo, s.Hi = append(s.Lo, max(0, power-half)), append(s.Hi, min(1, power+half))
		}
		return s
	}
	figure, err := plots.PowerCurve("How many observations an effect needs", "400 simulations a point, 95 % bands", []plots.Series{
		curve("large effect, d = 0.8", .8), curve("medium, d = 0.5", .5), curve("small, d = 0.2", .2),
	}, .8)
	compare("power", figure, err)
	// Output:
	// power-light.png: as drawn before
	// power-dark.png: as drawn before
}

func ExampleIntervalForest() {
	figure, err := plots.IntervalForest("A large p-value does not show equality", "90 % intervals of the difference; margin .02", "difference to gold",
		[]plots.Estimate{
			{Name: "10 pairs, p = .41", Value: .011, Lo: -.012, Hi: .034},
			{Name: "30 pairs, p = .33", Value: .008, Lo: -.006, Hi: .022},
			{Name: "300 pairs, p = .08", Value: .005, Lo: .0004, Hi: .0098},
			{Name: "3000 pairs, p < .001", Value: .006, Lo: .0045, Hi: .0075},
			{Name: "300 pairs, p < .001", Value: .036, Lo: .031, Hi: .041},
			{Name: "100 pairs, p < .001", Value: -.034, Lo: -.042, Hi: -.026},
		}, .02)
	compare("forest", figure, err)
	// Output:
	// forest-light.png: as drawn before
	// forest-dark.png: as drawn before
}
