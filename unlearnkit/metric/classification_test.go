package metric

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestClassify_EqualsScikitLearn(t *testing.T) {
	var fixture struct {
		Cases []struct {
			Name                  string
			Truth, Predicted      []int
			Accuracy              float64
			MacroF1               float64 `json:"macro_f1"`
			Classes, Support      []int
			Precision, Recall, F1 []float64
		}
	}
	readFixture(t, "classification_sklearn.json", &fixture)
	for _, f := range fixture.Cases {
		t.Run(f.Name, func(t *testing.T) {
			got := Classify(f.Truth, f.Predicted)
			if !near(got.Accuracy, f.Accuracy, 1e-15) || !near(got.MacroF1, f.MacroF1, 1e-15) {
				t.Errorf("accuracy %v, macro F1 %v; scikit-learn %v, %v", got.Accuracy, got.MacroF1, f.Accuracy,
					f.MacroF1)
			}
			if len(got.Classes) != len(f.Classes) {
				t.Fatalf("%d classes, scikit-learn %d", len(got.Classes), len(f.Classes))
			}
			for k, s := range got.Classes {
				if s.Class != f.Classes[k] || s.Truth != f.Support[k] || !near(s.Precision, f.Precision[k], 1e-15) ||
					!near(s.Recall, f.Recall[k], 1e-15) || !near(s.F1, f.F1[k], 1e-15) {
					t.Errorf("%+v, scikit-learn %v support %v precision %v recall %v F1 %v", s,
						f.Classes[k], f.Support[k], f.Precision[k], f.Recall[k], f.F1[k])
				}
			}
		})
	}
}

func TestClassify_Empty(t *testing.T) {
	if got := Classify(nil, nil); !math.IsNaN(got.Accuracy) || !math.IsNaN(got.MacroF1) || len(got.Classes) != 0 {
		t.Errorf("got %+v, want Accuracy NaN, MacroF1 NaN, 0 Classes", got)
	}
}

func TestClassify_MissingPrediction(t *testing.T) {
	mustPanic(t, func() { Classify([]int{1}, nil) })
}

// The scores do not depend on the order of the examples or on the numbering of the classes.
func TestClassify_OrderAndNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		truth := rapid.SliceOfN(rapid.IntRange(0, 5), 1, 40).Draw(t, "truth")
		predicted := rapid.SliceOfN(rapid.IntRange(0, 5), len(truth), len(truth)).Draw(t, "predicted")
		want := Classify(truth, predicted)
		order := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0)).Perm(len(truth))
		names := [6]int{40, -1, 7, 100, 3, 8}
		movedTruth, movedPredicted := make([]int, len(truth)), make([]int, len(truth))
		for i, j := range order {
			movedTruth[i], movedPredicted[i] = names[truth[j]], names[predicted[j]]
		}
		got := Classify(movedTruth, movedPredicted)
		if got.Accuracy != want.Accuracy || !near(got.MacroF1, want.MacroF1, 1e-12) || got.MacroF1 < 0 ||
			got.MacroF1 > 1 {
			t.Errorf("accuracy %v, F1 %v; before %v, %v", got.Accuracy, got.MacroF1, want.Accuracy, want.MacroF1)
		}
	})
}

func ExampleClassify() {
	c := Classify([]int{0, 0, 1, 2}, []int{0, 1, 1, 1})
	fmt.Printf("accuracy %.2f macro F1 %.4f\n", c.Accuracy, c.MacroF1)
	for _, s := range c.Classes {
		fmt.Printf("class %d: F1 %.4f of %d\n", s.Class, s.F1, s.Truth)
	}
	// Output:
	// accuracy 0.50 macro F1 0.3889
	// class 0: F1 0.6667 of 2
	// class 1: F1 0.5000 of 1
	// class 2: F1 0.0000 of 1
}

func TestClassify_Correct(t *testing.T) {
	got := Classify([]int{1, 2, 3}, []int{1, 3, 3}).Correct
	if diff := cmp.Diff([]bool{true, false, true}, got); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
}
