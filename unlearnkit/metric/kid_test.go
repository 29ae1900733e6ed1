package metric_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

func matrixOf(rows [][]float64) *mat.Dense {
	x := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		x.SetRow(i, row)
	}
	return x
}

// normalRows returns n random rows of normal features with mean shift and variance 1.
func normalRows(random *rand.Rand, n, d int, shift float64) *mat.Dense {
	x := mat.NewDense(n, d, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() + shift }, x)
	return x
}

func TestKID_EqualsNumpy(t *testing.T) {
	var reference struct {
		X, Y, P        [][]float64
		Unbiased, Mean float64
		OfX            [][]int `json:"of_x"`
		OfY            [][]int `json:"of_y"`
		Values         []float64
		StandardError  float64 `json:"standard_error"`
		Grown, Reset   []float64
		Sampled        []float64
		SampledError   []float64 `json:"sampled_standard_error"`
	}
	loadReference(t, "kid_numpy.json", &reference)
	x, y, p := matrixOf(reference.X), matrixOf(reference.Y), matrixOf(reference.P)
	unbiased, err := metric.KIDUnbiased(x, y)
	if err != nil {
		t.Fatal(err)
	}
	wantNear(t, "unbiased", unbiased, reference.Unbiased, 1e-13)

	subsets, err := metric.KIDOverSubsets(x, y, reference.OfX, reference.OfY)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range reference.Values {
		wantNear(t, fmt.Sprint("subset ", i), subsets.Values[i], want, 1e-13)
	}
	wantNear(t, "mean", subsets.Mean, reference.Mean, 1e-13)
	wantNear(t, "standard error", subsets.StandardError, reference.StandardError, 1e-13)

	code, err := metric.KIDCode(x, p)
	if err != nil {
		t.Fatal(err)
	}
	for j := range reference.Grown {
		wantNear(t, fmt.Sprint("grown pools at ratio ", j), code.Grown[j], reference.Grown[j], 1e-13)
		wantNear(t, fmt.Sprint("emptied pools at ratio ", j), code.Reset[j], reference.Reset[j], 1e-13)
		if gap := math.Abs(code.Grown[j] - reference.Sampled[j]); gap > 4*reference.SampledError[j]+1e-12 {
			t.Errorf("ratio %d: expectation %v, mean of random subsets %v ± %v", j, code.Grown[j], reference.Sampled[j],
				reference.SampledError[j])
		}
		repeated, err := metric.KIDRepeated(x, reference.P[j])
		if err != nil {
			t.Fatal(err)
		}
		wantNear(t, fmt.Sprint("repeated image ", j), repeated, reference.Reset[j], 1e-13)
	}
}

// KIDRepeated equals KIDUnbiased for any number of copies of the row.
func TestKID_Repeated(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	x, y := normalRows(random, 12, 5, 0), normalRows(random, 1, 5, 0)
	want, err := metric.KIDRepeated(x, y.RawRowView(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, copies := range []int{2, 12, 40} {
		repeated := mat.NewDense(copies, 5, nil)
		for i := range copies {
			repeated.SetRow(i, y.RawRowView(0))
		}
		got, err := metric.KIDUnbiased(x, repeated)
		if err != nil {
			t.Fatal(err)
		}
		wantNear(t, fmt.Sprint(copies, " copies"), got, want, 1e-12)
	}
}

// Between samples from one distribution, KID is zero on average and may be negative.
func TestKID_SameDistribution(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	const repeats = 400
	sum, squares, below := 0.0, 0.0, 0
	for range repeats {
		v, err := metric.KIDUnbiased(normalRows(random, 10, 4, 0), normalRows(random, 10, 4, 0))
		if err != nil {
			t.Fatal(err)
		}
		sum += v
		squares += v * v
		if v < 0 {
			below++
		}
	}
	mean := sum / repeats
	if standardError := math.Sqrt(squares/repeats-mean*mean) / math.Sqrt(repeats); math.Abs(mean) > 4*standardError {
		t.Errorf("mean %v with standard error %v", mean, standardError)
	}
	if below < repeats/4 || below > repeats*3/4 {
		t.Errorf("%d of %d below zero", below, repeats)
	}
	if apart, err := metric.KIDUnbiased(normalRows(random, 10, 4, 0), normalRows(random, 10, 4, 3)); err != nil ||
		apart < 10 {
		t.Errorf("three deviations apart: %v, %v", apart, err)
	}
}

func TestKID_Normal(t *testing.T) {
	// For N(0, I) and N(μ, I) in d = 16 dimensions with |μ|² = 4, the moments of s = x·y/d give E(1 + s)³. It is 1 +
	// 3·1/16 within the first sample, 1 + 3·4/16 + 3·40/16² + 376/16³ within the second, and 1 + 3·20/16² between them.
	const want = (1 + 3./16) + (1 + 12./16 + 120./256 + 376./4096) - 2*(1+60./256)
	random := rand.New(rand.NewPCG(11, 12))
	const repeats = 300
	sum, squares := 0.0, 0.0
	for range repeats {
		v, err := metric.KIDUnbiased(normalRows(random, 20, 16, 0), normalRows(random, 25, 16, .5))
		if err != nil {
			t.Fatal(err)
		}
		sum += v
		squares += v * v
	}
	mean := sum / repeats
	if standardError := math.Sqrt((squares/repeats - mean*mean) / repeats); math.Abs(mean-want) > 4*standardError ||
		standardError > .05 {
		t.Errorf("mean %v with standard error %v, want %v", mean, standardError, want)
	}
}

func drawFeatures(t *rapid.T, name string, columns int) *mat.Dense {
	n := rapid.IntRange(2, 8).Draw(t, name+" rows")
	values := rapid.SliceOfN(rapid.Float64Range(-3, 3), n*columns, n*columns).Draw(t, name)
	return mat.NewDense(n, columns, values)
}

func TestKID_Invariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 5).Draw(t, "columns")
		x, y := drawFeatures(t, "x", d), drawFeatures(t, "y", d)
		xy, err := metric.KIDUnbiased(x, y)
		if err != nil {
			t.Fatal(err)
		}
		yx, _ := metric.KIDUnbiased(y, x)
		n, _ := x.Dims()
		order := rapid.Permutation(rangeOf(n)).Draw(t, "order")
		shuffled := mat.NewDense(n, d, nil)
		for i, from := range order {
			shuffled.SetRow(i, x.RawRowView(from))
		}
		reordered, _ := metric.KIDUnbiased(shuffled, y)
		if scale := 1e-10 * 1000; math.Abs(xy-yx) > scale || math.Abs(xy-reordered) > scale {
			t.Fatalf("%v, exchanged %v, reordered %v", xy, yx, reordered)
		}
		// The value of a set against itself is below zero, by 2/n of the difference between k(x,x) and k(x,x').
		if own, _ := metric.KIDUnbiased(x, x); own > 1e-9 {
			t.Fatalf("a set against itself: %v", own)
		}
	})
}

