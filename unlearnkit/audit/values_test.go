package audit

import (
	"math"
	"testing"
)

// Accuracy explains every printed GUM, and macro F1 does not.
func TestGUMValues_AccuracyNotF1(t *testing.T) {
	values, err := GUMValues()
	if err != nil {
		t.Fatal(err)
	}
	const rounding = .0006
	accuracy, f1 := 0, 0
	columns := map[string]bool{}
	for _, v := range values {
		columns[v.Column] = true
		if math.Abs(v.Accuracy-v.Printed) > rounding {
			accuracy++
		}
		if math.Abs(v.F1-v.Printed) > rounding {
			f1++
		}
	}
	if len(values) != 80 || len(columns) != 10 || accuracy != 0 || f1 != 32 {
		t.Errorf("%d values in %d columns; outside rounding %d with accuracy, %d with macro F1", len(values),
			len(columns), accuracy, f1)
	}
}

func TestCRSValues_AtEnds(t *testing.T) {
	values, err := CRSValues()
	if err != nil {
		t.Fatal(err)
	}
	retain := 0
	for _, v := range values {
		if v.Retain {
			retain++
			if v.Printed < .95 {
				t.Errorf("%s: retained at %v", v.Row, v.Printed)
			}
		} else if v.Printed > .05 {
			t.Errorf("%s: forgotten at %v", v.Row, v.Printed)
		}
	}
	if len(values) != 26 || retain == 0 || retain == 26 {
		t.Errorf("%d values, %d retained", len(values), retain)
	}
}
