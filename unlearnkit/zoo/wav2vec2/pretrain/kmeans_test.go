package pretrain_test

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2/pretrain"
)

// rows splits an array in the fixture into rows.
func rows[T float32 | float64](values []float64, width int) (all [][]T) {
	for first := 0; first < len(values); first += width {
		row := make([]T, width)
		for i := range row {
			row[i] = T(values[first+i])
		}
		all = append(all, row)
	}
	return all
}

func TestKMeans_EqualsScikitLearn(t *testing.T) {
	reference := paritytest.Open(t, "testdata/kmeans.safetensors")
	for name, width := range map[string]int{"near": 4, "lost": 3} {
		points := rows[float32](reference.Floats(name+".points"), width)
		first := rows[float64](reference.Floats(name+".first"), width)
		compare := func(what string, got [][]float64) {
			for i, centre := range rows[float64](reference.Floats(name+what), width) {
				for column, want := range centre {
					if math.Abs(got[i][column]-want) > 1e-9 {
						t.Errorf("%s%s: centre %d is %v, scikit-learn's %v", name, what, i, got[i], centre)
						break
					}
				}
			}
		}
		early, err := pretrain.Fit(points, first, 2)
		if err != nil {
			t.Fatal(err)
		}
		compare(".early", early.Centres)
		fitted, err := pretrain.Fit(points, first, 300)
		if err != nil {
			t.Fatal(err)
		}
		compare(".centres", fitted.Centres)
		if want := reference.Floats(name + ".inertia")[0]; math.Abs(fitted.Inertia-want) > 1e-9*want {
			t.Errorf("%s: the inertia is %g, scikit-learn's %g", name, fitted.Inertia, want)
		}
		for i, want := range reference.Floats(name + ".labels") {
			if got := fitted.Nearest(points)[i]; float64(got) != want {
				t.Errorf("%s: point %d is in cluster %d, scikit-learn's in %g", name, i, got, want)
			}
		}
	}
}

func TestKMeans_Processors(t *testing.T) {
	random := seed.Stream(1)
	points := make([][]float32, 500)
	for i := range points {
		points[i] = []float32{random.Float32(), random.Float32()}
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var centres []string
	for _, processors := range []int{1, 3} {
		runtime.GOMAXPROCS(processors)
		first, err := pretrain.FirstCentres(seed.Stream(2), points, 9)
		if err != nil {
			t.Fatal(err)
		}
		k, err := pretrain.Fit(points, first, 50)
		if err != nil {
			t.Fatal(err)
		}
		centres = append(centres, fmt.Sprint(k))
	}
	if centres[0] != centres[1] {
		t.Errorf("one processor: %s\nthree: %s", centres[0], centres[1])
	}
}

// The points have three values, and a centre with the squared distance 0 is never drawn again.
func TestKMeans_FirstCentres(t *testing.T) {
	var points [][]float32
	for i := range 90 {
		points = append(points, []float32{float32(i % 3)})
	}
	for root := range uint64(20) {
		centres, err := pretrain.FirstCentres(seed.Stream(root), points, 3)
		if err != nil {
			t.Fatal(err)
		}
		got := []float64{centres[0][0], centres[1][0], centres[2][0]}
		slices.Sort(got)
		if !slices.Equal(got, []float64{0, 1, 2}) {
			t.Errorf("seed %d: the centres are %v", root, got)
		}
	}
}

func TestKMeans_Refused(t *testing.T) {
	nan := float32(math.NaN())
	for _, test := range []struct {
		points [][]float32
		first  [][]float64
		most   int
		says   string
	}{
		{nil, [][]float64{{1}}, 1, "1 clusters of 0 points"},
		{[][]float32{{1}}, nil, 1, "0 clusters of 1 points"},
		{[][]float32{{1}, {1, 2}}, [][]float64{{1}}, 1, "point 1 has 2 numbers, point 0 has 1"},
		{[][]float32{{1}, {nan}}, [][]float64{{1}}, 1, "point 1 has the number NaN"},
		{[][]float32{{1}}, [][]float64{{1, 2}}, 1, "centre 0 has 2 numbers, the points have 1"},
		{[][]float32{{1}}, [][]float64{{1}}, 0, "0 passes are allowed"},
	} {
		_, err := pretrain.Fit(test.points, test.first, test.most)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%v: %v, want: %s", test.points, err, test.says)
		}
	}
}

// The initial centres are drawn from the points.
func ExampleFit() {
	points := [][]float32{{0}, {1}, {10}, {11}}
	first, err := pretrain.FirstCentres(seed.Stream(1), points, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	k, err := pretrain.Fit(points, first, 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	slices.SortFunc(k.Centres, func(a, b []float64) int { return int(a[0] - b[0]) })
	fmt.Println(k.Centres, k.Nearest([][]float32{{3}, {8}}), k.Inertia)
	// Output: [[0.5] [10.5]] [0 1] 1
}
