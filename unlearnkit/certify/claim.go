package certify

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Verdicts of claims, in addition to [Unresolved].
const (
	Holds      Verdict = "holds"
	Fails      Verdict = "fails"
	Untestable Verdict = "untestable" // cannot be tested at this preset
)

// Claim is a statement of a paper, expressed as conditions that hold if the statement is true.
type Claim struct {
	Name   string // name, for example "Compromised leaks more than Clean"
	Source string // where the paper makes the claim
	Quote  string // the paper's sentence, if there is one
	Family string // part of the paper with the claim: [Headline] or a section
	Unit   string // unit of the tested quantity
	// Effect names the effect that the claim is about, see [OfEffect].
	Effect string
	// Sanity says why the design of the study alone makes the claim true, if it does, see [Claim.Checks].
	Sanity string
	// Of lists conditions that must all hold for the claim to be true. It is empty if the preset lacks the models that
	// the claim compares.
	Of []Condition
	// Denied inverts the claim: it is true if at least one condition fails.
	Denied bool
	// Contradiction quotes a passage of the paper that contradicts the claim, if there is one.
	Contradiction string
	// Finding is printed if the claim fails. It names the explanations that were tested, or reports that none was.
	Finding string
	// Selection describes how units were selected, if the selection alone could make the claim true.
	Selection string
	// Caveat describes a limit of the study's own design, or why the claim has no conditions.
	Caveat string
	Guest  bool // the claim is about a user's model, not about the paper's methods
	// Null replaces Of for a claim that the data can contradict but not confirm.
	Null *NullTest
}

// Ours begins the source of a claim that the paper does not make in words, such as one that is read from its tables.
const Ours = "not in the paper's words"

// Ours returns the claim without a quotation, and with a source that says that the paper does not make it in words.
func (c Claim) Ours() Claim {
	c.Source, c.Quote = Ours+": "+c.Source, ""
	return c
}

// Checks marks the claim as a sanity check: it can fail only if a training, a metric or an attack is broken. That is
// the rule, whatever the verdict. A claim is a sanity check if it says
//
//   - that a model which was trained on something shows more of it than a model which was not, if neither was
//     unlearned;
//   - that random parts of one set of data are alike to a model which was trained on all of them;
//   - what the largest or the smallest of several learning rates does, or what more of the original's steps do, in the
//     direction in which they must push.
//
// A sanity check that holds is counted apart. It stays in its family: families depend only on the paper's text, and
// Holm's method rejects tests with tiny p-values first, so that they cost the others nothing.
func (c Claim) Checks(why string) Claim {
	c.Sanity = why
	return c
}

// NullTest is the result of a test whose null hypothesis is the claim.
type NullTest struct {
	Test  string // name of the test
	Units []Unit
	Each  []float64 // statistic of each repetition; negative values contradict the claim
	P     float64   // p-value over all repetitions
}

// Headline is the family of claims from a paper's abstract, list of contributions and conclusion.
const Headline = "headline"

// Judged is a claim with its verdict.
type Judged struct {
	Paper     string  `json:"paper"`
	Claim     string  `json:"claim"`
	Source    string  `json:"source"`
	Quote     string  `json:"quote,omitempty"`
	Family    string  `json:"family,omitempty"` // family of claims that are corrected together
	Effect    string  `json:"effect,omitempty"` // effect that the claim shares with others
	Sanity    string  `json:"sanity,omitempty"` // why the study's design alone makes the claim true
	Margin    string  `json:"margin,omitempty"` // see [Condition.Margin]; or a bound
	Verdict   Verdict `json:"verdict"`
	Statistic float64 `json:"statistic"` // distance from the nearest claimed bound; negative outside the bounds
	Lo        float64 `json:"lo"`
	Hi        float64 `json:"hi"`
	Unit      string  `json:"unit"`
	P         float64 `json:"p"`          // two-sided p-value, uncorrected like the interval; at least 1e-12
	PAdjusted float64 `json:"p_adjusted"` // P corrected over the family by Holm's method
	Agree     int     `json:"agree"`      // number of repetitions on the statistic's side of zero
	Repeated  int     `json:"repeated"`   // number of repetitions; 0 if nothing is repeated
	Preset    string  `json:"preset"`
	Seeds     int     `json:"seeds"`
	Finding   string  `json:"finding,omitempty"`
	// Contradiction quotes a passage of the paper that contradicts the claim.
	Contradiction string `json:"contradiction,omitempty"`
	Selection     string `json:"selection,omitempty"` // selection of units that alone could make the claim true
	Caveat        string `json:"caveat,omitempty"`    // limit of the study's own design
	Guest         bool   `json:"guest,omitempty"`     // the claim is about a user's model
	Basis         Basis  `json:"basis"`               // basis of the condition with the smallest statistic
	// Resolves is the true distance from zero at which a study like this decides the claim with 80 % power, at the
	// level of the first step of Holm's correction.
	Resolves float64 `json:"resolves"`
	// Needs is the smallest number of repetitions with which 80 % of studies decide a claim that stays open here, at the
	// same level, if the statistic and its variances are the true ones. [MostNeeded]+1 stands for any larger number. It is 0 if
	// the claim is decided, or if that is not known.
	Needs   int    `json:"needs,omitempty"`
	Because string `json:"open_because,omitempty"` // why a claim needs more than a hundred repetitions
}

