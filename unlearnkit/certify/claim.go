package certify

import (
	"cmp"
	"math"
	"slices"
)

// Verdicts of claims; what the data do not decide is [Unresolved].
const (
	Holds      Verdict = "holds"
	Fails      Verdict = "fails"
	Untestable Verdict = "untestable" // at this preset
)

// Claim is what a paper says, as conditions that are met if it is so.
type Claim struct {
	Name   string // "Compromised leaks more than Clean"
	Source string // where the paper says so
	Quote  string // the paper's sentence there, if it has one
	Family string // the part of the paper that says so: [Headline] or a section
	Unit   string // what the quantity is
	// Effect is what the claim is about, where several claims are about the same; they are counted once.
	Effect string
	// Of are all met if the claim is so. There are none where the preset does not have what it is about.
	Of []Condition
	// Denied says that the conditions are all met if the claim is not so: it says that something is somewhere the case.
	Denied bool
	// Contradiction is what in the paper's own print contradicts the claim, if something does.
	Contradiction string
	// Finding is said where the claim fails: which explanations were tested, or that none was.
	Finding string
	// Caveat is what of the study's own design limits what the claim can show, or why it has no conditions.
	Caveat string
}

// Headline is the family of what a paper says in its abstract, among its contributions or in its conclusion.
const Headline = "headline"

// Judged is a claim with its verdict.
type Judged struct {
	Paper     string  `json:"paper"`
	Claim     string  `json:"claim"`
	Source    string  `json:"source"`
	Quote     string  `json:"quote,omitempty"`
	Family    string  `json:"family,omitempty"` // of claims that are corrected together
	Effect    string  `json:"effect,omitempty"` // that several claims are about
	Verdict   Verdict `json:"verdict"`
	Statistic float64 `json:"statistic"` // how far within what is claimed; negative outside
	Lo        float64 `json:"lo"`
	Hi        float64 `json:"hi"`
	Unit      string  `json:"unit"`
	P         float64 `json:"p"`          // two-sided, of the claim alone, as the interval
	PAdjusted float64 `json:"p_adjusted"` // Holm's over the family
	Agree     int     `json:"agree"`      // repetitions that lie on the same side of zero
	Repeated  int     `json:"repeated"`   // of so many; 0 where nothing is repeated
	Preset    string  `json:"preset"`
	Seeds     int     `json:"seeds"`
	Finding   string  `json:"finding,omitempty"`
	// Contradiction is what in the paper's own print contradicts the claim.
	Contradiction string `json:"contradiction,omitempty"`
	Caveat        string `json:"caveat,omitempty"` // what of the study's design limits the claim
	Basis         Basis  `json:"basis"`            // of the condition that is met least
	// Resolves is how far from zero the statistic must truly lie for a study like this to decide the claim in four of
	// five cases, at the level of the first step of Holm's correction.
	Resolves float64 `json:"resolves"`
}

// MarshalJSON writes what is not a number as null.
func (j Judged) MarshalJSON() ([]byte, error) {
	type plain Judged
	return withoutNaN(plain(j), map[string]float64{"statistic": j.Statistic, "lo": j.Lo, "hi": j.Hi, "p": j.P,
		"p_adjusted": j.PAdjusted, "resolves": j.Resolves})
}

// Cited returns where the paper says so, and its sentence there if it has one.
func (j Judged) Cited() string {
	if j.Quote == "" {
		return j.Source
	}
	return j.Source + ": “" + j.Quote + "”"
}

// alpha is the level at which a claim holds or fails, and a difference is one.
const alpha = 0.05

// NotExplained is the finding of a claim that fails for which nobody has looked for an explanation.
const NotExplained = "no explanation was tested"

