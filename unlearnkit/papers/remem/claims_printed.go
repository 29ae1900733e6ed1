package remem

import (
	"fmt"
	"math"
	"strconv"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

const printedTable = "printed"

// printedMeans reads the means that the claims need from the paper's tables. The keys are their names in the panel.
func printedMeans() (means map[string]float64, err error) {
	p := Mini()
	means = map[string]float64{}
	for item, names := range map[string]func(s SizePreset, c papers.Cell) string{
		"table2": func(s SizePreset, c papers.Cell) string {
			if levels := c.Levels(); levels[0] == s.Model {
				return certify.ScoreOf(after(s.Name+"/"+levels[1], p.Forget[p.last()]), c.Column)
			}
			return ""
		},
		"table3": func(s SizePreset, c papers.Cell) string {
			switch c.Row {
			case s.Model:
				return s.Name + ": " + c.Column
			case s.Model + "*":
				return s.Name + "*: " + c.Column
			}
			return ""
		},
		"table4": func(s SizePreset, c papers.Cell) string {
			if c.Column == s.Model {
				return s.Name + "/" + c.Row + ": choices"
			}
			return ""
		},
		"table5": func(_ SizePreset, c papers.Cell) string { return c.Row + ": " + c.Column },
	} {
		cells, err := papers.Open("remem", item)
		if err != nil {
			return nil, err
		}
		for _, c := range cells {
			for _, s := range p.Sizes {
				if name := names(s, c); name != "" {
					if means[name], err = strconv.ParseFloat(c.Value, 64); err != nil {
						return nil, fmt.Errorf("%s, %s of %s: %w", item, c.Column, c.Row, err)
					}
				}
			}
		}
	}
	derive(means, p)
	return means, nil
}

// derive adds scores over both kinds of questions. It weights each kind by its number of questions.
func derive(means map[string]float64, p Preset) {
	people := p.Forget[p.last()]
	for _, s := range p.Sizes {
		for _, method := range titlesOfPaper {
			for column, single := range map[string]float64{"ROUGE": .5, "EM_r": .5, "GPT": .7, "EM_f": .7, "Exp": .5,
				"EM_t": .5} {
				row := after(s.Name+"/"+method, people)
				at := func(hop string) float64 { return means[certify.ScoreOf(row, hop+column)] }
				means[certify.ScoreOf(row, column)] = single*at("Single-hop/") + (1-single)*at("Multi-hop/")
			}
		}
	}
}

// printedClaims returns the claims with their values in the paper's own tables. Claims about figures have no value,
// because the paper does not print the figures' numbers.
func printedClaims() (claims []certify.Claim, values []float64, err error) {
	means, err := printedMeans()
	if err != nil {
		return nil, nil, err
	}
	claims = (&Results{Preset: Mini(), judged: true}).claims()
	certify.Testable(claims, func(name string) bool { _, known := means[name]; return known })
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
	return study.PrintedClaims(claims, values, "Where the paper names no margin, it is ours. Scores of both kinds of "+
		"questions are weighted by how many there are of each."), nil
}
