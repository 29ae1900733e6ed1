package metric

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// unsluColumn is a column of UnSLU-BENCH's Tables 1 to 3, for one data set and model, with accuracies that the authors
// published separately.
type unsluColumn struct {
	name    string
	methods []string
	rows    []RetrainRow // rows of the eight methods
}

// readUnslu reads the columns in table order.
func readUnslu(t *testing.T) []unsluColumn {
	t.Helper()
	file, err := os.Open("testdata/unslu_tables.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := csv.NewReader(file)
	reader.Comment = '#'
	records, err := reader.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var columns []unsluColumn
	var original, gold GUMInput
	for _, record := range records[1:] {
		var v [6]float64 // accuracy_test, f1_test, f1_forget, mia, gum and speedup
		for i := range v {
			if v[i], err = strconv.ParseFloat(record[4+i], 64); err != nil {
				t.Fatal(err)
			}
		}
		row := GUMInput{AccuracyUnlearned: v[0], F1Unlearned: v[1], MIAUnlearned: v[3]}
		switch method := record[3]; method {
		case "Orig":
			columns = append(columns, unsluColumn{name: record[1] + " " + record[2]})
			original = row
		case "Gold":
			gold = row
		default:
			row.AccuracyGold, row.F1Gold = gold.AccuracyUnlearned, gold.F1Unlearned
			row.MIAOriginal, row.MIAGold = original.MIAUnlearned, gold.MIAUnlearned
			c := &columns[len(columns)-1]
			c.methods = append(c.methods, method)
			c.rows = append(c.rows, RetrainRow{GUMInput: row, Speedup: v[5], Printed: v[4]})
		}
	}
	return columns
}

// unsluFits holds the retraining time of each column, fitted by an independent program that minimises the largest
// residual. With accuracy as the utility, it explains all printed GUMs. With F1 and the same time, the listed rows
// differ by the listed amounts. The field "of" is the largest F1 residual at the best time for F1.
var unsluFits = []struct {
	column          string
	seconds, lo, hi float64
	f1Seconds, of   float64
	off             map[string]float64
}{
	{"FSC wav2vec2", 2396, 2362, 2440, 2395, .0005, nil},
	{"FSC HuBERT", 2093, 2063, 2123, 2091, .0004, nil},
	{"SLURP* wav2vec2", 69133, 66271, 72006, 69478, .0008, nil},
	{"SLURP* HuBERT", 65067, 63765, 68109, 64283, .0024, map[string]float64{"NG+": -.0028, "BT-L": .0021}},
	{"ITALIC XLS-R-128", 29802, 29079, 30505, 32020, .0046,
		map[string]float64{"FT": .0020, "NG": -.0028, "BT-L": -.0022, "SCRUB": .0068}},
	{"ITALIC XLSR-53", 30552, 29681, 31224, 23560, .0055,
		map[string]float64{"FT": -.0021, "NG": -.0130, "BT-L": -.0023}},
	{"SpeechMASSIVE-de XLS-R-128", 30015, 29206, 30628, 31185, .0021, map[string]float64{"FT": .0034}},
	{"SpeechMASSIVE-de XLSR-53", 15640, 15252, 16024, 14661, .0016, map[string]float64{"NG": -.0029}},
	{"SpeechMASSIVE-fr XLS-R-128", 15728, 15366, 16235, 18488, .0029,
		map[string]float64{"FT": .0027, "NG": .0075, "CF-k": .0020}},
	{"SpeechMASSIVE-fr XLSR-53", 16114, 15457, 16894, 15975, .0008, nil},
}

// One retraining time explains every printed GUM on accuracy.
func TestGUM_OneRetrainingTime(t *testing.T) {
	var cells int
	for k, c := range readUnslu(t) {
		want := unsluFits[k]
		if c.name != want.column || len(c.rows) != 8 {
			t.Fatalf("column %d is %s with %d rows", k, c.name, len(c.rows))
		}
		fit := FitRetrainTime(c.rows, GUMOnAccuracy, .001)
		if !near(fit.Seconds, want.seconds, .03) || !near(fit.Lo, want.lo, .01) || !near(fit.Hi, want.hi, .01) {
			t.Errorf("%s: %+v, want %v in [%v, %v]", c.name, fit, want.seconds, want.lo, want.hi)
		}
		for i, r := range c.rows {
			cells++
			if got := r.At(fit.Seconds, GUMOnAccuracy); math.Abs(got.GUM-r.Printed) > .0006 ||
				(r.Printed == 0) != (got.GUM == 0) {
				t.Errorf("%s %s: %.4f, printed %.3f", c.name, c.methods[i], got.GUM, r.Printed)
			}
		}
	}
	if cells != 80 {
		t.Errorf("%d cells, want 80", cells)
	}
}

func TestGUM_F1DoesNotExplain(t *testing.T) {
	for k, c := range readUnslu(t) {
		want := unsluFits[k]
		fit := FitRetrainTime(c.rows, GUMOnF1, .001)
		if !near(fit.Seconds, want.f1Seconds, .03) || math.Abs(fit.MaxResidual-want.of) > .0001 {
			t.Errorf("%s: best time on F1 %v with residual %.4f, want %v, %v", c.name, fit.Seconds, fit.MaxResidual,
				want.f1Seconds, want.of)
		}
		seconds := FitRetrainTime(c.rows, GUMOnAccuracy, .001).Seconds
		for i, r := range c.rows {
			got := r.At(seconds, GUMOnF1).GUM - r.Printed
			off, listed := want.off[c.methods[i]]
			if listed && math.Abs(got-off) > .0002 {
				t.Errorf("%s %s: off by %.4f, want %.4f", c.name, c.methods[i], got, off)
			}
			if fails := math.Abs(got) > .00195; fails != listed {
				t.Errorf("%s %s: off by %.4f, listed %v", c.name, c.methods[i], got, listed)
			}
		}
	}
}

// UnSLU-BENCH Table 5: SLURP*, wav2vec 2.0, NG+, originals trained for 5 to 60 epochs. No times are given; one
// efficiency T explains all rows, although retraining for 60 epochs takes twelve times as long as for 5.
func TestGUM_EpochsOfTable5(t *testing.T) {
	const efficiency = .4264
	for _, row := range []struct {
		epochs, f1, f1Gold, mia, miaGold, miaOriginal, printed, implied, tolerance float64
	}{
		{5, .395, .398, .496, .510, .561, .678, .4273, .0008},
		{7, .383, .419, .524, .515, .566, .680, .4269, .0008},
		{11, .499, .487, .480, .492, .593, .686, .4261, .0008},
		{15, .564, .550, .538, .491, .589, .644, .4264, .0008},
		{60, .696, .707, .611, .506, .628, .421, .4429, .0052},
	} {
		in := GUMInput{F1Gold: row.f1Gold, F1Unlearned: row.f1, MIAGold: row.miaGold, MIAOriginal: row.miaOriginal,
			MIAUnlearned: row.mia}
		// Retraining takes 1e9 seconds, and the unlearning time is chosen to give the efficiency.
		in.SecondsGold = 1e9
		in.SecondsUnlearned = math.Expm1((1 - efficiency) * math.Log1p(1e9))
		got := GUM(in, GUMOnF1)
		if !near(got.T, efficiency, 1e-9) || math.Abs(got.GUM-row.printed) > row.tolerance {
			t.Errorf("%v epochs: %.4f, printed %.3f", row.epochs, got.GUM, row.printed)
		}
		if implied := 1 / (3/row.printed - 1/got.U - 1/got.E); math.Abs(implied-row.implied) > .0001 {
			t.Errorf("%v epochs: the printed GUM implies T = %.4f, want %.4f", row.epochs, implied, row.implied)
		}
	}
}

func TestGUM_GuardRails(t *testing.T) {
	good := GUMInput{AccuracyGold: .8, AccuracyUnlearned: .8, MIAOriginal: .6, MIAGold: .5, MIAUnlearned: .5,
		SecondsGold: 1000, SecondsUnlearned: 10}
	change := func(f func(*GUMInput)) GUMInput { in := good; f(&in); return in }
	for _, test := range []struct {
		name    string
		in      GUMInput
		u, e, t float64
		flags   GUMFlag
	}{
		{"perfect but for time", good, 1, 1, 1 - math.Log(11)/math.Log(1001), 0},
		{"the original itself", change(func(in *GUMInput) {
			in.MIAUnlearned = .6
			in.SecondsUnlearned = 0
		}), 1, 0, 1, GUMNotForgotten},
		{"gold itself", change(func(in *GUMInput) { in.SecondsUnlearned = 1000 }), 1, 1, 0, 0},
		{"slower than gold", change(func(in *GUMInput) { in.SecondsUnlearned = 1001 }), 1, 1, 0, GUMSlower},
		{"no retraining time", change(func(in *GUMInput) {
			in.SecondsGold, in.SecondsUnlearned = 0, 0
		}), 1, 1, 0, GUMNoTime},
		{"forgotten beyond gold", change(func(in *GUMInput) { in.MIAUnlearned = .39 }), 1, 0, .65, GUMOverForgotten},
		{"as far below gold as the original is above", change(func(in *GUMInput) {
			in.MIAUnlearned = .4
		}), 1, 0, .65, 0},
		{"halfway", change(func(in *GUMInput) { in.MIAUnlearned = .55 }), 1, .75, .65, 0},
		{"0/0", change(func(in *GUMInput) {
			in.MIAGold, in.MIAUnlearned = .6, .6
		}), 1, 0, .65, GUMNotForgotten | GUMNoGap},
		{"gold above original", change(func(in *GUMInput) { in.MIAGold = .7 }), 1, 0, .65, GUMOverForgotten | GUMNoGap},
		{"worse than the original", change(func(in *GUMInput) { in.MIAUnlearned = .9 }), 1, 0, .65, GUMNotForgotten},
		{"useless", change(func(in *GUMInput) { in.AccuracyGold, in.AccuracyUnlearned = 1, 0 }), 0, 1, .65, 0},
		{"NaN utility", change(func(in *GUMInput) { in.AccuracyUnlearned = math.NaN() }), math.NaN(), 1, .65, 0},
		{"NaN attack", change(func(in *GUMInput) { in.MIAGold = math.NaN() }), 1, math.NaN(), .65, 0},
		{"negative time", change(func(in *GUMInput) { in.SecondsUnlearned = -1 }), 1, 1, math.NaN(), 0},
		{"endless retraining", change(func(in *GUMInput) { in.SecondsGold = math.Inf(1) }), 1, 1, math.NaN(), 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := GUM(test.in, GUMOnAccuracy)
			equal := func(a, b float64) bool { return same(a, b) || math.Abs(a-b) < .01 }
			if !equal(got.U, test.u) || !equal(got.E, test.e) || !equal(got.T, test.t) || got.Flags != test.flags {
				t.Errorf("got %+v (%v)", got, got.Flags)
			}
			product := test.u * test.e * test.t
			if math.IsNaN(product) != math.IsNaN(got.GUM) || (product == 0) != (got.GUM < 1e-9) {
				t.Errorf("GUM %v", got.GUM)
			}
		})
	}
}