// JudgeClaims tests claims on a panel. A claim holds where what it is about lies within what it says and fails where it
// lies outside, by a two-sided test at 5 % after Holm's correction over its family. One that is not decided is
// untestable if it says that things are alike, and such a study could not have found that they are: if it resolves no
// less than the room that the claim leaves. But where the data contradict it but for the correction, it is unresolved:
// that they are not alike could have been found.
//
// Headline claims come first.
//
// A claim of several conditions holds as surely as the least sure of them (Berger, 1982), and fails as surely as the
// surest failure among them after Bonferroni's correction for their number.
func JudgeClaims(paper, preset string, seeds int, p *Panel, claims []Claim) []Judged {
	claims = headlineFirst(claims)
	judged, known, room := make([]Judged, len(claims)), make([]spread, len(claims)), make([]float64, len(claims))
	for i, c := range claims {
		nan := math.NaN()
		judged[i] = Judged{Paper: paper, Claim: c.Name, Source: c.Source, Quote: c.Quote, Family: c.Family,
			Effect: c.Effect, Verdict: Untestable, Unit: c.Unit,
			Preset: preset, Seeds: seeds, Statistic: nan, Lo: nan, Hi: nan, P: nan, PAdjusted: nan,
			Resolves: nan, Contradiction: c.Contradiction, Caveat: c.Caveat}
		if len(c.Of) > 0 {
			known[i], room[i] = judged[i].test(p, c.Of), math.Inf(1)
			if c.Denied {
				judged[i].deny()
			}
			judged[i].Agree, judged[i].Repeated = p.agree(c.Value)
			for _, condition := range c.Of {
				room[i] = min(room[i], condition.room(p))
			}
		}
	}
	tests := map[string]int{}
	for i := range judged {
		if family := judged[i].Family; tests[family] == 0 {
			tests[family] = adjustFamily(judged, family)
		}
	}
	for i := range judged {
		j := &judged[i]
		if j.Verdict == Untestable {
			continue
		}
		j.Basis.Tests = tests[j.Family]
		j.Resolves = known[i].resolves(tests[j.Family])
		switch {
		case !(j.PAdjusted < alpha):
			contradicted := j.P < alpha && j.Statistic < 0
			if !math.IsInf(room[i], 1) && !(j.Resolves <= room[i]) && !contradicted {
				j.Verdict = Untestable
			}
		case j.Statistic > 0:
			j.Verdict = Holds
		default:
			j.Verdict, j.Finding = Fails, cmp.Or(claims[i].Finding, NotExplained)
		}
	}
	return judged
}

// InFamily gives claims without a family this one.
func InFamily(family string, claims []Claim) []Claim {
	for i := range claims {
		claims[i].Family = cmp.Or(claims[i].Family, family)
	}
	return claims
}

// headlineFirst returns the claims with those of the headline before the others.
func headlineFirst(claims []Claim) []Claim {
	sorted := slices.Clone(claims)
	slices.SortStableFunc(sorted, func(a, b Claim) int {
		rank := map[bool]int{true: 0, false: 1}
		return rank[a.Family == Headline] - rank[b.Family == Headline]
	})
	return sorted
}

// adjustFamily corrects the p-values of a family and returns how many there are.
func adjustFamily(judged []Judged, family string) int {
	var at []int
	for i, j := range judged {
		if j.Family == family {
			at = append(at, i)
		}
	}
	return holm(len(at), func(i int) float64 {
		return judged[at[i]].P
	}, func(i int, p float64) { judged[at[i]].PAdjusted = p })
}

// test fills in what the conditions come to, and returns how well that is known of the one that is met least.
func (j *Judged) test(p *Panel, conditions []Condition) (known spread) {
	j.Verdict = Unresolved
	n := float64(len(conditions))
	within, outside := 0.0, 1.0
	j.Statistic, j.Lo, j.Hi = math.Inf(1), math.Inf(1), math.Inf(1)
	for _, c := range conditions {
		e := p.Estimate(c.Of)
		if value := c.value(e.Value); value < j.Statistic || math.IsNaN(value) {
			j.Statistic, j.Basis, known = value, e.Basis, e.widest()
		}
		low, high := e.interval(alpha)
		j.Lo = min(j.Lo, c.value(low), c.value(high))
		low, high = e.interval(alpha / n)
		j.Hi = min(j.Hi, c.most(low, high))
		if !math.IsInf(c.Low, -1) {
			within, outside = max(within, e.AtMost(c.Low)), min(outside, n*e.AtLeast(c.Low))
		}
		if !math.IsInf(c.High, 1) {
			within, outside = max(within, e.AtLeast(c.High)), min(outside, n*e.AtMost(c.High))
		}
	}
	j.P = min(1, 2*min(within, outside))
	if j.Statistic == 0 {
		j.P = 1
	}
	if !math.IsNaN(j.Statistic) && math.IsNaN(j.Lo) && math.IsNaN(j.Hi) { // nothing says how far other units lie
		j.Verdict, j.P = Untestable, math.NaN()
	}
	return known
}

// deny turns what was found of conditions into what was found of their contrary. The p-value is two-sided.
func (j *Judged) deny() { j.Statistic, j.Lo, j.Hi = -j.Statistic, -j.Hi, -j.Lo }

// most is how far within the bounds a quantity from low to high may lie.
func (c Condition) most(low, high float64) float64 {
	if middle := (c.Low + c.High) / 2; low < middle && middle < high { // NaN or infinite where a bound is
		return c.value(middle)
	}
	return max(c.value(low), c.value(high))
}
