package train

import (
	"context"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/discriminator"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// gallery holds all pictures of an attack: the original's, the other model's, and pictures that were handed over after
// each number of steps. Ratios with the same number of steps share their pictures.
type gallery struct {
	*attackPlan
	pictures []float32
	each     int   // values per picture
	first    []int // index of the first picture at each ratio
}

func (p *attackPlan) gallery(d *drawing) *gallery {
	g := &gallery{attackPlan: p, pictures: slices.Concat(d.original, d.unlearned), each: len(d.original) / p.Set}
	for i, completed := range d.completed {
		if i > 0 && d.hands[i].Steps == d.hands[i-1].Steps {
			g.first = append(g.first, g.first[i-1])
			continue
		}
		g.first = append(g.first, len(g.pictures)/g.each)
		g.pictures = append(g.pictures, completed...)
	}
	return g
}

// shown returns the indices and the numbers of a protocol's pictures at a ratio.
func (g *gallery) shown(protocol concealment.Protocol, ratio int) (at, numbers []int) {
	if protocol == concealment.Published {
		return []int{g.first[ratio] + g.Pictures}, []int{g.numberOfPublished()}
	}
	for number := range g.Pictures {
		at, numbers = append(at, g.first[ratio]+number), append(numbers, number)
	}
	return at, numbers
}

// ratios returns the indices of the ratios at which a protocol has pictures.
func (g *gallery) ratios(protocol concealment.Protocol) []int {
	if protocol == concealment.Published {
		return g.published
	}
	var all []int
	for i := range g.Psi {
		all = append(all, i)
	}
	return all
}

// score computes the judge's labels and the classifiers' scores of all pictures.
func (p *attackPlan) score(ctx context.Context, j *judge, d *drawing, parts *partsProgress) (*concealment.Attacked,
	error) {
	g := p.gallery(d)
	attacked := &concealment.Attacked{}
	asked := ask([]string{p.Prompt}, len(g.pictures)/g.each)
	seen, err := labelled(ctx, j, asked, g.pictures)
	if err != nil {
		return nil, err
	}
	attacked.Original = seen[:p.Set]
	for i := range p.Set {
		view := seen[p.Set+i]
		view.Number = i
		attacked.Unlearned = append(attacked.Unlearned, view)
	}
	for _, protocol := range []concealment.Protocol{concealment.Disjoint, concealment.Published} {
		for _, ratio := range g.ratios(protocol) {
			at, numbers := g.shown(protocol, ratio)
			for i := range at {
				attacked.Pictures = append(attacked.Pictures,
					concealment.Picture{Protocol: protocol, Psi: p.Psi[ratio], Number: numbers[i],
						Labels: seen[at[i]].Labels})
			}
		}
	}
	features, err := j.features(ctx, g.pictures)
	if err != nil {
		return nil, err
	}
	if attacked.Distances, err = g.distances(discriminator.RowsOf(features, j.Config.FeatureWidth())); err != nil {
		return nil, err
	}
	lessons := discriminator.NewLessons(cut(d.original), cut(d.unlearned), g.each, p.Fit.Held,
		classifierStreams(p.Seed))
	for number := range concealment.Classifiers {
		if err := g.classify(ctx, j, number, lessons, attacked, parts.next()); err != nil {
			return nil, err
		}
	}
	return attacked, nil
}

// distances computes the Kernel Inception Distances from the features of all pictures.
func (g *gallery) distances(features [][]float64) ([]concealment.Distance, error) {
	var all []concealment.Distance
	for model, own := range [][][]float64{features[:g.Set], features[g.Set : 2*g.Set]} {
		set := discriminator.Matrix(own)
		for ratio, psi := range g.Psi {
			found := concealment.Distance{Protocol: concealment.Disjoint, Psi: psi, Unlearned: model == 1}
			if ratio > 0 && g.first[ratio] == g.first[ratio-1] {
				last := all[len(all)-1]
				found.KID, found.Error = last.KID, last.Error
			} else {
				score, err := metric.KID(set, discriminator.Matrix(features[g.first[ratio]:g.first[ratio]+g.Pictures]),
					metric.KIDSampling{Subsets: g.Fit.Subsets, Seed: seed.Derive(g.Seed, "concealment", "kid")})
				if err != nil {
					return nil, err
				}
				found.KID, found.Error = score.Mean, score.StandardError
			}
			all = append(all, found)
		}
		if len(g.published) == 0 {
			continue
		}
		var repeated [][]float64
		for _, ratio := range g.published {
			repeated = append(repeated, features[g.first[ratio]+g.Pictures])
		}
		score, err := metric.KIDCode(set, discriminator.Matrix(repeated))
		if err != nil {
			return nil, err
		}
		for i, ratio := range g.published {
			all = append(all, concealment.Distance{Protocol: concealment.Published, Psi: g.Psi[ratio],
				Unlearned: model == 1, KID: score.Grown[i], Error: math.NaN()})
		}
	}
	return all, nil
}

// classify trains a classifier and records its scores.
func (g *gallery) classify(ctx context.Context, j *judge, number int, lessons *discriminator.Lessons,
	attacked *concealment.Attacked, progress func(done, of int)) error {
	c, err := j.fresh(g.Seed)
	if err != nil {
		return err
	}
	name := concealment.Classifiers[number]
	if err := c.Fit(ctx, name, lessons, fitting(g.Fit), classifierStreams(g.Seed), progress); err != nil {
		return err
	}
	probabilities, flat, err := c.Predict(ctx, cut(g.pictures))
	if err != nil {
		return err
	}
	fitted := concealment.Fitted{Classifier: name}
	fitted.Training, fitted.Validation = lessons.Accuracy(func(row int) float64 {
		// The classifier's first pictures are the unlearned model's; those of g.pictures are the original's.
		return float64(probabilities[(row+g.Set)%(2*g.Set)])
	})
	attacked.Fitted = append(attacked.Fitted, fitted)
	features := discriminator.RowsOf(flat, c.Config.FeatureWidth())
	original, unlearned := features[:g.Set], features[g.Set:2*g.Set]
	row := 0
	for _, protocol := range []concealment.Protocol{concealment.Disjoint, concealment.Published} {
		for _, ratio := range g.ratios(protocol) {
			at, numbers := g.shown(protocol, ratio)
			for i := range at {
				toOriginal := discriminator.Cosines(features[at[i]], original)
				toUnlearned := discriminator.Cosines(features[at[i]], unlearned)
				pair := numbers[i] % g.Set
				attacked.Pictures[row].Of[number] = concealment.Outcome{
					Probability:   float64(probabilities[at[i]]),
					CodeOriginal:  metric.CRSCodeDissimilarity(toOriginal),
					CodeUnlearned: metric.CRSCodeDissimilarity(toUnlearned),
					Original:      metric.CRSCorrected(toOriginal), Unlearned: metric.CRSCorrected(toUnlearned),
					PrintedRetain: metric.CRSPrintedRetain(toOriginal[pair : pair+1]),
					PrintedForget: metric.CRSPrintedForget(toUnlearned[pair : pair+1]),
				}
				row++
			}
		}
	}
	return nil
}

// classifierStreams returns the random streams for an attack's classifiers.
func classifierStreams(root uint64) discriminator.Streams {
	return discriminator.Streams{Name: "concealment", Seed: root}
}

// fitting converts the settings of the classifiers' training.
func fitting(f concealment.Fit) discriminator.Fit {
	return discriminator.Fit{Epochs: f.Epochs, Batch: f.Batch, Rate: f.Rate, Momentum: f.Momentum, Margin: f.Margin,
		Held: f.Held}
}
