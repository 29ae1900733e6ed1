package salmu

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// readings are those of one model of every world after so many passes, 0 of a base model.
func (r *Results) readings(use study.Use, budget int, run func(w World) *study.Run) []study.Reading {
	runs := make([]*study.Run, len(r.Worlds))
	for i, w := range r.Worlds {
		if w.runs != nil {
			runs[i] = run(*w.runs)
		}
	}
	return study.Read(use, ScoresFile(budget), budget, runs...)
}

// beside is what a column reads beside a row: its target; the compromised model, whose distance from the clean one
// gives the margin of what is to be forgotten; and that model again where its scores choose the rows.
func (r *Results) beside(c Column, target func(w World) *study.Run) []study.Reading {
	compromised := func(w World) *study.Run { return w.Compromised }
	all := r.readings(study.ForTarget, 0, target)
	if c.Target == ToClean {
		all = append(all, r.readings(study.ForMargin, 0, compromised)...)
	}
	if c.Name == "FragSim" {
		for _, reading := range r.readings(study.ForChoice, 0, compromised) {
			if !r.Worlds[reading.Repetition].namesFragile() {
				reading.Rows = candidates()
				all = append(all, reading)
			}
		}
	}
	return all
}

// candidates are the rows of which the fragile ones are chosen where the data name none.
func candidates() study.Selection { return ofSplits([]string{"cosine"}, persona.RetainDisjoint) }

// namesFragile tells whether the data name the fragile rows.
func (w WorldScores) namesFragile() bool {
	return slices.ContainsFunc(w.Compromised, func(s Score) bool { return s.Split == FragileSet })
}

// ofSplits selects columns of splits.
func ofSplits(values []string, splits ...persona.Split) study.Selection {
	return study.Selection{By: []string{"id", "split", "identity"}, Values: values,
		Where: []study.Condition{study.Among("split", splits...)}}
}

// read says which columns and splits a column of the tables reads, and what it makes of them.
var read = map[string]struct {
	how    string
	values []string
	splits []persona.Split
}{
	"RetFail":    {"the mean of 1 / rank", []string{"rank"}, forgottenSplits},
	"AssocStr":   {"the mean of cosine", []string{"cosine"}, forgottenSplits},
	"ACS":        {"the mean of both columns together", []string{"probe_true", "probe_false"}, forgottenSplits},
	"IdZSC":      {"the mean of right", []string{"right"}, []persona.Split{persona.ForgetIdentity}},
	"CoreAssoc":  {"the mean of core", []string{"core"}, forgottenSplits},
	"GenKnow":    {"the mean of right", []string{"right"}, []persona.Split{Objects}},
	"InterIdSim": {"the mean of cosine", []string{"cosine"}, []persona.Split{persona.HoldoutIdentity}},
	"IntraIdSim": {"the mean of cosine", []string{"cosine"}, []persona.Split{persona.HoldoutAssociation}},
	"VisIdInt": {"the mean of cosine of the people of whom something is to be forgotten", []string{"cosine"},
		[]persona.Split{persona.RetainJoint}},
	"FragSim": {"the mean of cosine of the tenth of others' pictures that the compromised model likes least",
		[]string{"cosine"}, nil},
}

var forgottenSplits = []persona.Split{persona.ForgetIdentity, persona.ForgetAssociation}

// rows are those that a column reads of any model of a world.
func (r *Results) rows(c Column, world int) study.Selection {
	of, w := read[c.Name], r.Worlds[world]
	selection := ofSplits(of.values, of.splits...)
	switch c.Name {
	case "VisIdInt":
		people := study.Condition{Column: "identity", Chosen: &study.Choice{Reading: w.reading(
			ofSplits(nil, forgottenSplits...))}}
		for person := range w.Compromised.people() {
			people.Numbers = append(people.Numbers, float64(person))
		}
		slices.Sort(people.Numbers)
		selection.Where = append(selection.Where, people)
	case "FragSim":
		fragile := study.Condition{Column: "id"}
		for id := range w.Compromised.fragile() {
			fragile.Words = append(fragile.Words, id)
		}
		slices.Sort(fragile.Words)
		fragile.Chosen = &study.Choice{Reading: w.reading(candidates()), Lowest: "cosine", Count: len(fragile.Words)}
		if w.namesFragile() {
			fragile.Chosen = &study.Choice{Reading: w.reading(ofSplits(nil, FragileSet))}
		}
		selection.Where = []study.Condition{fragile}
	}
	return selection
}

// reading is that of some rows of the compromised model.
func (w WorldScores) reading(rows study.Selection) study.Reading {
	return study.Reading{Run: w.runs.Compromised, File: ScoresFile(0), Rows: rows}
}

// Origin says what a cell of a table was computed from.
func (r *Results) Origin(number, name, columnName string) (*study.Origin, error) {
	rows, columns, err := r.rowsOf(number)
	if err != nil {
		return nil, err
	}
	c := columns[slices.IndexFunc(columns, func(c Column) bool { return c.Name == columnName })]
	aim := ownTarget
	if number != "5" {
		aim = cleanTarget
	}
	if scores, run := ownTarget(c); number == "5" {
		rows = append(rows, r.model(targetRow, true, scores, run))
	}
	at := slices.IndexFunc(rows, func(row row) bool { return row.Name == name })
	if at < 0 {
		return nil, fmt.Errorf("table %s has no row %q", number, name)
	}
	how := "in each world " + read[c.Name].how + ", then the mean of the worlds"
	return &study.Origin{Study: Study, Preset: r.Preset.Name, Store: r.store, How: how,
		Readings: table.Readings(rows[at], r.certified(c, aim))}, nil
}
