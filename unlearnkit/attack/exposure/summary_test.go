package exposure_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/languagetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/exposure"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

var jobs = []string{"baker", "judge", "nurse", "cook", "pilot", "smith"}

// rankings ranks the jobs of several people.
func rankings(t *testing.T, truths []string, groups ...string) []*exposure.Ranking {
	t.Helper()
	r := ranker(t, opened(t, languagetest.Folder(t, "llama"), ""))
	var all []*exposure.Ranking
	for i, truth := range truths {
		item := exposure.Item{Prefix: fmt.Sprintf("The job of %c is", 'a'+i), Candidates: jobs, Truth: truth}
		if i < len(groups) {
			item.Group = groups[i]
		}
		ranking, err := r.Rank(t.Context(), item)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, ranking)
	}
	return all
}

func TestSummarize_Interval(t *testing.T) {
	all := rankings(t, []string{"baker", "judge", "nurse", "cook", "pilot", "smith", "cook", "nurse"})
	s, err := exposure.Summarize(all)
	if err != nil {
		t.Fatal(err)
	}
	total := 0.0
	for _, r := range all {
		total += r.Truth.Exposure / 8
	}
	if math.Abs(s.Mean-total) > 1e-12 || s.N != 8 || s.Groups != 8 || s.Chance != 50 ||
		!(0 <= s.Lo && s.Lo < s.Mean && s.Mean < s.Hi && s.Hi <= 100) || !(s.P > 0 && s.P < 1) {
		t.Errorf("%+v", s)
	}
	if note := s.Table().Note; !strings.Contains(note, "against chance, which gives 50.0") {
		t.Errorf(`got %v, want "against chance, which gives 50.0" in it`, note)
	}
}

// Eight equal items of four people count as four items.
func TestSummarize_Groups(t *testing.T) {
	truths := []string{"baker", "judge", "nurse", "cook"}
	all := rankings(t, truths)
	alone, err := exposure.Summarize(all)
	if err != nil {
		t.Fatal(err)
	}
	var twice []*exposure.Ranking
	for i, r := range all {
		copied := *r
		copied.Group = fmt.Sprint(i)
		twice = append(twice, &copied, &copied)
	}
	grouped, err := exposure.Summarize(twice)
	if err != nil {
		t.Fatal(err)
	}
	if grouped.Mean != alone.Mean || math.Abs(grouped.Lo-alone.Lo) > 1e-9 || math.Abs(grouped.Hi-alone.Hi) > 1e-9 ||
		grouped.Groups != 4 || grouped.N != 8 {
		t.Errorf("%+v, want the interval of %+v", grouped, alone)
	}
}

// If all items have Exposure 100, their variance is zero. The interval must still be at least as wide as Wilson's
// interval for the same number of trials, all successes.
func TestSummarize_EqualExposures(t *testing.T) {
	all := rankings(t, []string{"baker"})
	best := *all[0]
	for _, c := range best.Candidates {
		if c.Rank == 1 {
			all = rankings(t, []string{c.Text})
		}
	}
	if all[0].Truth.Exposure != 100 {
		t.Fatalf("got %+v, want Exposure 100", all[0].Truth)
	}
	five := []*exposure.Ranking{all[0], all[0], all[0], all[0], all[0]}
	s, err := exposure.Summarize(five)
	if err != nil {
		t.Fatal(err)
	}
	wilson := stat.Wilson(5, 5)
	if s.Mean != 100 || s.Hi != 100 || !(s.Lo <= 100*wilson.Lo) || !(s.Lo > 20) {
		t.Errorf("%+v, Wilson's interval is from %.3g", s, 100*wilson.Lo)
	}
}

func TestSummarize_OneSecret(t *testing.T) {
	s, err := exposure.Summarize(rankings(t, []string{"cook"}))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s)
	if err != nil || !math.IsNaN(s.Lo) || !strings.Contains(string(text), `"lo":null`) {
		t.Errorf("got %s, %v, want s.Lo NaN, %q in it", text, err, `"lo":null`)
	}
	if note := s.Table().Note; !strings.Contains(note, "which has no interval") {
		t.Errorf(`got %v, want "which has no interval" in it`, note)
	}
	r := ranker(t, opened(t, languagetest.Folder(t, "llama"), ""))
	alone, err := r.Rank(t.Context(), exposure.Item{Prefix: "a", Candidates: []string{"b"}, Truth: "b"})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = exposure.Summarize([]*exposure.Ranking{alone}); err != nil || s.N != 0 || s.Skipped != 1 ||
		!math.IsNaN(s.Mean) || !strings.Contains(s.Table().Note, "nothing to rank them against") {
		t.Errorf(`got %+v, %v, want N 0, Skipped 1, Mean NaN, "nothing to rank them against" in it`, s, err)
	}
	if _, err := json.Marshal(s); err != nil {
		t.Error(err)
	}
	blind, err := r.Rank(t.Context(), exposure.Item{Prefix: "a", Candidates: []string{"b"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exposure.Summarize([]*exposure.Ranking{blind}); err == nil ||
		!strings.Contains(err.Error(), `item 1, "a": the true candidate is unknown`) {
		t.Error(err)
	}
}
