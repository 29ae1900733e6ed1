package attack

import (
	"fmt"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// paperScores holds the scores of the paper's tables for a model. They are means over the requested ratios with 95 %
// intervals over the seeds.
type paperScores struct {
	Model string   `json:"model"`
	Psi   []string `json:"psi"` // ψ over which the scores are averaged
	// CCS is the mean probability of the original, as in the code; equation (6) is one minus it.
	CCS        attack.Interval `json:"ccs"`
	CRSForget  attack.Interval `json:"crs_forget"`         // d in the authors' code, for the forget rows
	CRSRetain  *float64        `json:"crs_retain"`         // 1 - d, for the retain rows
	Printed7   attack.Interval `json:"crs_printed_retain"` // equation (7)
	Printed8   attack.Interval `json:"crs_printed_forget"` // equation (8)
	Contrast   attack.Interval `json:"crs_contrast"`
	KIDO       *float64        `json:"kid_original"`
	KIDU       *float64        `json:"kid_unlearned"`
	Training   float64         `json:"training_accuracy"` // accuracy of the classifier
	Validation float64         `json:"validation_accuracy"`
	Distances  []distanceAt    `json:"distances"`
}

// distanceAt holds the KIDs at one ratio. Standard errors are null for a single picture.
type distanceAt struct {
	Psi            string   `json:"psi"`
	Original       *float64 `json:"original"`
	OriginalError  *float64 `json:"original_error"`
	Unlearned      *float64 `json:"unlearned"`
	UnlearnedError *float64 `json:"unlearned_error"`
}

// scores averages a model's raw scores.
func (a *attackRun) scores(told partialdiffusion.SetScores, result *attack.Result) (paperScores, error) {
	s := paperScores{Model: told.Model, Training: told.Training, Validation: told.Validation}
	var over []int
	for i, budget := range result.Budgets {
		if a.wanted(budget.Value) {
			over, s.Psi = append(over, i), append(s.Psi, budget.Text)
		}
	}
	for _, each := range []struct {
		column string
		into   *attack.Interval
	}{{partialdiffusion.Original, &s.CCS}, {partialdiffusion.CRSDifference, &s.CRSForget},
		{partialdiffusion.CRSRetain, &s.Printed7}, {partialdiffusion.CRSForget, &s.Printed8},
		{partialdiffusion.CRSContrast, &s.Contrast}} {
		values, err := unitMeans(result, told.Model, each.column, over)
		if err != nil {
			return s, err
		}
		b := stat.BootstrapMean(values)
		*each.into = attack.Interval{Estimate: report.Defined(b.Estimate), Lo: report.Defined(b.Lo),
			Hi: report.Defined(b.Hi)}
	}
	if s.CRSForget.Estimate != nil {
		s.CRSRetain = report.Defined(1 - *s.CRSForget.Estimate)
	}
	var toOriginal, toUnlearned []float64
	for i, d := range told.Distances {
		s.Distances = append(s.Distances, distanceAt{result.Budgets[i].Text, report.Defined(d.Original),
			report.Defined(d.OriginalError), report.Defined(d.Unlearned), report.Defined(d.UnlearnedError)})
		if slices.Contains(over, i) {
			toOriginal, toUnlearned = append(toOriginal, d.Original), append(toUnlearned, d.Unlearned)
		}
	}
	s.KIDO, s.KIDU = report.Defined(meanOf(toOriginal)), report.Defined(meanOf(toUnlearned))
	return s, nil
}

// wanted reports whether the user requested this ψ. Other ratios were added to show each model alone.
func (a *attackRun) wanted(psi float64) bool {
	return slices.ContainsFunc(a.psi, func(text string) bool {
		ratio, err := partialdiffusion.ParseRatio(text)
		return err == nil && ratio.Float() == psi
	})
}

// unitMeans returns each unit's mean of a column over the given budgets.
func unitMeans(r *attack.Result, model, column string, over []int) ([]float64, error) {
	at := slices.IndexFunc(r.Columns, func(c attack.Column) bool { return c.Name == column })
	if at < 0 {
		return nil, fmt.Errorf("there is no column %s", column)
	}
	var units []uint64
	var sums []float64
	for _, row := range r.Rows {
		if row.Model != model || !slices.Contains(over, row.Budget) {
			continue
		}
		place := slices.Index(units, row.Unit)
		if place < 0 {
			place = len(units)
			units, sums = append(units, row.Unit), append(sums, 0)
		}
		sums[place] += row.Values[at] / float64(len(over))
	}
	return sums, nil
}

func meanOf(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values)) // NaN without values
}

// scoreTable returns a table of the paper's scores.
func scoreTable(of string, f partialFlags, all []paperScores) *report.Table {
	t := &report.Table{Title: fmt.Sprintf("Scores of %.60q", of), Corner: "Model"}
	for _, name := range []string{"CCS", "CRS forget", "CRS retain", "CRS (7)", "CRS (8)", "CRS contrast", "KID-O",
		"KID-U", "Validation"} {
		t.Columns = append(t.Columns, report.Column{Name: name})
	}
	number := func(value *float64) report.Cell {
		if value == nil {
			return report.Word("–")
		}
		return report.Number(fmt.Sprintf("%.3f", *value), *value)
	}
	for _, s := range all {
		cells := []report.Cell{report.Word(s.CCS.String()), report.Word(s.CRSForget.String()), number(s.CRSRetain),
			report.Word(s.Printed7.String()), report.Word(s.Printed8.String()), report.Word(s.Contrast.String()),
			number(s.KIDO), number(s.KIDU), report.Number(fmt.Sprintf("%.2f", s.Validation), s.Validation)}
		t.Rows = append(t.Rows, report.Row{Name: s.Model, Cells: cells})
	}
	t.Note = fmt.Sprintf("Means over the requested ψ; 95 %% intervals over the seeds. CCS and CRS follow the paper's "+
		"code, where CRS retain is one minus CRS forget; CRS (7) and (8) follow its equations. The classifier is "+
		"trained (%s) on %d pictures that each model draws alone; Validation is its accuracy on held-out pictures. "+
		"KID uses the network's features, not Inception's; compare it only within this table.", f.fit, f.set)
	return t
}

func finite(values []*float64) (all []float64) {
	for _, v := range values {
		if v != nil {
			all = append(all, *v)
		}
	}
	return all
}

// orNaN returns a value, or NaN if it is missing.
func orNaN(value *float64) float64 {
	if value == nil {
		return math.NaN()
	}
	return *value
}