func TestGUM_ZeroWeights(t *testing.T) {
	in := GUMInput{AccuracyGold: .8, AccuracyUnlearned: .6, MIAOriginal: .6, MIAGold: .5, MIAUnlearned: .55,
		SecondsGold: 1000, SecondsUnlearned: 10}
	r := GUM(in, GUMOnAccuracy)
	harmonic := func(x ...float64) float64 {
		var sum float64
		for _, v := range x {
			sum += 1 / v
		}
		return float64(len(x)) / sum
	}
	for _, test := range []struct{ alpha, beta, want float64 }{
		{1, 1, harmonic(r.U, r.E, r.T)}, {0, 1, harmonic(r.E, r.T)}, {1, 0, harmonic(r.U, r.T)}, {0, 0, r.T},
		{2, 1, harmonic(r.U, r.U, r.E, r.T)}, {1, 3, harmonic(r.U, r.E, r.E, r.E, r.T)},
	} {
		if got := WeightedGUM(in, GUMOnAccuracy, test.alpha, test.beta).GUM; !near(got, test.want, 1e-14) {
			t.Errorf("weights %v, %v: %v, want %v", test.alpha, test.beta, got, test.want)
		}
	}
}

func TestGUM_Panics(t *testing.T) {
	mustPanic(t, func() { WeightedGUM(GUMInput{}, GUMOnF1, -1, 1) })
	mustPanic(t, func() { WeightedGUM(GUMInput{}, GUMOnF1, 1, math.NaN()) })
	mustPanic(t, func() { CGUM(GUMInput{}, GUMOnF1, 0) })
}

