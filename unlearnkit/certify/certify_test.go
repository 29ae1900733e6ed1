package certify

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// uneven are worlds with clusters of unequal sizes and targets of their own.
func uneven(random *rand.Rand, worlds int) []Sample {
	samples := make([]Sample, worlds)
	for w := range samples {
		for i := range 30 + 7*w {
			samples[w].Values = append(samples[w].Values, 0.5+0.1*float64(w)+random.NormFloat64())
			samples[w].Targets = append(samples[w].Targets, 0.4+random.NormFloat64())
			samples[w].Cluster = append(samples[w].Cluster, i*i%11)
		}
	}
	return samples
}

func TestTheEstimateIsTheMeanOfTheMeansOfWorlds(t *testing.T) {
	samples := uneven(seed.Stream(2), 3)
	var values, targets []float64
	rows := 0
	for _, s := range samples {
		value, target := 0.0, 0.0
		for i := range s.Values {
			value += s.Values[i]
			target += s.Targets[i]
			rows++
		}
		values, targets = append(values, value/float64(len(s.Values))), append(targets, target/float64(len(s.Values)))
	}
	cell := Certify(samples, 0.3, 1, "")
	near(t, "estimate", cell.Estimate, (values[0]+values[1]+values[2])/3, 1e-14)
	near(t, "target", cell.Target, (targets[0]+targets[1]+targets[2])/3, 1e-14)
	near(t, "equivalence", cell.TOSTP, stat.TOSTPaired(values, targets, -0.3, 0.3).P, 1e-12)
	if cell.N != rows || cell.Seeds != 3 || !(cell.Lo < cell.Estimate && cell.Estimate < cell.Hi) {
		t.Errorf("%+v, %d rows", cell, rows)
	}
}

