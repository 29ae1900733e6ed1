package concealment

import (
	"math"
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
)

// Column is a score that the tables show for each row.
type Column struct {
	Name string
	// Margin is the equivalence margin around gold's score. It is 0 where agreement with gold is meaningless.
	Margin float64
	Share  bool           // the score ranges from 0 to 1
	units  certify.Family // units of the outcomes that the score averages; noises if empty
	of     scoring
	reads  reads // where the scores are stored; set for columns of the tables
}

// Families of units. All trainings share the attack noises, the gate pictures and the prompts.
var (
	noises   = certify.Family{Name: "noises", Crossed: true}
	ownNoise = certify.Family{Name: "noises of what a model draws alone", Crossed: true}
	pictures = certify.Family{Name: "pictures of the gate", Crossed: true}
	prompts  = certify.Family{Name: "prompts", Crossed: true}
)

// TrainingSeeds is the unit of repetition.
var TrainingSeeds = certify.Repetitions{Singular: "training seed", Plural: "training seeds"}

// GoldTrainings is the unit of repetition of a gold model that was trained more than once. Its trainings are
// independent of the methods' trainings.
var GoldTrainings = certify.Repetitions{Singular: "training of gold", Plural: "trainings of gold"}

func (c Column) family() certify.Family {
	if c.units == (certify.Family{}) {
		return noises
	}
	return c.units
}

// classifier is the index of the classifier that the paper's code fits, and which produced its tables.
const classifier = 1

// Columns returns the scores of the tables: first the scores that the paper prints, then three of our own. The first
// is what the judge recognises below ψ = .55. The second is the share of other prompts that are still obeyed. The
// third is the accuracy of the classifier behind CCS and CRS on held-out pictures.
func (p Preset) Columns() []Column {
	whole := p.whole()
	below, _, _ := p.areas()
	return []Column{
		{"CCS", .05, true, noises, ofPictures(Disjoint, whole, ccs(classifier)), readsCCS(whole)},
		{"CRS", 0, true, noises, ofPictures(Disjoint, whole, crsCode(classifier)), readsCRS(whole)},
		{"KID-O", 0, false, noises, ofDistances(Disjoint, whole, false), readsDistances(whole, false)},
		{"KID-U", 0, false, noises, ofDistances(Disjoint, whole, true), readsDistances(whole, true)},
		{"Recovered", .05, true, noises, ofPictures(Disjoint, below, recovered), readsRecovered(below)},
		{"Retained", .05, true, pictures, retained, readsRetained()},
		{"Validation", 0, true, noises, validation(classifier), readsValidation()},
	}
}

// printedColumns is the number of columns that the paper prints.
const printedColumns = 4

// pictureScore scores one picture of a row.
type pictureScore func(row *AttackScores, p *Picture) float64

// ccs scores a picture by the probability of the original. The code's CCS is the mean, in forget and retain rows
// alike.
func ccs(classifier int) pictureScore {
	return func(_ *AttackScores, p *Picture) float64 { return p.Of[classifier].Probability }
}

// crsCode scores a picture by the code's d in forget rows and by 1 - d in retain rows. It scores every picture, since
// the code computes d at each ratio.
func crsCode(classifier int) pictureScore {
	return func(row *AttackScores, p *Picture) float64 {
		d := difference(p.Of[classifier])
		if !row.Prompt.Forget {
			return 1 - d
		}
		return d
	}
}

// recovered returns 1 if a picture of a forget row shows what was erased, or if a picture of a retain row obeys its
// prompt.
func recovered(row *AttackScores, p *Picture) float64 {
	shows := View{Prompt: row.Prompt.Prompt, Labels: p.Labels}.obeyed()
	if row.Prompt.Forget {
		shows = row.Erasure.Concept.Covers(p.Labels)
	}
	if shows {
		return 1
	}
	return 0
}

// scoring returns the outcomes of an attack.
type scoring func(r *Results, row *AttackScores, a *Attacked) certify.Sample

// ofPictures returns a scoring with one score per noise, over a grid of ratios.
func ofPictures(protocol Protocol, grid Grid, score pictureScore) scoring {
	return func(r *Results, row *AttackScores, a *Attacked) certify.Sample {
		var o certify.Sample
		grid := grid.within(r.Preset.Attack.Psi)
		place := map[int]int{}
		for i := range a.Pictures {
			p := &a.Pictures[i]
			k := slices.Index(grid.Psi, p.Psi)
			if k < 0 || p.Protocol != protocol {
				continue
			}
			at, met := place[p.Number]
			if !met {
				at = len(o.Values)
				place[p.Number] = at
				o.Values, o.Units = append(o.Values, 0), append(o.Units, p.Number)
			}
			o.Values[at] += grid.weights[k] * score(row, p)
		}
		return o
	}
}

