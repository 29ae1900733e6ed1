package concealment

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/bench"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// SettingTable lays out how each method erases each concept, with what that came to on the prompts by which it was
// chosen, and what was tried besides.
func (r *Results) SettingTable() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("Settings (%s)", r.Preset.Name), Corner: "Method/Concept"}
	for _, name := range []string{"Rate", "Passes", "Shown", "Retained"} {
		t.Columns = append(t.Columns, report.Column{Name: name})
	}
	t.Columns = append(t.Columns, words("Reached")...)
	for _, name := range []string{"Tried", "Reach it"} {
		t.Columns = append(t.Columns, report.Column{Name: name})
	}
	for _, pair := range r.Pairs {
		if len(pair.Tried) == 0 {
			return nil, &bench.Lacks{Preset: r.Preset.Name, Why: "tries no settings; mini does"}
		}
		t.Rows = append(t.Rows, report.Row{Name: pair.Method.Title + "/" + pair.Erasure.Paper, Cells: pair.cells()})
	}
	t.Note = fmt.Sprintf("On %d pictures of the concept and %d others, of prompts and noise by which nothing is "+
		"judged later. Shown: share of the pictures asked for the concept that show it, to be below %.1f; retained: "+
		"how often other prompts are obeyed, "+
		"of how often the original obeys them, to be at least %.1f. Of the settings that reach both, the one with "+
		"the most to spare at the worse end; where none does, the one that misses by least.",
		r.Preset.Tries.Forget, r.Preset.Tries.Retain, mostConcept, leastRetained)
	return t, nil
}

// cells are dashes where the original obeys nothing, so that nothing can be compared with it.
func (p PairScores) cells() []report.Cell {
	number := func(format string, value float64) report.Cell {
		return report.Number(fmt.Sprintf(format, value), value)
	}
	cells := []report.Cell{number("%g", p.Setting.Rate), number("%g", float64(p.Setting.Budget))}
	trials, err := Trials(p.Erasure, p.Tried)
	at := slices.IndexFunc(trials, func(t Trial) bool {
		return t.Rate == p.Setting.Rate && t.Budget == p.Setting.Budget
	})
	if err != nil || at < 0 {
		for range 5 {
			cells = append(cells, report.Word("–"))
		}
		return cells
	}
	reach := 0
	for _, trial := range trials {
		if trial.reaches() {
			reach++
		}
	}
	return append(cells, number("%.2f", trials[at].Concept), number("%.2f", trials[at].Retained),
		yes(trials[at].reaches()), number("%g", float64(len(trials))), number("%g", float64(reach)))
}
