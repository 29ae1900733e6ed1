package stat

import "math"

// PowerMcNemar returns the power of McNemar's test with n pairs of outcomes. In a pair only the first succeeds with
// probability p10, and only the second with probability p01.
//
// Exact and Auto return the power of the exact test, without approximation. The number of discordant pairs is binomial.
// Given this number, the number of pairs in which only the first succeeds is also binomial. The power is the
// probability that the second number is significant, averaged over the first. Asymptotic is the normal approximation of
// Connor (1987) for the test without continuity correction. With d = p10 − p01 and ψ = p10 + p01,
//
//	power = Φ((|d|√n − z√ψ)/√(ψ − d²)) + Φ((−|d|√n − z√ψ)/√(ψ − d²)).
//
// The options are a [Method], a [Level] and an [Alternative], where Greater means p10 > p01. The power is NaN if n < 1,
// if the probabilities are negative or sum to more than 1, or if the level is outside (0, 1).
func PowerMcNemar(n int, p10, p01 float64, opts ...Option) float64 {
	s := resolve(opts, false)
	if n < 1 || !validDiscordance(p10, p01) || !s.validLevel() {
		return math.NaN()
	}
	if s.method == Asymptotic {
		return s.powerConnor(n, p10, p01)
	}
	return newMcNemarPower(s, p10, p01).power(n)
}

// SampleSizeMcNemar returns the smallest number of pairs for which [PowerMcNemar] is at least the given power. The
// power of the exact test does not increase steadily with n, see [SampleSizeBinomial].
//
// Special cases are:
//
//	power outside (0, 1)                            →  0 with WarnBadParameter
//	power not reached (p10 = p01, the wrong sign,   →  0 with WarnBadParameter
//	or, for the exact test, 100,000 pairs)
func SampleSizeMcNemar(power, p10, p01 float64, opts ...Option) (int, Warning) {
	s := resolve(opts, false)
	if !validDiscordance(p10, p01) || !s.validLevel() {
		return 0, WarnBadParameter
	}
	likely, w := powerSearch(power, 1, func(n int) float64 { return s.powerConnor(n, p10, p01) })
	if s.method == Asymptotic || w != 0 {
		return likely, w
	}
	return powerScan(power, likely, newMcNemarPower(s, p10, p01).power)
}

func validDiscordance(p10, p01 float64) bool {
	return p10 >= 0 && p01 >= 0 && p10+p01 <= 1
}

func (s settings) powerConnor(n int, p10, p01 float64) float64 {
	d, psi, root := p10-p01, p10+p01, math.Sqrt(float64(n))
	return s.powerNormal(d, math.Sqrt(psi)/root, math.Sqrt(psi-d*d)/root)
}

// mcNemarPower computes the power given the number of discordant pairs, which does not depend on n, and caches it.
type mcNemarPower struct {
	settings
	discordant float64   // probability that a pair is discordant
	first      float64   // probability that the first succeeds in a discordant pair
	given      []float64 // power for each number of discordant pairs
	critical   int       // smallest significant one-sided count for len(given)−1 discordant pairs
}

func newMcNemarPower(s settings, p10, p01 float64) *mcNemarPower {
	first := .5
	if p10+p01 > 0 {
		first = p10 / (p10 + p01)
	}
	// The power is 0 without discordant pairs.
	return &mcNemarPower{settings: s, discordant: p10 + p01, first: first, given: []float64{0}, critical: 1}
}

func (m *mcNemarPower) power(n int) float64 {
	power := 0.
	for discordant, mass := range binomialMasses(n, m.discordant) {
		if mass > 1e-20 {
			power += mass * m.conditional(discordant)
		}
	}
	return power
}

// conditional returns the power for a given number of discordant pairs.
func (m *mcNemarPower) conditional(discordant int) float64 {
	tail := m.alternative.outside(m.level) * (1 + 1e-12) // a p-value of exactly α must reject regardless of rounding
	for n := len(m.given); n <= discordant; n++ {
		// One more pair increases the critical count by at most one.
		if binomialAtLeast(m.critical, n, .5, .5) > tail {
			m.critical++
		}
		power := 0.
		if m.alternative != Less {
			power += binomialAtLeast(m.critical, n, m.first, 1-m.first)
		}
		if m.alternative != Greater {
			power += binomialAtLeast(m.critical, n, 1-m.first, m.first)
		}
		m.given = append(m.given, power)
	}
	return m.given[discordant]
}