func TestGUM_BetweenComponents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := func(name string) float64 { return rapid.Float64Range(0, 1).Draw(t, name) }
		in := GUMInput{unit("acc gold"), unit("acc"), unit("f1 gold"), unit("f1"), unit("mia o"), unit("mia g"),
			unit("mia u"),
			1e6 * unit("T_g"), 1e6 * unit("T_u")}
		for name, r := range map[string]GUMResult{"acc": GUM(in, GUMOnAccuracy), "f1": GUM(in, GUMOnF1),
			"cgum":     CGUM(in, GUMOnF1, 10),
			"weighted": WeightedGUM(in, GUMOnF1, 5*unit("alpha"), 5*unit("beta"))} {
			lo, hi := min(r.U, r.E, r.T), max(r.U, r.E, r.T)
			if !(lo >= 0 && hi <= 1 && r.GUM >= lo-1e-12 && r.GUM <= hi+1e-12) {
				t.Errorf("%s of %+v: %+v", name, in, r)
			}
		}
	})
}

// The check value is from the authors' notebook. The others are computed by hand from the formula.
func TestCGUM(t *testing.T) {
	in := GUMInput{F1Gold: .90, F1Unlearned: .82, MIAOriginal: .62, MIAGold: .60, MIAUnlearned: .54, SecondsGold: 150,
		SecondsUnlearned: 120}
	for _, test := range []struct{ mia, e float64 }{{.54, 0}, {.61, .5}, {.60, 1}, {.595, .75}, {.63, 0}} {
		in.MIAUnlearned = test.mia
		got := CGUM(in, GUMOnF1, 10)
		u, efficiency := .72/.80, 1-math.Log(121)/math.Log(151)
		want := 3 / (1/u + 1/test.e + 1/efficiency)
		if !near(got.U, u, 1e-5) || !near(got.E, test.e, 1e-4) || !near(got.T, efficiency, 1e-5) ||
			!near(got.GUM, want, 2e-4) {
			t.Errorf("MIA %v: %+v, want GUM %v", test.mia, got, want)
		}
	}
	in.MIAUnlearned = .54
	if got := CGUM(in, GUMOnF1, 10).GUM; got != 0 {
		t.Errorf("check value %v, want 0", got)
	}
	in.MIAOriginal, in.MIAUnlearned = .50, .54 // gold is above the original, so E increases upwards
	if got := CGUM(in, GUMOnF1, 10).E; !near(got, .4, 1e-4) {
		t.Errorf("gold above the original: E = %v, want .4", got)
	}
}

