package concealment

import (
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
)

// Outcomes are what the units of an attack come to: pictures of one noise at all ratios, or what an attack has one of.
type Outcomes struct {
	Values  []float64
	Numbers []int // of the noise; negative where there is none
}

// Column is a score of a row of the tables.
type Column struct {
	Name string
	// Margin is within what a score counts as gold's. It is 0 where being alike says nothing.
	Margin float64
	Share  bool // it lies from 0 to 1
	of     func(r *Results, row *AttackScores, a *Attacked) Outcomes
}

// classifier is the one that the paper's code fits, and with which its tables were made.
const classifier = 1

// Columns are the scores of the tables: those that the paper prints, then what the judge recognises below ψ = .55, the
// share of other prompts that are still obeyed, and how well the classifier behind CCS and CRS tells the models apart
// on pictures that it has not seen.
func (p Preset) Columns() []Column {
	whole := p.whole()
	below, _, _ := p.areas()
	return []Column{
		{"CCS", .05, true, ofPictures(Disjoint, whole, ccs(classifier))},
		{"CRS", 0, true, ofPictures(Disjoint, whole, crsCode(classifier))},
		{"KID-O", 0, false, ofDistances(Disjoint, whole, false)},
		{"KID-U", 0, false, ofDistances(Disjoint, whole, true)},
		{"Recovered", .05, true, ofPictures(Disjoint, below, recovered)},
		{"Retained", .05, true, retained},
		{"Validation", 0, true, validation(classifier)},
	}
}

// printedColumns is how many of the columns the paper has.
const printedColumns = 4

// pictureScore is what one picture comes to in a row.
type pictureScore func(row *AttackScores, p *Picture) float64

// ccs is the probability of the original: the code's CCS is its mean, in forget and in retain rows alike.
func ccs(classifier int) pictureScore {
	return func(_ *AttackScores, p *Picture) float64 { return p.Of[classifier].Probability }
}

// crsCode is d of the code in forget rows and 1 - d in retain rows. It is taken of every picture, since the code has
// one at each ratio.
func crsCode(classifier int) pictureScore {
	return func(row *AttackScores, p *Picture) float64 {
		d := difference(p.Of[classifier])
		if !row.Prompt.Forget {
			return 1 - d
		}
		return d
	}
}

// recovered is 1 for a picture that shows what was erased, in a retain row for one that obeys its prompt.
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

// ofPictures gives the score of each noise over a grid of ratios.
func ofPictures(protocol Protocol, grid Grid, score pictureScore) func(*Results, *AttackScores, *Attacked) Outcomes {
	return func(r *Results, row *AttackScores, a *Attacked) Outcomes {
		var o Outcomes
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
				o.Values, o.Numbers = append(o.Values, 0), append(o.Numbers, p.Number)
			}
			o.Values[at] += grid.weights[k] * score(row, p)
		}
		return o
	}
}

// ofDistances is the mean Kernel Inception Distance over a grid of ratios.
func ofDistances(protocol Protocol, grid Grid, unlearned bool) func(*Results, *AttackScores, *Attacked) Outcomes {
	return func(r *Results, _ *AttackScores, a *Attacked) Outcomes {
		grid := grid.within(r.Preset.Attack.Psi)
		sum, found := 0.0, false
		for _, d := range a.Distances {
			if k := slices.Index(grid.Psi, d.Psi); k >= 0 && d.Protocol == protocol && d.Unlearned == unlearned {
				sum, found = sum+grid.weights[k]*d.KID, true
			}
		}
		if !found {
			return Outcomes{}
		}
		return Outcomes{[]float64{sum}, []int{-1}}
	}
}

// retained is how the model obeys the gate's other prompts.
func retained(r *Results, row *AttackScores, a *Attacked) Outcomes {
	return obeying(r.viewsOf(row, a), row.Erasure)
}

func obeying(views Views, e concept.Erasure) (o Outcomes) {
	for _, v := range views {
		if asks(v.Prompt, e.Concept) {
			continue
		}
		value := 0.0
		if v.obeyed() {
			value = 1
		}
		o.Values, o.Numbers = append(o.Values, value), append(o.Numbers, v.member())
	}
	return o
}

// member is the picture's number among those of the gate: of one number it is the same prompt and noise in all models.
func (v View) member() int {
	const most = 1000 // of a prompt
	return gatePlaces()[v.Prompt]*most + v.Number
}

var gatePlaces = sync.OnceValue(func() map[string]int {
	places := map[string]int{}
	for i, prompt := range concept.GatePrompts() {
		places[prompt] = i
	}
	return places
})

// viewsOf are those of the model that was attacked.
func (r *Results) viewsOf(row *AttackScores, a *Attacked) Views {
	if a == row.Gold {
		return r.Golds[row.Erasure.Paper]
	}
	return r.pair(row).Views[slices.Index(row.Unlearned, a)]
}

func validation(classifier int) func(*Results, *AttackScores, *Attacked) Outcomes {
	return func(_ *Results, _ *AttackScores, a *Attacked) Outcomes {
		for _, f := range a.Fitted {
			if f.Classifier == Classifiers[classifier] {
				return Outcomes{[]float64{f.Validation}, []int{-1}}
			}
		}
		return Outcomes{}
	}
}

// pair is the method and concept of a row.
func (r *Results) pair(row *AttackScores) *PairScores {
	for i := range r.Pairs {
		if r.Pairs[i].Method.Title == row.Prompt.Method && r.Pairs[i].Erasure.Paper == row.Prompt.Erased {
			return &r.Pairs[i]
		}
	}
	return nil
}

// samples are the outcomes of a column by training seed, each beside gold's of the same noise.
func (r *Results) samples(c Column, row *AttackScores) []certify.Sample {
	gold := c.of(r, row, row.Gold)
	var samples []certify.Sample
	for _, a := range row.Unlearned {
		o := c.of(r, row, a)
		samples = append(samples, certify.Sample{Values: o.Values, Targets: gold.Values, Cluster: o.Numbers})
	}
	return samples
}
