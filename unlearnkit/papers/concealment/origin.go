package concealment

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// readings returns what a column reads for a row: scores of the method's models and of gold.
func (r *Results) readings(c Column, row *AttackScores) (all []study.Reading) {
	if r.plan == nil {
		return nil
	}
	m := c(row)
	looks := m.File == ViewsFile
	attacked := r.plan.Attacked[slices.IndexFunc(r.plan.Attacked, func(a Attacks) bool {
		return a.Prompt == row.Prompt
	})]
	unlearned, golds := attacked.Unlearned, append([]*study.Run{attacked.Gold}, attacked.Golds...)
	if looks {
		unlearned, golds = nil, r.plan.gold(row.Erasure).looks()
		for _, model := range r.plan.pairOf(row.Prompt.Method, row.Prompt.Erased).Models {
			unlearned = append(unlearned, model.Look)
		}
	}
	add := func(run *study.Run, use study.Use, repetition int) {
		all = append(all, study.Reading{Run: run, For: use, Repetition: repetition,
			File: cmp.Or(m.File, PicturesFile), Rows: m.Selection(nil)})
	}
	for seed, run := range unlearned {
		add(run, study.ForValue, seed)
	}
	for _, gold := range golds {
		add(gold, study.ForTarget, -1)
	}
	for _, control := range r.Controls {
		own, attacked := control.attacks[row.Prompt.Prompt]
		switch {
		case !control.again || !attacked || control.Erasure != row.Erasure:
		case looks:
			add(control.look, study.ForTarget, -1)
		default:
			add(own.run, study.ForTarget, -1)
		}
	}
	return all
}

// samples returns the outcomes of a row's models, by training seed.
func (r *Results) samples(c Column, row *AttackScores) (all []study.Sample) {
	for seed, a := range row.Unlearned {
		all = append(all, c(row).Samples(r.scored(c, row, a), nil, seed)...)
	}
	return all
}

// Origin describes what a cell of a table was computed from. Cells of Table 4 are figure numbers.
func (r *Results) Origin(number, name, column string) (*study.Origin, error) {
	origin := &study.Origin{Study: Study, Preset: r.Preset.Name, Store: r.store,
		How: "the number of the figure in which the paper shows the prompt"}
	if number == "4" {
		return origin, nil
	}
	columns, rows := r.Preset.Columns(), r.rowsOf(number)
	at := slices.IndexFunc(columns, func(c Column) bool { return c.name() == column })
	of := slices.IndexFunc(rows, func(row *AttackScores) bool { return row.Prompt.Paper == name })
	if at >= 0 && of < 0 {
		for _, row := range slices.Concat(r.guestRows(number)...) {
			if row.name() == name {
				origin.How = "of each model " + columns[at](row.AttackScores).How() + ", then the mean of the models"
				origin.Readings = row.of.readings(columns[at], row.AttackScores)
				return origin, nil
			}
		}
	}
	if at < 0 || of < 0 {
		return nil, fmt.Errorf("table %s has no %s of %s", number, column, name)
	}
	origin.How = "of each model " + columns[at](rows[of]).How() + ", then the mean of the models"
	origin.Readings = r.readings(columns[at], rows[of])
	origin.Samples = func() []study.Sample { return r.samples(columns[at], rows[of]) }
	return origin, nil
}
