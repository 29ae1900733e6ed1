package metric

import (
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
)

// A line is a logistic regression on one number: P(true | x) = 1/(1 + exp(−(w·x + b))).
type line struct{ w, b float64 }

func (l line) decision(x float64) float64 { return float64(l.w*x) + l.b }

// lineOrder is the order to which the gradient is expanded, as a polynomial of the decisions' changes.
const lineOrder = 4

// moments holds the sums Σ_i c_ik x_i^j of some examples at index momentAt[k] + j, for k <= lineOrder and j <= k+1.
// Here c_ik are the coefficients of the residual σ(z_i + d) − y_i = Σ_k c_ik d^k, with y_i = 1 or 0. If w·x + b changes
// by d_i = u·x_i + v, the sums give the gradient of Σ log(1 + exp(−y_i (w·x_i + b))) after the change.
type moments [20]float64

var momentAt = [lineOrder + 1]int{0, 2, 5, 9, 14}

func (m *moments) add(other *moments) {
	for i, v := range other {
		m[i] += v
	}
}

func (m *moments) subtract(other *moments) {
	for i, v := range other {
		m[i] -= v
	}
}

// momentsOf returns the moments of one example at a line. The label y is 1 or 0.
func momentsOf(l line, x, y float64) (m moments) {
	z := l.decision(x)
	e := vectorstate.Exp(-math.Abs(z))
	larger := 1 / (1 + e)
	smaller := e * larger
	p, slope, bend := larger, larger*smaller, smaller-larger // σ, σ' and 1 − 2σ
	if z < 0 {
		p, bend = smaller, -bend
	}
	// σ'' = σ'(1−2σ), σ''' = σ'(1−6σ'), σ'''' = σ''(1−12σ')
	coefficients := [lineOrder + 1]float64{p - y, slope, slope * bend / 2, slope * (1 - 6*slope) / 6,
		slope * bend * (1 - 12*slope) / 24}
	for k, c := range coefficients {
		for j := range k + 2 {
			m[momentAt[k]+j] = c
			c *= x
		}
	}
	return m
}

// gradient returns the gradient after a change of the line by (u, v), and the term of the highest order in it.
func (m *moments) gradient(u, v float64) (whole, last line) {
	u2, v2, uv := u*u, v*v, 2*u*v
	u3, v3, u2v, uv2 := u2*u, v2*v, 3*u2*v, 3*u*v2
	u4, v4, u3v, u2v2, uv3 := u2*u2, v2*v2, 4*u3*v, 6*u2*v2, 4*u*v3
	last.b = v4*m[14] + uv3*m[15] + u2v2*m[16] + u3v*m[17] + u4*m[18]
	last.w = v4*m[15] + uv3*m[16] + u2v2*m[17] + u3v*m[18] + u4*m[19]
	whole.b = m[0] + (v*m[2] + u*m[3]) + (v2*m[5] + uv*m[6] + u2*m[7]) +
		(v3*m[9] + uv2*m[10] + u2v*m[11] + u3*m[12]) + last.b
	whole.w = m[1] + (v*m[3] + u*m[4]) + (v2*m[6] + uv*m[7] + u2*m[8]) +
		(v3*m[10] + uv2*m[11] + u2v*m[12] + u3*m[13]) + last.w
	return whole, last
}

// minimise returns the change of the line at which the objective of [FitLogistic] with c = 1 is smallest. It follows
// the expanded gradient with the Hessian at the line, and returns false if that does not converge. The term of the
// highest order has moved the minimum by last.
func (m *moments) minimise(near line) (change, last line, ok bool) {
	ww, wb, bb := 1+m[4], m[3], m[2]
	determinant := ww*bb - wb*wb
	if !(determinant > 1e-9*ww*bb) {
		return line{}, line{}, false
	}
	step := func(g line) line { return line{(wb*g.b - bb*g.w) / determinant, (wb*g.w - ww*g.b) / determinant} }
	for range 30 {
		gradient, highest := m.gradient(change.w, change.b)
		gradient.w += near.w + change.w
		s := step(gradient)
		change = line{change.w + s.w, change.b + s.b}
		if math.Abs(s.w) <= lineTolerance*(1+math.Abs(near.w)) && math.Abs(s.b) <= lineTolerance*(1+math.Abs(near.b)) {
			return change, step(highest), true
		}
	}
	return line{}, line{}, false
}

// lineTolerance is the step after which a fit has converged, relative to its coefficients.
const lineTolerance = 1e-7

// lineFit fits the attack to many parts of a list of losses. It expands all fits around one line.
type lineFit struct {
	members  int       // number of members, whose losses are first in x
	x        []float64 // losses
	low      float64   // smallest loss
	high     float64   // largest loss
	near     line
	moments  []moments // moments of each loss at near
	outcomes []outcome // results of the attack on each loss
}

// outcome counts the results of the attack on a loss.
type outcome struct {
	used            bool
	tested, correct int
}

// newLineFit expands fits around the fit to all losses, with the intercept that equally many members and non-members
// would give it.
func newLineFit(members, nonMembers []float64) *lineFit {
	x := slices.Concat(members, nonMembers)
	f := &lineFit{members: len(members), x: x, moments: make([]moments, len(x)), outcomes: make([]outcome, len(x))}
	for i, v := range x {
		if i == 0 || v < f.low {
			f.low = v
		}
		if i == 0 || v > f.high {
			f.high = v
		}
	}
	all := make([]int, len(x))
	for i := range all {
		all[i] = i
	}
	f.near = f.exact(all)
	f.near.b += math.Log(float64(len(nonMembers)) / float64(len(members)))
	for i := range x {
		f.moments[i] = f.momentsOf(f.near, i)
	}
	return f
}

