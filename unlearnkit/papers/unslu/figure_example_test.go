package unslu_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
)

func ExampleGUMFigure() {
	values, err := audit.GUMValues()
	if err != nil {
		panic(err)
	}
	figure, err := unslu.GUMFigure(values, unslu.Rounding)
	fmt.Println(figure.Caption)
	golden.Compare("gum", figure, err)
	// Output:
	// Recomputed minus printed GUM of 80 cells in 10 columns; rounding explains ±0.0006. Beyond that are 0 cells with accuracy and 32 with macro F1
	// gum-light.png: as drawn before
	// gum-dark.png: as drawn before
}

func TestGUMFigure_Refused(t *testing.T) {
	_, noCells := unslu.GUMFigure(nil, .001)
	_, noTolerance := unslu.GUMFigure([]audit.GUMValue{{}}, 0)
	_, notANumber := unslu.GUMFigure([]audit.GUMValue{{Column: "c", Row: "r", F1: math.NaN()}}, .001)
	for _, test := range []struct {
		err  error
		want string
	}{
		{noCells, "GUM residuals: nothing to draw"},
		{noTolerance, "GUM residuals: tolerance 0; give what rounding can explain"},
		{notANumber, "GUM residuals: dot rows: utility = macro F1, c: value 1 is NaN"},
	} {
		if test.err == nil || !strings.HasPrefix(test.err.Error(), test.want) {
			t.Errorf("got %v, want %s …", test.err, test.want)
		}
	}
}

// The title does not claim what the numbers do not show.
func TestGUMFigure_Title(t *testing.T) {
	figure, err := unslu.GUMFigure([]audit.GUMValue{{Column: "c", Row: "r", Printed: .5, Accuracy: .52, F1: .5}}, .001)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(figure.Title, "not from macro F1") {
		t.Errorf("title %q where macro F1 gives the printed value", figure.Title)
	}
}
