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

func (o logisticObjective) row(i int) []float64 { return o.features[i*o.dim : (i+1)*o.dim] }

func (o logisticObjective) decision(i int, coefficients []float64) float64 {
	d := coefficients[o.dim]
	for k, f := range o.row(i) {
		d += float64(coefficients[k] * f)
	}
	return d
}

func (o logisticObjective) value(coefficients []float64) float64 {
	var penalty, loss float64
	for _, w := range coefficients[:o.dim] {
		penalty += float64(w * w)
	}
	for i, y := range o.labels {
		z := o.decision(i, coefficients)
		if y {
			z = -z
		}
		// This is log(1+eᶻ), computed without overflow.
		loss += math.Max(z, 0) + math.Log1p(vectorstate.Exp(-math.Abs(z)))
	}
	return penalty/2 + float64(o.c*loss)
}

// derivatives returns the gradient, and the Hessian's upper triangle.
func (o logisticObjective) derivatives(coefficients []float64) (*mat.VecDense, *mat.SymDense) {
	n := o.dim + 1
	gradient, hessian := make([]float64, n), make([]float64, n*n)
	for k, w := range coefficients[:o.dim] {
		gradient[k] = w
		hessian[k*n+k] = 1
	}
	f := make([]float64, n)
	f[o.dim] = 1
	for i, y := range o.labels {
		copy(f, o.row(i))
		p := 1 / (1 + vectorstate.Exp(-o.decision(i, coefficients)))
		residual, curvature := o.c*p, float64(o.c*p)*(1-p)
		if y {
			residual -= o.c
		}
		for j, v := range f {
			gradient[j] += float64(residual * v)
			scaled := curvature * v
			row := hessian[j*n : (j+1)*n]
			for k := j; k < n; k++ {
				row[k] += float64(scaled * f[k])
			}
		}
	}
	return mat.NewVecDense(n, gradient), mat.NewSymDense(n, hessian)
}

func (o logisticObjective) minimise(fit *Logistic) {
	current, next := make([]float64, o.dim+1), make([]float64, o.dim+1)
	value := o.value(current)
	for !fit.Converged && fit.Iterations < logisticIterations {
		fit.Iterations++
		step, ok := newtonStep(o.derivatives(current))
		if !ok {
			break
		}
		fit.Converged = true
		for k, s := range step {
			fit.Converged = fit.Converged && math.Abs(s) <= logisticTolerance*(1+math.Abs(current[k]))
		}
		if value, ok = o.descend(current, step, value, next); !ok {
			break
		}
		current, next = next, current
	}
	copy(fit.Weights, current)
	fit.Intercept = current[o.dim]
}

// descend stores current − step·2⁻ʲ in next and returns the objective there. It uses the smallest j = 0, 1, ... for
// which the objective does not exceed value, except by rounding.
func (o logisticObjective) descend(current, step []float64, value float64, next []float64) (float64, bool) {
	limit := value + 1e-14*math.Abs(value)
	for fraction := 1.; fraction > 1e-18; fraction /= 2 {
		for k := range next {
			next[k] = current[k] - float64(fraction*step[k])
		}
		if there := o.value(next); there <= limit {
			return there, true
		}
	}
	return value, false
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