// momentsOf returns the moments of the loss with index i.
func (f *lineFit) momentsOf(near line, i int) moments {
	if i < f.members {
		return momentsOf(near, f.x[i], 1)
	}
	return momentsOf(near, f.x[i], 0)
}

// exact returns the line that [FitLogistic] fits to some losses.
func (f *lineFit) exact(rows []int) line {
	losses, labels := make([]float64, len(rows)), make([]bool, len(rows))
	for i, at := range rows {
		losses[i], labels[i] = f.x[at], at < f.members
	}
	fit := FitLogistic(losses, 1, labels, 1)
	return line{fit.Weights[0], fit.Intercept}
}

// attack returns the accuracy of the attack on each split of a draw, and their mean. If a loss of the draw is not
// finite, the mean is NaN. It counts the outcomes.
func (f *lineFit) attack(d *MembershipDraw) (accuracies []float64, mean float64) {
	var all moments
	for _, at := range d.pool {
		f.outcomes[at].used = true
		all.add(&f.moments[at])
	}
	if slices.ContainsFunc(d.pool, func(at int) bool { return math.IsNaN(f.x[at]) || math.IsInf(f.x[at], 0) }) {
		return nil, math.NaN()
	}
	tested, right := 0, 0
	for _, split := range d.splits {
		train := all
		for _, at := range split.Test {
			train.subtract(&f.moments[at])
		}
		fit, correct := f.fit(&train, split), 0
		for _, at := range split.Test {
			o := &f.outcomes[at]
			o.tested++
			if (fit.decision(f.x[at]) > 0) == (at < f.members) {
				o.correct++
				correct++
			}
		}
		accuracies = append(accuracies, float64(correct)/float64(len(split.Test)))
		tested, right = tested+len(split.Test), right+correct
	}
	return accuracies, float64(right) / float64(tested) // equal counts give equal means
}

// fit returns a line that predicts the test part of a split as the fit to its training part does, whose moments are
// train.
func (f *lineFit) fit(train *moments, split Split) line {
	fit, sure := f.expanded(train, split.Test)
	if !sure {
		fit, sure = f.newton(fit, split)
	}
	if !sure {
		return f.exact(split.Train)
	}
	return fit
}

// newton is like fit. It takes a few steps of Newton's method from a line near, until a hundred times the square of the
// last step, which is more than its error, cannot change a prediction of the test part. It returns false if the steps
// do not suffice.
func (f *lineFit) newton(near line, split Split) (line, bool) {
	const steps, small = 8, .03
	for range steps {
		w, b, ww, wb, bb := near.w, 0., 1., 0., 0.
		for _, at := range split.Train {
			x := f.x[at]
			z := near.decision(x)
			e := vectorstate.Exp(-math.Abs(z))
			larger := 1 / (1 + e)
			residual, slope := larger, e*larger*larger
			if z < 0 {
				residual = e * larger
			}
			if at < f.members {
				residual--
			}
			w += residual * x
			b += residual
			ww += slope * x * x
			wb += slope * x
			bb += slope
		}
		determinant := ww*bb - wb*wb
		if !(determinant > 1e-9*ww*bb) {
			return near, false
		}
		dw, db := (wb*b-bb*w)/determinant, (wb*w-ww*b)/determinant
		near = line{near.w + dw, near.b + db}
		if most := max(math.Abs(dw), math.Abs(db)); most < small && f.decides(near, split.Test, 0, 100*most*most+1e-9) {
			return near, true
		}
	}
	return near, false
}

// expanded returns the line fitted to losses with the given moments. It also reports whether the predictions of the
// test part are sure: whether the expansion is good for all losses, and four times its last term cannot change them.
func (f *lineFit) expanded(m *moments, test []int) (fit line, sure bool) {
	change, last, converged := m.minimise(f.near)
	if !converged {
		return f.near, false
	}
	fit = line{f.near.w + change.w, f.near.b + change.b}
	return fit, f.good(change) && f.decides(fit, test, 4*math.Abs(last.w), 4*math.Abs(last.b)+1e-6)
}

// decides reports whether all decisions about losses are further from 0 than a change of the line by (w, b).
func (f *lineFit) decides(l line, rows []int, w, b float64) bool {
	for _, at := range rows {
		if x := f.x[at]; !(math.Abs(l.decision(x)) > w*math.Abs(x)+b) {
			return false
		}
	}
	return true
}

// good reports whether the expansion is good for a change of the line: no decision changes by 1 or more, except if the
// loss has no weight before and after.
func (f *lineFit) good(change line) bool {
	const much, weightless = 1, 12
	if math.Abs(change.decision(f.low)) < much && math.Abs(change.decision(f.high)) < much {
		return true
	}
	for _, x := range f.x {
		if before, d := f.near.decision(x), change.decision(x); !(math.Abs(d) < much) &&
			!(min(before, before+d) > weightless || max(before, before+d) < -weightless) {
			return false
		}
	}
	return true
}
