package metric

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestZeroShot_EqualsNumpy(t *testing.T) {
	var f retrievalFixture
	readFixture(t, "retrieval_numpy.json", &f)
	classes := ClassEmbeddings(NewMatrix(f.Prompts), f.Templates)
	want := NewMatrix(f.ClassEmbeddings)
	for i, v := range want.Data {
		if !near(float64(classes.Data[i]), float64(v), 2e-7) {
			t.Errorf("class embedding element %d: %v, numpy %v", i, classes.Data[i], v)
		}
	}
	got := ClassifyZeroShot(NewMatrix(f.Images), classes, f.Truth)
	if diff := cmp.Diff(f.Predictions, got.Predictions); diff != "" {
		t.Errorf("predictions (-numpy +ours):\n%s", diff)
	}
	if !near(got.Accuracy, f.Accuracy, 1e-15) {
		t.Errorf("accuracy %v, numpy %v", got.Accuracy, f.Accuracy)
	}
}

func TestZeroShot_Degenerate(t *testing.T) {
	nan := float32(math.NaN())
	x := NewMatrix([][]float32{{1, 0}, {0, 1}})
	for _, test := range []struct {
		name            string
		images, classes Matrix
		truth           []int
		predictions     []int
		accuracy        float64
	}{
		{"no images", Matrix{}, x, nil, []int{}, math.NaN()},
		{"no classes", x, Matrix{}, []int{0, 0}, []int{-1, -1}, 0},
		{"ties go to the first", x, NewMatrix([][]float32{{-1, -1}, {1, 1}, {1, 1}}), []int{1, 2}, []int{1, 1}, .5},
		{"zero image", NewMatrix([][]float32{{0, 0}}), x, []int{0}, []int{0}, 1},
		{"NaN image", NewMatrix([][]float32{{nan, 0}}), x, []int{0}, []int{-1}, 0},
		{"NaN class after the best", x, NewMatrix([][]float32{{1, 0}, {nan, 0}, {0, 1}}), []int{0, 2}, []int{-1, -1},
			0},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := ClassifyZeroShot(test.images, test.classes, test.truth)
			if diff := cmp.Diff(test.predictions, got.Predictions); diff != "" || !same(got.Accuracy, test.accuracy) {
				t.Errorf("accuracy %v, predictions %s", got.Accuracy, diff)
			}
		})
	}
}

func TestZeroShot_ManyClasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, classes := rapid.IntRange(1, 80).Draw(t, "images"), rapid.IntRange(1, 600).Draw(t, "classes")
		seed := rapid.Uint64().Draw(t, "seed")
		images, names := gaussian(seed, n, 5, 0), gaussian(seed+1, classes, 5, 0)
		got := ClassifyZeroShot(images, names, make([]int, n))
		for i, k := range got.Predictions {
			best := cosine(images.Data[5*i:5*i+5], names.Data[5*k:5*k+5])
			for j := range classes {
				if c := cosine(images.Data[5*i:5*i+5], names.Data[5*j:5*j+5]); c > best+1e-6 {
					t.Fatalf("image %d: class %d has cosine %v, predicted %d has %v", i, j, c, k, best)
				}
			}
			if got.Correct[i] != (k == 0) {
				t.Errorf("image %d is predicted %d, of class 0, correct %v", i, k, got.Correct[i])
			}
		}
	})
}

func ExampleClassifyZeroShot() {
	prompts := NewMatrix([][]float32{{1, 0}, {1, .2}, {0, 1}, {.2, 1}}) // two classes in two templates each
	images := NewMatrix([][]float32{{5, 1}, {1, 2}, {3, 0}})
	z := ClassifyZeroShot(images, ClassEmbeddings(prompts, 2), []int{0, 1, 1})
	fmt.Printf("%.3f %v\n", z.Accuracy, z.Predictions)
	// Output: 0.667 [0 1 0]
}

func ExampleClassEmbeddings() {
	classes := ClassEmbeddings(NewMatrix([][]float32{{1, 0}, {0, 7}}), 2)
	fmt.Printf("%.4f\n", classes.Data)
	// Output: [0.7071 0.7071]
}
