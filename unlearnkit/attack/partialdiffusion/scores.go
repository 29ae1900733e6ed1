package partialdiffusion

import (
	"context"
	"fmt"
	"math"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/discriminator"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/resnet"
)

// Scorer computes the paper's scores. For each prompt and model it fits a classifier, starting from a pretrained
// residual network, that distinguishes the original's own pictures from the other model's.
type Scorer struct {
	Fit     discriminator.Fit
	Way     string // discriminator.HeadOnly or discriminator.FullTriplet
	Subsets int    // subsets of KID, 100 if zero
	Seed    uint64

	network    *discriminator.Network
	transform  preprocess.Transform
	describing *device.Program
	classifier *discriminator.Classifier
}

// scorerScope is the scope of the network's variables.
const scorerScope = "network"

// NewScorer reads the network from a folder in torchvision's format; the paper's is ResNet-18, trained on ImageNet.
// Pictures are scaled as for [Classifier].
func NewScorer(d *device.Device, dir string, size int) (*Scorer, error) {
	m, config, err := residual(d, dir, size)
	if err != nil {
		return nil, err
	}
	const atOnce = 16
	network, err := discriminator.New(d, config, size, scorerScope, atOnce, 0)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", dir, err)
	}
	for variable := range m.Store.RootScope().IterVariables() {
		value, err := variable.Value()
		if err != nil {
			return nil, err
		}
		own := network.Store.GetVariable(model.ScopeSeparator + scorerScope + variable.Path())
		if own == nil {
			return nil, fmt.Errorf("read %s: a residual network has no variable %s", dir, variable.Path())
		}
		if err := own.SetValue(value); err != nil {
			return nil, err
		}
	}
	return &Scorer{Fit: discriminator.PaperFit(), Way: discriminator.HeadOnly, network: network,
		transform: preprocess.ImageNet(size, size)}, nil
}

func (t *Scorer) streams() discriminator.Streams {
	return discriminator.Streams{Name: "telling", Seed: t.Seed}
}

// Close releases the graphs and variables of the teller.
func (t *Scorer) Close() {
	if t.describing != nil {
		t.describing.Close()
	}
	if t.classifier != nil {
		t.classifier.Close()
	}
	t.network.Store.Finalize()
}

// Columns of scores in addition to the columns of [Drawing.Result], from the classifier's probabilities and features,
// see package metric.
const (
	Original      = "original"       // probability of the original: its mean is CCS in the paper's code
	CRSRetain     = "crs_retain"     // equation (7), with the original's picture at the same index
	CRSForget     = "crs_forget"     // equation (8), with the other model's picture
	CRSDifference = "crs_difference" // |s_O - s_U| of the paper's code: its mean is the tables' CRS of forget rows
	CRSContrast   = "crs_contrast"   // 1 if like the original's pictures, 0 if like the other model's
)

var scoreColumns = []attack.Column{
	{Name: Original, Label: "probability of the original (CCS)"},
	{Name: CRSRetain, Label: "CRS by equation (7)"}, {Name: CRSForget, Label: "CRS by equation (8)"},
	{Name: CRSDifference, Label: "CRS of the paper's code"}, {Name: CRSContrast, Label: "nearness of features"},
}

// Distance is the distance of the pictures at a ratio from a model's own pictures: the Kernel Inception Distance in the
// network's features. A single picture at a ratio is repeated, as in the paper's code.
type Distance struct {
	Original, Unlearned           float64
	OriginalError, UnlearnedError float64 // standard errors over subsets, NaN for a single picture
}

// SetScores holds one model's scores for sets of pictures, which cannot be columns.
type SetScores struct {
	Model                string
	Training, Validation float64    // accuracy of the classifier on the pictures it was fitted to, and on the others
	Distances            []Distance // distances by ratio
}

// WeakClassifier is the validation accuracy below which a classifier does not distinguish two models.
const WeakClassifier = .6

// Score scores the pictures of every model against its own pictures, and adds the scores to the result as columns.
func (t *Scorer) Score(ctx context.Context, d *Drawing, r *attack.Result,
	progress attack.Progress) ([]SetScores, error) {
	if d.Original == nil {
		return nil, fmt.Errorf("partial diffusion: the classifier needs pictures that each model draws without the other")
	}
	original, err := t.prepare(d.Original)
	if err != nil {
		return nil, err
	}
	var all []SetScores
	var rows [][]float64
	for i, strip := range d.Strips {
		within := func(done, of int) {
			if progress != nil {
				progress(i*of+done, len(d.Strips)*of)
			}
		}
		told, scores, err := t.scoreModel(ctx, d, strip, original, within)
		if err != nil {
			return nil, fmt.Errorf("partial diffusion: scoring %s: %w", strip.Model.Name, err)
		}
		all, rows = append(all, told), append(rows, scores...)
	}
	if len(rows) != len(r.Rows) {
		return nil, fmt.Errorf("partial diffusion: %d scores of %d pictures", len(rows), len(r.Rows))
	}
	r.Columns = append(r.Columns, scoreColumns...)
	for i := range r.Rows {
		r.Rows[i].Values = append(r.Rows[i].Values, rows[i]...)
	}
	return all, nil
}

