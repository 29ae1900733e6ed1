package concealment

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// scorePair holds the paper's score for a prompt, and the measured score.
type scorePair struct {
	Prompt       string
	Table        string
	Printed, Own float64
}

// replication compares the paper's values of a score with the measured values. It compares only the order of the
// prompts, because the scales differ.
type replication struct {
	Score string
	Pairs []scorePair
}

// replications returns the replications of the paper's four scores. CRS is d in forget rows and 1 - d in retain rows,
// so the replication compares d.
func (r *Results) replications() []replication {
	var all []replication
	for _, c := range r.Preset.Columns()[:printedColumns] {
		of := replication{Score: c.name()}
		if c.name() == "CRS" {
			of.Score = "d of CRS"
		}
		for _, table := range []string{"1", "2", "3"} {
			of.add(r, c, table)
		}
		all = append(all, of)
	}
	return all
}

// add adds those prompts of a table that have both scores.
func (of *replication) add(r *Results, c Column, table string) {
	known := map[string]string{}
	for _, p := range paper("table" + table) {
		if p.Column == c.name() {
			known[p.Row] = p.Value
		}
	}
	for _, row := range r.rowsOf(table) {
		printed, err := strconv.ParseFloat(known[row.Prompt.Paper], 64)
		own := r.plain(c, row)
		if err != nil || math.IsNaN(own) {
			continue
		}
		if c.name() == "CRS" && !row.Prompt.Forget {
			printed, own = 1-printed, 1-own
		}
		of.Pairs = append(of.Pairs, scorePair{row.Prompt.Paper, table, printed, own})
	}
}

// restricted returns the replication restricted to the prompts of one table. If table is "", it returns all prompts.
func (of replication) restricted(table string) replication {
	if table == "" {
		return of
	}
	of.Pairs = slices.DeleteFunc(slices.Clone(of.Pairs), func(p scorePair) bool { return p.Table != table })
	return of
}

// tau returns Kendall's tau-b between the paper's values and the measured ones, with a 95 % interval by Fieller,
// Hartley and Pearson (1957). The inverse hyperbolic tangent of tau is approximately normal with variance .437/(n - 4).
func (of replication) tau() (tau stat.KendallResult, lo, hi float64) {
	var printed, own []float64
	for _, p := range of.Pairs {
		printed, own = append(printed, p.Printed), append(own, p.Own)
	}
	tau = stat.Kendall(printed, own)
	n := float64(len(of.Pairs))
	if !(n > 4) || math.Abs(tau.Statistic) >= 1 {
		return tau, math.NaN(), math.NaN()
	}
	const quantile = 1.959963984540054 // 97.5 % quantile of the normal distribution
	z, half := math.Atanh(tau.Statistic), quantile*math.Sqrt(.437/(n-4))
	return tau, math.Tanh(z - half), math.Tanh(z + half)
}

// replicationTable tabulates the rank correlations over all prompts and within each table.
func (r *Results) replicationTable() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("Printed scores compared with ours, by the order of the prompts "+
		"(%s)", r.Preset.Name),
		Corners: []string{"Score", "Prompts"}, Columns: []report.Column{{Name: "n"}, {Name: "tau-b"}, {Name: "p"}}}
	var over []float64 // p-values for all prompts, one for each score
	for _, of := range r.replications() {
		if len(of.Pairs) < 8 {
			return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has too few prompts for an order"}
		}
		for _, table := range []string{"", "1", "2", "3"} {
			within := of.restricted(table)
			tau, lo, hi := within.tau()
			prompts := "all"
			if table != "" {
				prompts = "Table " + table
			} else {
				over = append(over, tau.P)
			}
			t.Rows = append(t.Rows, report.Named(of.Score, prompts).With(
				report.Number(fmt.Sprint(len(within.Pairs)), float64(len(within.Pairs))),
				report.Interval("%.2f", tau.Statistic, lo, hi),
				report.Number(fmt.Sprintf("%.2g", tau.P), tau.P)))
		}
	}
	least := slices.Min(stat.Holm(nil, over))
	t.Note = fmt.Sprintf("Kendall's tau-b between the paper's values and our means over %s: 1 is the paper's "+
		"order, 0 no relation, -1 the reverse. Intervals: 95 %% over prompts, by Fieller, Hartley and Pearson "+
		"(1957). p is uncorrected; the smallest over all prompts is %.2g after Holm's correction for four "+
		"tests. d of CRS: CRS itself in forget rows, one minus CRS in retain rows.", TrainingSeeds.Count(r.Preset.Seeds), least)
	return t, nil
}