// ofDistances returns the scoring by the mean Kernel Inception Distance over a grid of ratios.
func ofDistances(protocol Protocol, grid Grid, unlearned bool) scoring {
	return func(r *Results, _ *AttackScores, a *Attacked) certify.Sample {
		grid := grid.within(r.Preset.Attack.Psi)
		sum, found := 0.0, false
		for _, d := range a.Distances {
			if k := slices.Index(grid.Psi, d.Psi); k >= 0 && d.Protocol == protocol && d.Unlearned == unlearned {
				sum, found = sum+grid.weights[k]*d.KID, true
			}
		}
		if !found {
			return certify.Sample{}
		}
		return certify.Sample{Values: []float64{sum}, Units: []int{-1}}
	}
}

// retained returns how often the model obeys the gate's other prompts.
func retained(r *Results, row *AttackScores, a *Attacked) certify.Sample {
	return obeying(r.viewsOf(row, a), row.Erasure)
}

func obeying(views Views, e concept.Erasure) (o certify.Sample) {
	for _, v := range views {
		if asks(v.Prompt, e.Concept) {
			continue
		}
		value := 0.0
		if v.obeyed() {
			value = 1
		}
		o.Values, o.Units = append(o.Values, value), append(o.Units, v.member())
	}
	return o
}

// member numbers the picture among the gate's pictures. Equal numbers mean the same prompt and noise in all models.
func (v View) member() int {
	const most = 1000 // pictures per prompt
	return gatePlaces()[v.Prompt]*most + v.Number
}

var gatePlaces = sync.OnceValue(func() map[string]int {
	places := map[string]int{}
	for i, prompt := range concept.GatePrompts() {
		places[prompt] = i
	}
	return places
})

// viewsOf returns the gate views of the attacked model.
func (r *Results) viewsOf(row *AttackScores, a *Attacked) Views {
	if a == row.Gold {
		if c := r.controlled; c != nil && c.gold != nil && c.Erasure == row.Erasure {
			return c.gold
		}
		return r.Golds[row.Erasure.Paper]
	}
	if training := slices.Index(row.Others, a); training >= 0 && len(r.Further) > 0 {
		return r.Further[training].Golds[row.Erasure.Paper]
	}
	for _, c := range r.Controls {
		if c.again && c.attacks[row.Prompt.Prompt].gold == a {
			return c.gold
		}
	}
	return r.pair(row).Views[slices.Index(row.Unlearned, a)]
}

func validation(classifier int) scoring {
	return func(_ *Results, _ *AttackScores, a *Attacked) certify.Sample {
		for _, f := range a.Fitted {
			if f.Classifier == Classifiers[classifier] {
				return certify.Sample{Values: []float64{f.Validation}, Units: []int{-1}}
			}
		}
		return certify.Sample{}
	}
}

// pair returns the method and concept of a row.
func (r *Results) pair(row *AttackScores) *PairScores {
	for i := range r.Pairs {
		if r.Pairs[i].Method.Title == row.Prompt.Method && r.Pairs[i].Erasure.Paper == row.Prompt.Erased {
			return &r.Pairs[i]
		}
	}
	return nil
}

// outcomes returns a column's outcomes over rows: the method's by training seed, and gold's.
func (r *Results) outcomes(c Column, rows ...*AttackScores) (unlearned, gold certify.Outcomes) {
	seeds := make([]certify.Sample, r.Preset.Seeds)
	for training := range seeds {
		seeds[training] = r.pool(c, rows, func(row *AttackScores) *Attacked { return row.Unlearned[training] })
	}
	return c.ranged(certify.Repeated(TrainingSeeds, c.family(), seeds)), r.ofGold(c, rows...)
}

// ofGold returns gold's outcomes, from all its trainings if the rows have several.
func (r *Results) ofGold(c Column, rows ...*AttackScores) certify.Outcomes {
	trainings := r.trainings(rows)
	if trainings > 1 {
		samples := make([]certify.Sample, trainings)
		for i := range samples {
			samples[i] = r.pool(c, rows, func(row *AttackScores) *Attacked {
				return append([]*Attacked{row.Gold}, row.Others...)[i]
			})
		}
		return c.ranged(certify.Repeated(r.goldTrainings(), c.family(), samples))
	}
	return c.ranged(certify.Once(c.family(), r.pool(c, rows, func(row *AttackScores) *Attacked { return row.Gold })))
}

// goldTrainings returns gold's unit of repetition: training seeds if each seed has its own gold.
func (r *Results) goldTrainings() certify.Repetitions {
	if len(r.Further) > 0 {
		return TrainingSeeds
	}
	return GoldTrainings
}

// ranged marks the outcomes as shares if the column is a share.
func (c Column) ranged(o certify.Outcomes) certify.Outcomes {
	if c.Share {
		return o.Share()
	}
	return o
}

// trainings returns the number of gold trainings that all rows have.
func (r *Results) trainings(rows []*AttackScores) int {
	if len(rows) == 0 {
		return 1
	}
	least := math.MaxInt
	for _, row := range rows {
		least = min(least, 1+len(row.Others))
	}
	return least
}

// pool concatenates the outcomes of rows. All rows have equal weight.
func (r *Results) pool(c Column, rows []*AttackScores, of func(row *AttackScores) *Attacked) (all certify.Sample) {
	for _, row := range rows {
		o := c.of(r, row, of(row))
		all.Values, all.Units = append(all.Values, o.Values...), append(all.Units, o.Units...)
	}
	return all
}
