package metric

import (
	"fmt"
	"math"
	"strings"
)

// GUMVariant selects the utility in the metric.
type GUMVariant uint8

const (
	// GUMOnAccuracy, "gum_acc", uses accuracy on the test set. All cells of UnSLU-BENCH's Tables 1 to 3 follow from it.
	GUMOnAccuracy GUMVariant = iota
	// GUMOnF1, "gum_f1", uses macro F1 on the test set, as the text of UnSLU-BENCH §2.3 defines the metric. It does not
	// reproduce the tables.
	GUMOnF1
)

// String returns the name of the variant in tables.
func (v GUMVariant) String() string {
	if v == GUMOnF1 {
		return "gum_f1"
	}
	return "gum_acc"
}

// GUMInput holds measurements of an unlearned model, of the original that it was derived from, and of the gold model,
// which never saw the forget set.
type GUMInput struct {
	AccuracyGold, AccuracyUnlearned    float64 // accuracy on the test set
	F1Gold, F1Unlearned                float64 // macro F1 on the test set
	MIAOriginal, MIAGold, MIAUnlearned float64 // accuracy of the membership attack, see LossMIA
	SecondsGold, SecondsUnlearned      float64 // time for training the gold model, and for unlearning
}

// utilities returns the utilities of the gold and the unlearned model.
func (in GUMInput) utilities(v GUMVariant) (gold, unlearned float64) {
	if v == GUMOnF1 {
		return in.F1Gold, in.F1Unlearned
	}
	return in.AccuracyGold, in.AccuracyUnlearned
}

// GUMFlag is a set of reasons why a component is 0.
type GUMFlag uint8

const (
	// the attack is no better on the original than on gold, so E is 0 for every method
	GUMNoGap         GUMFlag = 1 << iota
	GUMNotForgotten          // the attack is no worse on the unlearned model than on the original, so E is 0
	GUMOverForgotten         // MIA is farther below gold than the original is above it, so E is 0
	GUMSlower                // unlearning took longer than retraining, so T is 0
	GUMNoTime                // retraining took no time, so T is 0
)

var gumFlagTexts = [...]string{
	"original is no worse than gold under the attack",
	"nothing forgotten",
	"forgotten beyond gold",
	"slower than retraining",
	"no retraining time",
}

// String returns the reasons, separated by semicolons.
func (f GUMFlag) String() string {
	var texts []string
	for i, t := range gumFlagTexts {
		if f&(1<<i) != 0 {
			texts = append(texts, t)
		}
	}
	return strings.Join(texts, "; ")
}

// GUMResult holds the global unlearning metric and its components. All are in [0, 1].
type GUMResult struct {
	U     float64 // utility
	E     float64 // efficacy
	T     float64 // efficiency
	GUM   float64
	Flags GUMFlag
}

// GUM returns the global unlearning metric with equal weights (UnSLU-BENCH §2.3): the harmonic mean of
//
//	U = 1 − |u_g − u_u|
//	E = 1 − ((m_u − m_g)/(MIA_o − m_g))²,   m_u = min(MIA_u, MIA_o),   m_g = min(MIA_g, (m_u + MIA_o)/2)
//	T = 1 − ln(T_u + 1)/ln(T_g + 1)
//
// for the gold model g, the unlearned model u and the original o. T depends on the unit of time, which is the second.
//
// Special cases are:
//
//	MIA_g >= MIA_o            →  E = 0, also in the case 0/0 that the formula leaves open
//	T_u > T_g, or T_g = 0     →  T = 0
//	a component is 0          →  GUM = 0, which includes the original (E = 0) and gold (T = 0)
//	an input is NaN, a time is negative  →  the component and GUM are NaN
func GUM(in GUMInput, variant GUMVariant) GUMResult { return WeightedGUM(in, variant, 1, 1) }