func TestRetrainTime_Degenerate(t *testing.T) {
	row := readUnslu(t)[0].rows[0]
	zero, broken, impossible := row, row, row
	zero.Printed, broken.MIAGold, impossible.Printed = 0, math.NaN(), .999
	for _, test := range []struct {
		name     string
		rows     []RetrainRow
		used     int
		nan      bool
		interval bool
	}{
		{"nothing", nil, 0, true, false},
		{"only zeros", []RetrainRow{zero}, 0, true, false},
		{"NaN", []RetrainRow{row, broken}, 2, true, false},
		{"one row", []RetrainRow{row, zero}, 1, false, true},
		{"contradiction", []RetrainRow{row, impossible}, 2, false, false},
	} {
		got := FitRetrainTime(test.rows, GUMOnAccuracy, .001)
		if got.Rows != test.used || math.IsNaN(got.Seconds) != test.nan || math.IsNaN(got.Lo) == test.interval ||
			math.IsNaN(got.Lo) != math.IsNaN(got.Hi) {
			t.Errorf("%s: got %+v, want Rows %v, math.IsNaN(got.Seconds) %v, math.IsNaN(got.Lo) other than %v, "+
				"math.IsNaN(got.Lo) %v",
				test.name, got, test.used, test.nan, test.interval, math.IsNaN(got.Hi))
		}
	}
}

