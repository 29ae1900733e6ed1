package catalogue

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"testing"
)

func TestWork_Classifying(t *testing.T) {
	const retain, forget = 1000, 10
	for _, test := range []struct {
		name   string
		values map[string]float64
		want   float64
	}{
		{"finetuning", nil, 3 * retain},
		{"negative", nil, 3 * forget},
		{"negative-plus", nil, 6 * retain},
		{"cf-k", nil, retain},
		{"cf-k", map[string]float64{"layers": 2}, retain},
		{"cf-k", map[string]float64{"layers": 3}, 3 * retain},
		{"unsir", nil, 3*retain + 26*forget},
		{"unsir", map[string]float64{"noise-steps": 1}, 3*retain + 10*forget},
		{"bad-teaching", nil, 5 * (retain + forget)},
		{"bad-teaching-light", nil, 4 * (retain + forget)},
		{"scrub", nil, 4 * (retain + forget)},
		{"scrub", map[string]float64{"epochs": 3, "msteps": 2}, 12*retain + 8*forget},
	} {
		got, err := Classifying.Entry(test.name).Cost(test.values, retain, forget)
		if err != nil || got != test.want {
			t.Errorf("%s %v: %g, want %g; %v", test.name, test.values, got, test.want, err)
		}
	}
}

// Each forget row is paired with a retain row. A frozen model adds one forward pass per answer.
func TestWork_Answering(t *testing.T) {
	const retain, forget = 1000, 10
	for name, want := range map[string]float64{"gradient-ascent": 3 * forget, "gradient-difference": 6 * forget,
		"kl": 7 * forget, "dpo": 8 * forget, "npo": 4 * forget, "po": 6 * forget,
		"gradient-difference-alternating": 15 * (retain + forget), "finetuning": 3 * retain} {
		if got, err := Answering.Entry(name).Cost(nil, retain, forget); err != nil || got != want {
			t.Errorf("%s: %g, want %g; %v", name, got, want, err)
		}
	}
}

// The printed speed-ups are of wall time. Relative to finetuning they equal the ratios of the work, except for what
// each method does outside passes. The bounds are how far the printed ratio is below or above, over all rows of a
// method. One cell cannot be a measured time: CF-k of wav2vec2 on FSC, which takes half of finetuning's time instead of
// a third.
func TestWork_PrintedSpeedups(t *testing.T) {
	apart := map[string][2]float64{ // bounds of the printed ratio divided by the work's ratio
		"NG": {0.999, 1.001}, "NG+": {0.98, 1.02}, "CF-k": {0.86, 0.95}, "UNSIR": {0.90, 0.985}, "BT": {0.95, 1},
		"BT-L": {0.97, 1.005}, "SCRUB": {0.86, 0.985},
	}
	compared := 0
	for pair, speedups := range printed(t) {
		// the forget set's part of the retain set, which the paper does not print
		const retain = 1 << 20
		forget := int(math.Round(retain * speedups["FT"] / speedups["NG"]))
		cost := func(e Entry) float64 {
			passes, err := e.Cost(nil, retain, forget)
			if err != nil {
				t.Fatal(err)
			}
			return passes
		}
		finetuning := cost(Classifying.Entry("finetuning"))
		for _, e := range Classifying.Entries()[1:] {
			if pair == "FSC wav2vec2" && e.Title == "CF-k" {
				continue
			}
			compared++
			ratio := speedups["FT"] / speedups[e.Title] / (cost(e) / finetuning)
			if limits := apart[e.Title]; !(ratio >= limits[0] && ratio <= limits[1]) {
				t.Errorf("%s, %s: the printed ratio is %.3f of the work's, expected %v", pair, e.Title, ratio, limits)
			}
		}
	}
	if compared != 69 {
		t.Errorf("%d cells are compared", compared)
	}
}

// printed returns the speed-ups of the tables by data set and model, and by method.
func printed(t *testing.T) map[string]map[string]float64 {
	t.Helper()
	file, err := os.Open("../../metric/testdata/unslu_tables.csv")
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
	all := map[string]map[string]float64{}
	for _, record := range records[1:] {
		pair := record[1] + " " + record[2]
		if all[pair] == nil {
			all[pair] = map[string]float64{}
		}
		if all[pair][record[3]], err = strconv.ParseFloat(record[9], 64); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

func TestWork_Refused(t *testing.T) {
	unsaid := Entry{Name: "own", Work: func(setting func(string) float64) Work {
		return Work{Forget: setting("noise")}
	}}
	for _, test := range []struct {
		entry  Entry
		values map[string]float64
		retain int
		says   string
	}{
		{Contrastive.Entry("generic"), nil, 1, "method generic: its work is not known: give its entry a Work"},
		{Classifying.Entry("scrub"), nil, -1,
			"method scrub: the work of -1 examples to be kept and 1 to be forgotten: neither can be below 0"},
		{Classifying.Entry("cf-k"), map[string]float64{"epoch": 2}, 1,
			`the method cf-k has no setting "epoch"; it has rate, batch, decay, layers`},
		{unsaid, nil, 1, `the method own has no setting "noise"; it has none`},
	} {
		if _, err := test.entry.Cost(test.values, test.retain, 1); fmt.Sprint(err) != test.says {
			t.Errorf("%v\nwant %s", err, test.says)
		}
	}
}

// A method's speed-up is the work of retraining for a number of epochs, divided by the method's work.
func ExampleEntry_Cost() {
	const retain, forget, epochs = 20000, 800, 20
	for _, name := range []string{"finetuning", "negative", "unsir"} {
		entry := Classifying.Entry(name)
		passes, err := entry.Cost(nil, retain, forget)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %.1f times as fast\n", entry.Title, epochs*Training(retain)/passes)
	}
	// Output:
	// FT: 20.0 times as fast
	// NG: 500.0 times as fast
	// UNSIR: 14.9 times as fast
}
