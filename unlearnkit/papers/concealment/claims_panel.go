package concealment

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
)

// fill adds to the panel the means that the claims of §4 compare.
func (r *Results) fill(panel *certify.Panel) {
	r.addClasses(panel)
	r.addCurves(panel)
	r.addGold(panel)
	r.addRetained(panel, methods()...)
}

// columnName returns the panel's name for a column of the forget or retain rows of a table.
func columnName(table string, forget bool, column string) string {
	class := "retain"
	if forget {
		class = "forget"
	}
	return fmt.Sprintf("table %s, %s: %s", table, class, column)
}

// addClasses adds the score columns of forget rows and of retain rows, for each table and for all tables together.
func (r *Results) addClasses(panel *certify.Panel) {
	columns := reading{Disjoint, classifier, r.Preset.allRatios()}.columns(r.Preset)
	for _, table := range []string{"1", "2", "3", "any"} {
		for _, forget := range []bool{true, false} {
			rows := slices.DeleteFunc(r.attackRows(forget), func(a *AttackScores) bool {
				return table != "any" && fmt.Sprint(a.Prompt.Table) != table
			})
			for _, c := range columns {
				r.addPrompts(panel, columnName(table, forget, c.name()), rows, c)
			}
		}
	}
}

// atPsi returns the panel's name for a mean at a ratio.
func atPsi(what, psi string) string { return what + " at ψ " + psi }

// publishedFirst is the panel's name for the mean P(original) of pictures at the paper's smallest ratio, by the
// classifier of the published protocol.
const publishedFirst = "published P(O)"

// drivenPsi returns the attack's ratios at which both models take a step.
func (r *Results) drivenPsi() []string {
	return slices.DeleteFunc(slices.Clone(r.Preset.Attack.Psi), func(psi string) bool {
		return psi == "0" || psi == "1" || slices.Contains(r.idle(), psi)
	})
}

// addCurves adds the scores at the paper's smallest ratio and at each ratio of [Results.drivenPsi].
func (r *Results) addCurves(panel *certify.Panel) {
	forget := r.attackRows(true)
	rows := slices.Concat(forget, r.attackRows(false))
	take := func(name string, rows []*AttackScores, c Column) {
		if len(rows) > 0 {
			r.addNoise(panel, name, rows, c)
		}
	}
	for _, psi := range append([]string{PaperPsi[0]}, r.drivenPsi()...) {
		at := singlePsi(psi, r.Preset.Attack.Psi)
		take(atPsi("P(O)", psi), rows, r.Preset.ccs(Disjoint, at))
		take(atPsi("d", psi), forget, r.Preset.crs(at))
		take(atPsi("similarity", psi), rows,
			reading{Disjoint, classifier, at}.column(r.Preset, "similarity", "", first, "original"))
		take(atPsi("recovered", psi), forget, r.Preset.recovered(at))
	}
	take(publishedFirst, rows, r.Preset.ccs(Published, singlePsi(PaperPsi[0], r.Preset.Attack.Psi)))
}

// Names in the panel for the share of pictures in which gold draws the rose of Figure 4, or a concept of the tables.
const (
	goldRose   = "gold, the rose"
	goldTables = "gold, the tables"
)

// goldPsi holds the paper's threshold and the next smaller ratio of the paper.
var goldPsi = []string{PaperPsi[len(PaperPsi)-1], PaperPsi[len(PaperPsi)-2]}

// addGold adds the shares of pictures in which gold draws a concept at the ratios of goldPsi. If gold was trained once,
// its noises say nothing about other trainings, so such a share is one number, which has no test.
func (r *Results) addGold(panel *certify.Panel) {
	for _, what := range []string{goldRose, goldTables} {
		rows := r.goldRows(what)
		for _, psi := range goldPsi {
			if len(rows) > 0 {
				add(panel, atPsi(what, psi), r.ofGoldAlone(r.Preset.recovered(singlePsi(psi, r.Preset.Attack.Psi)), rows))
			}
		}
	}
}

// goldRows returns the attacks in which gold draws the rose, or the concepts of the tables.
func (r *Results) goldRows(what string) (rows []*AttackScores) {
	if what == goldTables {
		return r.attackRows(true)
	}
	for i := range r.Attacks {
		if r.Attacks[i].Prompt.Method == goldTitle {
			rows = append(rows, &r.Attacks[i])
		}
	}
	return rows
}

// ofGoldAlone returns gold's outcomes for a claim about gold alone.
func (r *Results) ofGoldAlone(c Column, rows []*AttackScores) certify.Outcomes {
	if r.trainings(rows) > 1 {
		return r.ofGold(c, rows...)
	}
	return certify.Once(models, certify.Sample{Values: []float64{r.pooled(rows, c, true)}, Units: []int{0}})
}

// originalTitle is the original's title in [keepingOf].
const originalTitle = "original"

// keepingOf returns the panel's name for the share of pictures in which a model obeys prompts for concepts other than
// the erased one.
func keepingOf(model string) string { return model + ": retained" }

// addRetained adds how often each method's models, and the originals, obey gate prompts for other concepts.
func (r *Results) addRetained(panel *certify.Panel, methods ...Method) {
	for _, m := range methods {
		add(panel, keepingOf(m.Title), r.retainedBy(m.Title))
	}
	var all []certify.Sample
	for _, views := range r.originals() {
		all = append(all, obeying(views, concept.Erasure{Concept: concept.Concept{Object: "nothing"}}))
	}
	add(panel, keepingOf(originalTitle), r.ofOriginals(all))
}

// retainedBy returns how often the models of a method obey gate prompts for other concepts.
func (r *Results) retainedBy(method string) certify.Outcomes {
	seeds := make([]certify.Sample, r.Preset.Seeds)
	for training := range seeds {
		s := &seeds[training]
		for _, pair := range r.Pairs {
			if pair.Method.Title == method {
				o := obeying(pair.Views[training], pair.Erasure)
				s.Values, s.Units = append(s.Values, o.Values...), append(s.Units, o.Units...)
			}
		}
	}
	return certify.Repeated(TrainingSeeds, pictures, seeds)
}
