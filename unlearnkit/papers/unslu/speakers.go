package unslu

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// speakerLoss compares a model's loss with the gold model's on the clips of one forget speaker. The difference is
// positive if the model's loss is smaller.
type speakerLoss struct {
	Benchmark string
	World     int
	Speaker   string
	Model     string // name of the model's row in the tables
	Clips     int
	Mean      float64 // mean over clips of gold's loss minus the model's, in nats
	Lo, Hi    float64 // 95 % interval of Mean, over clips
}

// speakerLosses compares the original and every method with the gold model, on each forget speaker.
func (r *Results) speakerLosses() (all []speakerLoss) {
	for i, b := range r.Preset.Benchmarks {
		for world := range r.Worlds {
			beside := &r.Worlds[world].Benchmarks[i]
			for _, l := range r.allRows(i) {
				if m := l.of(beside); l.name != goldRow && !m.Lost() {
					for _, s := range surer(m, beside.Gold) {
						s.Benchmark, s.World, s.Model = b.Name(), world, l.name
						all = append(all, s)
					}
				}
			}
		}
	}
	return all
}

// surer compares a model with the gold model on each forget speaker's clips.
func surer(m, gold *Model) (all []speakerLoss) {
	own, golds := m.Scores.ofSplit(Forget), gold.Scores.ofSplit(Forget)
	var speakers []string
	losses := map[string][2][]float64{}
	for i, s := range own {
		pair, known := losses[s.Speaker]
		if !known {
			speakers = append(speakers, s.Speaker)
		}
		pair[0] = append(pair[0], golds[i].Loss)
		pair[1] = append(pair[1], s.Loss)
		losses[s.Speaker] = pair
	}
	for _, name := range speakers {
		pair := losses[name]
		test := stat.TTestPaired(pair[0], pair[1])
		all = append(all, speakerLoss{Speaker: name, Clips: len(pair[0]), Mean: test.Mean.Value, Lo: test.Mean.Lo,
			Hi: test.Mean.Hi})
	}
	return all
}

// speakers tabulates the comparisons with one row per speaker. Speakers that the original remembers best are first.
func (r *Results) speakers() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("Speakers to be forgotten (%s)", r.Preset.Name), Corner: "Speaker",
		Columns: []report.Column{{Name: "clips"}}}
	type line struct {
		name  []string
		clips int
		by    map[string]speakerLoss
	}
	var lines []*line
	for _, s := range r.speakerLosses() {
		name := r.Preset.levels(s.Benchmark, fmt.Sprintf("world %d", s.World), s.Speaker)
		at := slices.IndexFunc(lines, func(l *line) bool { return slices.Equal(l.name, name) })
		if at < 0 {
			at = len(lines)
			lines = append(lines, &line{name, s.Clips, map[string]speakerLoss{}})
		}
		lines[at].by[s.Model] = s
		if !slices.ContainsFunc(t.Columns, func(c report.Column) bool { return c.Name == s.Model }) {
			t.Columns = append(t.Columns, report.Column{Name: s.Model})
		}
	}
	slices.SortStableFunc(lines, func(a, b *line) int {
		return cmp.Compare(b.by[originalRow].Mean, a.by[originalRow].Mean)
	})
	for _, l := range lines {
		row := report.Named(l.name...).With(report.Number(fmt.Sprint(l.clips), float64(l.clips)))
		for _, c := range t.Columns[1:] {
			s, there := l.by[c.Name]
			if !there {
				row.Cells = append(row.Cells, report.Word("–"))
				continue
			}
			row.Cells = append(row.Cells, report.Interval("%.2f", s.Mean, s.Lo, s.Hi))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Note = "Gold's loss on a speaker's clips minus the model's, in nats, with its 95 % interval over clips: " +
		"how much surer the model is about what this speaker said than a model that never heard the speaker. " +
		"Below 0 it is less sure. Sorted by what the original knows; the intervals are not corrected for the " +
		"number of speakers."
	return t
}
