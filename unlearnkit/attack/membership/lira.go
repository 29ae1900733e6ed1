package membership

import (
	"fmt"
	"math"
)

// Mode selects the shadow models that LiRA compares with.
type Mode string

const (
	AutoMode Mode = ""        // Online if there are shadows of both kinds, Offline if all are without examples
	Online   Mode = "online"  // shadows trained with an example against shadows trained without it
	Offline  Mode = "offline" // only shadows trained without an example, as a one-sided test
)

// Variance selects how the spread of an example's logits over shadow models is estimated.
type Variance string

const (
	// AutoVariance is Shared below 64 shadow models and Separate from 64 on, as the paper recommends.
	AutoVariance Variance = ""
	Separate     Variance = "per example" // a variance for each example, from its own logits
	Shared       Variance = "shared"      // one variance for all examples, around each example's own mean
)

// enoughShadows is the number of shadow models from which each example can have its own variance.
const enoughShadows = 64

// LiRA is the likelihood-ratio attack on the losses of a target model.
//
// With φ the [LogitConfidence] of an example under the target, and normal distributions fitted to its logits under
// shadows with it (μ₁, σ₁) and without it (μ₀, σ₀), the score is
//
//	online    log N(φ; μ₁, σ₁²) − log N(φ; μ₀, σ₀²)
//	offline   (φ − μ₀)/σ₀
//
// The offline score orders the examples as the paper's 1 − P(Z > φ) does, and does not round to 1. A variance has the
// denominator n − 1; a shared variance has the sum of n − 1 over the examples. It is around the examples' own means.
// The paper's code instead uses the variance of all logits, which includes the differences between examples.
type LiRA struct {
	Scores        []float64 `json:"-"` // larger for members
	Mode          Mode      `json:"mode"`
	Variance      Variance  `json:"variance"`
	Models        int       `json:"models"`         // largest number of shadows of an example
	FewestWith    int       `json:"fewest_with"`    // smallest number of shadows trained with an example
	FewestWithout int       `json:"fewest_without"` // smallest number of shadows trained without an example
	Warnings      []Warning `json:"warnings"`
}

// Likelihood attacks the losses of a target model by comparing them with the losses of shadow models.
func Likelihood(target []float64, shadows Shadows, mode Mode, variance Variance) (LiRA, error) {
	l := LiRA{Mode: mode, Variance: variance, Warnings: []Warning{}}
	if len(target) == 0 || len(shadows.With) != len(target) || len(shadows.Without) != len(target) {
		return l, fmt.Errorf("membership: %d losses of the target, shadows with %d and without %d examples; give the "+
			"same examples to all", len(target), len(shadows.With), len(shadows.Without))
	}
	if err := l.plan(shadows); err != nil {
		return l, err
	}
	floored := 0
	logits := func(what string, example int, losses []float64) ([]float64, error) {
		all := make([]float64, len(losses))
		for k, loss := range losses {
			if !(loss >= 0) || math.IsInf(loss, 1) {
				return nil, fmt.Errorf("membership: example %d: a loss of the %s is %v; a cross-entropy is 0 or more",
					example+1, what, loss)
			}
			if loss < lossFloor {
				floored++
			}
			all[k] = LogitConfidence(max(loss, lossFloor))
		}
		return all, nil
	}
	fits := [2]fit{newFit(len(target)), newFit(len(target))} // distributions without and with the example
	phi := make([]float64, len(target))
	for i, loss := range target {
		of, err := logits("target", i, []float64{loss})
		if err != nil {
			return l, err
		}
		phi[i] = of[0]
		for side, losses := range [2][]float64{shadows.Without[i], shadows.With[i]} {
			if side == 1 && l.Mode == Offline {
				continue
			}
			of, err := logits("shadows", i, losses)
			if err != nil {
				return l, err
			}
			fits[side].add(i, of)
		}
	}
	if err := l.score(phi, fits); err != nil {
		return l, err
	}
	if floored > 0 {
		l.Warnings = append(l.Warnings, warningf(WarnFloor, "%d losses are below %.2g, the smallest that single "+
			"precision distinguishes from 0, and count as this value", floored, lossFloor))
	}
	return l, nil
}

// plan chooses mode and variance, and returns an error if there are too few shadows.
func (l *LiRA) plan(shadows Shadows) error {
	l.FewestWith, l.FewestWithout = len(shadows.With[0]), len(shadows.Without[0])
	lacksWith, lacksWithout, seen := 0, 0, 0
	for i := range shadows.With {
		with, without := len(shadows.With[i]), len(shadows.Without[i])
		if with < l.FewestWith {
			l.FewestWith, lacksWith = with, i
		}
		if without < l.FewestWithout {
			l.FewestWithout, lacksWithout = without, i
		}
		l.Models, seen = max(l.Models, with+without), seen+with
	}
	if l.Mode == AutoMode {
		l.Mode = Online
		if seen == 0 {
			l.Mode = Offline
		}
	}
	if l.Variance == AutoVariance {
		l.Variance = Separate
		if l.Models < enoughShadows {
			l.Variance = Shared
		}
	}
	needed := 1
	if l.Variance == Separate {
		needed = 2
	}
	switch {
	case l.Mode != Online && l.Mode != Offline || l.Variance != Separate && l.Variance != Shared:
		return fmt.Errorf("membership: mode %q with variance %q; give online or offline, and per example or shared",
			l.Mode, l.Variance)
	case l.FewestWithout < needed:
		return fmt.Errorf("membership: example %d has losses of %d shadows without it; at least %d are needed",
			lacksWithout+1, l.FewestWithout, needed)
	case l.Mode == Online && l.FewestWith < needed:
		return fmt.Errorf("membership: example %d has losses of %d shadows with it; online at least %d are needed, "+
			"offline none", lacksWith+1, l.FewestWith, needed)
	}
	if l.Models < enoughShadows {
		l.Warnings = append(l.Warnings, warningf(WarnFewShadows, "%d shadow models; the attack grows stronger up to "+
			"%d and more", l.Models, enoughShadows))
	}
	return nil
}

// score compares the target's logits with the fits without and with the examples.
func (l *LiRA) score(phi []float64, fits [2]fit) error {
	without, err := fits[0].variances(l.Variance)
	if err != nil {
		return err
	}
	l.Scores = make([]float64, len(phi))
	if l.Mode == Offline {
		for i, x := range phi {
			l.Scores[i] = (x - fits[0].means[i]) / math.Sqrt(without[i])
		}
		return nil
	}
	with, err := fits[1].variances(l.Variance)
	if err != nil {
		return err
	}
	for i, x := range phi {
		l.Scores[i] = logNormal(x, fits[1].means[i], with[i]) - logNormal(x, fits[0].means[i], without[i])
	}
	return nil
}

// logNormal returns the logarithm of the normal density without its constant.
func logNormal(x, mean, variance float64) float64 {
	return -(x-mean)*(x-mean)/(2*variance) - math.Log(variance)/2
}