func rangeOf(n int) []int {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i
	}
	return numbers
}

func TestKID_Subsets(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	x, y := normalRows(random, 30, 6, 0), normalRows(random, 25, 6, .5)
	sampling := metric.KIDSampling{Size: 10, Seed: 7}
	first, err := metric.KID(x, y, sampling)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := metric.KID(x, y, sampling)
	other, _ := metric.KID(x, y, metric.KIDSampling{Size: 10, Seed: 8})
	if first.Mean != again.Mean || first.Mean == other.Mean || len(first.Values) != 100 {
		t.Errorf("%v, again %v, other seed %v", first.Mean, again.Mean, other.Mean)
	}
	whole, _ := metric.KIDUnbiased(x, y)
	if math.Abs(first.Mean-whole) > 5*first.StandardError {
		t.Errorf("mean over subsets %v ± %v, whole set %v", first.Mean, first.StandardError, whole)
	}
	full, err := metric.KID(x, x, metric.KIDSampling{Subsets: 3})
	if err != nil || full.Size != 30 || full.StandardError > 1e-12 {
		t.Errorf("all rows: %+v, %v", full, err)
	}
}

func TestKID_Refused(t *testing.T) {
	x, narrow, single := mat.NewDense(4, 3, nil), mat.NewDense(4, 2, nil), mat.NewDense(1, 3, nil)
	faults := map[string]error{}
	_, faults["widths"] = metric.KIDUnbiased(x, narrow)
	_, faults["one row"] = metric.KIDUnbiased(x, single)
	_, faults["large subset"] = metric.KID(x, x, metric.KIDSampling{Size: 5})
	_, faults["subset of one"] = metric.KID(x, x, metric.KIDSampling{Size: 1})
	_, faults["negative count"] = metric.KID(x, x, metric.KIDSampling{Subsets: -1})
	_, faults["no subsets"] = metric.KIDOverSubsets(x, x, nil, nil)
	_, faults["uneven subsets"] = metric.KIDOverSubsets(x, x, [][]int{{0, 1}}, [][]int{{0, 1, 2}})
	_, faults["repeated width"] = metric.KIDRepeated(x, []float64{1})
	_, faults["repeated nothing"] = metric.KIDRepeated(x, nil)
	_, faults["code of one row"] = metric.KIDCode(single, x)
	for name, err := range faults {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	x.Set(0, 0, nan)
	if v, err := metric.KIDUnbiased(x, x); err != nil || !math.IsNaN(v) {
		t.Errorf("NaN among the features: %v, %v", v, err)
	}
}

func BenchmarkKIDUnbiased(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	x, y := normalRows(random, 200, 512, 0), normalRows(random, 200, 512, .1)
	for b.Loop() {
		if _, err := metric.KIDUnbiased(x, y); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkKIDHundredSubsets(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	x, y := normalRows(random, 200, 512, 0), normalRows(random, 200, 512, .1)
	for b.Loop() {
		if _, err := metric.KID(x, y, metric.KIDSampling{Size: 100}); err != nil {
			b.Fatal(err)
		}
	}
}

func ExampleKIDUnbiased() {
	x := mat.NewDense(3, 2, []float64{0, 1, 1, 0, 1, 1})
	y := mat.NewDense(3, 2, []float64{2, 1, 1, 2, 2, 2})
	v, err := metric.KIDUnbiased(x, y)
	fmt.Printf("%.4f %v\n", v, err)
	// Output: 32.6944 <nil>
}

func ExampleKIDCode() {
	original := mat.NewDense(3, 2, []float64{0, 1, 1, 0, 1, 1})
	partial := mat.NewDense(2, 2, []float64{1, 1, 0, 1}) // one image per ratio
	s, err := metric.KIDCode(original, partial)
	fmt.Printf("grown pools %.3f, emptied %.3f, %v\n", s.Grown, s.Reset, err)
	// Output: grown pools [0.750 -0.150], emptied [0.750 0.792], <nil>
}

func ExampleKID() {
	random := rand.New(rand.NewPCG(1, 2))
	x, y := normalRows(random, 200, 16, 0), normalRows(random, 200, 16, .5)
	near, _ := metric.KID(x, normalRows(random, 200, 16, 0), metric.KIDSampling{Size: 100})
	far, err := metric.KID(x, y, metric.KIDSampling{Size: 100})
	fmt.Printf("%.1f %.1f %v\n", near.Mean, far.Mean, err)
	// Output: 0.0 0.9 <nil>
}
