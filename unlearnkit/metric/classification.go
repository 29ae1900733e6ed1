package metric

import (
	"fmt"
	"slices"
)

// Classification compares predictions with the truth.
type Classification struct {
	Accuracy float64      // share of Correct
	MacroF1  float64      // unweighted mean of F1 over Classes
	Classes  []ClassScore // scores of all classes that occur in truth or prediction, in ascending order
	Correct  []bool       // whether each prediction is right, in the order of the examples
}

// ClassScore compares predictions with the truth for one class. A ratio with denominator 0 is 0.
type ClassScore struct {
	Class     int
	Truth     int     // number of examples that belong to the class
	Predicted int     // number of examples predicted as the class
	Hits      int     // number of correct predictions of the class
	Precision float64 // Hits / Predicted
	Recall    float64 // Hits / Truth
	F1        float64 // 2 Hits / (Truth + Predicted)
}

// Classify compares predictions with the truth. Macro F1 is the unweighted mean of F1 over the classes that occur in
// truth or prediction, as in scikit-learn's f1_score(average="macro", zero_division=0). UnSLU-BENCH calls it F1_T on
// the test set and F1_F on the forget set (§3).
//
// Special cases are:
//
//	no examples        →  Accuracy and MacroF1 are NaN
//	different lengths  →  panic
func Classify(truth, predicted []int) Classification {
	if len(truth) != len(predicted) {
		panic(fmt.Sprintf("metric: %d predictions for %d examples", len(predicted), len(truth)))
	}
	c := Classification{Correct: make([]bool, len(truth))}
	present := slices.Concat(truth, predicted)
	slices.Sort(present)
	at := map[int]int{}
	for _, class := range slices.Compact(present) {
		at[class] = len(c.Classes)
		c.Classes = append(c.Classes, ClassScore{Class: class})
	}
	for i, class := range truth {
		c.Classes[at[class]].Truth++
		c.Classes[at[predicted[i]]].Predicted++
		if c.Correct[i] = class == predicted[i]; c.Correct[i] {
			c.Classes[at[class]].Hits++
		}
	}
	c.Accuracy = share(c.Correct)
	var sum float64
	for k := range c.Classes {
		s := &c.Classes[k]
		s.Precision, s.Recall = ratio(s.Hits, s.Predicted), ratio(s.Hits, s.Truth)
		s.F1 = ratio(2*s.Hits, s.Truth+s.Predicted)
		sum += s.F1
	}
	c.MacroF1 = sum / float64(len(c.Classes))
	return c
}

// ratio returns a/b, or 0 if b is 0.
func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
