package unslu

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Frame compares the models' size and training with the paper's. It returns "" for the paper's own data.
func (r *Results) Frame() string {
	if r.Preset.Name == study.PaperPreset {
		return ""
	}
	text := "Made-up voices replace the paper's recordings."
	for i, b := range r.Preset.Backbones {
		if i == 0 {
			text = fmt.Sprintf("Encoders have %d layers of width %d, the paper's have 12 of 768 and 24 of "+
				"1,024. %s",
				b.Size.Layers, b.Size.Hidden, text)
		}
	}
	low, high := math.Inf(1), math.Inf(-1)
	for i := range r.Preset.Benchmarks {
		if known := r.learnt(i); !math.IsNaN(known) {
			low, high = min(low, known), max(high, known)
		}
	}
	if low <= high {
		least, most := printedLearnt()
		text += fmt.Sprintf(" The originals learnt little: their F1_T is %.2f to %.2f by data set and "+
			"backbone, the paper's is %.2f to %.2f. What was hardly learnt can hardly be forgotten.", low, high, least, most)
	}
	return text + r.passesNote()
}

// learnt returns the mean F1_T over worlds of a benchmark's originals, or NaN if an original has no scores.
func (r *Results) learnt(benchmark int) float64 {
	sum := 0.
	for w := range r.Worlds {
		b := &r.Worlds[w].Benchmarks[benchmark]
		if b.Original == nil || b.Original.Lost() {
			return math.NaN()
		}
		sum += f1(Test).Mean(b.Original.Evaluation, nil) / float64(len(r.Worlds))
	}
	return sum
}

// printedLearnt returns the smallest and the largest F1_T of an original in Tables 1 to 3.
func printedLearnt() (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, table := range []string{"table1", "table2", "table3"} {
		cells, err := papers.Open("unslu", table)
		if err != nil {
			panic(err)
		}
		for _, c := range cells {
			if c.Row == originalRow && strings.HasSuffix(c.Column, "/F1_T") {
				if value, err := strconv.ParseFloat(c.Value, 64); err == nil {
					least, most = min(least, value), max(most, value)
				}
			}
		}
	}
	return least, most
}
