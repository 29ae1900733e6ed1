package metric

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

type retrievalFixture struct {
	Images, Own, Other, Gallery [][]float32
	Ranks                       []int
	MRR                         float64
	RAt1                        float64 `json:"r_at_1"`
	Cosines                     []float64
	Mean, Core                  float64
	Templates                   int
	Prompts                     [][]float32
	ClassEmbeddings             [][]float32 `json:"class_embeddings"`
	Truth, Predictions          []int
	Accuracy                    float64
}

func TestCosines_EqualNumpy(t *testing.T) {
	var f retrievalFixture
	readFixture(t, "retrieval_numpy.json", &f)
	images, own := NewMatrix(f.Images), NewMatrix(f.Own)

	got := RetFail(images, own, NewMatrix(f.Gallery))
	if diff := cmp.Diff(f.Ranks, got.Ranks); diff != "" {
		t.Errorf("ranks (-numpy +ours):\n%s", diff)
	}
	if !near(got.MRR, f.MRR, 1e-15) || !near(got.RAt1, f.RAt1, 1e-15) {
		t.Errorf("MRR %v, R@1 %v; numpy %v, %v", got.MRR, got.RAt1, f.MRR, f.RAt1)
	}

	// The fixture's embeddings have three decimals. Their rounding error in float32 is at most 6e-8.
	approximately := cmpopts.EquateApprox(0, 2e-7)
	similarity := MeanSimilarity(images, own)
	if diff := cmp.Diff(Similarity{f.Mean, f.Cosines}, similarity, approximately); diff != "" {
		t.Errorf("similarity (-numpy +ours):\n%s", diff)
	}
	if core := CoreAssoc(images, own, NewMatrix(f.Other)).Mean; !near(core, f.Core, 2e-7) {
		t.Errorf("core association %v, numpy %v", core, f.Core)
	}
}

func TestSimilarity_Degenerate(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, test := range []struct {
		name           string
		image, caption []float32
		want           float64
	}{
		{"equal", []float32{3, 4}, []float32{3, 4}, 1},
		{"opposite", []float32{3, 4}, []float32{-6, -8}, -1},
		{"zero image", []float32{0, 0}, []float32{3, 4}, 0},
		{"both zero", []float32{0, 0}, []float32{0, 0}, 0},
		{"zero image, NaN caption", []float32{0, 0}, []float32{nan, 4}, math.NaN()},
		{"infinite", []float32{inf, 0}, []float32{1, 0}, math.NaN()},
		{"huge", []float32{3e38, 3e38}, []float32{3e38, 3e38}, 1},
		{"tiny", []float32{1e-44, 0}, []float32{1e-44, 0}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := MeanSimilarity(NewMatrix([][]float32{test.image}), NewMatrix([][]float32{test.caption})).Mean
			if !same(got, test.want) && !near(got, test.want, 1e-15) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
	if got := MeanSimilarity(Matrix{}, Matrix{}); !math.IsNaN(got.Mean) || len(got.Cosines) != 0 {
		t.Errorf("no pairs: %+v", got)
	}
}

func TestSimilarity_Invariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, dim := rapid.IntRange(1, 20).Draw(t, "n"), rapid.IntRange(1, 20).Draw(t, "dim")
		seed, scale := rapid.Uint64().Draw(t, "seed"), rapid.Float32Range(1e-3, 1e3).Draw(t, "scale")
		images, captions := gaussian(seed, n, dim, 1), gaussian(seed+1, n, dim, 1)
		want := MeanSimilarity(images, captions)
		order := rand.New(rand.NewPCG(seed, 2)).Perm(n)
		scaled := RowFunc{n, dim, func(i int, dst []float32) {
			captions.Row(i, dst)
			for k := range dst {
				dst[k] *= scale
			}
		}}
		got := MeanSimilarity(Subset(images, order), Subset(scaled, order))
		for i, j := range order {
			if !near(got.Cosines[i], want.Cosines[j], 1e-6) || math.Abs(got.Cosines[i]) > 1+1e-12 {
				t.Errorf("row %d: %v, as row %d %v", j, want.Cosines[j], i, got.Cosines[i])
			}
		}
		if !near(got.Mean, want.Mean, 1e-6) {
			t.Errorf("mean %v, reordered and scaled %v", want.Mean, got.Mean)
		}
	})
}

func TestNormalise(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, test := range []struct {
		x, want []float32
		norm    float64
	}{
		{[]float32{3, 4}, []float32{.6, .8}, 5},
		{[]float32{0, 0}, []float32{0, 0}, 0},
		{nil, nil, 0},
		{[]float32{3e38, 0}, []float32{1, 0}, float64(float32(3e38))},
		{[]float32{1e-45, 0}, []float32{1, 0}, float64(float32(1e-45))},
	} {
		x := slices.Clone(test.x)
		if norm := Normalise(x); norm != test.norm || !slices.Equal(x, test.want) {
			t.Errorf("Normalise(%v) = %v, %v", test.x, x, norm)
		}
	}
	x := []float32{inf, 1}
	if norm := Normalise(x); !math.IsNaN(norm) || x[0] == x[0] || x[1] == x[1] {
		t.Errorf("an infinite vector becomes %v with norm %v", x, norm)
	}
}

func TestEmbeddings_Mismatch(t *testing.T) {
	two, three := gaussian(1, 2, 4, 0), gaussian(1, 3, 4, 0)
	wide := gaussian(1, 2, 5, 0)
	for name, call := range map[string]func(){
		"similarity, rows":   func() { MeanSimilarity(two, three) },
		"similarity, dim":    func() { MeanSimilarity(two, wide) },
		"retrieval, rows":    func() { RetFail(two, three, three) },
		"retrieval, gallery": func() { RetFail(two, two, wide) },
		"ranks":              func() { Ranks([]float64{1}, nil) },
		"zero-shot, truths":  func() { ClassifyZeroShot(two, three, []int{0}) },
		"zero-shot, class":   func() { ClassifyZeroShot(two, three, []int{0, 3}) },
		"templates":          func() { ClassEmbeddings(three, 2) },
		"ragged matrix":      func() { NewMatrix([][]float32{{1}, {1, 2}}) },
		"probe":              func() { ACS(two, two, DrawProbe(3, rand.New(rand.NewPCG(1, 0))), CosineFeature) },
		"incomplete matrix":  func() { Matrix{Dim: 2, Data: make([]float32, 3)}.Dims() },
		"logistic":           func() { FitLogistic([]float64{1}, 2, []bool{true}, 1) },
		"splits":             func() { StratifiedSplits(nil, 1, 1.5, nil) },
	} {
		t.Run(name, func(t *testing.T) { mustPanic(t, call) })
	}
}

func mustPanic(t *testing.T, call func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	call()
}

func ExampleMeanSimilarity() {
	images := NewMatrix([][]float32{{1, 0}, {0, 2}})
	captions := NewMatrix([][]float32{{3, 4}, {0, 1}})
	s := MeanSimilarity(images, captions)
	fmt.Println(s.Mean, s.Cosines)
	// Output: 0.8 [0.6 1]
}

func ExampleCoreAssoc() {
	images := NewMatrix([][]float32{{1, 0}})
	s := CoreAssoc(images, NewMatrix([][]float32{{3, 4}}), NewMatrix([][]float32{{4, 3}}))
	fmt.Println(s.Mean)
	// Output: 0.8
}

func ExampleNormalise() {
	x := []float32{3, 4}
	fmt.Println(Normalise(x), x)
	// Output: 5 [0.6 0.8]
}
