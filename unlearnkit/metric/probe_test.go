package metric

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestACS_EqualsScikitLearn(t *testing.T) {
	var fixture logisticFixture
	readFixture(t, "logistic_sklearn.json", &fixture)
	for _, f := range fixture.Probes {
		t.Run(f.Name, func(t *testing.T) {
			feature := map[string]ProbeFeature{"cosine": CosineFeature, "product": ProductFeature}[f.Feature]
			draw := ProbeDraw{Partner: f.Partner, Split: Split{Train: f.Train, Test: f.Test}}
			got := ACS(NewMatrix(f.Images), NewMatrix(f.Captions), draw, feature)
			for k, w := range f.Weights {
				if !near(got.Fit.Weights[k], w, 1e-6) {
					t.Errorf("w[%d] = %v, scikit-learn %v", k, got.Fit.Weights[k], w)
				}
			}
			if !near(got.Fit.Intercept, f.Intercept, 1e-6) || got.Accuracy != f.Accuracy {
				t.Errorf("b = %v, accuracy %v; scikit-learn %v, %v", got.Fit.Intercept, got.Accuracy, f.Intercept,
					f.Accuracy)
			}
			if diff := cmp.Diff(f.Correct, got.Correct); diff != "" {
				t.Errorf("correct (-scikit-learn +ours):\n%s", diff)
			}
		})
	}
}

func TestDrawProbe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 200).Draw(t, "n")
		draw := DrawProbe(n, rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)))
		all := slices.Concat(draw.Train, draw.Test)
		slices.Sort(all)
		if !slices.Equal(all, rowsUpTo(2*n)) || len(draw.Test) != n {
			t.Fatalf("train %d, test %d of %d examples", len(draw.Train), len(draw.Test), 2*n)
		}
		partners := slices.Sorted(slices.Values(draw.Partner))
		if !slices.Equal(partners, rowsUpTo(n)) {
			t.Fatalf("partners are no permutation: %v", draw.Partner)
		}
		var positive int
		for _, e := range draw.Test {
			if e < n {
				positive++
			}
		}
		if d := 2*positive - n; d < -1 || d > 1 {
			t.Errorf("%d of %d test examples are true pairs", positive, n)
		}
	})
}

func TestACS_ChanceAndPerfect(t *testing.T) {
	const n = 600
	images, strangers := gaussian(1, n, 32, 0), gaussian(2, n, 32, 0)
	draw := DrawProbe(n, rand.New(rand.NewPCG(3, 0)))
	for _, feature := range []ProbeFeature{CosineFeature, ProductFeature} {
		if got := ACS(images, strangers, draw, feature).Accuracy; math.Abs(got-.5) > .08 {
			t.Errorf("feature %d: accuracy %v without associations", feature, got)
		}
	}
	if got := ACS(images, images, draw, CosineFeature).Accuracy; got < .99 {
		t.Errorf("accuracy %v when captions equal images", got)
	}
}

func TestACS_Degenerate(t *testing.T) {
	if got := ACS(Matrix{}, Matrix{}, DrawProbe(0, rand.New(rand.NewPCG(1, 0))),
		CosineFeature); !math.IsNaN(got.Accuracy) {
		t.Errorf("no pairs: %+v", got)
	}
	images := gaussian(1, 8, 4, 0)
	broken := gaussian(1, 8, 4, 0)
	broken.Data[0] = float32(math.NaN())
	for _, test := range []struct {
		name  string
		split Split
		nan   bool
	}{
		{"NaN in a train example", Split{Train: []int{0, 9, 10, 3}, Test: []int{1, 2, 11, 12}}, true},
		{"NaN in a test example", Split{Train: []int{1, 9, 10, 3}, Test: []int{0, 2, 11, 12}}, false},
	} {
		got := ACS(broken, images, ProbeDraw{Partner: []int{1, 2, 3, 4, 5, 6, 7, 0}, Split: test.split}, CosineFeature)
		if math.IsNaN(got.Accuracy) != test.nan || got.Correct[0] != false && !test.nan {
			t.Errorf("%s: %+v", test.name, got)
		}
	}
}

func ExampleACS() {
	images := NewMatrix([][]float32{{1, 0}, {0, 1}, {-1, 0}, {0, -1}})
	draw := DrawProbe(4, rand.New(rand.NewPCG(1, 0)))
	draw.Partner = []int{2, 3, 0, 1}
	fmt.Println(ACS(images, images, draw, CosineFeature).Accuracy)
	// Output: 1
}

func BenchmarkACS(b *testing.B) {
	if testing.Short() {
		b.Skip("-short: the paper's size fills 125 MB")
	}
	images, captions := gaussian(1, 30468, 512, 1), gaussian(2, 30468, 512, 1)
	draw := DrawProbe(30468, rand.New(rand.NewPCG(42, 0)))
	for b.Loop() {
		ACS(images, captions, draw, CosineFeature)
	}
}
