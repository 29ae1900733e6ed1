package partialdiffusion

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func ExampleRatio_Of() {
	r, err := ParseRatio(".29")
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Of(100), int(r.Float()*100))
	// Output: 29 28
}

// Whole steps are counted on the decimal number, not on its nearest float.
func TestRatio_WholeSteps(t *testing.T) {
	tests := []struct {
		psi         string
		steps, want int
	}{
		{"0", 100, 0}, {".001", 100, 0}, {"0.01", 100, 1}, {".089", 100, 8}, {".29", 100, 29}, {".57", 100, 57},
		{".58", 100, 58}, {"0.55", 20, 11}, {"1", 7, 7}, {"1.000", 50, 50}, {"1.", 3, 3},
		{".999999999999999999", 1000, 999},
	}
	for _, test := range tests {
		r, err := ParseRatio(test.psi)
		if err != nil || r.Of(test.steps) != test.want {
			t.Errorf("%s of %d steps: %d, want %d; %v", test.psi, test.steps, r.Of(test.steps), test.want, err)
		}
	}
	if (Ratio{}).Of(10) != 0 || (Ratio{}).String() != "0" || (Ratio{}).Float() != 0 {
		t.Error("the zero ratio is not 0")
	}
}

func TestRatio_Percent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		percent, rest := rapid.IntRange(0, 99).Draw(t, "percent"), rapid.IntRange(0, 999_999).Draw(t, "rest")
		r, err := ParseRatio(fmt.Sprintf("0.%02d%06d", percent, rest))
		if err != nil || r.Of(100) != percent {
			t.Fatalf("%s: %d of 100 steps; %v", r, r.Of(100), err)
		}
	})
}

func TestRatio_Refused(t *testing.T) {
	for _, text := range []string{"", ".", "-0.1", "+.1", "1.1", "2", "999", "1e-2", "1/3", "0x1p-2", "NaN", "inf", "a",
		"0,5", " .5", ".1.", strings.Repeat("1", 1000), ".1234567890123456789"} {
		if r, err := ParseRatio(text); err == nil || strings.Contains(err.Error(), "\n") || len(err.Error()) > 200 {
			t.Errorf("%.20q: got %v, %v, want length at most 200 of Error()", text, r, err)
		}
	}
	if _, err := Ratios(".1, .2", "x"); err == nil {
		t.Error("a list with x is read")
	}
	if got, err := Ratios(".1, .2", "1"); err != nil || fmt.Sprint(got) != "[.1 .2 1]" {
		t.Errorf("%v, %v", got, err)
	}
}
