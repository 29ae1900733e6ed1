package exchange

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// fewResults are results that implement no optional interface such as [study.Tracer].
type fewResults struct{ study.Results }

func (fewResults) Frame() string { return "" }

func example() Table {
	nan := math.NaN()
	return Table{
		Study: &study.Study{Paper: "voices", Repetitions: certify.Repetitions{Singular: "world", Plural: "worlds"},
			Columns: []study.Metric{{Name: "WER", Better: report.Lower, Percent: true}}},
		Results: fewResults{}, Number: "1", Preset: "mini", Version: "v1", Time: time.Unix(1790000000, 0),
		Dataset: "owner/voices",
		Cells: []certify.Cell{
			{Row: "SCRUB/5x", Column: "WER", Estimate: 12.5, Lo: 10, Hi: 15, N: 40, Seeds: 5, Target: 11, Margin: 2,
				Verdict: certify.Unresolved, DifferenceAdjusted: nan, DifferenceP: nan},
			{Row: "SCRUB 5x", Column: "WER", Estimate: 30, Lo: nan, Hi: nan, N: 8, Seeds: 1, Target: nan},
			{Row: "Diverged", Column: "WER", Estimate: nan, N: 8},
			{Row: "Figure", Column: "WER", Estimate: 3, N: 0},
		},
	}
}

func ExampleTable_WriteHuggingFace() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	paths, err := example().WriteHuggingFace(folder)
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := os.ReadFile(paths[0])
	fmt.Print(string(text))
	// Output:
	// - dataset:
	//     id: "owner/voices"
	//     task_id: "voices-table-1-wer"
	//   value: 12.5
	//   date: "2026-09-21"
	//   notes: "WER of voices, table 1, preset mini; 5 worlds; 95 % interval [10, 15]; target 11: unresolved"
}

func TestHuggingFace_EqualSlugs(t *testing.T) {
	folder := t.TempDir()
	paths, err := example().WriteHuggingFace(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range paths {
		name, err := filepath.Rel(folder, path)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, strings.Split(filepath.ToSlash(name), "/")[0])
	}
	if want := []string{"scrub-5x", "scrub-5x-2"}; !slices.Equal(names, want) {
		t.Errorf("folders %q, want %q without the rows that have no value", names, want)
	}
}

func TestTable_Records(t *testing.T) {
	records := example().Records()
	if len(records) != 2 {
		t.Fatalf("%d records, want 2", len(records))
	}
	first, second := records[0].Results[0], records[1].Results[0]
	if !first.Metric.LowerIsBetter || *first.Metric.Max != 100 || first.Metric.Unit != "percent" {
		t.Errorf("metric %+v, want percent and lower is better", first.Metric)
	}
	if interval := first.Score.Uncertainty.Interval; *interval != (Interval{10, 15, .95, ""}) {
		t.Errorf("interval %+v", *interval)
	}
	if _, has := first.Score.Details["difference_p_value"]; has || first.Score.Details["target"] != "11" {
		t.Errorf("details %v, want the target and no p-value that is NaN", first.Score.Details)
	}
	if second.Score.Uncertainty.Interval != nil || second.Score.Details["verdict"] != "" {
		t.Errorf("score %+v, want no interval and no verdict", second.Score)
	}
}
