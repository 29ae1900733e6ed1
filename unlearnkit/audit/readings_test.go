package audit

import (
	"math"
	"testing"
)

func TestTheAccuracyReadingGivesEveryPrintedGUMAndTheF1ReadingDoesNot(t *testing.T) {
	cells, err := GUMReadings()
	if err != nil || len(cells) != 80 {
		t.Fatal(len(cells), err)
	}
	outside := map[string]bool{}
	for _, c := range cells {
		if math.Abs(c.Accuracy-c.Printed) > .0006 {
			t.Errorf("%s, %s: %.4f with accuracy, printed %.3f", c.Column, c.Row, c.Accuracy, c.Printed)
		}
		if math.Abs(c.F1-c.Printed) > .00195 {
			outside[c.Column+" "+c.Row] = true
		}
	}
	for _, row := range []string{"ITALIC/XLS-R 53-IT NG", "ITALIC/XLS-R 128 SCRUB", "fr-FR/XLS-R 128 NG", "SLURP*/HuBERT NG+"} {
		if !outside[row] {
			t.Errorf("%s agrees with macro F1", row)
		}
	}
	if len(outside) != 14 {
		t.Errorf("%d rows are off by .002 or more with macro F1, 14 are known: %v", len(outside), outside)
	}
}

func TestThePrintedCRSFallIntoTwoClasses(t *testing.T) {
	cells, err := PrintedCRS()
	if err != nil || len(cells) != 26 {
		t.Fatal(len(cells), err)
	}
	retained := 0
	for _, c := range cells {
		if c.Retain {
			retained++
		}
		if c.Retain != (c.Printed > .5) {
			t.Errorf("%q: %g, retained: %v", c.Row, c.Printed, c.Retain)
		}
	}
	if retained != 11 {
		t.Errorf("%d prompts are retained", retained)
	}
}
