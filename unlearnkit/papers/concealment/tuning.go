package concealment

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Choice holds the tried settings of a method and concept, and the setting in use.
type Choice struct {
	Method, Erased string
	Setting        Setting
	Trials         []Trial // tried settings by rate and passes; empty if the original obeys no retain prompt
}

// choices returns a choice for every method and concept of the preset.
func (r *Results) choices() ([]Choice, error) {
	var all []Choice
	for _, pair := range r.Pairs {
		if len(pair.Tried) == 0 {
			return nil, &study.Lacks{Preset: r.Preset.Name, Why: "tries no settings; mini does"}
		}
		choice := Choice{Method: pair.Method.Title, Erased: pair.Erasure.Paper, Setting: pair.Setting}
		if trials, err := Trials(pair.Erasure, pair.Tried); err == nil {
			choice.Trials = trials
		}
		all = append(all, choice)
	}
	return all, nil
}

// chosen returns the trial of the setting in use. It returns false if that setting was not tried.
func (t Choice) chosen() (Trial, bool) {
	at := slices.IndexFunc(t.Trials, func(trial Trial) bool { return t.uses(trial) })
	if at < 0 {
		return Trial{}, false
	}
	return t.Trials[at], true
}

func (t Choice) uses(trial Trial) bool {
	return trial.Rate == t.Setting.Rate && trial.Budget == t.Setting.Budget
}

// reach returns the number of trials that reach both thresholds.
func (t Choice) reach() (count int) {
	for _, trial := range t.Trials {
		if trial.reaches() {
			count++
		}
	}
	return count
}

// settingTable tabulates the setting of each method and concept. It shows the setting's scores on the tuning prompts
// and the number of settings that were tried.
func (r *Results) settingTable() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("Settings (%s)", r.Preset.Name), Corners: []string{"Method", "Concept"}}
	t.Columns = append(numbers("Rate", "Passes", "Shown", "Retained"), words("Reached")...)
	t.Columns = append(t.Columns, numbers("Tried", "Reach it")...)
	choices, err := r.choices()
	if err != nil {
		return nil, err
	}
	for _, choice := range choices {
		t.Rows = append(t.Rows, report.Named(choice.Method, choice.Erased).With(choice.cells()...))
	}
	t.Note = r.onWhat() + " If settings reach both thresholds, the one whose smaller margin is largest is " +
		"used; if none does, the one that misses by least."
	return t, nil
}

// tryTable tabulates every setting that was tried, with its scores on the tuning prompts.
func (r *Results) tryTable() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("What was tried (%s)", r.Preset.Name),
		Corners: []string{"Method and concept", "Rate and passes"}}
	t.Columns = append(numbers("Shown", "Retained"), words("Reached", "Used")...)
	choices, err := r.choices()
	if err != nil {
		return nil, err
	}
	for _, choice := range choices {
		for _, trial := range choice.Trials {
			t.Rows = append(t.Rows, report.Named(choice.Method+" of "+choice.Erased,
				fmt.Sprintf("%g, %d", trial.Rate, trial.Budget)).With(trial.shows.cell(),
				formatted("%.2f", trial.Retained), yes(trial.reaches()), yes(choice.uses(trial))))
		}
	}
	t.Note = r.onWhat() + " One training per rate, judged at several points; 95 % intervals by Wilson, over " +
		"pictures alone."
	return t, nil
}

// onWhat describes the pictures with which settings are chosen, and the thresholds that settings must reach.
func (r *Results) onWhat() string {
	return fmt.Sprintf("On %d pictures of the concept and %d others, with prompts and noise that nothing else "+
		"is judged by. Shown: the share of pictures asked for the concept that show it, to be below %.1f; "+
		"retained: how often other prompts are obeyed, relative to the original, to be at least %.1f.",
		r.Preset.Tries.Forget, r.Preset.Tries.Retain, mostConcept, leastRetained)
}

// cells returns the cells of a choice. It returns dashes if the setting was not tried, or if the original obeys no
// retain prompt.
func (t Choice) cells() []report.Cell {
	cells := []report.Cell{formatted("%g", t.Setting.Rate), formatted("%g", float64(t.Setting.Budget))}
	chosen, tried := t.chosen()
	if !tried {
		return append(cells, slices.Repeat([]report.Cell{report.Word("–")}, 5)...)
	}
	return append(cells, formatted("%.2f", chosen.Concept), formatted("%.2f", chosen.Retained), yes(chosen.reaches()),
		formatted("%g", float64(len(t.Trials))), formatted("%g", float64(t.reach())))
}