// scoreModel scores one model. Rows are in the order of ratios and seeds, as in [Drawing.Result].
func (t *Scorer) scoreModel(ctx context.Context, d *Drawing, strip Strip, original []float32,
	progress attack.Progress) (told SetScores, rows [][]float64, err error) {
	alone, err := t.prepare(strip.Alone)
	if err != nil {
		return told, nil, err
	}
	if t.classifier == nil {
		if t.classifier, err = discriminator.NewClassifier(t.network); err != nil {
			return told, nil, err
		}
	}
	if err := t.classifier.Fresh(t.streams()); err != nil {
		return told, nil, err
	}
	lessons := discriminator.NewLessons(original, alone, len(original)/d.Original.Shape().Dimensions[0], t.Fit.Held,
		t.streams())
	if err := t.classifier.Fit(ctx, t.Way, lessons, t.Fit, t.streams(), progress); err != nil {
		return told, nil, err
	}
	sets, err := t.look(ctx, lessons.Pictures.Values) // pictures of the other model come first
	if err != nil {
		return told, nil, err
	}
	told.Model = strip.Model.Name
	told.Training, told.Validation = lessons.Accuracy(func(row int) float64 { return sets.probabilities[row] })
	half := len(sets.features) / 2
	for i, pictures := range strip.Pictures {
		if i > 0 && d.HandOvers[i].Steps == d.HandOvers[i-1].Steps {
			told.Distances = append(told.Distances, told.Distances[i-1])
			rows = append(rows, rows[len(rows)-len(d.Seeds):]...)
			continue
		}
		values, err := t.prepare(pictures)
		if err != nil {
			return told, nil, err
		}
		seen, err := t.look(ctx, values)
		if err != nil {
			return told, nil, err
		}
		for number := range d.Seeds {
			rows = append(rows, scoreRow(seen.probabilities[number], seen.features[number], sets.features[half:],
				sets.features[:half], number))
		}
		var distance Distance
		if distance.Original, distance.OriginalError, err = t.distance(sets.known[half:], seen.known); err == nil {
			distance.Unlearned, distance.UnlearnedError, err = t.distance(sets.known[:half], seen.known)
		}
		if err != nil {
			return told, nil, err
		}
		told.Distances = append(told.Distances, distance)
	}
	return told, rows, nil
}

// scoreRow returns the columns of a picture.
func scoreRow(probability float64, features []float64, original, unlearned [][]float64, number int) []float64 {
	toOriginal, toUnlearned := discriminator.Cosines(features, original), discriminator.Cosines(features, unlearned)
	pair := number % len(original)
	difference := math.Abs(metric.CRSCodeDissimilarity(toOriginal) - metric.CRSCodeDissimilarity(toUnlearned))
	contrast := .5 + (metric.CRSCorrected(toOriginal)-metric.CRSCorrected(toUnlearned))/4
	return []float64{probability, metric.CRSPrintedRetain(toOriginal[pair : pair+1]),
		metric.CRSPrintedForget(toUnlearned[pair : pair+1]), difference, contrast}
}

// distance returns KID between a set and the pictures at a ratio.
func (t *Scorer) distance(set, pictures [][]float64) (kid, deviation float64, err error) {
	if len(pictures) == 1 {
		kid, err = metric.KIDRepeated(discriminator.Matrix(set), pictures[0])
		return kid, math.NaN(), err
	}
	score, err := metric.KID(discriminator.Matrix(set), discriminator.Matrix(pictures),
		metric.KIDSampling{Subsets: t.Subsets, Seed: t.Seed})
	return score.Mean, score.StandardError, err
}

// sight holds the classifier's probabilities and features of pictures, and the features of the pretrained network.
type sight struct {
	probabilities   []float64
	features, known [][]float64
}

func (t *Scorer) look(ctx context.Context, pictures []float32) (s sight, err error) {
	probabilities, features, err := t.classifier.Predict(ctx, pictures)
	if err != nil {
		return s, err
	}
	for _, p := range probabilities {
		s.probabilities = append(s.probabilities, float64(p))
	}
	n := t.network
	known, err := n.Through(ctx, &t.describing, "describe pictures", pictures, func(in *graph.Node) []*graph.Node {
		return []*graph.Node{resnet.Forward(n.Scope(), n.Config, in, resnet.Mode{}).Features}
	})
	if err != nil {
		return s, err
	}
	width := n.Config.FeatureWidth()
	s.features, s.known = discriminator.RowsOf(features, width), discriminator.RowsOf(known[0], width)
	return s, nil
}

// prepare returns pictures as the network reads them.
func (t *Scorer) prepare(pictures *tensors.Tensor) ([]float32, error) {
	values, _, err := transformBatch(t.transform, pictures)
	return values, err
}
