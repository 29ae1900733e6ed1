package stat

// rankMethodOr returns the requested method if it is Exact or Asymptotic, and auto otherwise.
func (s *settings) rankMethodOr(auto Method) Method {
	if s.method == Exact || s.method == Asymptotic {
		return s.method
	}
	return auto
}

// rankTieTerm returns t³ − t, the contribution of a group of t equal values to the tie correction of rank tests.
func rankTieTerm(t int) float64 {
	f := float64(t)
	return f*f*f - f
}

// rankStandardise divides a distance from the mean by the standard deviation. If the settings ask for it, it first
// applies the continuity correction: ½ towards the mean for two-sided tests, and ½ against the alternative for
// one-sided tests.
func rankStandardise(distance, deviation float64, s settings) float64 {
	if s.correction {
		switch {
		case s.alternative == Greater, s.alternative == TwoSided && distance > 0:
			distance -= .5
		case s.alternative == Less, s.alternative == TwoSided && distance < 0:
			distance += .5
		}
	}
	return distance / deviation
}
