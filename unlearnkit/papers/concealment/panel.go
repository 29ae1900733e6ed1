package concealment

import (
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// group is rows of the tables whose recovery is judged together: those of a method, or of one concept that it erases,
// with what the prompts ask for erased.
type group struct {
	name   string
	method string
	erased string // "" of all
	parts  int    // concepts, of a method as a whole
	rows   []*AttackScores
}

// groups are those of the methods, then those of each concept, as far as there are rows that ask for what was erased.
func (r *Results) groups() []group {
	var whole, parts []group
	for _, m := range r.Preset.Methods {
		all := group{name: m.Title, method: m.Title, rows: r.where(true, m.Title)}
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

// where are the rows of a class, of the given methods or of all, that were attacked on erased models.
func (r *Results) where(forget bool, methods ...string) []*AttackScores {
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

// goldOf names a mean of gold's that stands beside another.
func goldOf(name string) string { return "gold beside " + name }

// addNoise takes a score of pictures into the panel, over the training seeds, and gold's beside it: noise of one number
// is the same in all attacks. Rows count alike.
func (r *Results) addNoise(panel *certify.Panel, name string, rows []*AttackScores, c Column) {
	unlearned, gold := r.outcomes(c, rows...)
	add(panel, name, unlearned)
	add(panel, goldOf(name), gold)
}

// addPrompts takes a score of rows into the panel with the prompts as units: what is compared between prompts is to
// hold for others too, of which one prompt says nothing.
func (r *Results) addPrompts(panel *certify.Panel, name string, rows []*AttackScores, c Column) {
	if len(rows) < 2 {
		return
	}
	seeds := make([]certify.Sample, r.Preset.Seeds)
	for training := range seeds {
		s := &seeds[training]
		for _, row := range rows {
			if o := c.of(r, row, row.Unlearned[training]); len(o.Values) > 0 {
				s.Values, s.Units = append(s.Values, mean(o.Values)), append(s.Units, r.number(row))
			}
		}
	}
	add(panel, name, certify.Repeated(TrainingSeeds, prompts, seeds))
}

// add leaves out what has no values somewhere.
func add(panel *certify.Panel, name string, o certify.Outcomes) {
	if o.Complete() {
		panel.Add(name, o)
	}
}

// number is the place of a row.
func (r *Results) number(row *AttackScores) int {
	return slices.IndexFunc(r.Attacks, func(a AttackScores) bool { return a.Prompt == row.Prompt })
}
