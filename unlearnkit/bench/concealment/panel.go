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

// Families of the panel: what is resampled together.
const (
	noise   = "noise"
	prompts = "prompts"
	gate    = "gate"
)

// addNoise takes a score of pictures into the panel, over the training seeds and with the noises as members: noise of
// one number is the same in all attacks. Rows count alike.
func (r *Results) addNoise(panel *certify.Panel, name string, rows []*AttackScores, c Column) {
	r.addMean(panel, name, rows, c, func(row *AttackScores, seed int) *Attacked { return row.Unlearned[seed] })
	r.addMean(panel, goldOf(name), rows, c, func(row *AttackScores, _ int) *Attacked { return row.Gold })
}

func (r *Results) addMean(panel *certify.Panel, name string, rows []*AttackScores, c Column,
	of func(row *AttackScores, seed int) *Attacked) {
	var worlds []certify.Sample
	for seed := range r.Preset.Seeds {
		var s certify.Sample
		for _, row := range rows {
			o := c.of(r, row, of(row, seed))
			s.Values, s.Cluster = append(s.Values, o.Values...), append(s.Cluster, o.Numbers...)
		}
		worlds = append(worlds, s)
	}
	addSamples(panel, name, noise, worlds)
}

// addPrompts takes a score of rows into the panel with the prompts as members: what is compared between prompts is to
// hold for others too, of which one prompt says nothing.
func (r *Results) addPrompts(panel *certify.Panel, name string, rows []*AttackScores, c Column) {
	if len(rows) < 2 {
		return
	}
	var worlds []certify.Sample
	for seed := range r.Preset.Seeds {
		var s certify.Sample
		for _, row := range rows {
			if o := c.of(r, row, row.Unlearned[seed]); len(o.Values) > 0 {
				s.Values, s.Cluster = append(s.Values, mean(o.Values)), append(s.Cluster, r.number(row))
			}
		}
		worlds = append(worlds, s)
	}
	addSamples(panel, name, prompts, worlds)
}

// addSamples leaves out what has no values somewhere.
func addSamples(panel *certify.Panel, name, family string, worlds []certify.Sample) {
	if !slices.ContainsFunc(worlds, func(s certify.Sample) bool { return len(s.Values) == 0 }) {
		panel.Add(name, family, worlds)
	}
}

// number is the place of a row.
func (r *Results) number(row *AttackScores) int {
	return slices.IndexFunc(r.Attacks, func(a AttackScores) bool { return a.Prompt == row.Prompt })
}