// MarshalJSON writes NaN and infinities as null.
func (j Judged) MarshalJSON() ([]byte, error) {
	type plain Judged
	return withoutNaN(plain(j), map[string]float64{"statistic": j.Statistic, "lo": j.Lo, "hi": j.Hi, "p": j.P,
		"p_adjusted": j.PAdjusted, "resolves": j.Resolves})
}

// Cited returns where the paper makes the claim, followed by its sentence if there is one.
func (j Judged) Cited() string {
	if j.Quote == "" {
		return j.Source
	}
	return j.Source + ": “" + j.Quote + "”"
}

// alpha is the level at which a claim holds or fails and a difference is significant.
const alpha = 0.05

// NotExplained is the finding of a failed claim without a tested explanation.
const NotExplained = "no explanation was tested"

// JudgeClaims tests claims with the means of a panel and returns them with headline claims first.
//
// A claim holds if its quantity is within the claimed bounds and fails if it is outside, by a two-sided test at 5 %
// after Holm's correction over its family. If a claim of equivalence is undecided, it is untestable or unresolved. It
// is untestable if Resolves exceeds half the distance between the bounds: the study could not have shown the
// equivalence. It is still unresolved if the data contradict it before the correction, because then the study could
// have shown a difference.
//
// A claim with several conditions holds with the largest p-value among them (Berger, 1982). It fails with the smallest
// p-value after Bonferroni's correction for the number of all its conditions.
func JudgeClaims(paper, preset string, seeds int, p *Panel, claims []Claim) []Judged {
	claims = shareEffects(p, headlineFirst(claims))
	judged, known, room := make([]Judged, len(claims)), make([][]Estimate, len(claims)), make([]float64, len(claims))
	for i, c := range claims {
		nan := math.NaN()
		judged[i] = Judged{Paper: paper, Claim: c.Name, Source: c.Source, Quote: c.Quote, Family: c.Family,
			Effect: c.Effect, Sanity: c.Sanity, Margin: c.margins(), Verdict: Untestable, Unit: c.Unit,
			Preset: preset, Seeds: seeds, Statistic: nan, Lo: nan, Hi: nan, P: nan, PAdjusted: nan,
			Resolves: nan, Contradiction: c.Contradiction, Selection: c.Selection, Caveat: c.Caveat, Guest: c.Guest}
		if c.Null != nil {
			judged[i].null(*c.Null)
			judged[i].P = min(1, judged[i].P*float64(max(1, p.Looks)))
			room[i] = math.Inf(1)
		}
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
		if claims[i].Null == nil {
			j.Resolves = known[i][weakest(claims[i].Of, known[i])].widest().resolves(tests[j.Family] * max(1, p.Looks))
		}
		switch {
		case !(j.PAdjusted < alpha):
			contradicted := j.P < alpha && j.Statistic < 0
			if !math.IsInf(room[i], 1) && !(j.Resolves <= room[i]) && !contradicted {
				j.Verdict = Untestable
			}
			if claims[i].Null == nil {
				j.leaveOpen(claims[i].Of, known[i], j.Basis.Tests*max(1, p.Looks))
			}
		case j.Statistic > 0 && claims[i].Null == nil:
			j.Verdict = Holds
		default:
			j.Verdict, j.Finding = Fails, cmp.Or(claims[i].Finding, NotExplained)
		}
	}
	return judged
}

// InFamily sets the family of the claims that have none.
func InFamily(family string, claims []Claim) []Claim {
	for i := range claims {
		claims[i].Family = cmp.Or(claims[i].Family, family)
	}
	return claims
}

