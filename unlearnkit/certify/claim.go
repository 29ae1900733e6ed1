package certify

import (
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// Standing is what a re-run says of a claim.
type Standing string

const (
	Holds      Standing = "holds"
	Fails      Standing = "fails"
	Open       Standing = "unresolved"
	Untestable Standing = "untestable" // at this preset
)

// Claim is what a paper says, as a quantity that is above zero if it is so.
type Claim struct {
	Name   string // "Compromised leaks more than Clean"
	Source string // where the paper says so
	Unit   string // what the quantity is
	// Of is nil where the preset does not have what the claim is about.
	Of Quantity
	// Finding is said where the claim fails: which explanations were tested, or that none was.
	Finding string
}

// Judged is a claim with its standing.
type Judged struct {
	Paper     string   `json:"paper"`
	Claim     string   `json:"claim"`
	Source    string   `json:"source"`
	Verdict   Standing `json:"verdict"`
	Statistic float64  `json:"statistic"`
	Lo        float64  `json:"lo"`
	Hi        float64  `json:"hi"`
	Unit      string   `json:"unit"`
	P         float64  `json:"p"`          // two-sided
	PAdjusted float64  `json:"p_adjusted"` // Holm's over the claims
	Preset    string   `json:"preset"`
	Seeds     int      `json:"seeds"`
	Finding   string   `json:"finding,omitempty"`
}

// MarshalJSON writes what is not a number as null.
func (j Judged) MarshalJSON() ([]byte, error) {
	type plain Judged
	return withoutNaN(plain(j), map[string]float64{"statistic": j.Statistic, "lo": j.Lo, "hi": j.Hi, "p": j.P,
		"p_adjusted": j.PAdjusted})
}

// alpha is the level at which a claim holds or fails.
const alpha = 0.05

// Judge tests claims on a panel. A claim holds where its quantity is above zero and fails where it is below, by a
// two-sided test at 5 % after Holm's correction over all claims that are tested.
func Judge(paper, preset string, seeds int, p *Panel, root uint64, claims []Claim) []Judged {
	var quantities []Quantity
	var of []int
	judged := make([]Judged, len(claims))
	for i, c := range claims {
		judged[i] = Judged{Paper: paper, Claim: c.Name, Source: c.Source, Verdict: Untestable, Unit: c.Unit,
			Preset: preset, Seeds: seeds,
			Statistic: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), P: math.NaN(), PAdjusted: math.NaN()}
		if c.Of != nil {
			quantities, of = append(quantities, c.Of), append(of, i)
		}
	}
	var pValues []float64
	var tested []int
	for k, tail := range p.Resample(root, quantities) {
		j := &judged[of[k]]
		j.Statistic, j.Lo, j.Hi = tail.Value, tail.Lo, tail.Hi
		j.P = min(1, 2*min(tail.Above, tail.Below))
		j.Verdict = Open
		if !math.IsNaN(j.P) {
			pValues, tested = append(pValues, j.P), append(tested, of[k])
		}
	}
	for k, adjusted := range stat.Holm(make([]float64, len(pValues)), pValues) {
		j := &judged[tested[k]]
		j.PAdjusted = adjusted
		switch {
		case adjusted >= alpha:
		case j.Statistic > 0:
			j.Verdict = Holds
		default:
			j.Verdict, j.Finding = Fails, claims[tested[k]].Finding
		}
	}
	return judged
}
