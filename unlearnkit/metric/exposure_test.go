package metric_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

func TestExposure_EqualsScipy(t *testing.T) {
	var reference struct {
		Ranks []struct {
			Perplexities      []float64
			Truth, Rank, Last int
			Exposure          float64
		}
	}
	loadReference(t, "likelihood_numpy.json", &reference)
	if len(reference.Ranks) == 0 {
		t.Fatal("no cases")
	}
	for i, c := range reference.Ranks {
		got, err := metric.RankExposure(c.Perplexities, c.Truth)
		if err != nil || got.Rank != c.Rank || got.Rank+got.Ties != c.Last {
			t.Errorf("case %d: %+v, %v; want ranks %d to %d", i, got, err, c.Rank, c.Last)
		}
		wantNear(t, "exposure", got.Exposure, c.Exposure, 1e-13)
	}
}

func TestExposure_Equation1(t *testing.T) {
	for _, c := range []struct {
		rank, candidates int
		want             float64
	}{{1, 20, 100}, {20, 20, 0}, {2, 3, 50}, {5, 20, 15. / 19 * 100}, {1, 1, nan}} {
		wantNear(t, fmt.Sprintf("rank %d of %d", c.rank, c.candidates), metric.Exposure(c.rank, c.candidates), c.want,
			1e-15)
	}
	for _, c := range [][2]int{{0, 5}, {6, 5}, {1, 0}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("rank %d of %d does not panic", c[0], c[1])
				}
			}()
			metric.Exposure(c[0], c[1])
		}()
	}
}

// The mean skips items with one candidate, and errors name the faulty item.
func TestMeanExposure_Faults(t *testing.T) {
	certain, doubtful := []float64{-.1, -.1, -.1}, []float64{-2}
	items := []metric.ExposureItem{
		{Identity: "Rohan", Attribute: "job", Truth: 0, LogProbs: [][]float64{certain, doubtful, doubtful}},
		{Identity: "Rohan", Attribute: "planet", Truth: 0, LogProbs: [][]float64{certain}},
		{Identity: "Mei", Attribute: "job", Truth: 1, LogProbs: [][]float64{certain, doubtful, doubtful}},
	}
	got, err := metric.MeanExposure(items)
	if err != nil {
		t.Fatal(err)
	}
	want := metric.ExposureSummary{Mean: 75, N: 2, Skipped: 1, Ranks: []metric.ExposureRank{
		{Rank: 1, Candidates: 3, Exposure: 100}, {Rank: 1, Candidates: 1, Exposure: nan},
		{Rank: 2, Ties: 1, Candidates: 3, Exposure: 50},
	}}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b float64) bool {
		return a == b || math.IsNaN(a) && math.IsNaN(b)
	})); diff != "" {
		t.Errorf("mismatch (-want +got):\n%s", diff)
	}
	if empty, err := metric.MeanExposure(nil); err != nil || !math.IsNaN(empty.Mean) {
		t.Errorf("no items: %+v, %v", empty, err)
	}
	for name, item := range map[string]metric.ExposureItem{
		"no tokens":     {Identity: "Mei", Attribute: "job", LogProbs: [][]float64{certain, {}}},
		"no such truth": {Identity: "Mei", Attribute: "job", Truth: 2, LogProbs: [][]float64{certain, doubtful}},
		"NaN":           {Identity: "Mei", Attribute: "job", LogProbs: [][]float64{certain, {nan}}},
	} {
		if _, err := metric.MeanExposure(append(items, item)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// Exposure does not depend on the order of the candidates, and averages 50.
func TestExposure_Invariant(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		perplexities := rapid.SliceOfNDistinct(rapid.Float64Range(1, 100), 2, 20, rapid.ID[float64]).Draw(t,
			"perplexities")
		shuffled := rapid.Permutation(perplexities).Draw(t, "shuffled")
		byPerplexity := map[float64]metric.ExposureRank{}
		sum := 0.0
		for truth, p := range perplexities {
			r, err := metric.RankExposure(perplexities, truth)
			if err != nil {
				t.Fatal(err)
			}
			byPerplexity[p] = r
			sum += r.Exposure
		}
		if mean := sum / float64(len(perplexities)); math.Abs(mean-50) > 1e-10 {
			t.Fatalf("mean over all answers is %v", mean)
		}
		for truth, p := range shuffled {
			if r, _ := metric.RankExposure(shuffled, truth); r != byPerplexity[p] {
				t.Fatalf("shuffled: %+v, want %+v", r, byPerplexity[p])
			}
		}
	})
}

func ExampleMeanExposure() {
	jobs := [][]float64{{-.2, -.1}, {-1.5}, {-.9, -3}} // log-probabilities of the tokens of engineer, nurse and pilot
	s, err := metric.MeanExposure([]metric.ExposureItem{
		{Identity: "Rohan", Attribute: "job", Truth: 0, LogProbs: jobs},
		{Identity: "Mei", Attribute: "job", Truth: 1, LogProbs: jobs},
	})
	fmt.Println(s.Mean, s.Ranks[1].Rank, err)
	// Output: 75 2 <nil>
}

func ExampleExposure() {
	fmt.Println(metric.Exposure(1, 5), metric.Exposure(3, 5), metric.Exposure(5, 5))
	// Output: 100 50 0
}
