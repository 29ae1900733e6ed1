package concealment

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// alikeShare is the largest difference at which two models count as drawing a concept equally often, as the paper's
// equation (30) claims.
const alikeShare = .1

// theoremTable tabulates whether Theorems 1 to 4 hold for the pictures of erased models. It adds gold, about which the
// theorems say nothing.
//
// Theorems 1 and 3 say that from some ψ below 1 on, the concept is recovered with high probability. Theorems 2 and 4,
// with equations (30) and (34), say that beyond ψ = .55 the latent has significant information, and that both models
// draw the concept about equally often.
func (r *Results) theoremTable() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("Theorems 1 to 4 in the small world (%s)", r.Preset.Name),
		Corner: "Completed by"}
	t.Columns = append(t.Columns, numbers("Nine tenths from", "At .55", "Original", "Difference")...)
	t.Columns = append(t.Columns, words("(30)")...)
	threshold := fmt.Sprintf("%g", metric.PsiThreshold)[1:]
	var bases []certify.Basis
	for _, gold := range []bool{false, true} {
		for _, g := range r.groups() {
			if g.erased == "" {
				continue
			}
			panel := &certify.Panel{}
			for name, psi := range map[string]string{"completed": threshold, "original": "1"} {
				r.addNoise(panel, name, g.rows, r.Preset.recovered(singlePsi(psi, r.Preset.Attack.Psi)))
			}
			names, whose := [2]string{"completed", "original"}, g.name
			if gold {
				names, whose = [2]string{goldOf("completed"), goldOf("original")}, "gold for "+g.name
			}
			if !panel.Has(names[0]) || !panel.Has(names[1]) {
				continue
			}
			e := panel.Estimate(certify.Difference(certify.Mean(names[0]), certify.Mean(names[1])))
			bases = append(bases, e.Basis)
			at, own := panel.Estimate(certify.Mean(names[0])).Value, panel.Estimate(certify.Mean(names[1])).Value
			t.Rows = append(t.Rows, report.Row{Name: whose, Cells: []report.Cell{
				ratio(r.recovery(g, gold).attacked().Reaches(.9)), report.Number(fmt.Sprintf("%.2f", at), at),
				report.Number(fmt.Sprintf("%.2f", own), own),
				report.Interval("%+.2f", e.Value, e.Lo, e.Hi),
				report.Word(alikeOrLess(e.Lo, e.Hi))}})
		}
	}
	t.Note = fmt.Sprintf("Nine tenths from: the ψ from which the judge sees the concept in nine tenths of the "+
		"pictures, interpolated between ratios; a dash: at no ψ below 1. At .55, and where the original draws "+
		"every step: shares of pictures. (30): holds if the whole interval of the difference lies within %g, "+
		"fails if it lies outside. %s.", alikeShare, certify.Describe(bases))
	return t, nil
}

// ratio formats a ψ. It formats NaN, and values of 1 or more, as a dash.
func ratio(psi float64) report.Cell {
	if math.IsNaN(psi) || psi >= 1 {
		return report.Word("–")
	}
	return report.Number(fmt.Sprintf("%.2f", psi), psi)
}

// alikeOrLess returns the verdict on equation (30) for a difference with this interval.
func alikeOrLess(lo, hi float64) string {
	switch {
	case lo > -alikeShare && hi < alikeShare:
		return string(certify.Holds)
	case hi < -alikeShare || lo > alikeShare:
		return string(certify.Fails)
	}
	return string(certify.Unresolved)
}
