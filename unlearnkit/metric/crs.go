package metric

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// ConceptCosines holds cosines between features for one partial diffusion ratio: the generated images against every
// image of the original and of the unlearned model. The order of the cosines does not matter.
type ConceptCosines struct {
	Psi                 float64
	Original, Unlearned []float64
}

// CRSPrintedRetain returns the Concept Retrieval Score of a retained concept by the printed formula (Unlearning or
// Concealment, eq. 7), from the cosines between images p_i and original images o_i,
//
//	(1/N) Σ (1 − (2/π) arctan cos(f(p_i), f(o_i))).
//
// It decreases with similarity. For images equal to the original's it is .5, while Proposition 5 claims 1.
//
// Special cases are:
//
//	no cosines                                     →  NaN
//	a cosine outside [−1, 1] by more than rounding →  NaN
func CRSPrintedRetain(cosines []float64) float64 {
	return meanOf(cosines, func(c float64) float64 { return 1 - 2/math.Pi*math.Atan(c) })
}

// CRSPrintedForget returns the Concept Retrieval Score of a forgotten concept by the printed formula (eq. 8), from the
// cosines between images p_i and unlearned images u_i,
//
//	(1/N) Σ (2/π) arctan cos(f(p_i), f(u_i)).
//
// For images equal to the unlearned model's it is .5, while Proposition 5 claims 0. Special cases are the same as for
// [CRSPrintedRetain].
func CRSPrintedForget(cosines []float64) float64 {
	return meanOf(cosines, func(c float64) float64 { return 2 / math.Pi * math.Atan(c) })
}

// CRSCodeDissimilarity returns the mean of the paper's code's function s over the cosines,
//
//	s(c) = (1 − arctan c)/(π/2),
//
// which differs from eq. (7) in the position of a parenthesis. Special cases are the same as for [CRSPrintedRetain].
func CRSCodeDissimilarity(cosines []float64) float64 {
	return meanOf(cosines, func(c float64) float64 { return (1 - math.Atan(c)) / (math.Pi / 2) })
}

// CRSCorrected returns the arctangent similarity, scaled to the range from −1 to 1,
//
//	r = (1/N) Σ (4/π) arctan cos(f(p_i), f(·)).
//
// It is 1 for equal features, 0 for orthogonal and −1 for opposite ones. Special cases are the same as for
// [CRSPrintedRetain].
func CRSCorrected(cosines []float64) float64 {
	return meanOf(cosines, func(c float64) float64 { return 4 / math.Pi * math.Atan(c) })
}

// meanOf returns the mean of f over the cosines. It accepts cosines slightly outside [−1, 1], because single-precision
// features are rounded.
func meanOf(cosines []float64, f func(float64) float64) float64 {
	const rounding = 1e-6
	sum := 0.0
	for _, c := range cosines {
		if math.Abs(c) > 1+rounding {
			return math.NaN()
		}
		sum += f(min(max(c, -1), 1))
	}
	return sum / float64(len(cosines))
}

// CRSPoint holds the variants of the Concept Retrieval Score at one partial diffusion ratio.
type CRSPoint struct {
	Psi           float64
	CodeOriginal  float64 // s_O: [CRSCodeDissimilarity] to the original images, plotted in Figs. 5d-17d
	CodeUnlearned float64 // s_U: [CRSCodeDissimilarity] to the unlearned images
	Difference    float64 // |s_O − s_U|
	Original      float64 // r_O: [CRSCorrected] to the original images
	Unlearned     float64 // r_U: [CRSCorrected] to the unlearned images
	Contrast      float64 // 1/2 + (r_O − r_U)/4: 1 if like the original, 0 if like the unlearned, .5 if between
}

// CRSMeans holds the means of [CRSPoint] over ratios. They are NaN if there are no ratios.
type CRSMeans struct {
	Ratios     int
	CodeForget float64 // d, the mean of |s_O − s_U|: the column in the tables' forget rows
	CodeRetain float64 // 1 − d: the column in the tables' retain rows, which adds no information
	Original   float64 // mean of r_O
	Unlearned  float64 // mean of r_U
	Contrast   float64 // mean contrast: high is good for a retained concept, low for a forgotten one
}

// CRSScores holds the Concept Retrieval Score over several partial diffusion ratios.
type CRSScores struct {
	Curve          []CRSPoint // scores at each ratio, in the given order
	All            CRSMeans   // means over all ratios, as in the paper's tables
	BelowThreshold CRSMeans   // means over the ratios below [PsiThreshold]
}

// CRS computes the variants of the Concept Retrieval Score from the cosines at each ratio: as in the paper's code, and
// corrected. The printed equations pair images; see [CRSPrintedRetain] and [CRSPrintedForget].
func CRS(cosines []ConceptCosines) CRSScores {
	s := CRSScores{Curve: make([]CRSPoint, len(cosines))}
	var below []CRSPoint
	for i, c := range cosines {
		s.Curve[i] = crsPoint(c)
		if c.Psi < PsiThreshold {
			below = append(below, s.Curve[i])
		}
	}
	s.All = crsMeans(s.Curve)
	s.BelowThreshold = crsMeans(below)
	return s
}

func crsPoint(c ConceptCosines) CRSPoint {
	p := CRSPoint{
		Psi:           c.Psi,
		CodeOriginal:  CRSCodeDissimilarity(c.Original),
		CodeUnlearned: CRSCodeDissimilarity(c.Unlearned),
		Original:      CRSCorrected(c.Original),
		Unlearned:     CRSCorrected(c.Unlearned),
	}
	p.Difference = math.Abs(p.CodeOriginal - p.CodeUnlearned)
	p.Contrast = .5 + (p.Original-p.Unlearned)/4
	return p
}

func crsMeans(points []CRSPoint) CRSMeans {
	over := func(field func(CRSPoint) float64) float64 {
		values := make([]float64, len(points))
		for i, p := range points {
			values[i] = field(p)
		}
		return stat.Mean(values, nil)
	}
	d := over(func(p CRSPoint) float64 { return p.Difference })
	return CRSMeans{
		Ratios:     len(points),
		CodeForget: d,
		CodeRetain: 1 - d,
		Original:   over(func(p CRSPoint) float64 { return p.Original }),
		Unlearned:  over(func(p CRSPoint) float64 { return p.Unlearned }),
		Contrast:   over(func(p CRSPoint) float64 { return p.Contrast }),
	}
}