func FuzzGUM(f *testing.F) {
	f.Add(.8, .7, .6, .5, .55, 1000., 10., 1., 1.)
	f.Add(.8, .8, .6, .6, .6, 0., 0., 0., 0.)
	f.Add(math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.NaN(), math.Inf(1), math.Inf(1), 1e308,
		1e308)
	f.Fuzz(func(t *testing.T, gold, unlearned, o, g, u, secondsGold, seconds, alpha, beta float64) {
		if !(alpha >= 0 && beta >= 0) {
			t.Skip("outside of the domain")
		}
		in := GUMInput{gold, unlearned, unlearned, gold, o, g, u, secondsGold, seconds}
		for _, r := range []GUMResult{WeightedGUM(in, GUMOnAccuracy, alpha, beta), GUM(in, GUMOnF1),
			CGUM(in, GUMOnF1, 3)} {
			for _, v := range []float64{r.U, r.E, r.T, r.GUM} {
				if v < 0 || v > 1 {
					t.Errorf("%+v: got %+v, want v at least 0, v at most 1", in, r)
				}
			}
			if (r.U == 0 || r.E == 0 || r.T == 0) && r.GUM > 0 {
				t.Errorf("a component is 0 and GUM is not: %+v", r)
			}
		}
	})
}

func ExampleGUM() {
	// UnSLU-BENCH Table 2, SLURP*, wav2vec 2.0, method NG.
	r := GUM(GUMInput{
		AccuracyGold: .825, AccuracyUnlearned: .809,
		MIAOriginal: .628, MIAGold: .506, MIAUnlearned: .604,
		SecondsGold: 69133, SecondsUnlearned: 69133. / 1748,
	}, GUMOnAccuracy)
	fmt.Printf("U %.3f E %.3f T %.3f GUM %.3f\n", r.U, r.E, r.T, r.GUM)
	// Output: U 0.984 E 0.355 T 0.668 GUM 0.563
}

func ExampleFitRetrainTime() {
	// UnSLU-BENCH Table 1, FSC, wav2vec 2.0, methods FT and NG.
	column := GUMInput{AccuracyGold: .992, MIAOriginal: .508, MIAGold: .503}
	ft, ng := column, column
	ft.AccuracyUnlearned, ft.MIAUnlearned = .993, .504
	ng.AccuracyUnlearned, ng.MIAUnlearned = .988, .501
	fit := FitRetrainTime([]RetrainRow{{ft, 7.960, .517}, {ng, 206.9, .816}}, GUMOnAccuracy, .001)
	fmt.Printf("%.0f s, from %.0f to %.0f s, largest residual %.4f\n", fit.Seconds, fit.Lo, fit.Hi, fit.MaxResidual)
	// Output: 2403 s, from 2357 to 2456 s, largest residual 0.0002
}

func ExampleCGUM() {
	r := CGUM(GUMInput{F1Gold: .90, F1Unlearned: .82, MIAOriginal: .62, MIAGold: .60, MIAUnlearned: .54,
		SecondsGold: 150, SecondsUnlearned: 120}, GUMOnF1, 10)
	fmt.Printf("U %.2f E %.2f T %.3f GUM %.1f\n", r.U, r.E, r.T, r.GUM)
	// Output: U 0.90 E 0.00 T 0.044 GUM 0.0
}