func headlineFirst(claims []Claim) []Claim {
	sorted := slices.Clone(claims)
	slices.SortStableFunc(sorted, func(a, b Claim) int {
		rank := map[bool]int{true: 0, false: 1}
		return rank[a.Family == Headline] - rank[b.Family == Headline]
	})
	return sorted
}

// adjustFamily corrects the p-values of a family and returns their number.
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

// Affordable is the largest number of repetitions that a claim may need without a reason being given.
const Affordable = 100

// leaveOpen fills in how many repetitions would decide a claim among a number of tests. It holds if all of its conditions surely do, and fails if
// one of them surely does not, see [JudgeClaims].
func (j *Judged) leaveOpen(conditions []Condition, estimates []Estimate, tests int) {
	for i, c := range conditions {
		switch value := c.value(estimates[i].Value); {
		case j.Statistic >= 0:
			j.Needs = max(j.Needs, estimates[i].needs(value, tests))
		case value < 0:
			if n := estimates[i].needs(-value, tests*len(conditions)); j.Needs == 0 || n > 0 && n < j.Needs {
				j.Needs = n
			}
		}
	}
	switch {
	case j.Needs <= Affordable:
	case len(conditions) >= manyConditions:
		j.Because = fmt.Sprintf("%d conditions at once", len(conditions))
	case slices.ContainsFunc(conditions, Condition.bounded):
		j.Because = "the effect equals the bound"
	default:
		j.Because = "the compared values hardly differ here"
	}
}

// manyConditions is the number of conditions from which on their number is the reason that a claim stays open.
const manyConditions = 10

// weakest returns the index of the condition with the smallest statistic, which is NaN if one of them is.
func weakest(conditions []Condition, estimates []Estimate) (at int) {
	least := math.Inf(1)
	for i, c := range conditions {
		if value := c.value(estimates[i].Value); value < least || math.IsNaN(value) {
			at, least = i, value
		}
	}
	return at
}

// test fills in the results of the conditions and returns their estimates.
func (j *Judged) test(p *Panel, conditions []Condition) (estimates []Estimate) {
	j.Verdict = Unresolved
	n, looks := float64(len(conditions)), float64(max(1, p.Looks))
	within, outside := 0.0, 1.0
	j.Lo, j.Hi = math.Inf(1), math.Inf(1)
	for _, c := range conditions {
		e := c.estimate(p)
		estimates = append(estimates, e)
		low, high := e.interval(alpha / looks)
		j.Lo = min(j.Lo, c.value(low), c.value(high))
		low, high = e.interval(alpha / looks / n)
		j.Hi = min(j.Hi, c.largestValue(low, high))
		if !math.IsInf(c.Low, -1) {
			within, outside = max(within, e.AtMost(c.Low)), min(outside, n*e.AtLeast(c.Low))
		}
		if !math.IsInf(c.High, 1) {
			within, outside = max(within, e.AtLeast(c.High)), min(outside, n*e.AtMost(c.High))
		}
	}
	at := weakest(conditions, estimates)
	j.Statistic, j.Basis = conditions[at].value(estimates[at].Value), estimates[at].Basis
	j.P = min(1, 2*looks*min(within, outside))
	if j.Statistic == 0 {
		j.P = 1
	}
	if !math.IsNaN(j.Statistic) && math.IsNaN(j.Lo) && math.IsNaN(j.Hi) { // the spread between units is unknown
		j.Verdict, j.P = Untestable, math.NaN()
	}
	return estimates
}

// null fills in the result of a test whose null hypothesis is the claim.
func (j *Judged) null(t NullTest) {
	if math.IsNaN(t.P) {
		return
	}
	j.Verdict, j.Statistic, j.P, j.Basis = Unresolved, 0, t.P, Basis{Test: t.Test, Units: t.Units}
	for _, value := range t.Each {
		j.Statistic += value / float64(len(t.Each))
	}
	j.Agree, j.Repeated = Estimate{Value: j.Statistic, Each: t.Each}.Agree(0)
}

// deny inverts the result, because the claim denies its conditions. The p-value is two-sided and stays the same.
func (j *Judged) deny() { j.Statistic, j.Lo, j.Hi = -j.Statistic, -j.Hi, -j.Lo }

// largestValue returns the largest value of the condition for a quantity between low and high.
func (c Condition) largestValue(low, high float64) float64 {
	if middle := (c.Low + c.High) / 2; low < middle && middle < high { // NaN or infinite if a bound is infinite
		return c.value(middle)
	}
	return max(c.value(low), c.value(high))
}
