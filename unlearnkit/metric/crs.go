package metric

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// ConceptCosines holds cosines between image features for one partial diffusion ratio: of the generated images with
// every image of the original and of the unlearned model. The order of the cosines does not matter.
type ConceptCosines struct {
	Psi                 float64
	Original, Unlearned []float64
}

// CRSPrintedRetain returns the Concept Retrieval Score for retaining as printed (Unlearning or Concealment, eq. 7),
// from the cosines between images p_i and original images o_i,
//
//	(1/N) Σ (1 − (2/π) arctan cos(f(p_i), f(o_i))).
//
// It decreases with similarity. For images equal to the original's it is .5, not 1 as Proposition 5 says.
//
// Special cases are:
//
//	no cosines                                     →  NaN
//	a cosine outside [−1, 1] by more than rounding →  NaN
func CRSPrintedRetain(cosines []float64) float64 {
	return meanOf(cosines, func(c float64) float64 { return 1 - 2/math.Pi*math.Atan(c) })
}

// CRSPrintedForget returns the Concept Retrieval Score for forgetting as printed (eq. 8), from the cosines between
// images p_i and unlearned images u_i,
//
//	(1/N) Σ (2/π) arctan cos(f(p_i), f(u_i)).
//
// For images equal to the unlearned model's it is .5, not 0 as Proposition 5 says. Special cases are as for
// [CRSPrintedRetain].
func CRSPrintedForget(cosines []float64) float64 {
	return meanOf(cosines, func(c float64) float64 { return 2 / math.Pi * math.Atan(c) })
}

// CRSCodeDissimilarity returns the mean over cosines of s(c) in the paper's code,
//
//	s(c) = (1 − arctan c)/(π/2),
//
// which is eq. (7) with a parenthesis in another place. Special cases are as for [CRSPrintedRetain].
func CRSCodeDissimilarity(cosines []float64) float64 {
	return meanOf(cosines, func(c float64) float64 { return (1 - math.Atan(c)) / (math.Pi / 2) })
}

// CRSCorrected returns the arctangent similarity on its full scale,
//
//	r = (1/N) Σ (4/π) arctan cos(f(p_i), f(·)),
//
// 1 for equal features, 0 for orthogonal and −1 for opposite ones. Special cases are as for [CRSPrintedRetain].
func CRSCorrected(cosines []float64) float64 {
	return meanOf(cosines, func(c float64) float64 { return 4 / math.Pi * math.Atan(c) })
}

// meanOf averages f over cosines. Rounding of single-precision features may put cosines outside [−1, 1].
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

// CRSPoint is the Concept Retrieval Score at one partial diffusion ratio.
type CRSPoint struct {
	Psi           float64
	CodeOriginal  float64 // s_O, [CRSCodeDissimilarity] to the original images; Figs. 5d-17d plot it
	CodeUnlearned float64 // s_U, to the unlearned images
	Difference    float64 // |s_O − s_U|
	Original      float64 // r_O, [CRSCorrected] to the original images
	Unlearned     float64 // r_U, to the unlearned images
	Contrast      float64 // 1/2 + (r_O − r_U)/4: 1 like the original, .5 undecided, 0 like the unlearned
}

// CRSMeans holds means of [CRSPoint] over ratios. All are NaN without ratios.
type CRSMeans struct {
	Ratios     int
	CodeForget float64 // d, the mean of |s_O − s_U|: the tables' column in forget rows
	CodeRetain float64 // 1 − d: the tables' column in retain rows, hence not a second measurement
	Original   float64 // mean r_O
	Unlearned  float64 // mean r_U
	Contrast   float64 // high is good for a retained concept, low for a forgotten one
}

// CRSScores is the Concept Retrieval Score over partial diffusion ratios.
type CRSScores struct {
	Curve          []CRSPoint // one per ratio, in the order given
	All            CRSMeans   // over all ratios, as in the paper's tables
	BelowThreshold CRSMeans   // over the ratios below [PsiThreshold]
}

// CRS computes the Concept Retrieval Score from the cosines at each ratio, as the paper's code does and corrected. The
// printed equations, which pair images, are [CRSPrintedRetain] and [CRSPrintedForget].
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
