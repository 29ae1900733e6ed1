package metric

import "gonum.org/v1/gonum/stat"

// PsiThreshold is the partial diffusion ratio at which a model that never saw a class reproduces it from the original's
// latent (Unlearning or Concealment, Fig. 4). From this ratio on, recovering a class proves nothing about the unlearned
// model. Means are therefore reported with and without these ratios.
const PsiThreshold = .55

// ConceptConfidence holds, for one partial diffusion ratio, the probability that the classifier gives to the class
// "original" for each generated image.
type ConceptConfidence struct {
	Psi      float64
	Original []float64 // P(y = original | p_i)
}

// CCSPrintedRetain returns the Concept Confidence Score of a retained concept by the printed formula (Unlearning or
// Concealment, eq. 5),
//
//	(1/N) Σ P(y = O | p_i).
//
// Special cases are:
//
//	no images  →  NaN
func CCSPrintedRetain(original []float64) float64 { return stat.Mean(original, nil) }

// CCSPrintedForget returns the Concept Confidence Score of a forgotten concept by the printed formula (eq. 6),
//
//	(1/N) Σ (1 − P(y = O | p_i)),
//
// one minus [CCSPrintedRetain].
func CCSPrintedForget(original []float64) float64 { return 1 - CCSPrintedRetain(original) }

// CCSCode returns the score as the paper's code computes it, for forget and retain rows alike. It averages the
// probability of "original" over the images of each ratio (the code has one image) and then over the ratios. It agrees
// with the range of the paper's Tables 1-3.
//
// Special cases are:
//
//	no ratios, or one without images  →  NaN
func CCSCode(curve []ConceptConfidence) float64 { return stat.Mean(CCSCurve(curve), nil) }

// CCSCurve returns the mean of P(y = O | p) for each ratio, the curve of Figs. 5c-17c.
func CCSCurve(curve []ConceptConfidence) []float64 {
	means := make([]float64, len(curve))
	for i, c := range curve {
		means[i] = stat.Mean(c.Original, nil)
	}
	return means
}

// CCSBelowThreshold returns [CCSCode] for the ratios below [PsiThreshold].
func CCSBelowThreshold(curve []ConceptConfidence) float64 {
	var below []ConceptConfidence
	for _, c := range curve {
		if c.Psi < PsiThreshold {
			below = append(below, c)
		}
	}
	return CCSCode(below)
}