func near(t *testing.T, what string, got, want, within float64) {
	t.Helper()
	if !(math.Abs(got-want) <= within) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// The interval is made again by loops that know nothing of sums: rows are copied from drawn people of drawn worlds.
func TestTheIntervalIsThatOfRowsDrawnByWorldAndPerson(t *testing.T) {
	samples := uneven(seed.Stream(3), 4)
	random := rand.New(rand.NewPCG(4, 4))
	var drawn, of []float64
	for range 6000 {
		total := 0.0
		for range samples {
			s := samples[random.IntN(len(samples))]
			people := slices.Compact(slices.Sorted(slices.Values(s.Cluster)))
			var rows []float64
			for range people {
				person := people[random.IntN(len(people))]
				for i, c := range s.Cluster {
					if c == person {
						rows = append(rows, s.Values[i])
					}
				}
			}
			total += mean(rows) / float64(len(samples))
		}
		drawn = append(drawn, total)
	}
	for _, s := range samples {
		of = append(of, mean(s.Values))
	}
	between := 0.0
	for _, v := range of {
		between += (v - mean(of)) * (v - mean(of)) / 3 / 4
	}
	cell := Certify(samples, 0, 1, "")
	lo, hi := middle95(drawn)
	sum := variance(drawn) + between/4
	share := between / sum
	wider := math.Sqrt(sum/variance(drawn)) * studentQuantile975(3/share/share) / 1.959963984540054
	near(t, "lo", cell.Lo, cell.Estimate-wider*(cell.Estimate-lo), 0.05*(hi-lo))
	near(t, "hi", cell.Hi, cell.Estimate+wider*(hi-cell.Estimate), 0.05*(hi-lo))
}

// studentQuantile975 sums the density up.
func studentQuantile975(freedom float64) float64 {
	upper, _ := math.Lgamma((freedom + 1) / 2)
	lower, _ := math.Lgamma(freedom / 2)
	density := func(x float64) float64 {
		return math.Exp(upper-lower) / math.Sqrt(freedom*math.Pi) * math.Pow(1+x*x/freedom, -(freedom+1)/2)
	}
	const step = 1e-4
	sum, x := 0.0, 0.0
	for ; sum < 0.475; x += step {
		sum += step * density(x+step/2)
	}
	return x
}

func TestVerdictsAtTheirBorders(t *testing.T) {
	for _, test := range []struct {
		low, high, margin float64
		want              Verdict
	}{
		{-0.09, 0.09, 0.1, Matched},
		{0.01, 0.09, 0.1, Matched}, // different and yet alike enough
		{-0.1, 0.09, 0.1, Unresolved},
		{-0.09, 0.1, 0.1, Unresolved},
		{0.01, 0.1, 0.1, UnderForgotten},
		{0, 0.2, 0.1, Unresolved},
		{-0.1, -0.01, 0.1, OverForgotten},
		{-0.2, 0, 0.1, Unresolved},
		{0, 0, 0, Unresolved},
		{math.NaN(), math.NaN(), 0.1, Unresolved},
	} {
		if got := judge(test.low, test.high, test.margin); got != test.want {
			t.Errorf("[%v, %v] within %v: %s, want %s", test.low, test.high, test.margin, got, test.want)
		}
	}
}

func TestVerdictsOfSamples(t *testing.T) {
	shifted := func(by float64) []Sample {
		samples := uneven(seed.Stream(5), 5)
		for _, s := range samples {
			for i := range s.Values {
				s.Targets[i] = s.Values[i] - by + 0.001*float64(i%3-1)
			}
		}
		return samples
	}
	for by, want := range map[float64]Verdict{0: Matched, 0.5: UnderForgotten, -0.5: OverForgotten} {
		if cell := Certify(shifted(by), 0.1, 1, ""); cell.Verdict != want {
			t.Errorf("%v above the target: %+v", by, cell)
		}
	}
	if cell := Certify(uneven(seed.Stream(5), 2), 0.1, 1, ""); cell.Verdict != Unresolved {
		t.Errorf("noise: %+v", cell)
	}
	if cell := Certify(shifted(0), 0, 1, ""); cell.Verdict == Matched || !math.IsNaN(cell.TOSTP) {
		t.Errorf("without a margin: %+v", cell)
	}
}

func TestWhatCannotBeCertifiedIsNoNumber(t *testing.T) {
	for name, samples := range map[string][]Sample{
		"no world":     nil,
		"empty worlds": {{}, {}},
		"NaN": {{Values: []float64{1, math.NaN()}, Targets: []float64{1, 2}, Cluster: []int{0, 1}},
			{Values: []float64{1}, Targets: []float64{1}, Cluster: []int{0}}},
		"NaN of targets": {{Values: []float64{1, 2}, Targets: []float64{1, math.NaN()}, Cluster: []int{0, 1}}},
	} {
		cell := Certify(samples, 0.1, 1, "")
		if cell.Verdict != Unresolved || !math.IsNaN(cell.Estimate) || !math.IsNaN(cell.Lo) || !math.IsNaN(cell.Hi) ||
			!math.IsNaN(cell.TOSTP) || !math.IsNaN(cell.P) {
			t.Errorf("%s: %+v", name, cell)
		}
	}
	whole := uneven(seed.Stream(6), 2)
	if with, without := Certify(append(slices.Clone(whole), Sample{}), 0.1, 1, ""),
		Certify(whole, 0.1, 1, ""); with != without {
		t.Errorf("a world without examples: %+v and %+v", with, without)
	}
}

func TestOneWorldIsJudgedByItsClusters(t *testing.T) {
	sample := Sample{Values: []float64{1, 3, 5, 4}, Targets: []float64{1, 1, 4, 5}, Cluster: []int{7, 7, 2, 3}}
	cell := Certify([]Sample{sample}, 2, 1, "")
	near(t, "equivalence", cell.TOSTP, stat.TOSTPaired([]float64{2, 5, 4}, []float64{1, 4, 5}, -2, 2).P, 1e-14)
	if cell.Lo < 2 || cell.Hi > 5 || cell.Lo >= cell.Hi {
		t.Errorf("%+v", cell)
	}
	for i := range sample.Cluster {
		sample.Cluster[i] = 7
	}
	if cell := Certify([]Sample{sample}, 2, 1, ""); cell.Lo != cell.Estimate || cell.Hi != cell.Estimate ||
		!math.IsNaN(cell.TOSTP) {
		t.Errorf("one cluster of one world: %+v", cell)
	}
}

// Worlds that differ by rounding alone leave next to no variance between them.
func TestWorldsThatAreAlikeWidenNothing(t *testing.T) {
	samples := uneven(seed.Stream(21), 1)
	for i := range 4 {
		again := Sample{Targets: samples[0].Targets, Cluster: samples[0].Cluster}
		for _, v := range samples[0].Values {
			again.Values = append(again.Values, v*(1+1e-16*float64(i)))
		}
		samples = append(samples, again)
	}
	samples[1].Values = slices.Clone(samples[1].Values)
	samples[1].Values[0] += 1e-15
	cell := Certify(samples, 0, 1, "")
	drawn, _ := resample([]clustered{cluster(samples[0]), cluster(samples[1]), cluster(samples[2]), cluster(samples[3]),
		cluster(samples[4])}, rand.NewChaCha8(seed.Key(1, "certify", "")))
	lo, hi := middle95(drawn)
	near(t, "lo", cell.Lo, lo, 1e-6)
	near(t, "hi", cell.Hi, hi, 1e-6)
}

func TestNegativeClustersStandAlone(t *testing.T) {
	samples := uneven(seed.Stream(7), 2)
	alone, own := make([]Sample, 2), make([]Sample, 2)
	for w, s := range samples {
		alone[w], own[w] = s, s
		alone[w].Cluster, own[w].Cluster = make([]int, len(s.Values)), make([]int, len(s.Values))
		byValue := slices.Sorted(slices.Values(s.Values))
		for i, v := range s.Values {
			alone[w].Cluster[i] = -1
			own[w].Cluster[i] = slices.Index(byValue, v)
		}
	}
	if a, b := Certify(alone, 0.1, 1, ""),
		Certify(own, 0.1, 1, ""); a.Lo != b.Lo || a.Hi != b.Hi || a.Verdict != b.Verdict {
		t.Errorf("%+v and %+v", a, b)
	}
}

func TestACertificateDependsOnNothingButItsData(t *testing.T) {
	samples := uneven(seed.Stream(8), 3)
	first := Certify(samples, 0.1, 1, "a")
	if again := Certify(samples, 0.1, 1, "a"); again != first {
		t.Errorf("%+v then %+v", first, again)
	}
	if other := Certify(samples, 0.1, 1, "b"); other.Lo == first.Lo || other.Estimate != first.Estimate {
		t.Errorf("another name: %+v and %+v", first, other)
	}
	shuffled := make([]Sample, len(samples))
	for w, s := range samples {
		for _, i := range seed.Stream(9, w).Perm(len(s.Values)) {
			shuffled[w].Values, shuffled[w].Targets = append(shuffled[w].Values, s.Values[i]),
				append(shuffled[w].Targets, s.Targets[i])
			shuffled[w].Cluster = append(shuffled[w].Cluster, s.Cluster[i])
		}
	}
	got := Certify(shuffled, 0.1, 1, "a")
	near(t, "lo of shuffled rows", got.Lo, first.Lo, 1e-12)
	near(t, "hi of shuffled rows", got.Hi, first.Hi, 1e-12)
}

func TestAdjustLeavesCellsWithoutATestOut(t *testing.T) {
	cells := []Cell{{P: 0.01}, {P: math.NaN()}, {P: 0.04}, {P: 0.03}}
	Adjust(cells)
	want := stat.Holm(make([]float64, 3), []float64{0.01, 0.04, 0.03})
	if cells[0].PAdjusted != want[0] || !math.IsNaN(cells[1].PAdjusted) || cells[2].PAdjusted != want[1] ||
		cells[3].PAdjusted != want[2] {
		t.Errorf("%+v, want %v", cells, want)
	}
	Adjust(nil)
}

func TestACellIsWrittenAsMachinesExpectIt(t *testing.T) {
	nan := math.NaN()
	cell := Cell{Row: "a \"b\"", Column: "ACS", Estimate: 0.5, Lo: nan, Hi: math.Inf(1), N: 3, Seeds: 2, P: nan,
		PAdjusted: 0.25, TOSTP: 0.125, Verdict: Matched, Printed: "0.602", Margin: 1}
	content, err := json.Marshal([]Cell{cell})
	want := `[{"row":"a \"b\"","column":"ACS","estimate":0.5,"lo":null,"hi":null,"n":3,"seeds":2,"target":0,"margin":1,"p":null,"p_adjusted":0.25,"tost_p":0.125,"verdict":"matched","printed":"0.602"}]`
	if err != nil || string(content) != want {
		t.Errorf("%s %v, want %s", content, err, want)
	}
	cell.Warning = "diverged in 1 of 5 worlds"
	if content, _ := json.Marshal(cell); !strings.Contains(string(content), `"warning":"diverged in 1 of 5 worlds"`) {
		t.Errorf("%s", content)
	}
}

func BenchmarkCertify410Cells(b *testing.B) {
	h := hierarchy{"", 5, 50, 8, 1, 1, 1}
	samples := h.samples(seed.Stream(1))
	for b.Loop() {
		for range 410 {
			Certify(samples, 0.1, 1, "benchmark")
		}
	}
}
