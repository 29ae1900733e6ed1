package metric

import "math"

// NoMUSWeight is the usual weight of the utility in NoMUS. UnSLU-BENCH's Table 4 uses it, too.
const NoMUSWeight = .5

// NoMUS returns the normalised machine unlearning score of Choi and Na,
//
//	λ·utility + (1 − λ)(1 − 2|MIA − ½|).
//
// UnSLU-BENCH's text uses accuracy as the utility, but its Table 4 follows from macro F1 on the test set. NoMUS uses
// neither the gold model nor the running time, so the original and the gold model score high although they unlearn
// nothing.
//
// Special cases are:
//
//	a NaN  →  NaN
func NoMUS(utility, mia, lambda float64) float64 {
	return lambda*utility + (1-lambda)*(1-2*math.Abs(mia-.5))
}

// Speedup returns T_g/T_u, which is how many times faster unlearning is than retraining (UnSLU-BENCH, Tables 1 to 4).
//
// Special cases are:
//
//	unlearned = 0, gold > 0       →  +Inf
//	both 0, or a time is negative →  NaN
func Speedup(secondsGold, secondsUnlearned float64) float64 {
	if !(secondsGold >= 0 && secondsUnlearned >= 0) {
		return math.NaN()
	}
	return secondsGold / secondsUnlearned
}
