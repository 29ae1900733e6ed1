package metric_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// symmetric returns a symmetric matrix with the upper triangle of rows.
func symmetric(rows [][]float64) *mat.SymDense {
	s := mat.NewSymDense(len(rows), nil)
	for i, row := range rows {
		for j := i; j < len(row); j++ {
			s.SetSym(i, j, row[j])
		}
	}
	return s
}

func TestFID_EqualsScipy(t *testing.T) {
	var reference struct {
		Cases []struct {
			Name               string
			X, Y               [][]float64
			Mean1, Mean2       []float64
			Cov1, Cov2         [][]float64
			Deficient          bool
			Sqrtm, Eigenvalues float64
		}
	}
	loadReference(t, "fid_scipy.json", &reference)
	if len(reference.Cases) == 0 {
		t.Fatal("no cases")
	}
	for _, c := range reference.Cases {
		// If the rank is not full, the references take roots of eigenvalues that should be zero but are about 1e-16.
		// Their errors are then about 1e-8.
		tolerance := 1e-10
		if c.Deficient {
			tolerance = 1e-6
		}
		got, err := metric.FID(matrixOf(c.X), matrixOf(c.Y))
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		wantNear(t, c.Name+", sqrtm", got.Distance, c.Sqrtm, tolerance)
		wantNear(t, c.Name+", eigenvalues", got.Distance, c.Eigenvalues, tolerance)
		moments, err := metric.FrechetDistance(c.Mean1, symmetric(c.Cov1), c.Mean2, symmetric(c.Cov2))
		if err != nil {
			t.Fatalf("%s: %v", c.Name, err)
		}
		wantNear(t, c.Name+", from covariances", moments.Distance, got.Distance, tolerance)
	}
}

func TestFrechet_Commuting(t *testing.T) {
	// For Σ₁ = diag(a²), Σ₂ = diag(b²) the distance is |μ₁ − μ₂|² + Σ(a − b)².
	cov1, cov2 := symmetric([][]float64{{4, 0}, {0, 9}}), symmetric([][]float64{{1, 0}, {0, 0}})
	got, err := metric.FrechetDistance([]float64{1, 2}, cov1, []float64{3, 2}, cov2)
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "means", got.Means, 4, 0)
	wantNear(t, "covariances", got.Covariances, 1+9, 1e-14)
	wantNear(t, "distance", got.Distance, 14, 1e-14)
}

func TestFID_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 5).Draw(t, "columns")
		x, y := drawFeatures(t, "x", d), drawFeatures(t, "y", d)
		xy, err := metric.FID(x, y)
		if err != nil {
			t.Fatal(err)
		}
		yx, err := metric.FID(y, x)
		if err != nil || xy.Distance < 0 || math.Abs(xy.Distance-yx.Distance) > 1e-10 {
			t.Fatalf("%+v and %+v, %v", xy, yx, err)
		}
		if own, err := metric.FID(x, x); err != nil || own.Distance > 1e-12 {
			t.Fatalf("a set against itself: %+v, %v", own, err)
		}
		var moved mat.Dense
		moved.Apply(func(_, _ int, v float64) float64 { return v + 2 }, x)
		if shift, err := metric.FID(x, &moved); err != nil || math.Abs(shift.Distance-4*float64(d)) > 1e-10 {
			t.Fatalf("moved by 2 in %d dimensions: %+v, %v", d, shift, err)
		}
	})
}

func TestFID_TriangleInequality(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, y, z := drawFeatures(t, "x", 3), drawFeatures(t, "y", 3), drawFeatures(t, "z", 3)
		root := func(a, b mat.Matrix) float64 {
			s, err := metric.FID(a, b)
			if err != nil {
				t.Fatal(err)
			}
			return math.Sqrt(s.Distance)
		}
		if root(x, z) > root(x, y)+root(y, z)+1e-6 {
			t.Fatalf("got %v > %v + %v, want root(x, z) at most %v",
				root(x, z), root(x, y), root(y, z), root(x, y)+root(y, z)+1e-6)
		}
	})
}

func TestFID_Refused(t *testing.T) {
	good := symmetric([][]float64{{1, 0}, {0, 1}})
	zero := []float64{0, 0}
	faults := map[string]error{}
	_, faults["widths"] = metric.FID(mat.NewDense(3, 2, nil), mat.NewDense(3, 1, nil))
	_, faults["one row"] = metric.FID(mat.NewDense(1, 2, nil), mat.NewDense(3, 2, nil))
	_, faults["NaN feature"] = metric.FID(mat.NewDense(2, 1, []float64{1, nan}), mat.NewDense(2, 1, nil))
	_, faults["infinite feature"] = metric.FID(mat.NewDense(2, 1, []float64{1, inf}), mat.NewDense(2, 1, nil))
	_, faults["no dimensions"] = metric.FrechetDistance(nil, good, nil, good)
	_, faults["shapes"] = metric.FrechetDistance(zero, good, []float64{0, 0, 0}, good)
	_, faults["NaN mean"] = metric.FrechetDistance([]float64{0, nan}, good, zero, good)
	_, faults["NaN covariance"] = metric.FrechetDistance(zero, symmetric([][]float64{{1, nan}, {0, 1}}), zero, good)
	_, faults["indefinite"] = metric.FrechetDistance(zero, good, zero, symmetric([][]float64{{1, 2}, {0, 1}}))
	_, faults["negative"] = metric.FrechetDistance(zero, good, zero, symmetric([][]float64{{-1, 0}, {0, -2}}))
	for name, err := range faults {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	flat := mat.NewSymDense(2, nil)
	if got, err := metric.FrechetDistance(zero, flat, zero, good); err != nil || math.Abs(got.Distance-2) > 1e-14 {
		t.Errorf("a point against a normal distribution: %+v, %v", got, err)
	}
}

func BenchmarkFID(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	x, y := normalRows(random, 200, 512, 0), normalRows(random, 200, 512, .1)
	for b.Loop() {
		if _, err := metric.FID(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleFID() {
	x := mat.NewDense(3, 1, []float64{-1, 0, 1})
	y := mat.NewDense(3, 1, []float64{1, 3, 5})
	s, err := metric.FID(x, y)
	fmt.Printf("%.0f = %.0f + %.0f %v\n", s.Distance, s.Means, s.Covariances, err)
	// Output: 10 = 9 + 1 <nil>
}

func TestFID_Processors(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	x, y := normalRows(random, 150, 300, 0), normalRows(random, 320, 300, .1)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var first metric.FIDScore
	for i, processors := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(processors)
		got, err := metric.FID(x, y)
		if err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = got
		}
		if got != first {
			t.Errorf("%d processors: %+v, one: %+v", processors, got, first)
		}
	}
}
