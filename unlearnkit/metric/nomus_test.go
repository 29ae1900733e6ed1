package metric

import (
	"fmt"
	"math"
	"testing"
)

// UnSLU-BENCH Table 4. With accuracy (.815 .825 .809 .801 .824 in the authors' listing) instead of F1 the printed
// values do not follow.
func TestNoMUS_Table4(t *testing.T) {
	for _, row := range []struct {
		method                     string
		f1, mia, printed, accuracy float64
	}{
		{"Orig", .689, .628, .717, .815},
		{"Gold", .707, .506, .848, .825},
		{"NG", .695, .604, .744, .809},
		{"UNSIR", .673, .637, .700, .801},
		{"SCRUB", .697, .608, .741, .824},
	} {
		if got := NoMUS(row.f1, row.mia, NoMUSWeight); math.Abs(got-row.printed) > .0006 {
			t.Errorf("%s: %.4f, printed %.3f", row.method, got, row.printed)
		}
		if got := NoMUS(row.accuracy, row.mia, NoMUSWeight); math.Abs(got-row.printed) < .05 {
			t.Errorf("%s: accuracy gives %.4f, as printed", row.method, got)
		}
	}
}

func TestGUM_Table4FromTable2(t *testing.T) {
	column := readUnslu(t)[2]
	seconds := FitRetrainTime(column.rows, GUMOnAccuracy, .001).Seconds
	printed := map[string]float64{"NG": .563, "UNSIR": 0, "SCRUB": .429}
	for i, method := range column.methods {
		if want, listed := printed[method]; listed {
			if got := column.rows[i].At(seconds, GUMOnAccuracy).GUM; math.Abs(got-want) > .0006 {
				t.Errorf("%s: %.4f, printed %.3f", method, got, want)
			}
		}
	}
}

func TestSpeedup(t *testing.T) {
	for _, test := range []struct{ gold, unlearned, want float64 }{
		{100, 50, 2}, {1, 0, math.Inf(1)}, {0, 0, math.NaN()}, {-1, 1, math.NaN()}, {1, -1, math.NaN()},
		{math.NaN(), 1, math.NaN()},
	} {
		if got := Speedup(test.gold, test.unlearned); !same(got, test.want) {
			t.Errorf("Speedup(%v, %v) = %v, want %v", test.gold, test.unlearned, got, test.want)
		}
	}
}

func ExampleNoMUS() {
	fmt.Printf("%.4f\n", NoMUS(.689, .628, NoMUSWeight))
	// Output: 0.7165
}

func ExampleSpeedup() {
	fmt.Println(Speedup(2400, 300))
	// Output: 8
}
