package metric

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

// readFixture decodes a file in testdata into v.
func readFixture(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("testdata/%s: %v", name, err)
	}
}

// near reports whether got is within tolerance of want, absolute or, if want exceeds 1, relative.
func near(got, want, tolerance float64) bool {
	return math.Abs(got-want) <= tolerance*math.Max(1, math.Abs(want))
}

type logisticFixture struct {
	Fits []struct {
		Name                string
		Dim                 int
		C                   float64
		Features, Weights   []float64
		Labels              []bool
		Intercept, Accuracy float64
	}
	Probes []struct {
		Name, Feature        string
		Images, Captions     [][]float32
		Partner, Train, Test []int
		Weights              []float64
		Intercept, Accuracy  float64
		Correct              []bool
	}
}

func TestFitLogistic_EqualsScikitLearn(t *testing.T) {
	var fixture logisticFixture
	readFixture(t, "logistic_sklearn.json", &fixture)
	for _, f := range fixture.Fits {
		t.Run(f.Name, func(t *testing.T) {
			fit := FitLogistic(f.Features, f.Dim, f.Labels, f.C)
			if !fit.Converged || fit.Iterations > 15 { // as expected of quadratic convergence
				t.Fatalf("converged %v after %d steps", fit.Converged, fit.Iterations)
			}
			for k, w := range f.Weights {
				if !near(fit.Weights[k], w, 1e-6) {
					t.Errorf("w[%d] = %.12g, scikit-learn %.12g", k, fit.Weights[k], w)
				}
			}
			if !near(fit.Intercept, f.Intercept, 1e-6) {
				t.Errorf("b = %.12g, scikit-learn %.12g", fit.Intercept, f.Intercept)
			}
			correct := make([]bool, len(f.Labels))
			for i, y := range f.Labels {
				correct[i] = fit.Predict(f.Features[i*f.Dim:(i+1)*f.Dim]) == y
			}
			if got := share(correct); !near(got, f.Accuracy, 1e-12) {
				t.Errorf("accuracy %v, scikit-learn %v", got, f.Accuracy)
			}
		})
	}
}

// At the minimum the gradient is zero: w_k = C Σ y_i σ(−y_i z_i) f_ik, and the same sum without f is 0 for the
// unpenalised intercept.
func TestFitLogistic_Gradient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, dim := rapid.IntRange(2, 40).Draw(t, "n"), rapid.IntRange(0, 4).Draw(t, "dim")
		scale := math.Pow(10, rapid.Float64Range(-3, 3).Draw(t, "scale"))
		c := math.Pow(10, rapid.Float64Range(-2, 2).Draw(t, "c"))
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		features, labels := make([]float64, n*dim), make([]bool, n)
		for i := range features {
			features[i] = scale * r.NormFloat64()
		}
		for i := range labels {
			labels[i] = i == 0 || i > 1 && r.IntN(2) == 1
		}
		fit := FitLogistic(features, dim, labels, c)
		if !fit.Converged {
			t.Fatalf("not converged: %+v", fit)
		}
		gradient := append([]float64(nil), fit.Weights...)
		gradient = append(gradient, 0)
		for i, y := range labels {
			f := features[i*dim : (i+1)*dim]
			residual := c / (1 + math.Exp(-fit.Decision(f)))
			if y {
				residual -= c
			}
			for k, v := range f {
				gradient[k] += residual * v
			}
			gradient[dim] += residual
		}
		for k, g := range gradient {
			if math.Abs(g) > 1e-6*c*float64(n)*math.Max(1, scale) {
				t.Errorf("gradient[%d] = %g at %+v", k, g, fit)
			}
		}
	})
}

func TestFitLogistic_Degenerate(t *testing.T) {
	for _, test := range []struct {
		name      string
		features  []float64
		labels    []bool
		weight    float64
		intercept float64
		converged bool
	}{
		{"nothing", nil, nil, 0, 0, true},
		{"all true", []float64{1, 2}, []bool{true, true}, 0, math.Inf(1), true},
		{"all false", []float64{1, 2}, []bool{false, false}, 0, math.Inf(-1), true},
		{"NaN", []float64{1, math.NaN()}, []bool{true, false}, math.NaN(), math.NaN(), false},
		{"Inf", []float64{1, math.Inf(1)}, []bool{true, false}, math.NaN(), math.NaN(), false},
		{"constant", []float64{0, 0, 0, 0}, []bool{true, false, true, true}, 0, math.Log(3), true},
	} {
		t.Run(test.name, func(t *testing.T) {
			fit := FitLogistic(test.features, 1, test.labels, 1)
			if !same(fit.Weights[0], test.weight) || !same(fit.Intercept, test.intercept) &&
				!near(fit.Intercept, test.intercept, 1e-9) ||
				fit.Converged != test.converged {
				t.Errorf("got %+v", fit)
			}
		})
	}
}

func TestFitLogistic_Overflow(t *testing.T) {
	fit := FitLogistic([]float64{1e200, -1e200, 1e300, 3}, 1, []bool{true, false, true, false}, 1)
	if fit.Converged {
		t.Errorf("claims convergence: %+v", fit)
	}
}

func ExampleFitLogistic() {
	losses := []float64{.1, .2, .3, 1, .9, 1.2}
	member := []bool{true, true, true, false, false, false}
	fit := FitLogistic(losses, 1, member, 1)
	fmt.Printf("w %.4f b %.4f, %v at loss .5\n", fit.Weights[0], fit.Intercept, fit.Predict([]float64{.5}))
	// Output: w -0.9826 b 0.6055, true at loss .5
}
