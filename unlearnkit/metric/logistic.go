package metric

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
	"gonum.org/v1/gonum/mat"
)

// Logistic is a fitted logistic regression: P(true | f) = 1/(1 + exp(−(w·f + b))).
type Logistic struct {
	Weights    []float64 // weights w
	Intercept  float64   // intercept b
	Iterations int       // number of Newton steps
	Converged  bool      // whether the Newton step became smaller than the tolerance
}

const (
	logisticTolerance  = 1e-8 // for the largest element of the Newton step, relative to the coefficients
	logisticIterations = 200
)

// FitLogistic minimises
//
//	½‖w‖² + c Σ log(1 + exp(−y_i (w·f_i + b))),   y_i = ±1,
//
// by Newton's method with step halving. The intercept b is not penalised. This is the objective of scikit-learn's
// LogisticRegression(C=c). Row i of features is features[i*dim : (i+1)*dim] and belongs to labels[i].
//
// Special cases are:
//
//	no observations          →  all coefficients 0
//	labels of one class      →  weights 0, intercept ±Inf: the limit of the minimisers
//	a NaN or Inf in features →  all coefficients NaN, not Converged
//	len(features) != dim·len(labels), c <= 0  →  panic
func FitLogistic(features []float64, dim int, labels []bool, c float64) Logistic {
	if len(features) != dim*len(labels) || !(c > 0) {
		panic(fmt.Sprintf("metric: logistic regression of %d labels on %d numbers, %d each, c = %v", len(labels),
			len(features), dim, c))
	}
	fit := Logistic{Weights: make([]float64, dim), Converged: true}
	var positive int
	for _, y := range labels {
		if y {
			positive++
		}
	}
	switch {
	case !finite(features):
		fit.Converged = false
		for k := range fit.Weights {
			fit.Weights[k] = math.NaN()
		}
		fit.Intercept = math.NaN()
	case len(labels) == 0:
	case positive == 0:
		fit.Intercept = math.Inf(-1)
	case positive == len(labels):
		fit.Intercept = math.Inf(1)
	default:
		fit.Converged = false
		o := logisticObjective{features: features, dim: dim, labels: labels, c: c}
		o.minimise(&fit)
	}
	return fit
}

// Decision returns w·f + b.
func (l Logistic) Decision(f []float64) float64 {
	d := l.Intercept
	for k, w := range l.Weights {
		d += float64(w * f[k])
	}
	return d
}

// Predict reports whether w·f + b > 0.
func (l Logistic) Predict(f []float64) bool { return l.Decision(f) > 0 }

// logisticObjective is the function that FitLogistic minimises. Its arguments are the weights followed by the
// intercept.
type logisticObjective struct {
	features []float64
	dim      int
	labels   []bool
	c        float64
}

// logisticPoint is the objective, its gradient, and its Hessian's upper triangle at some coefficients.
type logisticPoint struct {
	coefficients []float64
	value        float64
	gradient     *mat.VecDense
	hessian      *mat.SymDense
}

func (o logisticObjective) newPoint() *logisticPoint {
	n := o.dim + 1
	return &logisticPoint{coefficients: make([]float64, n), gradient: mat.NewVecDense(n, nil),
		hessian: mat.NewSymDense(n, nil)}
}

// evaluate computes p from its coefficients.
func (o logisticObjective) evaluate(p *logisticPoint) {
	n := o.dim + 1
	gradient, hessian := p.gradient.RawVector().Data, p.hessian.RawSymmetric().Data
	clear(gradient)
	clear(hessian)
	weights, intercept := p.coefficients[:o.dim], p.coefficients[o.dim]
	var penalty, loss float64
	for k, w := range weights {
		penalty += float64(w * w)
		gradient[k] = w
		hessian[k*n+k] = 1
	}
	product := 1. // factors 1+exp(−|z|) whose logarithms are not in loss yet
	for i, y := range o.labels {
		f := o.features[i*o.dim : (i+1)*o.dim]
		z := intercept
		for k, v := range f {
			z += float64(weights[k] * v)
		}
		e := vectorstate.Exp(-math.Abs(z))
		probability, rest := 1/(1+e), e/(1+e) // of the more likely label, and of the other one
		curvature := o.c * float64(probability*rest)
		if z < 0 {
			probability, rest = rest, probability
		}
		residual := o.c * probability
		if y {
			residual = -o.c * rest
		}
		if y != (z > 0) {
			loss += math.Abs(z)
		}
		// A logarithm of a product costs less than a sum of logarithms. A small e would be rounded in 1+e.
		if e < 1e-3 {
			loss += math.Log1p(e)
		} else if product *= 1 + e; product > 1e300 {
			loss += math.Log(product)
			product = 1
		}
		for j, v := range f {
			gradient[j] += float64(residual * v)
			scaled := curvature * v
			row := hessian[j*n : (j+1)*n]
			for k := j; k < o.dim; k++ {
				row[k] += float64(scaled * f[k])
			}
			row[o.dim] += scaled
		}
		gradient[o.dim] += residual
		hessian[n*n-1] += curvature
	}
	p.value = penalty/2 + float64(o.c*(loss+math.Log(product)))
}

func (o logisticObjective) minimise(fit *Logistic) {
	current, next := o.newPoint(), o.newPoint()
	o.evaluate(current)
	for !fit.Converged && fit.Iterations < logisticIterations {
		fit.Iterations++
		step, ok := newtonStep(current.gradient, current.hessian)
		if !ok {
			break
		}
		fit.Converged = true
		for k, s := range step {
			fit.Converged = fit.Converged && math.Abs(s) <= logisticTolerance*(1+math.Abs(current.coefficients[k]))
		}
		if !o.descend(current, step, next) {
			break
		}
		current, next = next, current
	}
	copy(fit.Weights, current.coefficients)
	fit.Intercept = current.coefficients[o.dim]
}

// descend evaluates next at current − step·2⁻ʲ with the smallest j = 0, 1, ... for which the objective does not
// increase, except by rounding. It returns false if there is no such j.
func (o logisticObjective) descend(current *logisticPoint, step []float64, next *logisticPoint) bool {
	limit := current.value + 1e-14*math.Abs(current.value)
	for fraction := 1.; fraction > 1e-18; fraction /= 2 {
		for k, s := range step {
			next.coefficients[k] = current.coefficients[k] - float64(fraction*s)
		}
		if o.evaluate(next); next.value <= limit {
			return true
		}
	}
	return false
}

// newtonStep solves hessian·step = gradient. It returns false if numbers have overflowed. If saturated probabilities
// leave the intercept without curvature, it adds a ridge, increased until the factorisation succeeds, which results in
// a short step.
func newtonStep(gradient *mat.VecDense, hessian *mat.SymDense) ([]float64, bool) {
	n := gradient.Len()
	if !finite(hessian.RawSymmetric().Data) {
		return nil, false
	}
	var cholesky mat.Cholesky
	for ridge := 1e-12; !cholesky.Factorize(hessian); ridge *= 10 {
		if ridge > 1e12 {
			return nil, false
		}
		for k := range n {
			hessian.SetSym(k, k, hessian.At(k, k)+ridge)
		}
	}
	step := mat.NewVecDense(n, nil)
	// The error only warns of a large condition number. The line search decides whether the step is good.
	_ = cholesky.SolveVecTo(step, gradient)
	return step.RawVector().Data, true
}

func finite(x []float64) bool {
	for _, v := range x {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
