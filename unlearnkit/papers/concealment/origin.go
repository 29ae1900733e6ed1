package concealment

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// reads describes where a column's scores are stored, and how the column uses them.
type reads struct {
	looks bool // the scores come from looks at the models, not from attacks
	file  string
	how   func(row *AttackScores) string
	rows  func(p Preset, row *AttackScores) study.Selection
}

// said returns the same description for every row.
func said(how string) func(*AttackScores) string { return func(*AttackScores) string { return how } }

// readsPictures describes columns that are computed from the pictures of an attack at the ratios of a grid.
func readsPictures(grid Grid, how func(row *AttackScores) string, values ...string) reads {
	return reads{file: PicturesFile, how: how, rows: func(p Preset, _ *AttackScores) study.Selection {
		return study.Selection{By: []string{"psi", "number"}, Values: values, Where: atRatios(p, grid)}
	}}
}

// atRatios returns the conditions that select an attack's rows at the ratios of a grid.
func atRatios(p Preset, grid Grid) []study.Condition {
	return []study.Condition{study.Among("protocol", Disjoint), study.Among("psi", grid.within(p.Attack.Psi).Psi...)}
}

func readsCCS(grid Grid) reads {
	name := Classifiers[classifier] + "_probability"
	return readsPictures(grid, said("the mean of "+name), name)
}

func readsCRS(grid Grid) reads {
	original, unlearned := Classifiers[classifier]+"_code_original", Classifiers[classifier]+"_code_unlearned"
	return readsPictures(grid, func(row *AttackScores) string {
		how := fmt.Sprintf("the mean of |%s - %s|", original, unlearned)
		if !row.Prompt.Forget {
			return "one minus " + how
		}
		return how
	}, original, unlearned)
}

func readsRecovered(grid Grid) reads {
	return readsPictures(grid, func(row *AttackScores) string {
		shows := "the erased " + row.Erasure.Prompt
		if !row.Prompt.Forget {
			shows = "what the prompt asks for, " + row.Prompt.Prompt
		}
		return "the share of the pictures at each psi whose labels show " + shows + ", and the area under that curve"
	}, "object", "style", "colour", "texture")
}

func readsDistances(grid Grid, unlearned bool) reads {
	from := study.Condition{Column: "unlearned", Numbers: []float64{0}}
	if unlearned {
		from.Numbers = []float64{1}
	}
	return reads{file: DistancesFile, how: said("the mean of kid"),
		rows: func(p Preset, _ *AttackScores) study.Selection {
			return study.Selection{By: []string{"psi"}, Values: []string{"kid"}, Where: append(atRatios(p, grid), from)}
		}}
}

// readsRetained describes the column of the gate's pictures whose prompts ask for something else than what was
// erased.
func readsRetained() reads {
	return reads{looks: true, file: ViewsFile,
		how: said("the share of the pictures whose object and style are those that their prompt asks for"),
		rows: func(_ Preset, row *AttackScores) study.Selection {
			s := study.Selection{By: []string{"prompt", "number"}, Values: []string{"object", "style"}}
			asking := slices.DeleteFunc(concept.GatePrompts(), func(prompt string) bool {
				return !asks(prompt, row.Erasure.Concept)
			})
			if len(asking) > 0 {
				others := study.Among("prompt", asking...)
				others.Not = true
				s.Where = append(s.Where, others)
			}
			return s
		}}
}

func readsValidation() reads {
	return reads{file: FittedFile, how: said("validation"), rows: func(Preset, *AttackScores) study.Selection {
		return study.Selection{By: []string{"classifier"}, Values: []string{"validation"},
			Where: []study.Condition{study.Among("classifier", Classifiers[classifier])}}
	}}
}

// readings returns what a column reads for a row: scores of the method's models and of gold.
func (r *Results) readings(c Column, row *AttackScores) (all []study.Reading) {
	if r.plan == nil {
		return nil
	}
	attacked := r.plan.Attacked[slices.IndexFunc(r.plan.Attacked, func(a Attacks) bool {
		return a.Prompt == row.Prompt
	})]
	unlearned, golds := attacked.Unlearned, append([]*study.Run{attacked.Gold}, attacked.Golds...)
	if c.reads.looks {
		unlearned, golds = nil, r.plan.gold(row.Erasure).looks()
		for _, model := range r.plan.pairOf(row.Prompt.Method, row.Prompt.Erased).Models {
			unlearned = append(unlearned, model.Look)
		}
	}
	rows := c.reads.rows(r.Preset, row)
	add := func(run *study.Run, use study.Use, repetition int) {
		all = append(all, study.Reading{Run: run, For: use, Repetition: repetition, File: c.reads.file, Rows: rows})
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
		case c.reads.looks:
			add(control.look, study.ForTarget, -1)
		default:
			add(own.run, study.ForTarget, -1)
		}
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
	at := slices.IndexFunc(columns, func(c Column) bool { return c.Name == column })
	of := slices.IndexFunc(rows, func(row *AttackScores) bool { return row.Prompt.Paper == name })
	if at < 0 || of < 0 {
		return nil, fmt.Errorf("table %s has no %s of %s", number, column, name)
	}
	origin.How = "of each model " + columns[at].reads.how(rows[of]) + ", then the mean of the models"
	origin.Readings = r.readings(columns[at], rows[of])
	return origin, nil
}