// WeightedGUM returns [GUM] as a weighted harmonic mean:
//
//	GUM = (1 + α + β) U E T / (α E T + β U T + U E),
//
// with the weight α for utility, β for efficacy and 1 for efficiency. It panics if a weight is negative or NaN.
func WeightedGUM(in GUMInput, variant GUMVariant, alpha, beta float64) GUMResult {
	if !(alpha >= 0 && beta >= 0) {
		panic(fmt.Sprintf("metric: GUM with weights %v and %v", alpha, beta))
	}
	gold, unlearned := in.utilities(variant)
	r := GUMResult{U: clamp(1 - math.Abs(gold-unlearned))}
	r.E = r.efficacy(in)
	r.T = r.efficiency(in)
	r.GUM = weightedHarmonic(r.U, r.E, r.T, alpha, beta)
	return r
}

func (r *GUMResult) efficacy(in GUMInput) float64 {
	o, g, u := in.MIAOriginal, in.MIAGold, in.MIAUnlearned
	if math.IsNaN(o + g + u) {
		return math.NaN()
	}
	if g >= o {
		r.Flags |= GUMNoGap
	}
	if u >= o {
		r.Flags |= GUMNotForgotten
	} else if g > (u+o)/2 {
		r.Flags |= GUMOverForgotten
	}
	if r.Flags != 0 {
		return 0 // exactly the value of the formula, or its limit if one of the minima applies
	}
	d := (u - g) / (o - g)
	return clamp(1 - float64(d*d))
}

func (r *GUMResult) efficiency(in GUMInput) float64 {
	switch gold, unlearned := in.SecondsGold, in.SecondsUnlearned; {
	case !(gold >= 0 && unlearned >= 0):
		return math.NaN()
	case gold == 0:
		r.Flags |= GUMNoTime
		return 0
	case unlearned > gold:
		r.Flags |= GUMSlower
		return 0
	case math.IsInf(gold, 1):
		return math.NaN()
	default:
		return clamp(1 - math.Log1p(unlearned)/math.Log1p(gold))
	}
}

// CGUM returns the metric of the authors' later code, which corrects for chance. For C classes, utility u (macro F1 in
// that code) and ε = 1e-6, it is the harmonic mean of
//
//	U = (u_u − 1/C)/(u_g − 1/C + ε)
//	E = 1 − |m − MIA_g|/(|MIA_o − MIA_g| + ε),   m = min(MIA_u, MIA_o) if MIA_o >= MIA_g, else max(MIA_u, MIA_o)
//	T = 1 − ln(T_u + 1)/(ln(T_g + 1) + ε)
//
// each clamped to [0, 1]. Flags are not set. It panics if classes < 1.
func CGUM(in GUMInput, variant GUMVariant, classes int) GUMResult {
	if classes < 1 {
		panic(fmt.Sprintf("metric: CGUM of %d classes", classes))
	}
	const epsilon = 1e-6
	chance := 1 / float64(classes)
	gold, unlearned := in.utilities(variant)
	m := math.Max(in.MIAUnlearned, in.MIAOriginal)
	if in.MIAOriginal >= in.MIAGold {
		m = math.Min(in.MIAUnlearned, in.MIAOriginal)
	}
	r := GUMResult{
		U: clamp((unlearned - chance) / (gold - chance + epsilon)),
		E: clamp(1 - math.Abs(m-in.MIAGold)/(math.Abs(in.MIAOriginal-in.MIAGold)+epsilon)),
		T: clamp(1 - math.Log1p(in.SecondsUnlearned)/(math.Log1p(in.SecondsGold)+epsilon)),
	}
	r.GUM = weightedHarmonic(r.U, r.E, r.T, 1, 1)
	return r
}

// weightedHarmonic returns (1+α+β)uet/(αet + βut + ue), or 0 if a component is 0.
func weightedHarmonic(u, e, t, alpha, beta float64) float64 {
	if math.IsNaN(u + e + t) {
		return math.NaN()
	}
	if u == 0 || e == 0 || t == 0 {
		return 0
	}
	return clamp((1 + alpha + beta) / (alpha/u + beta/e + 1/t))
}

// clamp limits x to [0, 1]. It returns NaN for NaN.
func clamp(x float64) float64 { return math.Max(0, math.Min(1, x)) }
