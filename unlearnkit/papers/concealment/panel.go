package concealment

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// group holds the rows whose recovery is judged together. They are the forget rows of a method, or of one concept that
// the method erases.
type group struct {
	name   string
	method string
	erased string // erased concept; "" for all concepts of the method
	parts  int    // number of concepts, for a method as a whole
	rows   []*AttackScores
}

// groups returns the groups of methods, then the groups of single concepts. It skips groups without rows.
func (r *Results) groups() []group {
	var whole, parts []group
	for _, m := range r.Preset.Methods {
		all := group{name: m.Title, method: m.Title, rows: r.attackRows(true, m.Title)}
		if len(all.rows) > 0 {
			whole = append(whole, all)
		}
		for _, erased := range m.Erased {
			part := group{name: m.Title + " of " + erased, method: m.Title, erased: erased}
			part.rows = slices.DeleteFunc(slices.Clone(all.rows), func(a *AttackScores) bool {
				return a.Prompt.Erased != erased
			})
			if len(part.rows) > 0 {
				parts = append(parts, part)
			}
		}
	}
	return append(whole, parts...)
}

// attackRows returns the forget or retain rows that have attacks on erased models. If methods are given, it returns
// only their rows.
func (r *Results) attackRows(forget bool, methods ...string) []*AttackScores {
	var rows []*AttackScores
	for i := range r.Attacks {
		a := &r.Attacks[i]
		if a.Prompt.Forget == forget && len(a.Unlearned) > 0 &&
			(len(methods) == 0 || slices.Contains(methods, a.Prompt.Method)) {
			rows = append(rows, a)
		}
	}
	return rows
}

// goldOf returns the panel's name for gold's counterpart of a mean.
func goldOf(name string) string { return "gold for " + name }

// addNoise adds a score of pictures to the panel, over training seeds and noises, together with gold's score. Equal
// numbers denote the same noise in all attacks. All rows have equal weight.
func (r *Results) addNoise(panel *certify.Panel, name string, rows []*AttackScores, c Column) {
	unlearned, gold := r.outcomes(c, rows...)
	add(panel, name, unlearned)
	add(panel, goldOf(name), gold)
}

// addPrompts adds a score of rows to the panel, with the prompts as units. Its intervals generalise to other prompts,
// so it needs at least two prompts.
func (r *Results) addPrompts(panel *certify.Panel, name string, rows []*AttackScores, c Column) {
	if len(rows) < 2 {
		return
	}
	seeds := make([]certify.Sample, r.Preset.Seeds)
	for training := range seeds {
		s := &seeds[training]
		for _, row := range rows {
			if o := r.sample(c, row, row.Unlearned[training]); len(o.Values) > 0 {
				s.Values, s.Units = append(s.Values, mean(o.Values)), append(s.Units, r.number(row))
			}
		}
	}
	add(panel, name, certify.Repeated(TrainingSeeds, prompts, seeds))
}

// add adds a mean to the panel unless some repetition has no outcomes.
func add(panel *certify.Panel, name string, o certify.Outcomes) {
	if o.Complete() {
		panel.Add(name, o)
	}
}

// number returns the index of a row.
func (r *Results) number(row *AttackScores) int {
	return slices.IndexFunc(r.Attacks, func(a AttackScores) bool { return a.Prompt == row.Prompt })
}
