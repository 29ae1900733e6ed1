package concealment

import (
	"math"
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// classifier is the index of the classifier in the paper's code, which produced the values of its tables.
const classifier = 1

// Columns returns the scores of the tables: first the scores that the paper prints, then three additional ones. The
// first of these is how often the judge recognises the concept below ψ = .55. The second is how often other prompts are
// obeyed. The third is the accuracy of the classifier behind CCS and CRS on held-out pictures.
func (p Preset) Columns() []Column {
	whole := p.allRatios()
	below, _, _ := p.areas()
	return []Column{
		asShare(besideGold(p.ccs(Disjoint, whole))),
		asShare(p.crs(whole)),
		p.kid("KID-O", Disjoint, whole, false),
		p.kid("KID-U", Disjoint, whole, true),
		asShare(besideGold(p.recovered(below))),
		asShare(besideGold(retained)),
		asShare(validation(classifier)),
	}
}

// printedColumns is the number of columns that the paper prints.
const printedColumns = 4

// ccs returns a column with the mean probability of the original. The paper's code computes CCS this way in forget and
// in retain rows.
func (p Preset) ccs(protocol Protocol, grid psiGrid) Column {
	return reading{protocol, classifier, grid}.column(p, "CCS", "the mean of %s", first, "probability")
}

// crs returns a column with the mean of the code's d in forget rows, and of 1 - d in retain rows. It scores every
// picture separately, because the code computes d at each ratio.
func (p Preset) crs(grid psiGrid) Column {
	d := reading{Disjoint, classifier, grid}.column(p, "CRS", "the mean of |%s - %s|", difference, "code_original",
		"code_unlearned")
	return func(row *AttackScores) study.Metric {
		if row.Prompt.Forget {
			return d(row)
		}
		mirrored := reading{Disjoint, classifier, grid}.column(p, "CRS", "one minus the mean of |%s - %s|",
			func(v []float64) float64 { return 1 - difference(v) }, "code_original", "code_unlearned")
		return mirrored(row)
	}
}

// recovered returns a column with the share of pictures that show the erased concept or, in a retain row, what their
// prompt asks for.
func (p Preset) recovered(grid psiGrid) Column {
	return func(row *AttackScores) study.Metric {
		shown := "the erased " + row.Erasure.Prompt
		if !row.Prompt.Forget {
			shown = "what the prompt asks for, " + row.Prompt.Prompt
		}
		return p.ofPictures("Recovered", "the share of pictures at each ψ whose labels show "+shown+
			", and the area under that curve", Disjoint, grid, func(v []float64) float64 {
			return oneIf(row.shows(concept.Labels{Object: concept.Object(v[0]), Style: concept.Style(v[1]),
				Colour: concept.Colour(v[2]), Texture: concept.Texture(v[3])}))
		}, "object", "style", "colour", "texture")
	}
}

// shows reports whether a picture shows the erased concept or, in a retain row, what the prompt asks for.
func (a *AttackScores) shows(labels concept.Labels) bool {
	if a.Prompt.Forget {
		return a.Erasure.Concept.Covers(labels)
	}
	return View{Prompt: a.Prompt.Prompt, Labels: labels}.obeyed()
}

// kid returns a column with the Kernel Inception Distance, averaged over a grid of ratios: to the unlearned model's
// pictures or, if unlearned is false, to the original's.
func (p Preset) kid(name string, protocol Protocol, grid psiGrid, unlearned bool) Column {
	from := int(oneIf(unlearned))
	return p.kids(name, "the mean of kid", protocol, grid, func(means [2]float64) float64 { return means[from] }, from)
}

// validation returns a column with a classifier's accuracy on held-out pictures.
func validation(classifier int) Column {
	return always(study.Metric{Name: "Validation", Family: noises, File: fittedFile, By: []string{"classifier"},
		Rows: []study.Condition{study.Among("classifier", Classifiers[classifier])},
		Score: study.Outcomes("validation", func(rows study.Rows) []study.Outcome {
			values := rows.Numbers("validation")
			return once(append(values, math.NaN())[0], len(values) > 0)
		}, "validation")})
}

// unaided returns a column with the share of pictures that show the erased concept when the model draws without help.
func (p Preset) unaided() Column { return asShare(p.recovered(singlePsi("0", p.Attack.Psi))) }

// retained returns the metric of how often a model obeys the gate prompts that do not ask for the erased concept.
func retained(row *AttackScores) study.Metric {
	m := study.Metric{Name: "Retained", Family: pictures, File: ViewsFile, By: []string{"prompt", "number"},
		Score: study.Outcomes("the share of pictures that have the object and style that the prompt asks for",
			func(rows study.Rows) (all []study.Outcome) {
				prompts, numbers := rows.Words("prompt"), rows.Numbers("number")
				objects, styles := rows.Numbers("object"), rows.Numbers("style")
				for i, prompt := range prompts {
					v := View{Prompt: prompt, Number: int(numbers[i]),
						Labels: concept.Labels{Object: concept.Object(objects[i]), Style: concept.Style(styles[i])}}
					all = append(all, study.Outcome{Unit: v.member(), Value: oneIf(v.obeyed())})
				}
				return all
			}, "object", "style")}
	asking := slices.DeleteFunc(concept.GatePrompts(), func(prompt string) bool {
		return !asks(prompt, row.Erasure.Concept)
	})
	if len(asking) > 0 {
		others := study.Among("prompt", asking...)
		others.Not = true
		m.Rows = []study.Condition{others}
	}
	return m
}

// obeying returns for each picture whether it obeys its prompt. It skips prompts that ask for the erased concept.
func obeying(views Views, e concept.Erasure) certify.Sample {
	return sampleOf(retained(&AttackScores{Erasure: e}), views.scores())
}

// scores returns the views in the form that columns read.
func (v Views) scores() *study.Evaluation {
	e := study.Evaluated(&safefile.Frame{})
	e.SetFrame(ViewsFile, safefile.FrameOf(v.rows()))
	return e
}

// member returns the picture's index in the gate. The same index means the same prompt and noise for every model.
func (v View) member() int {
	const most = 1000 // upper limit on the pictures per prompt
	return gatePlaces()[v.Prompt]*most + v.Number
}

var gatePlaces = sync.OnceValue(func() map[string]int {
	places := map[string]int{}
	for i, prompt := range concept.GatePrompts() {
		places[prompt] = i
	}
	return places
})

// sampleOf returns the outcomes of a metric as a sample.
func sampleOf(m study.Metric, e *study.Evaluation) (s certify.Sample) {
	for _, o := range m.Outcomes(e, nil) {
		s.Values, s.Units = append(s.Values, o.Value), append(s.Units, o.Unit)
	}
	return s
}

// sample returns an attacked model's outcomes for a column.
func (r *Results) sample(c Column, row *AttackScores, a *Attacked) certify.Sample {
	return sampleOf(c(row), r.scored(c, row, a))
}

// scored returns the scores that a column reads for an attacked model.
func (r *Results) scored(c Column, row *AttackScores, a *Attacked) *study.Evaluation {
	if c(row).File == ViewsFile {
		return r.viewsOf(row, a).scores()
	}
	return a.scores()
}

// viewsOf returns the judge's labels of the attacked model's pictures for the gate's prompts.
func (r *Results) viewsOf(row *AttackScores, a *Attacked) Views {
	if a == row.Gold {
		if c := r.controlled; c != nil && c.gold != nil && c.Erasure == row.Erasure {
			return c.gold
		}
		return r.Golds[row.Erasure.Paper]
	}
	if training := slices.Index(row.Others, a); training >= 0 && len(r.further) > 0 {
		return r.further[training].Golds[row.Erasure.Paper]
	}
	for _, c := range r.controls {
		if c.again && c.attacks[row.Prompt.Prompt].gold == a {
			return c.gold
		}
	}
	return r.pair(row).Views[slices.Index(row.Unlearned, a)]
}

// pair returns the scores of a row's method and concept.
func (r *Results) pair(row *AttackScores) *PairScores {
	for i := range r.Pairs {
		if r.Pairs[i].Method.Title == row.Prompt.Method && r.Pairs[i].Erasure.Paper == row.Prompt.Erased {
			return &r.Pairs[i]
		}
	}
	return nil
}

// outcomes returns a column's outcomes over the rows: the method's, by training seed, and gold's.
func (r *Results) outcomes(c Column, rows ...*AttackScores) (unlearned, gold certify.Outcomes) {
	seeds := make([]certify.Sample, r.Preset.Seeds)
	for training := range seeds {
		seeds[training] = r.pool(c, rows, func(row *AttackScores) *Attacked { return row.Unlearned[training] })
	}
	m := c.of(rows...)
	return ranged(m, certify.Repeated(TrainingSeeds, m.Family, seeds)), r.ofGold(c, rows...)
}

// ofGold returns gold's outcomes. If the rows have several trainings of gold, it returns the outcomes of each.
func (r *Results) ofGold(c Column, rows ...*AttackScores) certify.Outcomes {
	m, trainings := c.of(rows...), r.trainings(rows)
	if trainings > 1 {
		samples := make([]certify.Sample, trainings)
		for i := range samples {
			samples[i] = r.pool(c, rows, func(row *AttackScores) *Attacked {
				return append([]*Attacked{row.Gold}, row.Others...)[i]
			})
		}
		return ranged(m, certify.Repeated(r.goldTrainings(), m.Family, samples))
	}
	return ranged(m, certify.Once(m.Family, r.pool(c, rows, func(row *AttackScores) *Attacked { return row.Gold })))
}

// goldTrainings returns the unit of repetition of gold. It is the training seed if each training seed has its own gold.
func (r *Results) goldTrainings() certify.Repetitions {
	if len(r.further) > 0 {
		return TrainingSeeds
	}
	return goldTrainings
}

// ranged marks the outcomes as shares if the metric is a share.
func ranged(m study.Metric, o certify.Outcomes) certify.Outcomes {
	if m.Share {
		return o.Share()
	}
	return o
}

// trainings returns the number of trainings of gold that all rows have.
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

// pool concatenates the outcomes of the rows' attacks.
func (r *Results) pool(c Column, rows []*AttackScores, of func(row *AttackScores) *Attacked) (all certify.Sample) {
	for _, row := range rows {
		joined(&all, r.sample(c, row, of(row)))
	}
	return all
}

func joined(s *certify.Sample, more certify.Sample) {
	s.Values, s.Units = append(s.Values, more.Values...), append(s.Units, more.Units...)
}
