package unslu

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

const printedTable = "printed"

// printedBudgets lists the numbers of epochs in the paper's Table 5.
var printedBudgets = []int{5, 7, 11, 15, 60}

// retraining maps benchmarks to the training seconds of the paper's gold models, which [metric.FitRetrainTime] fitted.
// With these seconds, the printed GUM follows from the printed speed-ups.
var retraining = map[string]float64{
	"FSC/wav2vec 2.0": 2396, "FSC/HuBERT": 2093, "SLURP*/wav2vec 2.0": 69133, "SLURP*/HuBERT": 65067,
	"ITALIC/XLS-R 128": 29802, "ITALIC/XLS-R 53-IT": 30552, "de-De/XLS-R 128": 30015, "de-De/XLS-R 53-DE": 15640,
	"fr-FR/XLS-R 128": 15728, "fr-FR/XLS-R 53-FR": 16114,
}

// printedMeans reads means from the paper's tables and adds the values that derive computes from them. Keys are the
// names in the panel.
func printedMeans() (means map[string]float64, err error) {
	means = map[string]float64{}
	for item, name := range map[string]func(c papers.Cell) string{
		"table1": ofBenchmark, "table2": ofBenchmark, "table3": ofBenchmark, "accuracy": ofBenchmark,
		"table4": func(c papers.Cell) string { return certify.ScoreOf(epochsBenchmark+"/"+c.Row, c.Column) },
		"table5": func(c papers.Cell) string { return certify.ScoreOf("epochs/"+c.Row, c.Column) },
	} {
		cells, err := papers.Open("unslu", item)
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			if means[name(c)], err = strconv.ParseFloat(c.Value, 64); err != nil {
				return nil, fmt.Errorf("%s, %s of %s: %w", item, c.Column, c.Row, err)
			}
		}
	}
	derive(means)
	return means, nil
}

// ofBenchmark returns the panel's name for a printed cell of a benchmark.
func ofBenchmark(c papers.Cell) string {
	end := strings.LastIndex(c.Column, "/") + 1 // the transcription writes the benchmark before the column
	return certify.ScoreOf(c.Column[:end]+c.Row, c.Column[end:])
}

// derive adds values that follow from the printed means: seconds, efficacy, and the share of benchmarks on which
// Negative Gradient ranks first or second by the attack.
func derive(means map[string]float64) {
	for _, b := range all {
		of := func(row, column string) string { return certify.ScoreOf(b+"/"+row, column) }
		at := func(row, column string) float64 { return means[of(row, column)] }
		for _, row := range append([]string{"NG", originalRow, goldRow}, rivals...) {
			means[of(row, "Seconds")] = retraining[b] / at(row, "Speedup")
			means[of(row, "E")] = metric.GUM(metric.GUMInput{MIAOriginal: at(originalRow, "MIA"),
				MIAGold: at(goldRow, "MIA"), MIAUnlearned: at(row, "MIA"), SecondsGold: 2, SecondsUnlearned: 1},
				metric.GUMOnAccuracy).E
		}
	}
	for name, benchmarks := range map[string][]string{leadingRanks: all, leadingEnglish: english,
		leadingMultilingual: multilingual} {
		for _, b := range benchmarks {
			away := func(row string) float64 {
				mia := func(row string) float64 { return means[certify.ScoreOf(b+"/"+row, "MIA")] }
				return math.Abs(mia(row) - mia(goldRow))
			}
			nearer := 0
			for _, rival := range rivals {
				if away(rival) < away("NG")-tie {
					nearer++
				}
			}
			if nearer <= 1 {
				means[name] += 1 / float64(len(benchmarks))
			}
		}
	}
}

// printedClaims returns the claims with their values in the paper's own tables. Claims about Figure 1 have no
// conditions, because the paper does not print its values.
func printedClaims() (claims []certify.Claim, values []float64, err error) {
	means, err := printedMeans()
	if err != nil {
		return nil, nil, err
	}
	r := &Results{Preset: Mini()}
	r.Preset.Epochs.Budgets, r.Preset.Epochs.Chance = printedBudgets, 0
	claims = r.claims(func(name string) bool {
		_, known := means[name]
		return known
	})
	for _, c := range claims {
		value := math.NaN()
		if c.Of != nil {
			value = c.Value(func(name string) float64 { return means[name] })
		}
		values = append(values, value)
	}
	return claims, values, nil
}

// printed tabulates the claims with their values in the paper's own tables.
func printed() (*report.Table, error) {
	claims, values, err := printedClaims()
	if err != nil {
		return nil, err
	}
	return study.PrintedClaims(claims, values, "Margins are ours where the paper names none. Seconds follow from "+
		"printed speed-ups and from the retraining time that explains a column's GUM."), nil
}
