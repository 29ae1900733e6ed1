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

// lineFit fits the attack to many parts of two lists of losses. It expands all fits around one line.
type lineFit struct {
	members int       // number of members, whose losses are first in x
	x       []float64 // losses
	near    line
	moments []moments // moments of each loss at near
}

// newLineFit expands fits around the fit to the examples of a draw.
func newLineFit(members, nonMembers []float64, d *MembershipDraw) *lineFit {
	f := &lineFit{members: len(members), x: slices.Concat(members, nonMembers)}
	f.near = f.exact(d.examples)
	f.moments = make([]moments, len(f.x))
	for i := range f.x {
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

// at returns the index of an example in x.
func (f *lineFit) at(e MembershipOutcome) int {
	if e.Member {
		return e.Row
	}
	return f.members + e.Row
}

// exact returns the line that [FitLogistic] fits to examples.
func (f *lineFit) exact(examples []MembershipOutcome) line {
	losses := make([]float64, len(examples))
	for i, e := range examples {
		losses[i] = f.x[f.at(e)]
	}
	fit := FitLogistic(losses, 1, labelsOf(examples), 1)
	return line{fit.Weights[0], fit.Intercept}
}

// attack returns the accuracy of the attack on each split of a draw, or nothing if a loss of the draw is not finite. It
// counts the results in examples, which are those of the draw.
func (f *lineFit) attack(d *MembershipDraw, examples []MembershipOutcome) []float64 {
	var all moments
	for _, e := range examples {
		x := f.x[f.at(e)]
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil
		}
		all.add(&f.moments[f.at(e)])
	}
	accuracies := make([]float64, len(d.splits))
	for s, split := range d.splits {
		train := all
		for _, row := range split.Test {
			train.subtract(&f.moments[f.at(examples[row])])
		}
		fit, sure := f.expanded(f.near, &train, examples, split.Test)
		if !sure {
			train = f.around(fit, examples, split.Train)
			fit, sure = f.expanded(fit, &train, examples, split.Test)
		}
		if !sure {
			fit = f.exact(at(examples, split.Train))
		}
		correct := 0
		for _, row := range split.Test {
			e := &examples[row]
			e.Tested++
			if (fit.decision(f.x[f.at(*e)]) > 0) == e.Member {
				e.Correct++
				correct++
			}
		}
		accuracies[s] = float64(correct) / float64(len(split.Test))
	}
	return accuracies
}

// at returns the examples with the given indices.
func at(examples []MembershipOutcome, rows []int) []MembershipOutcome {
	some := make([]MembershipOutcome, len(rows))
	for i, row := range rows {
		some[i] = examples[row]
	}
	return some
}

// around returns the moments of some examples at a line.
func (f *lineFit) around(near line, examples []MembershipOutcome, rows []int) (m moments) {
	for _, row := range rows {
		one := f.momentsOf(near, f.at(examples[row]))
		m.add(&one)
	}
	return m
}

// expanded returns the line fitted to examples with the given moments at a line near. It also reports whether the
// predictions of the test part are sure: whether four times the last term of the expansion, which is more than the
// terms that are missing, cannot change them.
func (f *lineFit) expanded(near line, m *moments, examples []MembershipOutcome, test []int) (fit line, sure bool) {
	change, last, sure := m.minimise(near)
	fit = line{near.w + change.w, near.b + change.b}
	for _, row := range test {
		x := f.x[f.at(examples[row])]
		sure = sure && math.Abs(fit.decision(x)) > 4*(math.Abs(last.w*x)+math.Abs(last.b))+1e-6
	}
	return fit, sure
}
